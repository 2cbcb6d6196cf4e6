"""Overview: the whole path of one sentence, every stage in miniature."""

from core.questions.overview import after_layer
from core.views.overview import OverviewView
from pages.shared import cached
from pages.shared.address import index, whole
from pages.shared.page import Marks, Page, Strip
from pages.shared.stage import Asked, Stage
from pages.stages.overview.look import Look, asked_depth, asked_layer, opening_pair, stranger_line, view_of
from pages.stages.overview.page import draw


def view(page: Page, chosen) -> OverviewView:
    return view_of(page)


def question(page: Page, view: OverviewView):
    name = page.address.model
    key = ("after layer", name, page.text)
    return cached.small(key, lambda: after_layer(view, asked_layer(page), stranger_line(name)))


def parameters(page: Page, view: OverviewView, asked: Asked):
    depth, (first, second) = asked_depth(page, view), opening_pair(page, view)
    return {
        "depth": whole(0, len(view.depths) - 1, depth - 1 if asked.open else depth),
        "q": index(len(view.tokens), first),
        "k": index(len(view.tokens), second),
    }


def strip(look: Look) -> Strip:
    """A click on either row of tokens lets go of the older of the two."""
    marks = Marks(first="k", second="q", click="pair")
    if not look.page.writes:
        return Strip(marks)
    return Strip(marks, marks, target_values=range(look.view.read, len(look.view.rows)))


STAGE = Stage(
    "overview",
    draw,
    look=Look,
    view=view,
    question=question,
    parameters=parameters,
    opened_by=("q", "k"),
    redraws={"picture": ("q", "k")},
    strip=strip,
)
