"""Any cell of the embedding stage, step by step: a row fetched from the table, and what two rows have in common."""

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.operators import direction
from core.derivation.origins import Cell, Weight
from core.derivation.steps import Derivation, Step, Term, Vector, fetched, summed
from core.views.embedding import EmbeddingView


def derive_cell(view: EmbeddingView, position: int, dim: int) -> Derivation:
    """One number of a token's vector: its id names the row, and the row holds the number."""
    row = view.ids[position]
    steps = (Step("id", row, {"id": row}), looked_up(view, row, dim), product(view, row, dim))
    return Derivation(steps, float(view.output[position, dim]), cell=Cell("embedding.token", (position, dim)))


def derive_entry(view: EmbeddingView, row: int, dim: int) -> Derivation:
    """One number of the table, whether or not a token fetches it."""
    return Derivation((looked_up(view, row, dim), product(view, row, dim)), float(view.table[row, dim]))


def looked_up(view: EmbeddingView, row: int, dim: int) -> Step:
    """E[row, dim], read."""
    return fetched("lookup", Vector(view.table[row, dim], Weight(TABLE, (row, dim))), id=row)


def product(view: EmbeddingView, row: int, dim: int) -> Step:
    """Σ_v x_v · E[v, dim] over the whole vocabulary, where x is 1 at `row` and 0 elsewhere: every product is made."""
    x, column = view.one_hot(row).astype(np.float64), view.table[:, dim].astype(np.float64)
    own = Term(row, float(x[row]), float(column[row]), right_of=Weight(TABLE, (row, dim)))
    products = x * column
    others = float(np.delete(products, row).sum())
    return Step("product", float(products.sum()), largest=(own,), count=len(products), rest=others)


def derive_pair(view: EmbeddingView, kind: str, a: int, b: int) -> Derivation:
    """What two tokens have in common, in one of `KINDS`."""
    return Derivation(PAIRS[kind](view, a, b), float(view.pairs(kind)[a, b]))


def gap(view: EmbeddingView, a: int, b: int) -> tuple[Step, ...]:
    """How far apart two ids are."""
    return (Step("gap", abs(view.ids[a] - view.ids[b]), {"id_a": view.ids[a], "id_b": view.ids[b]}),)


def one_hot_cosine(view: EmbeddingView, a: int, b: int) -> tuple[Step, ...]:
    """Distance and cosine of two one-hot vectors, from all their entries."""
    x, y = (view.one_hot(view.ids[i]).astype(np.float64) for i in (a, b))
    distance = Step("distance", float(np.linalg.norm(x - y)))
    return distance, Step("overlap", float(x @ y), {"id_a": view.ids[a], "id_b": view.ids[b]})


def row_cosine(view: EmbeddingView, a: int, b: int) -> tuple[Step, ...]:
    """e_a · e_b ÷ (‖e_a‖ ‖e_b‖)."""
    rows = [Vector.read(view.output, Cell("embedding.token", (i, None))) for i in (a, b)]
    dot = summed("dot", *rows)
    return dot, direction("cosine", dot.value, length_a=rows[0], length_b=rows[1])


PAIRS = {"id": gap, "onehot": one_hot_cosine, "row": row_cosine}
