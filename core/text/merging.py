"""How a vocabulary grows: from single characters, the two pieces that win are merged, again and again.

Three rules choose the winner among the pairs that stand side by side:

    score      WordPiece by freq(xy) ÷ (freq(x) · freq(y)), the best guess of the Hugging Face course
    frequency  WordPiece as the `tokenizers` library trains it: the most frequent pair
    bpe        the most frequent pair too, without the ## that marks what continues a word

References:
    Schuster and Nakajima 2012, Japanese and Korean Voice Search, ICASSP (WordPiece).
    Sennrich et al. 2016, https://arxiv.org/abs/1508.07909 (BPE on words).
    Hugging Face course, chapter 6, https://huggingface.co/learn/llm-course/chapter6/6 (the score).
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import Literal, NamedTuple

Rule = Literal["score", "frequency", "bpe"]
Ties = Literal["first", "id"]
Pair = tuple[str, str]

RULES: tuple[Rule, ...] = ("score", "frequency", "bpe")
TIES: tuple[Ties, ...] = ("first", "id")
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
KEPT = 8  # candidates of a step that are kept


class Candidate(NamedTuple):
    """Two pieces side by side: how often together, and how often each."""

    left: str
    right: str
    frequency: int
    of_left: int
    of_right: int

    @property
    def score(self) -> float:
        return self.frequency / (self.of_left * self.of_right)


@dataclass(frozen=True)
class Merge:
    """One step: the winner, the piece it became, and what it won against.

    `candidates` are the best, the winner first; there were `count`, of which `tied` were as good as the winner, itself
    included. `new` is whether the vocabulary lacked the piece: two pairs may spell the same.
    """

    left: str
    right: str
    made: str
    candidates: tuple[Candidate, ...]
    count: int
    tied: int
    new: bool


@dataclass(frozen=True)
class Training:
    """A vocabulary and how it grew. `words` are the words it was trained on, with counts."""

    rule: Rule
    words: Mapping[str, int]
    alphabet: tuple[str, ...]
    merges: tuple[Merge, ...]

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The special tokens, the alphabet, and what was merged, in the order of their ids."""
        return (*SPECIALS, *self.alphabet, *(merge.made for merge in self.merges if merge.new))

    def sizes(self) -> list[int]:
        """How large the vocabulary is at first and after each merge."""
        sizes = [len(SPECIALS) + len(self.alphabet)]
        for merge in self.merges:
            sizes.append(sizes[-1] + merge.new)
        return sizes

    def walk(self, word: str, steps: int | None = None) -> Iterator[tuple[int, list[str]]]:
        """A word's pieces at first (0), and after each merge that changed them."""
        pieces = letters(word, self.rule)
        yield 0, pieces
        for number, merge in enumerate(self.merges[:steps], 1):
            if merge.left not in pieces or merge.right not in pieces:
                continue
            if (after := merged(pieces, merge.left, merge.right, merge.made)) != pieces:
                pieces = after
                yield number, pieces

    def splits(self, steps: int) -> Mapping[str, list[str]]:
        """Every word's pieces after so many merges."""
        return {word: list(self.walk(word, steps))[-1][1] for word in self.words}


def letters(word: str, rule: Rule) -> list[str]:
    """A word as single characters; with WordPiece those that continue it are marked: h ##u ##g."""
    return list(word) if rule == "bpe" else [word[0], *(f"##{c}" for c in word[1:])]


def joined(left: str, right: str) -> str:
    """The piece two become: h and ##ug are hug, ##u and ##g are ##ug."""
    return left + (right[2:] if len(right) > 2 and right.startswith("##") else right)


def merged(pieces: Sequence[str], left: str, right: str, made: str) -> list[str]:
    """The pieces with each `left` `right` merged, from the left."""
    after: list[str] = []
    i = 0
    while i < len(pieces):
        if pieces[i] == left and i + 1 < len(pieces) and pieces[i + 1] == right:
            after.append(made)
            i += 2
        else:
            after.append(pieces[i])
            i += 1
    return after


def train(words: Mapping[str, int], rule: Rule = "score", ties: Ties = "first", size: int = 30_522) -> Training:
    """Merge until the vocabulary has `size` pieces, or no two pieces stand side by side.

    Args:
        words: word -> how often it was seen.
        rule: which pair wins.
        ties: of pairs that are as good, the one seen `first` in the words as they are split now; or the one of the
            smallest pair of ids, left before right, as the `tokenizers` library does it.
        size: special tokens and alphabet count, too; where they are as many or more, nothing is merged.
    """
    state = State(words, rule)
    ids = {piece: id for id, piece in enumerate((*SPECIALS, *state.alphabet))}
    merges: list[Merge] = []
    while len(ids) < size and state.pairs:
        merge = state.step(ids, ties)
        ids.setdefault(merge.made, len(ids))
        merges.append(merge)
    return Training(rule, words, state.alphabet, tuple(merges))


class State:
    """The words as they are split now, and what is counted in them: kept up to date, never counted anew."""

    def __init__(self, words: Mapping[str, int], rule: Rule):
        self.rule = rule
        self.counts = list(words.values())
        self.splits = [letters(word, rule) for word in words]
        self.pieces: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self.where: dict[Pair, set[int]] = {}  # words in which a pair stands, or stood
        for i, split in enumerate(self.splits):
            for piece in split:
                self.pieces[piece] += self.counts[i]
            for pair in itertools.pairwise(split):
                self.count(pair, i, 1)
        # The pieces that continue a word have the first ids, each kind in the order of its characters.
        self.alphabet = tuple(sorted(self.pieces, key=lambda piece: (len(piece) == 1, piece)))

    def step(self, ids: Mapping[str, int], ties: Ties) -> Merge:
        """The best pair, merged in every word."""
        values = self.values()
        best = max(values.values())
        tied = [pair for pair, value in values.items() if value == best]
        left, right = winner = self.chosen(tied, ids, ties)
        first = nlargest(KEPT, values, key=values.__getitem__)
        shown = [winner, *(pair for pair in first if pair != winner)][:KEPT]
        made = joined(left, right)
        merge = Merge(left, right, made, tuple(map(self.candidate, shown)), len(values), len(tied), made not in ids)
        self.merge(left, right, made)
        return merge

    def values(self) -> Mapping[Pair, float]:
        """What each pair is judged by."""
        if self.rule != "score":
            return self.pairs
        of = self.pieces
        return {(x, y): n / (of[x] * of[y]) for (x, y), n in self.pairs.items()}

    def chosen(self, tied: Sequence[Pair], ids: Mapping[str, int], ties: Ties) -> Pair:
        if len(tied) == 1:
            return tied[0]
        if ties == "id":
            return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        among = set(tied)
        return next(pair for split in self.splits for pair in itertools.pairwise(split) if pair in among)

    def candidate(self, pair: Pair) -> Candidate:
        left, right = pair
        return Candidate(left, right, self.pairs[pair], self.pieces[left], self.pieces[right])

    def count(self, pair: Pair, word: int, times: int) -> None:
        """A pair is there so many times more (or, below 0, fewer) in a word."""
        self.pairs[pair] += times * self.counts[word]
        if times > 0:
            self.where.setdefault(pair, set()).add(word)
        elif not self.pairs[pair]:
            del self.pairs[pair]

    def merge(self, left: str, right: str, made: str) -> None:
        for word in self.where.pop((left, right)):
            self.merge_in(word, left, right, made)

    def merge_in(self, word: int, left: str, right: str, made: str) -> None:
        """Only the pairs around what is merged change."""
        before = self.splits[word]
        after = merged(before, left, right, made)
        times = len(before) - len(after)
        if not times:
            return
        for piece, change in ((left, -times), (right, -times), (made, times)):
            self.pieces[piece] += change * self.counts[word]
        change = Counter(itertools.pairwise(after))
        change.subtract(itertools.pairwise(before))
        for pair, more in change.items():
            if more:
                self.count(pair, word, more)
        self.splits[word] = after


def pairs(training: Training, steps: int) -> list[Candidate]:
    """Every two pieces that stand side by side after so many merges, in the order of the alphabet."""
    state = State(training.words, training.rule)
    for merge in training.merges[:steps]:
        state.merge(merge.left, merge.right, merge.made)
    return [state.candidate(pair) for pair in sorted(state.pairs)]


# ---- what was trained, used


def spell(training: Training, word: str, steps: int | None = None) -> list[str]:
    """A word in the pieces that were trained, as far as `steps` merges: [UNK] where they cannot spell it.

    WordPiece takes the longest piece at each place and forgets how it came to be; BPE repeats its merges in order.
    """
    known = {*training.alphabet, *(merge.made for merge in training.merges[:steps])}
    if training.rule == "bpe":
        *_, (_, pieces) = training.walk(word, steps)
        return [piece if piece in known else "[UNK]" for piece in pieces]
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in known), None)
        if end is None:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces
