"""The widest vector; a number that changes sign; a change that a norm does not swallow."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..text.token import named
from ..views.layernorm import NormView
from ..views.norms import KINDS
from .exercise import Exercise, Patch, Values, Verdict

NOTICED = 0.5  # that some number of the output must move


@dataclass(frozen=True, eq=False)
class Norm:
    """One norm, the selected token, and what can be done to its vector: times so much, plus so much."""

    view: NormView
    row: int
    given: Mapping[str, tuple[float, float]]
    epsilon: float


def widest(norm: Norm, values: Values) -> Verdict:
    """Is the token selected whose numbers spread most before this norm?"""
    spreads = norm.view.captured.before.std(-1)
    facts = {
        "token": named(norm.view.tokens, norm.row),
        "spread": float(spreads[norm.row]),
        "wider": int((spreads > spreads[norm.row]).sum()),
        "after": float(norm.view.captured.normalized[norm.row].std()),
    }
    return Verdict(bool(spreads[norm.row] >= spreads.max()), facts)


def the_widest(norm: Norm, values: Values) -> Patch:
    return {"pos": int(norm.view.captured.before.std(-1).argmax()), "dim": None}


def turns(norm: Norm, values: Values) -> Verdict:
    """Does the selected number of the model's own run change its sign in the norm?"""
    if any(values[name] != own for name, own in as_it_ran(norm).items()):
        return Verdict(False, said="other")
    captured, dim = norm.view.captured, values["dim"]
    before, after = float(captured.before[norm.row, dim]), float(captured.after[norm.row, dim])
    facts = {
        "token": named(norm.view.tokens, norm.row),
        "dim": dim,
        "before": before,
        "normalized": float(captured.normalized[norm.row, dim]),
        "after": after,
        "mean": float(captured.before[norm.row].mean()),
        "gamma": float(norm.view.gamma[dim]),
        "beta": float(norm.view.beta[dim]),
    }
    return Verdict(before * after < 0, facts)


def a_turn(norm: Norm, values: Values) -> Patch | None:
    """Of this token, or else of another, the number that is farthest from 0 on both sides."""
    captured = norm.view.captured
    least = np.minimum(np.abs(captured.before), np.abs(captured.after)) * (captured.before * captured.after < 0)
    row = norm.row if least[norm.row].any() else int(least.max(-1).argmax())
    return {"pos": row, "dim": int(least[row].argmax()), **as_it_ran(norm)} if least[row].any() else None


def as_it_ran(norm: Norm) -> dict[str, str]:
    """What is chosen where nothing is changed."""
    return {"method": norm.view.kind, "given": "as_is", "eps": "own"}


def noticed(norm: Norm, values: Values) -> Verdict:
    """The vector is changed, and the norm chosen: does the output move?"""
    if values["given"] == "as_is":
        return Verdict(False, said="as_is")
    moved = moves(norm, values["method"], values["given"])
    facts = {"token": named(norm.view.tokens, norm.row), "moved": moved}
    facts |= {"a_given": values["given"], "a_method": values["method"]}
    return Verdict(moved > NOTICED, facts)


def moves(norm: Norm, method: str, given: str) -> float:
    return float(norm.view.moves(method, *norm.given[given], norm.epsilon)[norm.row])


def one_that_notices(norm: Norm, values: Values) -> Patch | None:
    for method in (values["method"], *KINDS):
        for given in norm.given:
            if given != "as_is" and moves(norm, method, given) > NOTICED:
                return {"method": method, "given": given}
    return None


EXERCISES = (
    Exercise("widest", widest, the_widest),
    Exercise("sign", turns, a_turn),
    Exercise("noticed", noticed, one_that_notices),
)
