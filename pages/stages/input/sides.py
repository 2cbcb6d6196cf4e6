"""Two sides compared: the cosines of the same tokens, as matrices and in words."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from core.figures.matrix import Axis, Matrix, Window
from core.views.input import Apart, apart
from pages.shared.page.parts import paragraph
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words, packed
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.input.context import COMPARED, StageContext
from pages.stages.input.words import cosine_of, of_all

SQUARE = 128  # tokens whose cosines are shown at once


def beside(context: StageContext, picture: Callable[..., Matrix], pictures: Mapping[str, Sequence[object]]) -> None:
    """Matrices of the same tokens by their ids, side by side: columns would cost a message each. Of each it is said
    which of `picture`'s it is."""
    with st.container(key=f"beside_{next(iter(pictures))}", horizontal=True, gap="large"):
        for id, which in pictures.items():
            components.matrix(key=id, data=packed(context.only("pos", "head", "mode", "rate", "seed"), picture, *which))


def pairs_said(context: StageContext, key: str, first: str, second: str) -> list[str]:
    """What lies between two matrices of cosines: of the sums, or of what takes their place."""
    found = apart_of(context.only("mode", "rate", "seed"), first, second)
    if found is None:
        return []
    name, sides = context.page.name, (first, second)
    means = [
        mean_alike(context, side, mean, found.pairs)
        for side, mean in zip(sides, (found.before, found.after), strict=True)
    ]
    was, now = (alike_of(context, side, found.a, found.b) for side in sides)
    if float(was) == float(now):  # they are those that change most
        return [paragraph(context.t, "pairs_same")]
    facts = {"pairs": grouped(found.pairs), "before": means[0], "after": means[1]}
    names = {"a": name(found.a), "b": name(found.b), "which": context.side_name(second)}
    return [paragraph(context.t, key if found.pairs > 1 else "pair", was=was, now=now, **facts, **names)]


def alike_of(context: StageContext, side: str, a: int, b: int) -> float:
    """How alike two tokens are on one side; what was not drawn at random can be followed."""
    view, kind = context.compared(side, "sum")
    return cosine_of(context, view, kind, a, b, float(context.cosines(side, "sum")[a, b]))


def mean_alike(context: StageContext, side: str, value: float, pairs: int) -> float:
    """How alike the tokens of a side are in the mean; that of all pairs can be followed."""
    (view, kind), n = context.compared(side, "sum"), len(context.view.own.tokens)
    return of_all(context, view, "alike", value, kind) if pairs == n * (n - 1) // 2 else value


@cached.shared
def apart_of(context: StageContext, first: str, second: str) -> Apart | None:
    return apart(*(context.seen(context.cosines(side, "sum"), 0, 1) for side in (first, second)))


def cosine_matrix(context: StageContext, id: str, side: str, fragment: str) -> Matrix:
    """How alike the tokens are on one side; what is compared has one colour scale."""
    window, by_dropout = context.window(SQUARE), side in ("before", "after")
    kinds = ("output",) if by_dropout else COMPARED
    rows, planes = windowed(context, window, ["" if by_dropout else kind for kind in kinds])
    none = {} if context.veiled else {"veiled": context.t("cosines.none")}
    shown = [context.seen(cosines_shown(context, side, kind), 0, 1)[window, window] for kind in kinds]
    return Matrix(
        id=id,
        fragment=fragment,
        name=() if by_dropout else ("of",),
        planes=dict(zip(planes, shown, strict=True)),
        rows=rows,
        columns=Axis("k", rows.count, rows.labels, from_=window.start),
        reach_by="of",
        reach=1 if side != "after" else float(max(np.nanmax(np.abs(shown), initial=0), 1e-6)),
        signed=True,
        tall=300,
        also={"look": None, "side": side},
        words=matrix_words(context.t, "cosines_label", captions=captions(context, side), **none),
    )


def cosines_shown(context: StageContext, side: str, kind: str) -> np.ndarray:
    """The cosines of a side; after dropout how much they differ from those before it, which one would not see."""
    found = context.cosines(side, kind)
    return found - context.cosines("before", kind) if side == "after" else found


def windowed(context: StageContext, window: slice, planes: Sequence[str]) -> tuple[Axis, list[str]]:
    """The tokens of a window as rows, and the planes' names. Of a sentence that is longer than the window, it is one
    of the rows' windows, so that the browser asks for another where the selected token lies outside."""
    labels = context.view.own.tokens[window]
    if len(labels) == len(context.view.own.tokens):
        return Axis("pos", len(labels), labels), list(planes)
    return Axis.of_windows("pos", [Window(window.start, labels)]), ["/".join(filter(None, (p, "0"))) for p in planes]


def captions(context: StageContext, side: str) -> dict[str, str]:
    n, window, name = len(context.view.own.tokens), context.window(SQUARE), context.side_name(side)
    count = window.stop - window.start
    cut = context.t("caption_window", count=count, n=n) if n > count else ""
    begun = f"{name[:1].upper()}{name[1:]}{context.t('cosines.colon')}"
    return {kind: f"{begun}{kind_said(context, side, kind)}{cut}" for kind in COMPARED}


def kind_said(context: StageContext, side: str, kind: str) -> str:
    """What a matrix of cosines compares."""
    if side in ("before", "after"):
        return context.t(f"cosines.{side}")
    if side == "now" and not context.view.added and kind != "token":
        return context.t("cosines.joined" if kind == "sum" else "cosines.not_joined")
    return context.t(f"cosines.{kind}")
