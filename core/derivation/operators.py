"""The operators that every measured number is written in. Each is given numbers that say where they are from, and gives
a step: its value in float64, the numbers in the operation, and, of a sum, its terms.

A number that was made of others in steps of their own is `number(value, of)`: `of` is what its way goes on from. What
has no value (a ratio to nothing) is NaN. The ids of steps are looked up in assets/lessons/cells.toml.
"""

import math

import numpy as np

from .origins import Source
from .steps import Step, Vector, lengths, stepped, summed, with_terms

Steps = tuple[Step, ...]


def number(value: float | Steps, of: Source | None) -> Vector:
    """One number, or what steps end in, and where it is from."""
    value = value[-1].value if isinstance(value, tuple) else value
    return Vector(np.asarray(value, np.float64), of)  # type: ignore[arg-type]


def over(x: float, y: float) -> float:
    """x ÷ y; NaN where y is 0."""
    return float(x) / float(y) if y else math.nan


# ---- sums


def total(
    id: str,
    left: Vector,
    right: Vector | float | None = None,
    *,
    terms: np.ndarray | None = None,
    focus: int | None = None,
    **parts: float | str,
) -> Step:
    """Σ of terms [n], each made of one number of `left` and one of `right`, or of `left` alone, which it is where
    nothing else is said. `right` may be the same number everywhere."""
    terms = left.flat if terms is None else terms
    right = left if right is None else right if isinstance(right, Vector) else Vector(np.full(len(left), float(right)))
    return with_terms(Step(id, float(terms.sum()), parts), terms, left, right, focus=focus)


def squares(x: Vector) -> Step:
    """Σ x²."""
    return summed("row_squares", x, x)


def gaps(id: str, x: Vector, y: Vector) -> Step:
    """Σ |x − y|."""
    return total(id, x, y, terms=np.abs(x.flat - y.flat))


def powers(
    id: str, exponents: np.ndarray, x: Vector, by: float, focus: int | None = None, **parts: float | str
) -> Step:
    """Σ e^(exponent − the largest), where the exponents [n] were made of x and of one number."""
    return total(id, x, by, terms=np.exp(exponents - exponents.max()), focus=focus, **parts)


# ---- means, and how far numbers lie from theirs


def divided(id: str, sum: Step, **by: int) -> Step:
    """A sum through a count."""
    ((name, n),) = by.items()
    return Step(id, sum.value / n, {"sum": sum.value, name: f"{n:,}"})


def mean(id: str, each: Vector) -> tuple[Step, Step]:
    """Numbers added up, and divided by how many there are."""
    added = total(id, each)
    return added, divided("mean_of", added, n=len(each))


def variance(id: str, x: Vector) -> Steps:
    """The mean of (x − the mean of x)²."""
    added, middle = mean(id, x)
    apart = total("all_apart", x, middle.value, terms=(x.flat - middle.value) ** 2, mean=middle.value)
    return added, middle, apart, divided("mean_of", apart, n=len(x))


def deviation(id: str, x: Vector) -> Steps:
    """The root of that."""
    steps = variance(id, x)
    return *steps, root("deviation", steps[-1], "variance")


# ---- lengths and directions


def root(id: str, of: Step, name: str = "sum") -> Step:
    return Step(id, math.sqrt(of.value), {name: of.value})


def length(x: Vector, id: str = "row_length") -> Steps:
    """‖x‖"""
    found = squares(x)
    return found, root(id, found)


def distance(x: Vector, y: Vector, squares: str = "gap_squares", id: str = "gap_length") -> Steps:
    """‖x − y‖"""
    found = total(squares, x, y, terms=(x.flat - y.flat) ** 2)
    return found, root(id, found)


def ratio(id: str, **two: float | Vector) -> Step:
    """The first ÷ the second."""
    one, other = map(float, two.values())
    return stepped(id, over(one, other), **two)


def share(id: str, **two: float | Vector) -> Step:
    """The first ÷ both together."""
    one, other = map(float, two.values())
    return stepped(id, over(one, one + other), **two)


def part(x: Vector, y: Vector) -> Steps:
    """x · y ÷ y · y: how much of y the row x is."""
    dot, own = summed("row_products", x, y), squares(y)
    return dot, own, ratio("row_part", dot=dot.value, squares=own.value)


def cosine(x: Vector, y: Vector, products: str = "row_products") -> Steps:
    """x · y ÷ (‖x‖ ‖y‖). How long a row without a name is, stands in steps of its own."""
    dot = summed(products, x, y)
    nameless = (step for row in (x, y) if row.of is None for step in length(row))
    return dot, *nameless, direction("row_cosine", dot.value, one=x, other=y)


def direction(id: str, dot: float, **rows: Vector) -> Step:
    """A product of two rows through their lengths."""
    long, of = lengths(**rows)
    return Step(id, over(dot, math.prod(long.values())), {"dot": dot, **long}, of=of)


# ---- the largest, and the one in the middle


def largest_gap(id: str, x: Vector, y: Vector) -> Step:
    """The largest |x − y|."""
    terms = np.abs(x.flat - y.flat)
    most = int(terms.argmax())
    return with_terms(Step(id, float(terms[most])), terms, x, y, focus=most, maximum=True)


def median(x: Vector) -> Step:
    """The number in the middle; of an even count the mean of the two."""
    order, count = np.argsort(x.flat, kind="stable"), len(x)
    low, high = (Vector(x.flat[i], x.origin(int(i))) for i in (order[(count - 1) // 2], order[count // 2]))  # type: ignore[arg-type]
    middle = (float(low) + float(high)) / 2
    return stepped("middle_two" if count % 2 == 0 else "middle_one", middle, low=low, high=high, n=count)
