"""Translation: encoder and decoder at work, a word at a time, and where each word looks."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.translation import each
from core.views.translation import TranslationView
from pages.shared.address.address import Table, choice, index, whole
from pages.shared.page import renderings
from pages.shared.page.stage import FOLLOWED, PICTURE, Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.translation import change, lifted_mask, masks, queries_and_keys, rest_of_layer, words
from pages.stages.translation.context import StageContext, aligned_rows, clearest, content, settle, view_of
from pages.stages.translation.page import draw


def questions(page: PageContext, view: TranslationView) -> Sequence[Question]:
    return questions_of(page.text)


@cached.shared
def questions_of(text: str) -> Sequence[Question]:
    """At the layer and head that align best, whatever is looked at now."""
    view, (layer, head) = view_of(text), clearest()
    return some(each(view, layer - 1, head - 1, content(view), aligned_rows(text)))


def opening_row(view: TranslationView, asked: Asked) -> int:
    """The asked row once it may be seen; until then the one before it."""
    question = asked.question
    if question is None or not asked.open:
        return question.row if question else 0
    return question.row - 1 if question.row else min(1, len(view.given) - 1)


def parameters(page: PageContext, view: TranslationView, asked: Asked) -> Table:
    config, (layer, head), row = page.model.config, clearest(), opening_row(view, asked)
    rows = len(view.given)
    return {
        "layer": whole(1, config.decoder_layers, layer),
        "head": whole(1, config.heads, head),
        "search": choice("greedy", "beam", default="greedy"),
        "q": index(rows, row),
        "k": index(len(view.source), int(view.cross[layer - 1, head - 1, row].argmax())),
        "j": index(rows, None),
    }


def strip(context: StageContext) -> Strip:
    alone = {"j": None}  # a click lets go of a cell of self-attention
    # the word that a row writes stands one to the right of the one it is given
    target = Marks(first="q", click="q", also=alone)
    return Strip(Marks(second="k", click="k", also=alone), target, target_values=renderings.rows(context.view))


STAGE = Stage(
    "translation",
    draw,
    context=StageContext,
    settle=settle,
    view=lambda page, chosen: view_of(page.text),
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("q", "k", "j"),
    sections={
        "change": change.SECTION,
        "asks": queries_and_keys.SECTION,
        "after": rest_of_layer.SECTION,
        "masks": masks.SECTION,
        "peek": lifted_mask.SECTION,
    },
    redraws={PICTURE: ("search",), FOLLOWED: ("layer", "head", "q", "k", "j")},
    strip=strip,
    recap={"step": {"search": None}, "cross": {"section": "asks"}, "mask": {"section": "masks"}},
)
