"""A row of the embedding table as the vocabulary counts it: by its id, or by the one-hot vector that picks it out."""

import numpy as np

from ...capture import Capture
from ..flow import TABLE
from ..operators import total
from ..origins import Measure, Weight
from ..reading import array, value
from ..steps import Step, Vector, fetched
from .kind import Kind, Steps, read


def of_table(what: Measure) -> bool:
    return all(isinstance(of, Weight) and of.name == TABLE for of in what.of)


def ids(what: Measure) -> list[int]:
    return [int(of.index[0] or 0) for of in what.of]


def one_hots(run: Capture, what: Measure) -> list[np.ndarray]:
    """[vocab] each: a 1 at the row, 0 everywhere else."""
    vocab = len(array(run, what.of[0]))
    return [np.eye(1, vocab, id)[0] for id in ids(what)]


def looked_up(run: Capture, what: Measure) -> Steps:
    """E[row, dim], read; and Σ_v x_v · E[v, dim] over the whole vocabulary: every product is made."""
    (entry,), (x,) = what.of, one_hots(run, what)
    row, dim = (int(i or 0) for i in entry.index)
    of_column = Weight(TABLE, (None, dim), entry.given)
    column, vocab = Vector(read(run, of_column), of_column), len(x)
    vocab, zeros, products = f"{vocab:,}", f"{vocab - 1:,}", x * column.values
    product = total("one_hot_product", column, Vector(x), terms=products, vocab=vocab, zeros=zeros, dim=str(dim))
    return fetched("lookup", Vector(column.values[row], entry), id=row, dim=dim), product


def ids_apart(run: Capture, what: Measure) -> Steps:
    """How far apart two ids are."""
    one, other = ids(what)
    gap = abs(one - other)
    return (Step("ids_apart", gap, {"one": one, "other": other, "gap": f"{gap:,}"}),)


def one_hot_alike(run: Capture, what: Measure) -> Steps:
    """Distance and cosine of two one-hot vectors, from all their entries."""
    x, y = one_hots(run, what)
    distance = Step("one_hot_distance", float(np.linalg.norm(x - y)), {"vocab": f"{len(x):,}"})
    return distance, Step("one_hot_overlap", float(x @ y))


KINDS = {
    "looked_up": Kind((0,), looked_up, of_table, terms="word", held=lambda run, what: value(run, what.of[0])),
    "ids_apart": Kind((1, 1), ids_apart, of_table),
    "one_hot_alike": Kind((1, 1), one_hot_alike, of_table),
}
