"""Any number of a norm, step by step (Ba et al. 2016): mean, variance, normalised, scaled by γ and moved by β."""

import math
from collections.abc import Mapping

import numpy as np

from core.derivation.origins import Cell, Weight
from core.derivation.steps import Derivation, Step, Vector, stepped
from core.views.layernorm import NormView
from core.views.norms import Normed, written

# What can be followed of each kind of norm; γ and β are read, not made.
PARTS = {
    "layer": ("before", "mean", "variance", "normalized", "gamma", "beta", "after"),
    "rms": ("before", "variance", "normalized", "gamma", "after"),
    "batch": ("before", "mean", "variance", "normalized", "gamma", "beta", "after"),
    "none": ("before", "after"),
}


def derive(view: NormView, ran: Normed, part: str, token: int, dim: int) -> Derivation:
    """One number of `PARTS[ran.kind]`, recomputed in float64 from what `ran` was given."""
    if part == "before":
        return derive_before(view, ran, token, dim)
    if part in ("gamma", "beta"):
        value = float(getattr(view, part)[dim])
        return Derivation((Step(part, value, {"dim": dim}, at=parameter(view, part, dim)),), value)
    made = {"layer": layer_steps, "rms": rms_steps, "batch": batch_steps, "none": no_steps}[ran.kind]
    steps = made(view, ran, token, dim)
    last = [step.id for step in steps].index(step_of(ran.kind, part))
    cell = None if ran is not view.captured else Cell(view.place.tap(word_of(part)), place_of(part, token, dim))
    return Derivation(tuple(steps[: last + 1]), float(captured(ran, part, token, dim)), cell=cell)


def word_of(part: str) -> str:
    """What the tap of a part is called."""
    return "output" if part == "after" else part


def place_of(part: str, token: int, dim: int) -> tuple[int, ...]:
    """Where a part's number stands: mean and variance belong to a token."""
    return (token,) if part in ("mean", "variance") else (token, dim)


def step_of(kind: str, part: str) -> str:
    """The id of the step that gives a part: BatchNorm's mean is another than LayerNorm's."""
    renamed = {
        ("rms", "variance"): "square",
        ("rms", "normalized"): "by_root",
        ("rms", "after"): "scaled",
        ("batch", "mean"): "batch_mean",
        ("batch", "variance"): "batch_variance",
        ("none", "after"): "kept",
    }
    return renamed.get((kind, part), part)


def captured(ran: Normed, part: str, token: int, dim: int) -> float:
    """The number as `ran` has it; mean and variance belong to a token, of BatchNorm to a dimension."""
    array = getattr(ran, part)
    if part in ("mean", "variance"):
        return array[dim if ran.kind == "batch" else token]
    return array[token, dim]


def derive_before(view: NormView, ran: Normed, token: int, dim: int) -> Derivation:
    """What the norm is given: the summands, added up; then changed, where somebody changed them."""
    terms = [float(array[token, dim]) for array in view.summands.values()]
    total = math.fsum(terms)
    parts = {f"part_{i}": term for i, term in enumerate(terms)}
    of = {f"part_{i}": Cell(tap, (token, dim)) for i, tap in enumerate(view.summands)}
    steps = [Step("sum", total, parts, tuple(terms), of=of)]
    if ran.changed:
        steps.append(changed(ran, total))
    return Derivation(tuple(steps), float(ran.before[token, dim]))


def layer_steps(view: NormView, ran: Normed, token: int, dim: int) -> list[Step]:
    """Mean and variance of the token's vector, the number normalised by them, γ and β (Ba et al. 2016)."""
    x = ran.before[token].astype(np.float64)
    facts = {"d_model": len(x)}
    mean = Step("mean", float(x.mean()), facts, tuple(x.tolist()), focus=dim)
    return around(view, ran, token, dim, [mean, variance("variance", x, mean.value, dim, facts)])


def batch_steps(view: NormView, ran: Normed, token: int, dim: int) -> list[Step]:
    """The same with mean and variance of the dimension, over all tokens (Ioffe & Szegedy 2015)."""
    x = ran.before[:, dim].astype(np.float64)
    facts = {"n": len(x)}
    mean = Step("batch_mean", float(x.mean()), {**facts, "dim": dim}, tuple(x.tolist()), focus=token)
    return around(view, ran, token, dim, [mean, variance("batch_variance", x, mean.value, token, facts)])


def variance(id: str, x: np.ndarray, mean: float, at: int, facts: Mapping[str, int]) -> Step:
    """The mean of (x − the mean)²."""
    apart = np.square(x - mean)
    return Step(id, float(apart.mean()), {**facts, "mean": mean}, tuple(apart.tolist()), focus=at)


def around(view: NormView, ran: Normed, token: int, dim: int, made: list[Step]) -> list[Step]:
    """The number normalised by a mean and a variance, and what γ and β make of it."""
    x, (mean, spread) = float(ran.before[token, dim]), (step.value for step in made)
    parts = {"x": x, "mean": mean, "variance": spread, "epsilon": written(ran.epsilon)}
    normalized = (x - mean) / math.sqrt(spread + ran.epsilon)
    return [
        *made,
        *changed_steps(view, ran, token, dim),
        Step("normalized", normalized, parts, of=given_by(view, ran, token, dim)),
        scaled_and_moved(view, normalized, dim),
    ]


def rms_steps(view: NormView, ran: Normed, token: int, dim: int) -> list[Step]:
    """The mean square of the token's vector, the number divided by its root, γ (Zhang & Sennrich 2019)."""
    x = ran.before[token].astype(np.float64)
    square = float(np.square(x).mean())
    normalized, gamma = x[dim] / math.sqrt(square + ran.epsilon), float(view.gamma[dim])
    return [
        Step("square", square, {"d_model": len(x)}, tuple(np.square(x).tolist()), focus=dim),
        *changed_steps(view, ran, token, dim),
        Step(
            "by_root",
            normalized,
            {"x": x[dim], "square": square, "epsilon": written(ran.epsilon)},
            of=given_by(view, ran, token, dim),
        ),
        Step(
            "scaled",
            normalized * gamma,
            {"normalized": normalized, "gamma": gamma},
            of={"gamma": parameter(view, "gamma", dim)},
        ),
    ]


def no_steps(view: NormView, ran: Normed, token: int, dim: int) -> list[Step]:
    """What comes in goes out."""
    x = float(ran.before[token, dim])
    return [*changed_steps(view, ran, token, dim), Step("kept", x, at=given_by(view, ran, token, dim).get("x"))]


def scaled_and_moved(view: NormView, normalized: float, dim: int) -> Step:
    """normalised · γ + β."""
    gamma, beta = float(view.gamma[dim]), float(view.beta[dim])
    parts = {"normalized": normalized, "gamma": gamma, "beta": beta}
    of = {part: parameter(view, part, dim) for part in ("gamma", "beta")}
    return Step("after", normalized * gamma + beta, parts, of=of)


def changed_steps(view: NormView, ran: Normed, token: int, dim: int) -> list[Step]:
    """What somebody made of x, where somebody did."""
    x = Vector.read(view.captured.before, Cell(view.given, (token, dim)))
    return [changed(ran, x)] if ran.changed else []


def changed(ran: Normed, x: Vector | float) -> Step:
    """factor · x + shift."""
    value = ran.factor * float(x) + ran.shift
    return stepped("changed", value, factor=f"{ran.factor:g}", shift=f"{ran.shift:g}", x=x)


def given_by(view: NormView, ran: Normed, token: int, dim: int) -> dict[str, Cell]:
    """Where x is from, unless somebody changed it."""
    return {} if ran.changed else {"x": Cell(view.given, (token, dim))}


def parameter(view: NormView, part: str, dim: int) -> Weight:
    """γ or β of a dimension."""
    return Weight(f"{view.place}.{part}", (dim,))
