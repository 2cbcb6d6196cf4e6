"""Any number of a norm that ran again, step by step: over vectors that somebody changed, or as another kind of norm.

What the model's own norms made are cells like any other (rules/norm.py).
"""

import numpy as np

from ..views.layernorm import NormView
from ..views.norms import Normed
from .origins import Cell, Weight
from .rules import norm
from .steps import Derivation, Step, Vector, stepped

# What can be followed of each kind of norm; γ and β are learned, not made.
PARTS = {
    "layer": ("before", "mean", "variance", "normalized", "gamma", "beta", "after"),
    "rms": ("before", "variance", "normalized", "gamma", "after"),
    "batch": ("before", "mean", "variance", "normalized", "gamma", "beta", "after"),
    "none": ("before", "after"),
}

Made = dict[str, Step]  # of each part, the step that gives it; of the input, what somebody made of it


def derive(view: NormView, ran: Normed, part: str, token: int, dim: int) -> Derivation:
    """One number of `PARTS[ran.kind]`, recomputed in float64 from what `ran` was given."""
    made = MADE[ran.kind](view, ran, token, dim)
    steps = tuple(made.values())[: list(made).index(part) + 1]
    return Derivation(steps[-1:] if part == "before" else steps, captured(ran, part, token, dim))


def captured(ran: Normed, part: str, token: int, dim: int) -> float:
    """The number as `ran` has it; mean and variance belong to a token, of BatchNorm to a dimension."""
    array = getattr(ran, part)
    if part in ("mean", "variance"):
        return float(array[dim if ran.kind == "batch" else token])
    return float(array[token, dim])


def layer(view: NormView, ran: Normed, token: int, dim: int) -> Made:
    """Mean and variance of the token's vector, the number normalised by them, γ and β (Ba et al. 2016)."""
    row = Vector(ran.before[token].astype(np.float64))
    mean = norm.mean(row, focus=dim)
    return around(view, ran, token, dim, mean, norm.variance(row, mean.value, focus=dim))


def batch(view: NormView, ran: Normed, token: int, dim: int) -> Made:
    """The same with mean and variance of the dimension, over all tokens (Ioffe & Szegedy 2015)."""
    column = Vector(ran.before[:, dim].astype(np.float64))
    mean = norm.mean(column, "batch_mean", token, dim=dim)
    return around(view, ran, token, dim, mean, norm.variance(column, mean.value, "batch_variance", token))


def around(view: NormView, ran: Normed, token: int, dim: int, mean: Step, variance: Step) -> Made:
    """The number normalised by a mean and a variance, and what γ and β make of it."""
    x, (gamma, beta) = entering(view, ran, token, dim), parameters(view, dim)
    normalized = norm.normalized(x, mean.value, variance.value, ran.epsilon)
    after = norm.scaled_and_moved(normalized.value, gamma, beta)
    return {
        "mean": mean,
        "variance": variance,
        **changed(view, ran, token, dim),
        "normalized": normalized,
        "after": after,
    }


def rms(view: NormView, ran: Normed, token: int, dim: int) -> Made:
    """The mean square of the token's vector, the number divided by its root, γ (Zhang & Sennrich 2019)."""
    row, x = Vector(ran.before[token].astype(np.float64)), entering(view, ran, token, dim)
    gamma, _ = parameters(view, dim)
    square = norm.mean_square(row, focus=dim)
    normalized = norm.divided(x, square.value, ran.epsilon)
    after = norm.scaled(normalized.value, gamma)
    return {"variance": square, **changed(view, ran, token, dim), "normalized": normalized, "after": after}


def none(view: NormView, ran: Normed, token: int, dim: int) -> Made:
    """What comes in goes out."""
    x = entering(view, ran, token, dim)
    return {**changed(view, ran, token, dim), "after": Step("kept", float(x), at=x.of)}


MADE = {"layer": layer, "rms": rms, "batch": batch, "none": none}


def changed(view: NormView, ran: Normed, token: int, dim: int) -> Made:
    """factor · x + shift, where somebody made that of x."""
    if not ran.changed:
        return {}
    x = Vector.read(view.captured.before, Cell(view.given, (token, dim)))
    value = ran.factor * float(x) + ran.shift
    return {"before": stepped("changed", value, factor=f"{ran.factor:g}", shift=f"{ran.shift:g}", x=x)}


def entering(view: NormView, ran: Normed, token: int, dim: int) -> Vector:
    """x, and where it is from, unless somebody changed it."""
    x = Vector.read(ran.before, Cell(view.given, (token, dim)))
    return Vector(x.values) if ran.changed else x


def parameters(view: NormView, dim: int) -> tuple[Vector, Vector]:
    """γ and β of a dimension."""
    of = {name: Weight(f"{view.place}.{name}", (dim,)) for name in ("gamma", "beta")}
    return Vector.read(view.gamma, of["gamma"]), Vector.read(view.beta, of["beta"])
