"""Of one row, or of two: how long it is, beside another, how alike they are, and how far apart; of a sum of rows."""

import math
from collections.abc import Callable

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, cells, read, vectors
from core.derivation.origins import Cell, Measure
from core.derivation.steps import Named, Step, Vector, lengths, stepped, summed, with_terms
from core.errors import InputError
from core.views.vectors import cosine


def direct(what: Measure) -> bool:
    """Rows of a tap or of a table have a length and a direction, and so has a bias; those of a matrix are no rows of
    anything."""
    return all(isinstance(of, Cell) or of.name.endswith(("table.weight", ".bias")) for of in what.of)


def length(run: Capture, what: Measure) -> float:
    return float(np.linalg.norm(read(run, what.of[0])))


def length_steps(x: Vector) -> tuple[Step, ...]:
    squares = summed("row_squares", x, x)
    return squares, Step("row_length", math.sqrt(squares.value), {"sum": squares.value})


def alike(run: Capture, what: Measure) -> float:
    return float(cosine(*(read(run, of) for of in what.of)))


def cosine_steps(x: Vector, y: Vector, products: str = "row_products") -> tuple[Step, ...]:
    """Of a row of zeros, which has no direction, there is none. How long a row without a name is, stands in steps of
    its own."""
    dot, (long, of) = summed(products, x, y), lengths(one=x, other=y)
    ratio = dot.value / (long["one"] * long["other"]) if all(long.values()) else math.nan
    nameless = (step for row in (x, y) if row.of is None for step in length_steps(row))
    return dot, *nameless, Step("row_cosine", ratio, {"dot": dot.value, **long}, of=of)


def ratio(run: Capture, what: Measure) -> float:
    one, other = (float(np.linalg.norm(read(run, of))) for of in what.of)
    return one / other if other else math.nan


def ratio_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Beside a row of zeros nothing has a ratio."""
    squares = [summed("row_squares", row, row) for row in (x, y)]
    one, other = (math.sqrt(step.value) for step in squares)
    return *squares, Step("row_ratio", one / other if other else math.nan, {"one": one, "other": other})


def part(run: Capture, what: Measure) -> float:
    """How much of the other row the one is: x · y ÷ y · y."""
    x, y = (read(run, of).astype(np.float64) for of in what.of)
    return float(x @ y / (y @ y)) if y.any() else math.nan


def part_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    dot, squares = summed("row_products", x, y), summed("row_squares", y, y)
    of = {"dot": dot.value, "squares": squares.value}
    return dot, squares, Step("row_part", dot.value / squares.value if squares.value else math.nan, of)


def plus_minus(run: Capture, what: Measure) -> float:
    """a − b + c, of three numbers."""
    a, minus, plus = (read(run, of) for of in what.of)
    return float(a - minus + plus)


def plus_minus_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    a, minus, plus = vectors(run, what)
    return (stepped("plus_minus", float(a) - float(minus) + float(plus), a=a, minus=minus, plus=plus),)


def sum_alike(run: Capture, what: Measure) -> float:
    """The cosine of a − b + c, three rows, with a fourth."""
    a, minus, plus, row = (read(run, of) for of in what.of)
    return float(cosine(a - minus + plus, row))


def sum_alike_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    a, minus, plus, row = vectors(run, what)

    def source(i: int) -> Measure:
        return Measure("plus_minus", tuple(of.at(i) for of in what.of[:3]))

    return cosine_steps(Named(a.values - minus.values + plus.values, source=source), row, "sum_products")


def distance(run: Capture, what: Measure) -> float:
    """‖x − y‖"""
    return float(np.linalg.norm(np.subtract(*read_both(run, what))))


def distance_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = both(run, what)
    terms = (x.flat - y.flat) ** 2
    squares = with_terms(Step("gap_squares", float(terms.sum())), terms, x, y)
    return squares, Step("gap_length", math.sqrt(squares.value), {"sum": squares.value})


def apart(run: Capture, what: Measure) -> float:
    """The largest difference of two numbers that stand in the same place."""
    return float(np.abs(np.subtract(*read_both(run, what))).max())


def apart_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = both(run, what)
    terms = np.abs(x.flat - y.flat)
    most = int(terms.argmax())
    return (with_terms(Step("gap_largest", float(terms[most])), terms, x, y, focus=most),)


def aside(run: Capture, what: Measure) -> float:
    """How far the second is from the first, in lengths of the first."""
    own = float(np.linalg.norm(read(run, what.of[0])))
    return distance(run, what) / own if own else math.nan


def aside_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    one, _ = what.of
    gap, own = distance_steps(run, what)[-1].value, length_steps(both(run, what)[0])[-1].value
    of = {"gap": Measure("distance", what.of), "own": Measure("length", (one,))}
    return (Step("row_aside", gap / own if own else math.nan, {"gap": gap, "own": own}, of=of),)


def median(run: Capture, what: Measure) -> float:
    """The number in the middle of a row; of an even count the mean of the two."""
    return float(np.median(read(run, what.of[0]).astype(np.float64)))


def median_steps(x: Vector) -> tuple[Step, ...]:
    order = np.argsort(x.flat, kind="stable")
    count = len(order)
    names = {"low": int(order[(count - 1) // 2]), "high": int(order[count // 2])}
    values = {name: float(x.flat[i]) for name, i in names.items()}
    of = {name: origin for name, i in names.items() if (origin := x.origin(i))}
    middle = (values["low"] + values["high"]) / 2
    return (Step("middle_two" if count % 2 == 0 else "middle_one", middle, {**values, "n": count}, of=of),)


def read_both(run: Capture, what: Measure) -> tuple[np.ndarray, np.ndarray]:
    """Two rows; of two taps the rows that both have: one may be padded. Raises InputError where they do not compare."""
    x, y = (read(run, of) for of in what.of)
    if x.shape[1:] != y.shape[1:] or (x.ndim == 1 and x.shape != y.shape):
        raise InputError("not_a_cell", text=str(what)[:80])
    rows = min(len(x), len(y))
    return x[:rows], y[:rows]


def both(run: Capture, what: Measure) -> tuple[Vector, Vector]:
    """The same, in float64."""
    x, y = (Vector(row.astype(np.float64), of) for row, of in zip(read_both(run, what), what.of, strict=True))
    return x, y


def of_rows(steps: Callable[..., tuple[Step, ...]]) -> Callable[[Capture, Measure], tuple[Step, ...]]:
    return lambda run, what: steps(*vectors(run, what))


KINDS = {
    "length": Kind((1,), length, of_rows(length_steps), direct),
    "cosine": Kind((1, 1), alike, of_rows(cosine_steps), direct),
    "ratio": Kind((1, 1), ratio, of_rows(ratio_steps), direct),
    "part": Kind((1, 1), part, of_rows(part_steps), direct),
    "plus_minus": Kind((0, 0, 0), plus_minus, plus_minus_steps, direct),
    "sum_alike": Kind((1, 1, 1, 1), sum_alike, sum_alike_steps, direct),
    "distance": Kind((1, 1), distance, distance_steps, direct),
    "aside": Kind((1, 1), aside, aside_steps, direct),
    "apart": Kind((1, 1), apart, apart_steps, direct),
    "median": Kind((1,), median, of_rows(median_steps)),
    "far": Kind((2, 2), apart, apart_steps, cells, terms="number"),
}
