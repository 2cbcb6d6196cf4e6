"""Chinese words by jieba's rules: a graph of dictionary words, its best path, and a second step for what is left.

The graph, the path and the modes are written out here so that they can be shown, followed and given a visitor's own
words; the dictionary and the hidden Markov model's tables are jieba's. Tests hold all of it against jieba itself.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import nlargest
from importlib.util import find_spec
from itertools import groupby
from math import log
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Literal, NamedTuple

BLOCK = re.compile(r"([\u4E00-\u9FD5a-zA-Z0-9+#&\._%\-]+)")  # what a graph spans; the rest parts it
SPACE = re.compile(r"(\r\n|\s)")
LATIN = re.compile("[a-zA-Z0-9]")
HAN = re.compile("([\u4e00-\u9fd5]+)")  # what the hidden Markov model reads
NUMBER = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")

MOST_WORDS = 50  # of a visitor's own
LONGEST_WORD = 20
THOUSANDS = re.compile(r"(?<=[:：])\s*\d{1,3}(,\d{3})+(?![\d:：])")  # 1,067, as numbers stand on the page
GREATEST = 10**9  # frequency

Kind = Literal["path", "hmm", "joined", "outside"]
Mode = Literal["accurate", "full", "search"]


# ---- the dictionary


@dataclass(frozen=True, eq=False)
class Dictionary:
    """Words and how often they were seen. Never changed: `changed` lays a visitor's own words over it.

    Attributes:
        frequencies: word -> frequency; beginnings of words that are none themselves are there with 0.
        total: the sum of all frequencies.
        tags: word -> part of speech, by the first tag the dictionary lists.
        own: what was laid over: word -> frequency, 0 where it was removed.
    """

    frequencies: Mapping[str, int]
    total: int
    tags: Mapping[str, str]
    own: Mapping[str, int] = field(default_factory=dict)

    def frequency(self, word: str) -> int:
        """How often a word was seen; 0 for what is no word."""
        return self.frequencies.get(word, 0)

    def removed(self, word: str) -> bool:
        """Whether somebody took the word out."""
        return self.own.get(word) == 0

    def changed(self, words: Mapping[str, int]) -> "Dictionary":
        """This dictionary with other frequencies for some words; 0 removes one. Nothing is copied.

        Raises:
            ValueError: a frequency is negative, or a word is empty.
        """
        if any(frequency < 0 or not word for word, frequency in words.items()):
            raise ValueError("a word has at least one character and a frequency of at least 0")
        over = dict(words)
        for word in words:
            for end in range(1, len(word)):
                if word[:end] not in self.frequencies:
                    over.setdefault(word[:end], 0)
        total = self.total + sum(frequency - self.frequency(word) for word, frequency in words.items())
        return Dictionary(ChainMap(over, self.frequencies), total, self.tags, {**self.own, **words})  # type: ignore[arg-type]

    def suggested(self, word: str) -> int:
        """The frequency jieba gives to a word added without one: just enough for it to beat its parts."""
        share = 1.0
        for part in cut(word, self, hmm=False):
            share *= self.frequencies.get(part.text, 1) / self.total
        return max(int(share * self.total) + 1, self.frequencies.get(word, 1))


@cache
def dictionary() -> Dictionary:
    """jieba's own dictionary, read once (about a second) and shared by everyone."""
    spec = find_spec("jieba")
    assert spec is not None and spec.submodule_search_locations
    frequencies: dict[str, int] = {}
    tags: dict[str, str] = {}
    total = 0
    with (FilePath(spec.submodule_search_locations[0]) / "dict.txt").open(encoding="utf-8") as file:
        for line in file:
            word, frequency, tag = line.split()
            frequencies[word] = int(frequency)
            tags[word] = tag
            total += int(frequency)
    beginnings = {word[:end] for word in frequencies for end in range(1, len(word))}
    for beginning in beginnings:
        frequencies.setdefault(beginning, 0)
    return Dictionary(MappingProxyType(frequencies), total, MappingProxyType(tags))


# ---- a visitor's words


class Refusal(NamedTuple):
    """A word that cannot be taken, and the code of the reason."""

    text: str
    code: str


def read_words(raw: str) -> tuple[dict[str, int | None], list[Refusal]]:
    """A visitor's words, `打工人, 乒乓球拍:26, -和尚`, and those that cannot be taken.

    A word without a number has None, for `Dictionary.suggested`; one after a minus is removed: 0.
    """
    words: dict[str, int | None] = {}
    refusals: list[Refusal] = []
    for entry in map(str.strip, re.split("[,，;；\n]", THOUSANDS.sub(lambda number: number[0].replace(",", ""), raw))):
        if not entry:
            continue
        remove = entry[0] in "-−"
        word, colon, number = (part.strip() for part in re.sub("[:：]", ":", entry[remove:]).partition(":"))
        frequency = 0 if remove else read_frequency(number) if colon else None
        if code := refused(word, frequency, colon and not remove):
            refusals.append(Refusal(entry, code))
        elif word not in words and len(words) == MOST_WORDS:
            refusals.append(Refusal(entry, "too_many"))
        else:
            words[word] = frequency
    return words, refusals


def read_frequency(number: str) -> int | None:
    """A whole number above 0; None where there is none."""
    frequency = int(number) if number.isdecimal() and len(number) < 11 else 0  # ２６ of a Chinese keyboard too
    return frequency if 1 <= frequency <= GREATEST else None


def refused(word: str, frequency: int | None, weighed: object) -> str | None:
    """Why a word cannot be taken."""
    if not word:
        return "empty"
    if re.search(r"\s", word):
        return "spaces"
    if not BLOCK.fullmatch(word):
        return "outside"  # jieba cuts there whatever the dictionary says
    if len(word) > LONGEST_WORD:
        return "too_long"
    return "frequency" if weighed and frequency is None else None


def written(words: Mapping[str, int | None]) -> str:
    """The words as `read_words` reads them."""
    return ", ".join(f"-{w}" if f == 0 else w if f is None else f"{w}:{f}" for w, f in words.items())


def weighed(words: Mapping[str, int | None], base: Dictionary) -> dict[str, int]:
    """The words with their frequencies, the suggested one where none was given."""
    return {word: base.suggested(word) if frequency is None else frequency for word, frequency in words.items()}


# ---- the graph and its paths


class Edge(NamedTuple):
    """A word of the dictionary from one place of the text to another, or a single character that is none.

    `log_probability` is ln(frequency ÷ total), with 1 for a frequency of 0.
    """

    start: int
    end: int
    text: str
    frequency: int
    log_probability: float


class Path(NamedTuple):
    """One way through the graph."""

    edges: tuple[Edge, ...]
    log_probability: float

    @property
    def texts(self) -> tuple[str, ...]:
        """The words of the path."""
        return tuple(edge.text for edge in self.edges)


Graph = Sequence[Sequence[Edge]]  # for every character of a block, the edges that begin there, short ones first


def blocks(text: str) -> Iterator[tuple[int, str, bool]]:
    """Start, text, and whether it is a block that a graph spans."""
    at = 0
    for part in BLOCK.split(text):
        if part:
            yield at, part, BLOCK.match(part) is not None
            at += len(part)


def graph(block: str, words: Dictionary, offset: int = 0) -> Graph:
    """Every word of the dictionary in a block; where none begins, the single character."""
    log_total = log(words.total)

    def edge(start: int, end: int) -> Edge:
        frequency = words.frequency(block[start:end])
        return Edge(offset + start, offset + end, block[start:end], frequency, log(frequency or 1) - log_total)

    return [[edge(start, end) for end in ends(block, start, words.frequencies)] for start in range(len(block))]


def ends(block: str, start: int, frequencies: Mapping[str, int]) -> list[int]:
    """Where words that begin at `start` end."""
    found = []
    for end in range(start + 1, len(block) + 1):
        frequency = frequencies.get(block[start:end])
        if frequency is None:
            break
        if frequency:
            found.append(end)
    return found or [start + 1]


def best_paths(graph: Graph, count: int = 1) -> list[Path]:
    """The `count` most probable paths, the best first; of equal ones the longer first word wins, as in jieba.

    From the end: the best continuations of every place are known before it is reached (Viterbi 1967).
    """
    offset = graph[0][0].start
    routes: list[list[tuple[float, Edge | None, int]]] = [[] for _ in graph] + [[(0.0, None, 0)]]
    for start in range(len(graph) - 1, -1, -1):
        ways = [
            (edge.log_probability + rest[0], edge, rank)
            for edge in graph[start]
            for rank, rest in enumerate(routes[edge.end - offset])
        ]
        routes[start] = nlargest(count, ways, key=lambda way: (way[0], way[1].end, -way[2]))  # type: ignore[arg-type]
    return [Path(tuple(walk(routes, rank, offset)), routes[0][rank][0]) for rank in range(len(routes[0]))]


def walk(routes: list[list[tuple[float, Edge | None, int]]], rank: int, offset: int) -> Iterator[Edge]:
    """The edges of one of the ways kept, from the first character on."""
    _, edge, rank = routes[0][rank]
    while edge is not None:
        yield edge
        _, edge, rank = routes[edge.end - offset][rank]


def paths(graphs: Sequence[Graph], count: int) -> list[Path]:
    """The most probable paths through all graphs of a text, one behind the other."""
    whole = [Path((), 0.0)]
    for graph in graphs:
        joined = [
            Path(before.edges + path.edges, before.log_probability + path.log_probability)
            for before in whole
            for path in best_paths(graph, count)
        ]
        whole = nlargest(count, joined, key=lambda path: path.log_probability)
    return whole


def threshold(text: str, words: Dictionary, word: str, at: int | None = None) -> int | None:
    """The smallest frequency at which the best path takes `word`: the one that begins at `at`, or any of them.

    0 where the path takes it even if it is removed: a character that nothing else covers. None where no frequency does
    it. The total grows with the frequency, so a path of many words can lose again what it won: it is looked for where
    such a path is at its best too, at whole shares and multiples of the total.
    """
    with_it = words.changed({word: 1})
    holding = {
        part: start
        for begin, block, inside in blocks(text)
        if inside
        for start, part in parts(block, with_it, begin)
        if word in part and (at is None or start <= at < start + len(part))
    }

    def taken(frequency: int) -> bool:
        weighed = words.changed({word: frequency})
        path = (edge for part, start in holding.items() for edge in best_paths(graph(part, weighed, start))[0].edges)
        return any(edge.text == word and at in (None, edge.start) for edge in path)

    if not holding:
        return None
    if taken(0):
        return 0
    total = words.changed({word: 0}).total
    tried = (GREATEST, *(total * share // 12 for share in (24, 12, 6, 4, 3)))
    high = next(filter(taken, tried), None)
    if high is None:
        return None
    low = 0  # not taken at `low`, taken at `high`
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if taken(middle) else (middle, high)
    return high


def parts(block: str, words: Dictionary, offset: int = 0) -> Iterator[tuple[int, str]]:
    """A block cut wherever no word reaches across: every path passes there, so each part has its own best path."""
    begin = reach = 0
    for start in range(len(block)):
        if start and start == reach:
            yield offset + begin, block[begin:start]
            begin = start
        reach = max(reach, ends(block, start, words.frequencies)[-1])
    yield offset + begin, block[begin:]


# ---- words


class Word(NamedTuple):
    """A word of the result, and what made it.

    `kind`: "path", the best path took it; "hmm", the second step made it of single characters; "joined", Latin
    letters and digits put together by rule; "outside", what no graph spans. `states` are the second step's, a letter
    of B, M, E, S for each character it read; "" where it was not asked.
    """

    text: str
    start: int
    end: int
    kind: Kind
    states: str = ""


def cut(text: str, words: Dictionary, hmm: bool = True) -> list[Word]:
    """jieba's accurate mode: the best path, then what becomes of the single characters it left."""
    made: list[Word] = []
    for start, part, inside in blocks(text):
        if inside:
            made += regrouped(best_paths(graph(part, words, start))[0].edges, words, hmm)
        else:
            made += [outside(start + i, piece) for i, piece in pieces(part, SPACE, lambda rest: rest)]
    return made


def pieces(text: str, kept: re.Pattern[str], apart) -> Iterator[tuple[int, str]]:
    """Place and text: what `kept` finds as it stands, the rest as `apart` takes it apart."""
    at = 0
    for part in kept.split(text):
        for piece in (part,) if kept.match(part) else apart(part):
            if piece:
                yield at, piece
                at += len(piece)


def outside(start: int, text: str) -> Word:
    return Word(text, start, start + len(text), "outside")


def regrouped(path: Iterable[Edge], words: Dictionary, hmm: bool) -> Iterator[Word]:
    """The second step: runs of single characters on the path are read again, longer words stay."""

    def single(edge: Edge) -> bool:
        return len(edge.text) == 1 and (hmm or LATIN.match(edge.text) is not None)

    for again, run in groupby(path, single):
        if again:
            yield from (second_step if hmm else joined)(list(run), words)
        else:
            yield from (Word(edge.text, edge.start, edge.end, "path") for edge in run)


def kept_apart(path: Iterable[Edge], words: Dictionary) -> Iterator[str]:
    """Single characters side by side on the path that are a word together: the second step leaves them alone."""
    run = ""
    end = -1
    for edge in (*path, None):
        if edge is None or len(edge.text) > 1 or edge.start != end:
            if len(run) > 1 and words.frequency(run):
                yield run
            run = ""
        if edge is not None and len(edge.text) == 1:
            run, end = run + edge.text, edge.end


def joined(run: Sequence[Edge], words: Dictionary) -> Iterator[Word]:
    """Without the model: neighbouring letters and digits are one word."""
    text = "".join(edge.text for edge in run)
    yield Word(text, run[0].start, run[-1].end, "joined" if len(run) > 1 else "path")


def second_step(run: Sequence[Edge], words: Dictionary) -> Iterator[Word]:
    """A run of single characters through the hidden Markov model, unless it is one alone or a word as a whole."""
    text, start = "".join(edge.text for edge in run), run[0].start
    if len(run) == 1 or words.frequency(text):
        yield from (Word(edge.text, edge.start, edge.end, "path") for edge in run)
        return
    for at, piece in pieces(text, HAN, lambda rest: NUMBER.split(rest)):
        if HAN.match(piece):
            yield from hidden(piece, start + at, words)
        else:
            yield Word(piece, start + at, start + at + len(piece), "joined" if len(piece) > 1 else "path")


def hidden(text: str, start: int, words: Dictionary) -> Iterator[Word]:
    """The most probable states of Han characters, and the words they spell; a removed word falls apart again."""
    spelt = states(text)
    for word in re.finditer("B?M*E|S", spelt):
        first, last = word.span()
        if words.removed(text[first:last]):
            yield from (Word(text[i], start + i, start + i + 1, "path", spelt[i]) for i in range(first, last))
        else:
            yield Word(text[first:last], start + first, start + last, "hmm" if last > first + 1 else "path", word[0])


def states(text: str) -> str:
    """B, M, E or S (begin, middle, end, single) for each character, by jieba's hidden Markov model.

    The tables, log-probabilities trained on Chinese text, are jieba's; so is the Viterbi search through them.
    """
    from jieba import finalseg

    return "".join(finalseg.viterbi(text, "BMES", finalseg.start_P, finalseg.trans_P, finalseg.emit_P)[1])


def full(text: str, words: Dictionary) -> list[Word]:
    """jieba's full mode: every dictionary word of two characters or more, overlapping; no path, no HMM.

    jieba also gives empty strings around what is in no block; they are left out.
    """
    made: list[Word] = []
    for start, part, inside in blocks(text):
        if inside:
            made += every_word(part, start, words)
        else:
            made += [outside(start + i, piece) for i, piece in pieces(part, SPACE, lambda rest: [rest])]
    return made


def every_word(block: str, offset: int, words: Dictionary) -> Iterator[Word]:
    """The edges of a block that full mode shows: long ones, and single characters that nothing covers."""
    covered, latin, began = 0, "", 0
    for start, edges in enumerate(graph(block, words, offset)):
        if latin and not LATIN.match(block[start]):
            yield Word(latin, offset + began, offset + began + len(latin), "joined")
            latin = ""
        if len(edges) == 1 and start >= covered:
            edge, covered = edges[0], start + len(edges[0].text)
            if LATIN.match(edge.text):
                latin, began = latin + edge.text, began if latin else start
            if not latin:
                yield Word(edge.text, edge.start, edge.end, "path")
        else:
            for edge in edges:
                if len(edge.text) > 1:
                    yield Word(edge.text, edge.start, edge.end, "path")
                    covered = start + len(edge.text)
    if latin:
        yield Word(latin, offset + began, offset + began + len(latin), "joined")


def search(text: str, words: Dictionary, hmm: bool = True) -> list[Word]:
    """jieba's mode for search engines: accurate mode, and before a long word the shorter ones inside it."""
    made: list[Word] = []
    for word in cut(text, words, hmm):
        for size in (2, 3):
            if len(word.text) > size:
                made += [inner for inner in inside(word, size) if words.frequency(inner.text)]
        made.append(word)
    return made


def inside(word: Word, size: int) -> Iterator[Word]:
    """All stretches of `size` characters in a word."""
    for i in range(len(word.text) - size + 1):
        yield Word(word.text[i : i + size], word.start + i, word.start + i + size, "path")
