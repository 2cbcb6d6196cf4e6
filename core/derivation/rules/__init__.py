"""How a number of a tap is made: one small file a kind of tap, found by the tap's place, not by its model."""

from ...model.places import Place
from ..flow import Flow
from .activation import ACTIVATIONS
from .addition import ADDITION
from .context import CONTEXT
from .gated import GATED
from .heads import HEADS
from .linear import NARROW, PROJECTIONS, WIDEN
from .logits import LOGITS
from .lookup import LOOKUP
from .mask import MASK
from .norm import NORMS
from .position import POSITIONS
from .rotation import ROTATIONS
from .rule import Rule
from .scaling import SCALING
from .scores import SCORES
from .segment import SEGMENT
from .shared import SHARED
from .softmax import PROBABILITIES, WEIGHTS

EMBEDDING = {"token": LOOKUP, "scaled": SCALING, "segment": SEGMENT, "sum": ADDITION}
ATTENTION = {
    **PROJECTIONS,
    **ROTATIONS,
    **SHARED,
    "scores": SCORES,
    "mask": MASK,
    "weights": WEIGHTS,
    "context": CONTEXT,
    "output": HEADS,
    "residual": ADDITION,
}
FEEDFORWARD = {"hidden": WIDEN, "output": NARROW, "residual": ADDITION}
OUTPUT = {"logits": LOGITS, "probabilities": PROBABILITIES}


def rules_at(flow: Flow, place: Place) -> dict[str, Rule]:
    """The rules of a place, by the words of its taps."""
    if place.norm:
        return NORMS[flow.config.normalization]
    if place.kind:
        return ATTENTION
    if place.part == "feedforward":
        own = ACTIVATIONS.get(flow.config.activation)
        return {**FEEDFORWARD, **({"activated": own} if own else GATED)}
    if place.part == "embedding":
        own = POSITIONS.get(flow.config.position)  # none where attention is told instead
        return {**EMBEDDING, **({"position": own} if own else {})}
    return OUTPUT


__all__ = ["Rule", "rules_at"]
