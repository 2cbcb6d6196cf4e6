"""What a rule says of one kind of tap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...model.places import Place
from ..flow import Flow
from ..origins import Index, Origin
from ..steps import Step


def none(flow: Flow, place: Place) -> int:
    return 0


@dataclass(frozen=True)
class Rule:
    """One kind of tap. `reads` says what a number is made of, in the order `steps` is given it; an index may hold None
    for a whole axis, there and in what it reads. `steps` is given flow, place, index and the numbers, and makes the
    result of them and of nothing else. `products` counts the multiplications that one number takes."""

    reads: Callable[[Flow, Place, Index], tuple[Origin, ...]]
    steps: Callable[..., Sequence[Step]]
    products: Callable[[Flow, Place], int] = none
