"""A count of parameters, multiply-adds or bytes, written out: its products with their numbers, their sum, how often."""

from collections.abc import Sequence

from ..lessons.size import Count, Factor
from .steps import Derivation, Step


def derive_count(count: Count, counted: int) -> Derivation:
    """A step for each product, one for their sum where there are several, one for how often; held against what was
    counted in a live model. Values are whole numbers of any size."""
    steps = [Step(f"counted.{p.id}", p.value, written(p.factors)) for p in count.products]
    if len(count.products) > 1:
        steps.append(Step("counted.sum", count.once, {"numbers": " + ".join(f"{p.value:,}" for p in count.products)}))
    many = [factor for factor in count.times if factor != ("B", 1)]
    if many and count.products:
        inner = f"({written(count.products[0].factors)['letters']})"
        said = written([*many, (inner, count.once)])
        alone = len(count.products) > 1  # the sum has no letters, so its number stands for it
        steps.append(Step("counted.times", count.value, {"numbers": said["numbers"]} if alone else said))
    return Derivation(tuple(steps or [Step("counted.nothing", 0)]), counted)


def derive_total(counts: Sequence[Count], counted: int) -> Derivation:
    """The sum of some parts: `parts` of the steps name each by its id."""
    steps = [Step(f"part.{count.id}", count.value) for count in counts]
    value = sum(count.value for count in counts)
    return Derivation((*steps, Step("counted.all", value)), counted)


def written(factors: Sequence[Factor]) -> dict[str, float | str]:
    """A product in letters and in numbers."""
    letters = " · ".join(name for name, _ in factors)
    return {"letters": letters, "numbers": " × ".join(f"{number:,}" for _, number in factors)}
