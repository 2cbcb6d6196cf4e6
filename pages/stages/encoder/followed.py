"""The number being followed: how much the selected sub-layer writes onto the selected token's stream."""

from core.derivation import Cell, Measure
from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.encoder.look import Look


def followed(look: Look) -> Followed:
    t, place, at = look.t, look.place, look.token_of(look.stack)
    names = {"token": look.token, "part": t(f"parts.{place.part}"), "layer": look.layer}
    id, where = f"{place}/{at}", t("follow_where", stack=t(f"stacks.{look.stack}"), **names)
    if look.hidden:
        return hidden(t, id, where)
    written, before = (Cell(place.tap(word), (at, None)) for word in ("output", "skip"))
    return number(look, Measure("ratio", (written, before)), id, where)
