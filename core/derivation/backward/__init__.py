"""How a gradient comes back: from a loss, by the chain rule, through every tap that a number went on to.

The loss of a run that writes is the mean cross-entropy of its own target. That of a run that only reads is
1 − the cosine of its mean last state with that of another sentence. Where a number went on in several ways (a state to
q, k, v and past them), what comes back along each is added up (Rumelhart et al. 1986).
"""

from ..origins import Cell, Origin, Weight
from ..steps import Step
from .gradient import ASIDE, Backward, parameter
from .learned import MATRICES, learned
from .loss import from_loss
from .ways import joined, through, ways


def backward(back: Backward, of: Origin) -> list[Step]:
    """The steps to the gradient of the loss by one number."""
    if isinstance(of, Weight):
        return learned(back, of)
    assert isinstance(of, Cell)
    onward = ways(back.flow, of.name)
    if not onward:
        return from_loss(back, of)
    back.ask((of.name, *onward))
    return joined([through(back, tap, of) for tap in onward])


__all__ = ["ASIDE", "MATRICES", "Backward", "backward", "parameter"]
