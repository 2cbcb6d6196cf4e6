"""Where the way back begins: the gradient of a loss by what it is made of."""

from dataclasses import replace

import numpy as np

from ..operators import direction
from ..origins import Cell
from ..reading import array
from ..steps import Step, Vector, stepped, with_terms
from .gradient import Backward


def from_loss(back: Backward, of: Cell) -> list[Step]:
    return of_logit(back, of) if back.toward is None else of_state(back, of)


def of_logit(back: Backward, of: Cell) -> list[Step]:
    """(p − 1) ÷ n at the word that is wanted, p ÷ n at the others."""
    token, word = of.index
    chance, wanted = back.read(Cell("output.probabilities", of.index)), back.run.target_out
    right, n = int(wanted[int(token or 0)].id == word), len(wanted)
    return [stepped("back_loss", (float(chance) - right) / n, probability=chance, right=right, n=n)]


def of_state(back: Backward, of: Cell) -> list[Step]:
    """−(u ÷ (‖m‖ ‖u‖) − cos · m ÷ ‖m‖²) ÷ n, where m and u are the mean states of the two sentences."""
    assert back.toward is not None
    dim, own = of.index[1], Cell(of.name, (None, None))
    m, u = (array(back.run, each).astype(np.float64).mean(0) for each in (own, back.toward))
    mine, other = (mean_of(back.read(replace(each, index=(None, dim)))) for each in (own, back.toward))
    cosine, n = direction("row_cosine", float(m @ u), one=Vector(m), other=Vector(u)), len(array(back.run, own))
    sizes = {name: float(cosine.parts[name]) for name in ("one", "other")}
    grown = other.value / (sizes["one"] * sizes["other"]) - cosine.value * mine.value / sizes["one"] ** 2
    parts = {"m": mine.value, "u": other.value, "cosine": cosine.value, "n": n, **sizes}
    return [mine, other, cosine, Step("back_apart", -grown / n, parts)]


def mean_of(column: Vector) -> Step:
    step = Step("back_mean", float(column.flat.mean()), {"n": len(column)})
    return with_terms(step, column.flat, column, Vector(np.ones(len(column))))
