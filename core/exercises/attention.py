"""Who looks at himself, who at each other, and where to look is not to take."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..questions.question import words
from ..text.token import named
from ..views.attention import AttentionView
from .exercise import Exercise, Patch, Values, Verdict, from_here


@dataclass(frozen=True, eq=False)
class Layers:
    """One attention, and those of the other layers, from 1."""

    here: AttentionView
    layers: int
    at: Callable[[int], AttentionView]


def everywhere(layers: Layers, values: Values) -> Iterator[tuple[AttentionView, dict[str, object]]]:
    """Every head, this one first, then those of this layer, then the others; and where it is."""
    for layer in from_here(values["layer"], layers.layers):
        view = layers.here if layer == values["layer"] else layers.at(layer)
        for head in from_here(values["head"], view.heads):
            yield view, {"layer": layer, "head": head, "show": "weights"}


def names(view: AttentionView, values: Values) -> dict[str, object]:
    """What is selected, by name: who looks, at whom, and what the row looks at most."""
    head, q, k = values["head"] - 1, values["q"], values["k"]
    best = int(view.most[head, q])
    return {
        "token": named(view.tokens, q),
        "other": named(view.key_tokens, k),
        "weight": float(view.weights[head, q, k]),
        "best": named(view.key_tokens, best),
        "best_weight": float(view.weights[head, q, best]),
    }


def typed(view: AttentionView) -> list[int]:
    return words(view.tokens, view.special)


def itself(layers: Layers, values: Values) -> Verdict:
    """Does the selected word look at itself most, in this head?"""
    view, q = layers.here, values["q"]
    if view.kind == "cross" or q not in typed(view):
        return Verdict(False, said="other")
    most = int(view.most[values["head"] - 1, q])
    own = float(view.weights[values["head"] - 1, q, q])
    return Verdict(most == q, {**names(view, values), "own": own})


def one_that_looks_at_itself(layers: Layers, values: Values) -> Patch | None:
    if layers.here.kind == "cross":
        return None
    for view, at in everywhere(layers, values):
        head = int(str(at["head"])) - 1
        rows = [row for row in typed(view) if view.most[head, row] == row]
        if rows:
            row = max(rows, key=lambda row: view.weights[head, row, row])
            return {**at, "q": row, "k": row}
    return None


def each_other(layers: Layers, values: Values) -> Verdict:
    """Do the two of the selected cell look at each other most?"""
    view, q, k = layers.here, values["q"], values["k"]
    if view.kind == "cross" or q == k:
        return Verdict(False, said="other")
    most = view.most[values["head"] - 1]
    back = int(most[k])
    facts = {
        **names(view, values),
        "back": float(view.weights[values["head"] - 1, k, q]),
        "back_best": named(view.tokens, back),
    }
    if most[q] != k:
        return Verdict(False, facts, "there")
    return Verdict(back == q, facts)


def two_that_do(layers: Layers, values: Values) -> Patch | None:
    if layers.here.kind == "cross":
        return None
    for view, at in everywhere(layers, values):
        most = view.most[int(str(at["head"])) - 1]
        pairs = [(q, int(most[q])) for q in range(len(most)) if most[q] > q and most[most[q]] == q]
        if pairs:
            return {**at, "q": pairs[0][0], "k": pairs[0][1]}
    return None


def apart(layers: Layers, values: Values) -> Verdict:
    """Does the selected row take most from another token than it looks at most?"""
    view, head, q = layers.here, values["head"] - 1, values["q"]
    shares = view.contribution(head)[q]
    looked, taken = int(view.most[head, q]), int(shares.argmax())
    facts = {
        "token": named(view.tokens, q),
        "looked": named(view.key_tokens, looked),
        "weight": float(view.weights[head, q, looked]),
        "its_share": float(shares[looked]),
        "taken": named(view.key_tokens, taken),
        "share": float(shares[taken]),
    }
    return Verdict(looked != taken, facts)


def one_apart(layers: Layers, values: Values) -> Patch | None:
    for view, at in everywhere(layers, values):
        head = int(str(at["head"])) - 1
        taken = view.contribution(head).argmax(-1)
        rows = np.flatnonzero(view.most[head] != taken)
        if len(rows):
            row = int(max(rows, key=lambda row: view.weights[head, row].max()))
            return {**at, "show": "contribution", "q": row, "k": int(taken[row])}
    return None


EXERCISES = (
    Exercise("itself", itself, one_that_looks_at_itself),
    Exercise("each_other", each_other, two_that_do, fits=lambda model: model.objective != "next"),
    Exercise("apart", apart, one_apart),
)
