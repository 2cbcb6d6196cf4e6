"""x · (a column of a matrix) + a bias: queries, keys, values, and both layers of a feed-forward network."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Axis, Cell, Index, Origin, Weight
from ..steps import Step, Vector, stepped, summed
from .rule import Rule


def made(x: Vector, column: Vector, *biases: Vector) -> list[Step]:
    """The products, added up; then the bias, where there is one."""
    product = summed("projection", x, column)
    return [product, *(stepped("bias", product.value + float(bias), bias=bias) for bias in biases)]


def steps(flow: Flow, place: Place, index: Index, x: Vector, column: Vector, *biases: Vector) -> list[Step]:
    return made(x, column, *biases)


def parameters(module: str, unit: Axis) -> tuple[Weight, Weight]:
    """A unit's weights (torch keeps W [out, in]) and its bias."""
    return Weight(f"{module}.weight", (unit, None)), Weight(f"{module}.bias", (unit,))


def there(flow: Flow, module: str, unit: Axis) -> tuple[Weight, ...]:
    """Those of them that the model has: some have no biases."""
    weight, bias = parameters(module, unit)
    return (weight, bias) if bias.name in flow.model.learned else (weight,)


def unit_of(flow: Flow, head: Axis, dim: Axis) -> Axis:
    """Where a head's dimension stands among all that a projection gives."""
    return None if head is None or dim is None else head * flow.config.d_head + dim


def projection(name: str) -> Rule:
    """A query, a key or a value: the projection first, the cut into heads after it."""

    def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
        head, token, dim = index
        x = flow.reading(place) if name == "query" else flow.answering(place)
        return Cell(x, (token, None)), *there(flow, f"{place}.to_{name}", unit_of(flow, head, dim))

    return Rule(reads, steps, products=lambda flow, place: flow.config.d_model)


def widened(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, unit = index
    return Cell(flow.reading(place), (token, None)), *there(flow, f"{place}.widen", unit)


def narrowed(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, dim = index
    handed = place.tap("product" if flow.config.activation == "swiglu" else "activated")
    return Cell(handed, (token, None)), *there(flow, f"{place}.narrow", dim)


PROJECTIONS = {name: projection(name) for name in ("query", "key", "value")}
WIDEN = Rule(widened, steps, products=lambda flow, place: flow.config.d_model)
NARROW = Rule(narrowed, steps, products=lambda flow, place: flow.config.d_ff)
