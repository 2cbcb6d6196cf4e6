"""The graph of dictionary words over a text, its most probable paths, and the frequency that brings a word onto one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import NamedTuple

from .dictionary import GREATEST, Dictionary

BLOCK = re.compile(r"([\u4E00-\u9FD5a-zA-Z0-9+#&\._%\-]+)")  # what a graph spans; the rest parts it


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
