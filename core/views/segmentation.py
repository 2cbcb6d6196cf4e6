"""What the segmentation lab shows: one text's graph and paths, its words, and other methods' pieces on one ruler."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from math import ceil
from typing import NamedTuple

import numpy as np

from ..text import bpe, segmentation, unigram, word_graph
from ..text.dictionary import Dictionary
from ..text.segmentation import Mode, Word
from ..text.trace import Stretch
from ..text.word_graph import Edge, Path
from ..text.wordpiece import WordPiece

METHODS = ("jieba", "characters", "wordpiece", "bpe", "unigram")
PATHS = 4  # kept: the best and those after it


class Piece(NamedTuple):
    """A stretch of the text as one method has it, in columns: code points, a fraction where it is part of one.

    `kind`: how jieba came to it (`Word.kind`); "unknown" for what a vocabulary cannot spell; "bytes" for part of a
    character, whose text is then its bytes in hexadecimal; "" else. `id` is a vocabulary's row.
    """

    text: str
    start: float
    end: float
    kind: str = ""
    id: int | None = None


@dataclass(frozen=True, eq=False)
class SegmentationView:
    """One text, cut.

    Attributes:
        text: as typed.
        dictionary: the words, the visitor's own laid over them.
        edges: every word of the graph, in reading order.
        paths: the most probable ways through the graph, the best first.
        words: jieba's accurate mode.
        shown: jieba's words in the mode asked for; in full and search mode they overlap.
        methods: for each of METHODS its pieces; jieba's are `words`.
    """

    text: str
    dictionary: Dictionary
    edges: tuple[Edge, ...]
    paths: tuple[Path, ...]
    words: tuple[Word, ...]
    shown: tuple[Word, ...]
    methods: Mapping[str, tuple[Piece, ...]]

    @cached_property
    def agreement(self) -> np.ndarray:
        """F1 of the interior boundaries of each pair of methods, [method, method]; NaN where neither has one."""
        cuts = [boundaries(pieces, len(self.text)) for pieces in self.methods.values()]
        return np.array([[f1(a, b) for b in cuts] for a in cuts])

    @cached_property
    def new(self) -> tuple[Word, ...]:
        """The words that the second step made of single characters."""
        return tuple(word for word in self.words if word.kind == "hmm")

    @cached_property
    def kept_apart(self) -> tuple[str, ...]:
        """The words of the dictionary whose characters the path took one by one: the second step leaves them so."""
        return tuple(segmentation.kept_apart(self.paths[0].edges, self.dictionary))

    @cached_property
    def edge_at(self) -> Mapping[tuple[int, int], Edge]:
        """(start, end) in code points -> the word of the graph that stands there."""
        return {(edge.start, edge.end): edge for edge in self.edges}

    @property
    def nbytes(self) -> int:
        """Roughly what it holds, for a cache of a bounded size; the dictionary is everyone's."""
        pieces = sum(map(len, self.methods.values())) + len(self.words) + len(self.shown)
        return 2000 + 200 * (len(self.edges) + pieces) + 8 * sum(len(path.edges) for path in self.paths)


def segmentation_view(
    text: str, words: Dictionary, wordpiece: WordPiece, hmm: bool = True, mode: Mode = "accurate"
) -> SegmentationView:
    """The view of a text; `wordpiece` is MiniLM's tokenizer."""
    graphs = [word_graph.graph(part, words, at) for at, part, inside in word_graph.blocks(text) if inside]
    cut = tuple(segmentation.cut(text, words, hmm))
    shown = {
        "accurate": lambda: cut,
        "full": lambda: tuple(segmentation.full(text, words)),
        "search": lambda: tuple(segmentation.search(text, words, hmm)),
    }[mode]()
    return SegmentationView(
        text,
        words,
        tuple(chain.from_iterable(chain.from_iterable(graphs))),
        tuple(word_graph.paths(graphs, PATHS)),
        cut,
        shown,
        {name: tuple(pieces) for name, pieces in methods(text, cut, wordpiece)},
    )


def methods(text: str, words: Sequence[Word], wordpiece: WordPiece) -> Iterator[tuple[str, Iterable[Piece]]]:
    """Each method and its pieces, in the order of METHODS."""
    trace = wordpiece.trace(text).texts[0]
    yield "jieba", (Piece(word.text, word.start, word.end, word.kind) for word in words)
    yield "characters", characters(text, [word for part in trace.parts for word in spans(part)])
    yield (
        "wordpiece",
        (
            Piece(token.text, token.start, token.end, "unknown" if token.id == wordpiece.unk_id else "", token.id)
            for token in trace.tokens
        ),
    )
    yield "bpe", byte_pieces(text)
    yield (
        "unigram",
        (Piece(p.text, p.start, p.end, "" if p.id else "unknown", p.id) for p in unigram.encode(text)),
    )


def spans(part) -> list[tuple[int, int]]:
    """The words of a stretch, or the special token that was typed."""
    if isinstance(part, Stretch):
        return [(word.start, word.end) for word in part.words]
    return [(part.start, part.end)]


def characters(text: str, words: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    """bert-base-chinese before its vocabulary: each Han character alone, other words whole, spaces gone."""
    for start, end in words:
        yield Piece(text[start:end], start, end)


def byte_pieces(text: str) -> Iterator[Piece]:
    """Byte-level BPE in columns: a byte in the middle of a character is a fraction of it."""
    sizes = [len(character.encode()) for character in text]
    starts = [0, *accumulate(sizes)]
    column = {
        start + i: c + i / size for c, (start, size) in enumerate(zip(starts, sizes, strict=False)) for i in range(size)
    }
    column[starts[-1]] = len(text)
    for piece in bpe.encode(text):
        start, end = column[piece.start], column[piece.end]
        whole = start == int(start) and end == int(end)
        inside = range(int(start), ceil(end))
        spelt = [
            text[i] if whole else in_bytes(text[i], piece.start - starts[i], piece.end - starts[i]) for i in inside
        ]
        yield Piece(("" if whole else " ").join(spelt), start, end, "" if whole else "bytes", piece.id)


def in_bytes(character: str, first: int, last: int) -> str:
    """What of a character lies between two bytes: all of it as it is (a space as ␣), or a part in hexadecimal."""
    own = character.encode()
    if first <= 0 and len(own) <= last:
        return "␣" if character == " " else character
    return own[max(0, first) : last].hex(" ").upper()


def boundaries(pieces: Iterable[Piece], length: int) -> frozenset[float]:
    """Where pieces begin or end, the two ends of the text left out."""
    return frozenset(at for piece in pieces for at in (piece.start, piece.end) if 0 < at < length)


def f1(mine: frozenset[float], theirs: frozenset[float]) -> float:
    """2 |A ∩ B| ÷ (|A| + |B|); NaN where both are empty."""
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine or theirs else float("nan")


def stated(cut: str) -> tuple[str, frozenset[float]]:
    """A text and its boundaries, from a cut written with slashes: 乒乓球/拍卖/完/了."""
    parts = cut.split("/")
    ends = list(accumulate(map(len, parts)))
    return "".join(parts), frozenset(map(float, ends[:-1]))


def scores(view: SegmentationView, cut: frozenset[float]) -> dict[str, float]:
    """F1 of each method against a stated cut."""
    return {name: f1(boundaries(pieces, len(view.text)), cut) for name, pieces in view.methods.items()}


def challenger(view: SegmentationView) -> Edge | None:
    """The word most worth weighing: the longest one that a runner-up takes and the best path does not."""
    return next(runners_up(view), None)


def runners_up(view: SegmentationView) -> Iterator[Edge]:
    """The words of the other paths that the best one does not take, path by path: the longest first, then the rarer."""
    best = set(view.paths[0].edges)
    for path in view.paths[1:]:
        others = (edge for edge in path.edges if edge not in best and len(edge.text) > 1)
        yield from sorted(others, key=lambda edge: (-len(edge.text), edge.frequency))


def astride(view: SegmentationView) -> Iterator[Edge]:
    """Words of the graph over a boundary of the best path, whose neighbours they would break: in reading order."""
    cuts = boundaries_of(view.paths[0])
    yield from (edge for edge in view.edges if any(edge.start < cut < edge.end for cut in cuts))


def boundaries_of(path: Path) -> list[int]:
    return [edge.end for edge in path.edges]


def best_path(text: str, words: Dictionary) -> Path:
    """The most probable way through a text, and nothing else of it."""
    graphs = [word_graph.graph(part, words, at) for at, part, inside in word_graph.blocks(text) if inside]
    return word_graph.paths(graphs, 1)[0]
