"""The number being followed: how much the selected sub-layer writes onto the selected token's stream."""

from core.derivation.encoder import derive, taps
from core.figures.followed import Followed
from pages.shared.cells import Cells
from pages.shared.follow import headed, hidden, lines
from pages.stages.encoder.look import Look


def followed(look: Look) -> Followed:
    t, place, at = look.t, look.place, look.token_of(look.stack)
    names = {"token": look.token, "part": t(f"parts.{place.part}"), "layer": look.layer}
    id, where = f"{place}/{at}", t("follow_where", stack=t(f"stacks.{look.stack}"), **names)
    if look.hidden:
        return hidden(t, id, where)
    derivation = derive(Cells(look.page).run(*taps(place)), place, at, float(look.here.share[at]))
    return headed(t, id, where, derivation, lines(t, derivation, "ran_again", **names))
