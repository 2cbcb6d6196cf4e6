"""What a head does on average, as `core.views.heads` measures it; of a pair of sentences, how much goes from one to the
other."""

from collections.abc import Sequence

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, vectors
from core.derivation.origins import Measure, Origin
from core.derivation.steps import Named, Step, Vector, with_terms
from core.errors import InputError
from core.model.places import split
from core.text.token import Token
from core.views import heads

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


def mask_of(head: Origin) -> str:
    return head.name.removesuffix("weights") + "mask"


def sides(run: Capture, head: Origin) -> tuple[tuple[Token, ...], tuple[Token, ...], np.ndarray]:
    """The tokens that ask and those that answer; [query, key], who may look where."""
    allowed = run[mask_of(head)] == 0
    return run.side(head.name, "query"), run.side(head.name, "key"), allowed


def habit(run: Capture, what: Measure) -> float:
    (head,), name = what.of, what.kind.removeprefix(HABIT)
    place, word = split(head.name)
    if word != "weights" or not place.kind:
        raise InputError("not_a_cell", text=str(what)[:80])
    queries, keys, allowed = sides(run, head)
    weights = run[head.name][head.slices][None, None]  # layer, head, query, key
    found = heads.measured(weights, allowed, queries, keys, place.kind == "cross").get(name)
    if found is None:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(found[0, 0])


def between(run: Capture, what: Measure) -> float:
    """The mean over the rows that are meant. Raises InputError where there is no pair."""
    (head,) = what.of
    place, word = split(head.name)
    picked = across(what.kind, *sides(run, head)[:2])
    if word != "weights" or place.kind != "encoder" or not picked.any():
        raise InputError("not_a_cell", text=str(what)[:80])
    return float((run[head.name][head.slices] * picked).sum(-1)[picked.any(-1)].mean())


def habit_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The weights that are meant, added up, and divided by how many rows there are; of how evenly it spreads,
    −w ln w of every weight, by the logarithm of how many keys its row may look at."""
    (weights,), name = vectors(run, what), what.kind.removeprefix(HABIT)
    queries, keys, allowed = sides(run, what.of[0])
    even = name == "entropy"
    if even:
        meant = allowed & (allowed.sum(1, keepdims=True) > 1)
    else:
        pick = across if name == ACROSS or name in PAIR else heads.meant
        meant = pick(name, queries, keys) & allowed
    places = np.argwhere(meant)
    picked = Named(weights.values[meant], source=lambda i: what.of[0].at(*map(int, places[i])))
    count = np.repeat(allowed.sum(1), meant.sum(1)).astype(np.float64)  # of keys, for each number that was picked
    terms = picked.values
    if even:
        terms = -terms * np.log(np.where(terms > 0, terms, 1)) / np.log(count)
    total, rows = float(terms.sum()), int(meant.any(1).sum())
    step = Step("habit_entropy" if even else "habit_sum", total)
    added = with_terms(step, terms, picked, Vector(count))
    return added, Step("habit_mean", total / rows, {"sum": total, "rows": str(rows)})


def masks(what: Measure) -> tuple[str, ...]:
    return (mask_of(what.of[0]),)


KINDS = {
    **{f"{HABIT}{name}": Kind((2,), habit, habit_steps, reads=masks, terms="number") for name in heads.MEASURES},
    **{name: Kind((2,), between, habit_steps, reads=masks, terms="number") for name in (*PAIR, ACROSS)},
}
