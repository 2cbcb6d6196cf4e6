"""Circuits: who wrote this word? Its logit as a sum of what every part of the model adds."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.circuits import each
from core.views.circuits import CircuitsView
from pages.shared.address.address import Table, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page import own_model
from pages.shared.page.stage import FOLLOWED, PICTURE, WHOLE, Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.circuits import induction, lens, muting, patching, words
from pages.stages.circuits.context import StageContext, view, view_of, which
from pages.stages.circuits.followed import followed
from pages.stages.circuits.opened import opened
from pages.stages.circuits.picture import NOWHERE, asked_words, parts_map, sum_of


def questions(page: PageContext, view: CircuitsView) -> Sequence[Question]:
    chosen = page.address.values
    return questions_of(*page.key, chosen["q"], chosen["word"], chosen["against"])


@cached.shared
def questions_of(name: str, text: str, token: int, word: str | None, against: str | None) -> Sequence[Question]:
    return some(each(view(name, text, token, word, against), text))


def parameters(page: PageContext, view: CircuitsView, asked: Asked) -> Table:
    tells = asked.open and asked.question is not None and asked.question.template == "largest"
    layer, part = NOWHERE if tells else view.place(view.found.parts[view.first_head])
    return {"layer": whole(0, view.layers, layer, ends="sentence"), "part": whole(0, 9999, part, ends="sentence")}


def strip(context: StageContext) -> Strip:
    return Strip(Marks(first="q", click="q", also=dict.fromkeys(("layer", "part", "word", "against"))))


BODY = Body(
    Panel(
        shows("shares", sum_of),
        followed,
        (1.5, 1),
        "medium",
        above=asked_words,
        beside=parts_map,
        says=words.write,
    ),
    opened,
    resets=("layer", "part"),
    try_this=words.attempt,
    waits=True,
)


STAGE = Stage(
    "circuits",
    BODY,
    context=StageContext,
    settle=own_model.settle_to_write_its_own,
    which=which,
    view=view_of,
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("layer", "part"),
    sections={"lens": lens.SECTION, "patching": patching.LAB, "muting": muting.SECTION, "induction": induction.SECTION},
    recap={"sum": {}, "gap": {}, "cause": {"section": "muting"}},
    redraws={WHOLE: ("q", "word", "against"), PICTURE: (), FOLLOWED: ("layer", "part")},
    strip=strip,
)
