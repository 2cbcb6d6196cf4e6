"""What an edit changes: what heads do, and what comes out at the end."""

from dataclasses import dataclass

import numpy as np

from .heads import HeadsView
from .vectors import cosine


@dataclass(frozen=True)
class Leading:
    """What one measure found, as the model is and as changed: the head (from 0) that led before."""

    measure: str
    layer: int
    head: int
    before: float
    after: float
    chance: float


def leading(before: HeadsView, after: HeadsView) -> list[Leading]:
    """Of each measure the head that led, and what becomes of it."""
    found = []
    for name in before.measures:
        layer, head = before.ranked(name)[0]
        was, now = (float(view.measures[name][layer, head]) for view in (before, after))
        found.append(Leading(name, layer, head, was, now, before.chance[name]))
    return found


@dataclass(frozen=True, eq=False)
class End:
    """What an encoder hands on, as it is and as changed: cosines of the two."""

    tokens: np.ndarray  # [token]
    sentence: float  # of the means over the tokens, which is what MiniLM was trained to compare


def end(before: np.ndarray, after: np.ndarray) -> End:
    """States [token, d_model] -> how alike they still are."""
    before, after = before.astype(np.float64), after.astype(np.float64)
    return End(cosine(before, after), float(cosine(before.mean(0), after.mean(0))))
