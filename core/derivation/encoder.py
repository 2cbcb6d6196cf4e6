"""How much a sub-layer writes onto a token's stream, step by step: two lengths and what one is of the other."""

from core.capture import Capture
from core.derivation.operators import over, squares
from core.derivation.origins import Cell
from core.derivation.steps import Derivation, Step, Vector, lengths
from core.model.places import Place


def derive(run: Capture, place: Place, token: int, captured: float) -> Derivation:
    """‖Δ‖ ÷ ‖x‖: what the sub-layer at `place` wrote for a token, and what was there before. `run` has both taps."""
    stream, written = (Vector.read(run[tap], Cell(tap, (token, None))) for tap in taps(place))
    before, made = squares("stream", stream), squares("written", written)
    long, of = lengths(before=stream, written=written)
    share = Step("share", over(long["written"], long["before"]), long, of=of)
    return Derivation((before, made, share), captured)


def taps(place: Place) -> tuple[str, str]:
    """What passes the sub-layer by, and what it writes."""
    return place.tap("skip"), place.tap("output")
