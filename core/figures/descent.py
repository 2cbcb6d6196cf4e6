"""One weight that goes down its loss: the curve, the steps taken so far, the slope where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class DescentWords:
    label: str
    weight: str  # its name
    along: str  # ... with what its row is
    loss: str  # upwards,
    axis: str  # ... with what is better
    slope: str  # with {slope}
    step: str  # with {step}
    next: str  # with {step}: by how much the next step changes the weight
    caption: str
    arrow: str  # added to it where the next step is long enough to be drawn,
    been: str  # ... and once a step was made
    ways: Sequence[str] = ()  # while it is asked which way to go: to the left and to the right


@dataclass(frozen=True, eq=False)
class Descent(Picture):
    """Behind the header: the weights along the curve and the loss at each [points]. `weights`, `losses` and `slopes`
    are those before the first step and after each. While a question is open the curve is not there: its arrays hold the
    ends of the axes alone, and of the slope it says how steep it is. While the way is asked, the curve is turned, if
    need be, so that it rises to the right, and drawn with its mirror image."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("along", "curve")

    param: str  # how many steps have been made
    weights: Sequence[float]
    losses: Sequence[float]
    slopes: Sequence[float]
    last: Sequence[float]  # the weight and the loss after one step more than can be made; none while a question is open
    along: np.ndarray
    curve: np.ndarray
    words: DescentWords
    veiled: bool = False
