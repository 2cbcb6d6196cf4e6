"""The page, top to bottom."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.figures.controls import Controls
from core.figures.lent import Lent
from core.figures.picture import Picture
from pages.shared.body import foot, nothing
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict, slides
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed
from pages.stages.overview import doors, one_head, steps, what_if, words
from pages.stages.overview.context import StageContext
from pages.stages.overview.followed import followed
from pages.stages.overview.opened import opened
from pages.stages.overview.picture import depth
from pages.stages.overview.sheet import head, sheet, spread, thread, tiles

TILES, THREAD, SPREAD, MOVED = (
    "tiles",
    "thread",
    "spread",
    "moved",
)  # pieces that lend the sheet what it has not, or hear of its camera


def draw(context: StageContext) -> None:
    if not slides.shown(context.page.address, context.page.slug):
        slides.begin(context.t, context.page.address, "begin")
    lead = parts.title(context)
    predict.ask(context, ("depth", "q", "k"))
    with st.container(key=PICTURE):
        piece(context, PICTURE, partial(picture, lead))
    with st.container(key="lent"):
        piece(context, TILES, partial(lend, TILES, tiles))
        piece(context, THREAD, partial(lend, THREAD, thread))
        piece(context, MOVED, nothing)
    steps.draw(context)
    doors.draw(context)
    foot(context, opened)


def picture(lead: Place, context: StageContext) -> None:
    """Another pair, or another depth, asks for the derivation and its sentences alone."""
    components.sheet(key="sheet", data=packed(context.only(), sheet))
    components.depth(key="depth", data=depth(context).pack())
    piece(context, SPREAD, changed)
    left, right = st.columns([1, 1.3], gap="large")
    with right:
        said = parts.notice(context, (), words.attempt(context))
    with left:
        follow(context, followed, partial(words.write, lead, said))


def changed(context: StageContext) -> None:
    """The choice of a change, and how far it spreads; whose lines are drawn."""
    with st.container(key="what_if"):
        chosen = Controls([*what_if.controls(context), *one_head.controls(context)], what_if.more(context))
        components.controls(key="controls", data=chosen.data())
    lend(SPREAD, spread, context)
    lend("head", head, context)


def lend(id: str, make: Callable[[StageContext], Picture], context: StageContext) -> None:
    """What the sheet borrows under this name."""
    components.lent(key=f"{id}_lent", data=Lent(id, make(context)).pack())
