"""The number being followed: one weight of one head."""

from core.derivation import Derivation, Given
from core.derivation.attention import derive
from core.derivation.heads import unscaled
from core.figures.followed import Followed
from core.text.token import named
from pages.shared.follow import headed, hidden, lines
from pages.stages.heads.look import Look


def followed(look: Look) -> Followed:
    t, heads, (q, k) = look.t, look.heads, look.cell
    names = {
        "row": named(heads.tokens, q),
        "column": named(heads.key_tokens, k),
        "layer": look.layer,
        "head": look.head,
    }
    where = t("follow_where", **names)
    id = f"{look.kind}/{look.layer}/{look.head}/weights/{q}/{k}"
    if q in look.veil:
        return hidden(t, id, where)
    derivation = derived(look)
    steps = lines(t, derivation, n=len(look.attention().may_look(q)), **names)
    return headed(t, id, where, derivation, steps, given=Given(edits=look.edits))


def derived(look: Look) -> Derivation:
    """The steps to the followed weight, as the model is or as it was changed."""
    view, head = look.attention(), look.head - 1
    if any(edit.id.startswith("drop_sqrt_dk") for edit in look.edits):
        return unscaled(view, head, *look.cell)
    return derive(view, "weights", head, *look.cell)
