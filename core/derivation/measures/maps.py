"""What a row comes to in a matrix: its product with one column of it, with the bias or without."""

from ...capture import Capture
from ..origins import Measure, Origin, Weight
from ..steps import Named, Vector, stepped, summed
from .kind import Kind, Steps, of_one_shape, read, refused


def dot(run: Capture, what: Measure) -> Steps:
    return (summed("row_products", *of_one_shape(run, what)),)


def bias_of(line: Origin) -> Weight:
    """What is added to the product with this column. Raises InputError for what is none of a matrix."""
    if not line.name.endswith(".weight") or "table" in line.name or not isinstance(line, Weight):
        raise refused(line)
    return Weight(line.name.removesuffix("weight") + "bias", line.index[:1])


def used(run: Capture, what: Measure) -> slice:
    """Which of the numbers of a row: all, or the part that has the place of the column's own head."""
    if what.kind == "mapped":
        return slice(None)
    assert run.by is not None
    d_head = run.by.config.d_head
    first = int(what.of[1].index[0] or 0) // d_head * d_head
    return slice(first, first + d_head)


def mapped(run: Capture, what: Measure) -> Steps:
    """x · W + b, one number of it."""
    part, bias = used(run, what), bias_of(what.of[1])
    first, rows = part.start or 0, of_one_shape(run, what)
    x, column = (Named(row.values[part], source=lambda i, row=row: row.origin(first + i)) for row in rows)
    product, b = summed("row_products", x, column), Vector(read(run, bias), bias)
    return product, stepped("mapped_bias", product.value + float(b), product=product.value, bias=b)


KINDS = {
    "dot": Kind((1, 1), dot),
    "mapped": Kind((1, 1), mapped),
    "mapped_part": Kind((1, 1), mapped, terms="number"),
}
