"""Chinese words by jieba's rules: a graph of dictionary words, its best path, and a second step for what is left.

Dictionary, graph, path and modes are written out here so that they can be shown, followed and given a visitor's own
words; the words themselves and the hidden Markov model's tables are jieba's. Tests hold all of it against jieba itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from .dictionary import Dictionary
from .word_graph import Edge, best_paths, blocks, graph

SPACE = re.compile(r"(\r\n|\s)")
LATIN = re.compile("[a-zA-Z0-9]")
HAN = re.compile("([\u4e00-\u9fd5]+)")  # what the hidden Markov model reads
NUMBER = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")

Kind = Literal["path", "hmm", "joined", "outside"]
Mode = Literal["accurate", "full", "search"]


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
    """The edges of a block that full mode shows: long ones, and single characters at which no longer one
    begins, once the one listed last has ended. Latin ones of these are strung together, wherever they stand."""
    covered, latin, began, ended = 0, "", 0, 0
    for start, edges in enumerate(graph(block, words, offset)):
        if latin and not LATIN.match(block[start]):
            yield Word(latin, offset + began, offset + ended, "joined")
            latin = ""
        if len(edges) == 1 and start >= covered:
            edge, covered = edges[0], start + len(edges[0].text)
            if LATIN.match(edge.text):
                latin, began, ended = latin + edge.text, began if latin else start, covered
            if not latin:
                yield Word(edge.text, edge.start, edge.end, "path")
        else:
            for edge in edges:
                if len(edge.text) > 1:
                    yield Word(edge.text, edge.start, edge.end, "path")
                    covered = start + len(edge.text)
    if latin:
        yield Word(latin, offset + began, offset + ended, "joined")


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
