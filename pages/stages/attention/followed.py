"""The number being followed."""

from core.derivation.attention import derive
from core.figures.followed import Followed
from core.text.token import named
from pages.shared.follow import headed, hidden, lines
from pages.stages.attention.look import Look


def followed(look: Look) -> Followed:
    t, mode, view, (row, column) = look.t, look.show, look.view, look.cell
    names = {
        "row": named(look.row_tokens, row),
        "column": named(view.key_tokens, column) if look.square else column,
        "layer": look.layer,
        "head": look.head,
    }
    where = t("follow_where" if look.square else "follow_where_wide", **names)
    id = f"{look.kind}/{look.layer}/{look.head}/{mode}/{row}/{column}"
    if row in look.veil and (look.square or mode == "context"):  # a context's terms are the row's weights
        return hidden(t, id, where)
    derivation = derive(view, mode, look.head - 1, row, column)
    n = len(view.may_look(row)) if look.square else len(view.keys)
    labels = view.key_tokens if mode == "context" else None
    return headed(t, id, where, derivation, lines(t, derivation, n=n, labels=labels, **names))
