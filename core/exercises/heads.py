"""A head that looks one back; the most even one; a layer whose heads agree."""

import numpy as np

from ..questions.question import words
from ..text.token import named
from ..views.heads import HeadsView
from .exercise import Exercise, Patch, Values, Verdict, from_here

MOST = 0.5  # of the weight, on average
TOGETHER = 0.75  # of a layer's heads


def looks_back(view: HeadsView, values: Values) -> Verdict:
    """Does the selected head give more than half of its weight to the token before?"""
    found = view.measures.get("previous")
    if found is None:
        return Verdict(False, said="other")
    weight = float(found[values["layer"] - 1, values["head"] - 1])
    facts = {
        "layer": values["layer"],
        "head": values["head"],
        "weight": weight,
        "chance": view.chance["previous"],
        "more": int((found > weight).sum()),
    }
    return Verdict(weight > MOST, facts, said="" if facts["more"] or weight > MOST else "most")


def a_head_that_does(view: HeadsView, values: Values) -> Patch | None:
    if "previous" not in view.measures:
        return None
    layer, head = view.ranked("previous")[0]
    if view.measures["previous"][layer, head] <= MOST:
        return None
    return {"layer": layer + 1, "head": head + 1, "sort": "previous"}


def even(view: HeadsView, values: Values) -> Verdict:
    """Does the selected head spread its weight most evenly of all?"""
    found = view.measures.get("entropy")
    if found is None:
        return Verdict(False, said="other")
    here = float(found[values["layer"] - 1, values["head"] - 1])
    facts = {"layer": values["layer"], "head": values["head"], "even": here, "more": int((found > here).sum())}
    return Verdict(bool(here >= found.max()), facts)


def the_most_even(view: HeadsView, values: Values) -> Patch | None:
    if "entropy" not in view.measures:
        return None
    layer, head = view.ranked("entropy")[-1]
    return {"layer": layer + 1, "head": head + 1, "sort": "entropy"}


def agreed(weights: np.ndarray) -> tuple[int, int]:
    """The key that most heads look at most, and how many do. weights [head, key]"""
    counts = np.bincount(weights.argmax(-1), minlength=weights.shape[-1])
    return int(counts.argmax()), int(counts.max())


def agree(view: HeadsView, values: Values) -> Verdict:
    """Do three quarters of the selected layer's heads, seen from the selected token, look at the same one most?"""
    if view.weights is None:
        return Verdict(False, said="long")
    key, count = agreed(view.weights[values["layer"] - 1, :, values["q"]])
    facts = {
        "token": named(view.tokens, values["q"]),
        "layer": values["layer"],
        "seen": named(view.key_tokens, key),
        "count": count,
        "heads": view.heads,
    }
    return Verdict(count >= TOGETHER * view.heads, facts)


def where_they_agree(view: HeadsView, values: Values) -> Patch | None:
    """In this layer first; seen from this token first, then from the other words."""
    if view.weights is None:
        return None
    for layer in from_here(values["layer"], view.layers):
        for row in dict.fromkeys((values["q"], *words(view.tokens, view.special), *range(len(view.queries)))):
            key, count = agreed(view.weights[layer - 1, :, row])
            if count >= TOGETHER * view.heads:
                return {"layer": layer, "q": row, "k": key, "pin": f"q{row}", "also": "layer"}
    return None


EXERCISES = (
    Exercise("back", looks_back, a_head_that_does),
    Exercise("even", even, the_most_even),
    Exercise("agree", agree, where_they_agree),
)
