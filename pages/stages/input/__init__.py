"""Input: the token's vector and the position's become one by adding, and √d decides whose voice is heard."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.input import each
from core.views.input import multiplies
from pages.shared.address.address import choice, index, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.own_model import settle_where_the_input_is_made
from pages.shared.page.stage import PICTURE, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.stages.input import dropout, flow, shapes, switches, tied, twice, why, words
from pages.stages.input.context import COMPARED, SIDES, StageContext, Sums, opening_token, sums_of, telling, view_of
from pages.stages.input.followed import followed
from pages.stages.input.opened import opened
from pages.stages.input.picture import addition
from pages.stages.input.switches import SWITCHES


def which(page: PageContext):
    """The switches."""
    return {
        "sqrt": choice("on", "off", default="on" if multiplies(page.model) else "off"),
        "positions": choice("on", "off", default="on"),
        "join": choice("add", "concat", default="add"),
    }


def view(page: PageContext, chosen) -> Sums:
    return sums_of(page, chosen["sqrt"] == "on", chosen["positions"] == "on", chosen["join"] == "add")


def questions(page: PageContext, view: Sums):
    """About the model's own sum, however it is switched."""
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    return some(each(view_of(name, text)))


def parameters(page: PageContext, view: Sums, asked: Asked):
    own, token = view.own, opening_token(view.own, asked)
    return {
        "part": choice(*own.names, "sum", default="sum"),
        "pos": index(len(own.tokens), token),
        "dim": whole(0, own.d_model - 1, telling(*page.key, token), ends="sentence"),
        "k": index(len(own.tokens), None),
        "of": choice(*COMPARED, "weights", default="sum"),
        "side": choice(*SIDES, default="now"),
        "look": choice("own", "now", default=None),
        "head": whole(1, page.model.config.heads, view.most.head + 1),
    }


BODY = Body(
    Panel(shows("addition", addition, of=("pos",)), followed, (1.25, 1), says=words.write),
    opened,
    resets=("part", "pos", "dim", "k", "look"),
    notices=words.notices,
    try_this=words.attempt,
    key=PICTURE,
)


STAGE = Stage(
    "input",
    BODY,
    settle=settle_where_the_input_is_made,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    sections={
        "why": Section(why.draw, why.parameters, redraws=("width",)),
        "switches": switches.SECTION,
        "tied": Section(tied.draw, redraws=("sqrt", "positions")),
        "dropout": Section(dropout.draw, dropout.parameters, redraws=("sqrt", "positions", "mode", "rate", "seed")),
        "shapes": shapes.SECTION,
        "twice": twice.SECTION,
        "flow": Section(flow.draw),
    },
    redraws={
        "picture": SWITCHES,
        "derivation": ("part", "pos", "dim", "k", "of", "side", "look", "head", "mode", "rate", "seed"),
    },
    recap={"sum": {}, "context": {"section": "flow"}, "tied": {"section": "tied"}},
    strip=lambda context: Strip(Marks(first="pos", second="k", click="pos")),
)
