"""The picture: one state, the rows that answer it, and the controls above."""

import numpy as np

from core.derivation import Cell, Measure, Origin, Weight
from core.derivation.flow import TABLE
from core.derivation.measures.words import LIKELY
from core.figures.choosing import Choosing, ChoosingWords, Row
from core.figures.controls import Control, Controls
from pages.shared.number.number_links import number
from pages.shared.words.numbers import Number, grouped, short
from pages.stages.output.look import TEMPERATURES, Look, warm_kind


def controls(look: Look) -> Controls:
    t = look.t
    depths = [
        (layer, t("depths.layer", layer=layer) if layer else t("depths.start")) for layer in range(look.layers + 1)
    ]
    heat = Control("temperature", t("temperature"), [(id, id) for id in TEMPERATURES])
    return Controls([Control("depth", t("read_at"), depths), heat] if look.layers else [heat])


def choosing(look: Look) -> Choosing:
    t, view, ids = look.t, look.view, shown(look)
    reach = float(np.abs(look.logits[ids]).max()) if ids else 1.0
    rest = rest_of(look, ids)
    others = len(view.table) - len(ids)
    return Choosing(
        at=look.row,
        written=[token.text for token in (view.written if look.page.translates else view.given)],
        rows=[row(look, id, reach) for id in ids],
        first=look.best,
        d_model=view.table.shape[1],
        state=view.states[look.depth, look.row],
        table=view.table[ids],
        words=ChoosingWords(
            label=t("picture.label"),
            line=t("picture.line"),
            state=t("picture.state", given=look.given),
            rows=t("picture.rows"),
            logit=t("picture.logit"),
            share=t("picture.share")
            if look.temperature == 1
            else t("picture.share_warm", T=look.values["temperature"]),
            rest=t("picture.rest", others=grouped(others)),
            rest_share=short(rest),
            rest_trail=rest.trail if isinstance(rest, Number) else "",
            veiled=t("matrix.veiled"),
        ),
    )


def rest_of(look: Look, ids: list[int]) -> float:
    """What is left to all other rows."""
    rest = max(0.0, 1 - float(look.shares[ids].astype(np.float64).sum()))
    early = look.layer < look.layers
    if not ids or (early and look.temperature != 1):  # no run came to this
        return rest
    if early:
        state = Cell(look.view.depths[look.depth].tap, (look.row, None))
        return of_rest(look, rest, "rest_read", state, *(Weight(TABLE, (id, None)) for id in ids))
    if look.temperature == 1:
        return of_rest(look, rest, "rest_of_all", *(Cell(LIKELY, (look.row, id)) for id in ids))
    least = int(look.logits.argmin())
    words = (Cell("output.logits", (look.row, id)) for id in (least, *ids))
    return of_rest(look, rest, f"rest_{warm_kind(look)}", *words)


def of_rest(look: Look, rest: float, kind: str, *of: Origin) -> float:
    return number(look, rest, Measure(kind, of, (len(of),)))


def shown(look: Look) -> list[int]:
    """The rows in the picture: the best ones, and the word that is written, wherever it stands."""
    if look.hidden:
        return []
    also = [look.view.written[look.row].id] if look.row < len(look.view.written) else []
    if look.values["word"] is not None:
        also.append(look.values["word"])
    return list(dict.fromkeys([*look.order, *sorted(also, key=lambda id: -look.logits[id])]))


def row(look: Look, id: int, reach: float) -> Row:
    logit, share = float(look.logits[id]), float(look.shares[id])
    return Row(
        id=id,
        rank=look.view.rank(look.depth, look.row, id),
        text=look.piece(id),
        logit=short(logit),
        share=short(share),
        part=share,
        size=logit / reach,
        note=note(look, id),
    )


def note(look: Look, id: int) -> str:
    written = look.view.written[look.row].id if look.row < len(look.view.written) else None
    if id == written and look.page.translates:
        return look.t("picture.written")
    return look.t("picture.given") if id == look.view.given[look.row].id else ""
