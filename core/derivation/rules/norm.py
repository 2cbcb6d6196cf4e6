"""A vector to mean 0 and variance 1, then scaled by γ and moved by β (Ba et al. 2016): four kinds of numbers; or only
divided by the root of its mean square, then scaled by γ (Zhang & Sennrich 2019): three."""

import math

import numpy as np

from ...model.places import Place
from ...views.norms import written
from ..flow import Flow
from ..origins import Cell, Index, Origin, Weight
from ..steps import Step, Vector, stepped, with_terms
from .rule import Rule


def mean_reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(flow.normed(place), (*index, None)),)


def mean(x: Vector, id: str = "mean", focus: int | None = None, **said: float | str) -> Step:
    step = Step(id, float(x.flat.mean()), {"d_model": len(x), **said})
    return with_terms(step, x.flat, x, Vector(np.ones(len(x))), focus=focus)


def variance(x: Vector, mean: Vector | float, id: str = "variance", focus: int | None = None) -> Step:
    squares = np.square(x.flat - float(mean))
    step = stepped(id, float(squares.mean()), d_model=len(x), mean=mean)
    return with_terms(step, squares, x, Vector(np.full(len(x), float(mean))), focus=focus)


def normalized(x: Vector, mean: Vector | float, variance: Vector | float, epsilon: float) -> Step:
    value = (float(x) - float(mean)) / math.sqrt(float(variance) + epsilon)
    return stepped("normalized", value, x=x, mean=mean, variance=variance, epsilon=written(epsilon))


def scaled_and_moved(normalized: Vector | float, gamma: Vector, beta: Vector) -> Step:
    value = float(normalized) * float(gamma) + float(beta)
    return stepped("after", value, normalized=normalized, gamma=gamma, beta=beta)


def mean_square(x: Vector, focus: int | None = None) -> Step:
    squares = np.square(x.flat)
    return with_terms(Step("mean_square", float(squares.mean()), {"d_model": len(x)}), squares, x, x, focus=focus)


def divided(x: Vector, mean_square: Vector | float, epsilon: float) -> Step:
    value = float(x) / math.sqrt(float(mean_square) + epsilon)
    return stepped("rms_normalized", value, x=x, mean_square=mean_square, epsilon=written(epsilon))


def scaled(normalized: Vector | float, gamma: Vector) -> Step:
    return stepped("rms_after", float(normalized) * float(gamma), normalized=normalized, gamma=gamma)


def mean_steps(flow: Flow, place: Place, index: Index, x: Vector) -> list[Step]:
    return [mean(x)]


def variance_reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return *mean_reads(flow, place, index), Cell(place.tap("mean"), index)


def variance_steps(flow: Flow, place: Place, index: Index, x: Vector, mean: Vector) -> list[Step]:
    return [variance(x, mean)]


def normalized_reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    token = index[:1]
    return Cell(flow.normed(place), index), Cell(place.tap("mean"), token), Cell(place.tap("variance"), token)


def normalized_steps(flow: Flow, place: Place, index: Index, x: Vector, mean: Vector, variance: Vector) -> list[Step]:
    return [normalized(x, mean, variance, flow.config.epsilon)]


def output_reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    dim = index[1:]
    return Cell(place.tap("normalized"), index), Weight(f"{place}.gamma", dim), Weight(f"{place}.beta", dim)


def output_steps(flow: Flow, place: Place, index: Index, normalized: Vector, gamma: Vector, beta: Vector) -> list[Step]:
    return [scaled_and_moved(normalized, gamma, beta)]


def square_steps(flow: Flow, place: Place, index: Index, x: Vector) -> list[Step]:
    return [mean_square(x)]


def divided_reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return Cell(flow.normed(place), index), Cell(place.tap("mean_square"), index[:1])


def divided_steps(flow: Flow, place: Place, index: Index, x: Vector, square: Vector) -> list[Step]:
    return [divided(x, square, flow.config.epsilon)]


def scaled_reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    return Cell(place.tap("normalized"), index), Weight(f"{place}.gamma", index[1:])


def scaled_steps(flow: Flow, place: Place, index: Index, normalized: Vector, gamma: Vector) -> list[Step]:
    return [scaled(normalized, gamma)]


LAYER = {
    "mean": Rule(mean_reads, mean_steps),
    "variance": Rule(variance_reads, variance_steps, products=lambda flow, place: flow.config.d_model),
    "normalized": Rule(normalized_reads, normalized_steps),
    "output": Rule(output_reads, output_steps, products=lambda flow, place: 1),
}
RMS = {
    "mean_square": Rule(mean_reads, square_steps, products=lambda flow, place: flow.config.d_model),
    "normalized": Rule(divided_reads, divided_steps),
    "output": Rule(scaled_reads, scaled_steps, products=lambda flow, place: 1),
}
NORMS = {"layer": LAYER, "rms": RMS}
