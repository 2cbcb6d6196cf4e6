"""What a head does on average, as `core.views.heads` measures it; of a pair of sentences, how much goes from one to the
other."""

from collections.abc import Sequence

import numpy as np

from ...capture import Capture
from ...model.places import split
from ...text.token import Token
from ...views import heads
from ...views.circuits import followed
from ..operators import divided, total
from ..origins import Measure, Origin
from ..steps import Named, Vector
from .kind import Kind, Steps, refused, vectors

HABIT = "does_"  # before the name of a measure there
PAIR = {"first_first": (0, 0), "first_second": (0, 1), "second_first": (1, 0), "second_second": (1, 1)}
ACROSS = "across"  # from either to the other


def across(name: str, queries: Sequence[Token], keys: Sequence[Token]) -> np.ndarray:
    """[query, key]: what goes from a sentence of a pair to the same or to the other."""
    asks, answers = (np.array([token.segment for token in side]) for side in (queries, keys))
    if name == ACROSS:
        return asks[:, None] != answers[None]
    one, other = PAIR[name]
    return (asks[:, None] == one) & (answers[None] == other)


def of_pair(name: str) -> bool:
    return name == ACROSS or name in PAIR


def mask_of(head: Origin) -> str:
    return head.name.removesuffix("weights") + "mask"


def masks(what: Measure) -> tuple[str, ...]:
    return (mask_of(what.of[0]),)


def sides(run: Capture, what: Measure) -> tuple[tuple[Token, ...], tuple[Token, ...], np.ndarray]:
    """The tokens that ask and those that answer; [query, key], who may look where. Raises InputError for what is no
    head, and, of a pair, no head of the encoder."""
    (head,) = what.of
    place, word = split(head.name)
    if word != "weights" or not place.kind or (of_pair(what.kind) and place.kind != "encoder"):
        raise refused(what)
    return run.side(head.name, "query"), run.side(head.name, "key"), run[mask_of(head)] == 0


def habit(run: Capture, what: Measure) -> float:
    """As the grid of heads shows it. Raises InputError where no row could do it."""
    (head,), name, (queries, keys, allowed) = what.of, what.kind.removeprefix(HABIT), sides(run, what)
    weights = run[head.name][head.slices][None, None]  # layer, head, query, key
    found = heads.measured(weights, allowed, queries, keys, split(head.name)[0].kind == "cross").get(name)
    if found is None:
        raise refused(what)
    return float(found[0, 0])


def does(run: Capture, what: Measure) -> Steps:
    """The weights that are meant, added up, and divided by how many rows there are; of how evenly it spreads,
    −w ln w of every weight, by the logarithm of how many keys its row may look at. Raises InputError where no row
    could do it."""
    (weights,), name = vectors(run, what), what.kind.removeprefix(HABIT)
    queries, keys, allowed = sides(run, what)
    even = name == "entropy"
    if even:
        meant = allowed & (allowed.sum(1, keepdims=True) > 1)
    else:
        meant = (across if of_pair(name) else heads.meant)(name, queries, keys) & allowed
    if not meant.any():
        raise refused(what)
    places = np.argwhere(meant)
    picked = Named(weights.values[meant], source=lambda i: what.of[0].at(*map(int, places[i])))
    count = np.repeat(allowed.sum(1), meant.sum(1)).astype(np.float64)  # of keys, for each number that was picked
    terms = picked.values
    if even:
        terms = -terms * np.log(np.where(terms > 0, terms, 1)) / np.log(count)
    added = total("habit_entropy" if even else "habit_sum", picked, Vector(count), terms=terms)
    return added, divided("habit_mean", added, rows=int(meant.any(1).sum()))


def again(run: Capture, what: Measure) -> Steps:
    """The weights on what followed the last time that a token stood there, added up and divided by how many they are.
    Raises InputError where no token comes again."""
    (head,), (weights,) = what.of, vectors(run, what)
    place, word = split(head.name)
    pairs = [*followed(run.side(head.name, "query")).items()]
    if word != "weights" or not place.kind or not pairs:
        raise refused(what)
    values = np.array([weights.values[pair] for pair in pairs])
    picked = Named(values, source=lambda i: head.at(*pairs[i]))
    added = total("again_sum", picked)
    return added, divided("habit_mean", added, rows=len(pairs))


KINDS = {
    "again": Kind((2,), again, terms="number"),
    **{f"{HABIT}{name}": Kind((2,), does, reads=masks, terms="number", held=habit) for name in heads.MEASURES},
    **{name: Kind((2,), does, reads=masks, terms="number") for name in (*PAIR, ACROSS)},
}
