"""Overview: the whole path of one sentence, every stage in miniature."""

from core.views.overview import OverviewView
from pages.shared.address.address import choice, index, whole
from pages.shared.page.stage import PICTURE, Asked, Marks, PageContext, Stage, Strip
from pages.stages.overview import one_head, what_if, words
from pages.stages.overview.context import StageContext, opening_pair, questions_of, veiled_from, view_of
from pages.stages.overview.page import MOVED, SPREAD, THREAD, TILES, draw
from pages.stages.overview.sheet import CAMERA


def view(page: PageContext, chosen) -> OverviewView:
    return view_of(*page.key)


def parameters(page: PageContext, view: OverviewView, asked: Asked):
    """It opens at the end of the path, or as far as nothing is veiled."""
    first, second = opening_pair(page, view, asked)
    return {
        "depth": whole(0, len(view.depths) - 1, veiled_from(view, asked) - 1),
        "q": index(len(view.tokens), first),
        "k": index(len(view.tokens), second),
        "at": CAMERA,
        "way": choice("back", "on", default="back"),
        **what_if.parameters(page),
        **one_head.PARAMETERS,
    }


def strip(context: StageContext) -> Strip:
    """A click on either row of tokens lets go of the older of the two."""
    marks = Marks(first="k", second="q", click="pair")
    if not context.page.translates:
        return Strip(marks)
    return Strip(marks, marks, target_values=range(context.view.read, len(context.view.rows)))


STAGE = Stage(
    "overview",
    draw,
    context=StageContext,
    view=view,
    questions=lambda page, view: questions_of(*page.key),
    asked=words.asked,
    parameters=parameters,
    opened_by=("q", "k"),
    # The pictures have the cosine of every two tokens, and the tiles that were looked at, or ask for them.
    redraws={
        PICTURE: (),
        TILES: (),
        THREAD: ("trail", "way"),
        SPREAD: ("what", "stack", "kind", "layer", "head", "swap", "by", "edit", "lines"),
        MOVED: ("at",),
    },
    strip=strip,
    recap={"rows": {}, "table": {"depth": 0}, "layers": {"depth": None}},
)
