"""The log-probability of a path, a term for each word: ln(frequency ÷ total)."""

from math import fsum, log

from ..text.word_graph import Edge, Path
from .steps import Derivation, Step

MOST = 9  # words a path may have before some of them are put together
FIRST = 6  # of a longer one whose words all differ, or none


def derive_path(path: Path, total: int, other: Path | None = None) -> Derivation:
    """Each word's term, and their sum. Of a long path the words that `other` has not, or the first; the rest is one
    step."""
    alone = path.edges
    if len(alone) > MOST:
        apart = tuple(edge for edge in alone if other and edge not in set(other.edges))
        alone = apart if 0 < len(apart) <= MOST else alone[:FIRST]
    rest = [edge for edge in path.edges if edge not in alone]
    steps = [term(edge, total) for edge in alone]
    if rest:
        steps.append(Step("rest", fsum(value(edge, total) for edge in rest), {"count": len(rest)}))
    whole = fsum(value(edge, total) for edge in path.edges)
    return Derivation((*steps, Step("sum", whole, {"words": len(path.edges)})), path.log_probability)


def derive_word(edge: Edge, total: int) -> Derivation:
    """One word's term."""
    return Derivation((term(edge, total),), edge.log_probability)


def term(edge: Edge, total: int) -> Step:
    """ln(frequency ÷ total); a character that is no word counts as seen once."""
    parts = {"word": edge.text, "frequency": max(1, edge.frequency), "total": total}
    return Step("word" if edge.frequency else "unseen", value(edge, total), parts)


def value(edge: Edge, total: int) -> float:
    """ln(frequency ÷ total); 1 for a frequency of 0."""
    return log(max(1, edge.frequency) / total)
