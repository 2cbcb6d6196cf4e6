"""Output: how the next word is chosen: the last state against every row of the very table the words came in by."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.output import each
from core.views.output import OutputView
from pages.shared.address.address import Table, choice, index, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.stage import FOLLOWED, PICTURE, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.stages.output import alone, chance, depth, headless, search, tied, words
from pages.stages.output.context import TEMPERATURES, StageContext, rows_of, settle, view_of
from pages.stages.output.followed import followed
from pages.stages.output.opened import opened
from pages.stages.output.picture import choosing, controls

TOLD = 2  # depths that a link may name; where there is but one, they all mean it


def questions(page: PageContext, view: OutputView) -> Sequence[Question]:
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    return some(each(view_of(name, text), text))


def parameters(page: PageContext, view: OutputView, asked: Asked) -> Table:
    row = asked.question.row if asked.question else 0 if page.translates else len(view.given) - 1
    layers = len(view.whole) - 1
    return {
        "q": index(len(view.given), row),
        "depth": whole(0, max(layers, TOLD), layers, ends="sentence"),
        "word": whole(0, rows_of(page)[0] - 1, None, ends="sentence"),
        "temperature": choice(*TEMPERATURES, default="1"),
    }


def strip(context: StageContext) -> Strip:
    """The token that is read, the last that was given, be it of the text or of the translation so far."""
    marks = Marks(first="q", click="q", also={"word": None})
    return Strip(Marks(), marks) if context.page.translates else Strip(marks)


BODY = Body(
    Panel(shows("choosing", choosing), followed, (1.35, 1), above=shows("controls", controls), says=words.write),
    opened,
    resets=("q", "depth", "word"),
    try_this=words.attempt,
)


STAGE = Stage(
    "output",
    BODY,
    context=StageContext,
    settle=settle,
    view=lambda page, chosen: view_of(*page.key),
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("q", "word", "depth"),
    sections={
        "depth": Section(depth.draw, redraws=("q",)),
        "draw": chance.SECTION,
        "search": search.SECTION,
        "tied": tied.SECTION,
        "alone": alone.SECTION,
        "headless": headless.SECTION,
    },
    redraws={PICTURE: ("q", "depth", "temperature"), FOLLOWED: ("word",)},
    strip=strip,
    recap={"dot": {"depth": None, "temperature": None}, "warm": {"temperature": "2"}, "choose": {"section": "search"}},
)
