"""How alike two tokens are as they enter the first layer; of sums, what their parts have in common comes first."""

import math

import numpy as np

from ..views.input import InputView
from .operators import cosine, direction
from .origins import Cell
from .steps import Derivation, Step, Vector, summed


def derive_pair(view: InputView, kind: str, a: int, b: int) -> Derivation:
    """The cosine of two tokens as one of `KINDS`."""
    x, y = (Vector(view.vectors(kind)[i].astype(np.float64), cell_of(view, kind, i)) for i in (a, b))
    alike = [summed(f"alike_{name}", part(view, name, a), part(view, name, b)) for name in view.names]
    shared = math.fsum(step.value for step in alike)
    if kind == "joined":  # side by side, like meets like and nothing else
        steps = (*alike, direction("row_cosine", shared, one=x, other=y))
    elif kind == "sum":
        crossed = Step("crossed", float(sums(view, a) @ sums(view, b)) - shared)
        steps = (*alike, crossed, *cosine(x, y))
    else:
        steps = cosine(x, y)
    return Derivation(steps, view.cosine(kind, a, b))


def part(view: InputView, name: str, token: int) -> Vector:
    """One summand of a token."""
    return Vector(view.part(name)[token].astype(np.float64), cell_of(view, name, token))


def sums(view: InputView, token: int) -> np.ndarray:
    """[d_model] all of them, added up."""
    return view.parts[:, token].astype(np.float64).sum(0)


def cell_of(view: InputView, name: str, token: int) -> Cell | None:
    """A token's row in one of the view's arrays, where that passed a tap."""
    return Cell(view.taps[name], (token, None)) if name in view.taps else None
