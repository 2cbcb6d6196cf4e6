"""How a number of a tap is made: one small file a kind of tap, found by the tap's place, not by its model."""

from core.derivation.flow import Flow
from core.derivation.rules.activation import ACTIVATIONS
from core.derivation.rules.addition import ADDITION
from core.derivation.rules.context import CONTEXT
from core.derivation.rules.gated import GATED
from core.derivation.rules.heads import HEADS
from core.derivation.rules.linear import NARROW, PROJECTIONS, WIDEN
from core.derivation.rules.logits import LOGITS
from core.derivation.rules.lookup import LOOKUP
from core.derivation.rules.mask import MASK
from core.derivation.rules.norm import NORMS
from core.derivation.rules.position import POSITIONS
from core.derivation.rules.rotation import ROTATIONS
from core.derivation.rules.rule import Rule
from core.derivation.rules.scaling import SCALING
from core.derivation.rules.scores import SCORES
from core.derivation.rules.segment import SEGMENT
from core.derivation.rules.softmax import PROBABILITIES, WEIGHTS
from core.model.places import Place

EMBEDDING = {"token": LOOKUP, "scaled": SCALING, "segment": SEGMENT, "sum": ADDITION}
ATTENTION = {
    **PROJECTIONS,
    **ROTATIONS,
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
