"""What a row comes to in a matrix: its product with one column of it, with the bias or without."""

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.measures.kind import Kind, read
from core.derivation.origins import Measure, Origin, Weight
from core.derivation.steps import Named, Step, Vector, summed
from core.errors import InputError


def dot(run: Capture, what: Measure) -> float:
    x, y = (read(run, of).astype(np.float64) for of in what.of)
    if x.shape != y.shape:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(x @ y)


def dot_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return (summed("row_products", *(Vector.read(array(run, of), of) for of in what.of)),)


def bias_of(line: Origin) -> Weight:
    """What is added to the product with this column. Raises InputError for what is none of a matrix."""
    if not line.name.endswith(".weight") or "table" in line.name or not isinstance(line, Weight):
        raise InputError("not_a_cell", text=str(line)[:80])
    return Weight(line.name.removesuffix("weight") + "bias", line.index[:1])


def used(run: Capture, what: Measure) -> slice:
    """Which of the numbers of a row: all, or the part that has the place of the column's own head."""
    if what.kind == "mapped":
        return slice(None)
    assert run.by is not None
    d_head = run.by.config.d_head
    first = int(what.of[1].index[0] or 0) // d_head * d_head
    return slice(first, first + d_head)


def mapped(run: Capture, what: Measure) -> float:
    """x · W + b, one number of it."""
    part, bias = used(run, what), bias_of(what.of[1])
    x, column = (read(run, of).astype(np.float64) for of in what.of)
    if x.shape != column.shape:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(x[part] @ column[part] + read(run, bias))


def mapped_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (x, column), part, bias = what.of, used(run, what), bias_of(what.of[1])
    first, rows = part.start or 0, (read(run, of).astype(np.float64)[part] for of in (x, column))
    numbers = (Named(row, source=lambda i, of=of: of.at(first + i)) for row, of in zip(rows, (x, column), strict=True))
    product, b = summed("row_products", *numbers), float(read(run, bias))
    return product, Step("mapped_bias", product.value + b, {"product": product.value, "bias": b}, of={"bias": bias})


KINDS = {
    "dot": Kind((1, 1), dot, dot_steps),
    "mapped": Kind((1, 1), mapped, mapped_steps),
    "mapped_part": Kind((1, 1), mapped, mapped_steps, terms="number"),
}
