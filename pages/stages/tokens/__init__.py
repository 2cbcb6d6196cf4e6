"""Tokens: every step from the characters typed to the ids the model reads, and one word walked piece by piece."""

from core.questions import some
from core.questions.tokens import each
from core.views.tokens import TokensView
from pages.shared.address.address import index, whole
from pages.shared.page.own_model import settle_where_steps_are_shown
from pages.shared.page.stage import Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.tokens import back, batch, count, entries, gaps, holes, length, pair, scripts
from pages.stages.tokens.context import StageContext, veil_of, view_of
from pages.stages.tokens.page import draw


def view(page: PageContext, chosen) -> TokensView:
    return view_of(*page.key)


def questions(page: PageContext, view: TokensView):
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str):
    return some(each(view_of(name, text)))


@cached.shared
def opening(name: str, text: str, asked: int | None) -> tuple[int, int]:
    """The word to look at first, and the longest walk there is; nothing of a veiled word of the text."""
    view = view_of(name, text)
    veil = set(veil_of(view, asked))
    walks = (unit.steps for i, unit in enumerate(view.walked) if i not in veil)
    word = len(view.units) if view.beside else view.opening(without=veil)
    return word, max([1, *walks])


def parameters(page: PageContext, view: TokensView, asked: Asked):
    word, steps = opening(*page.key, asked.row)
    if asked.question and not asked.open:
        word = asked.question.row
    return {"word": index(len(view.walked), word), "step": whole(1, steps, 1, ends="sentence")}


def strip(context: StageContext) -> Strip:
    """A veiled word stands in one piece: how many tokens it has is the question."""
    units = context.view.units
    return Strip(
        Marks(first="word", click="word"),
        values=[i for i, unit in enumerate(units) for _ in range(unit.kept)],
        whole={i: units[i].text for i in context.veiled_units},
    )


STAGE = Stage(
    "tokens",
    draw,
    settle=settle_where_steps_are_shown,
    context=StageContext,
    view=view,
    questions=questions,
    opened_by=("word", "step"),
    parameters=parameters,
    sections={
        "pair": pair.SECTION,
        "batch": batch.SECTION,
        "length": length.SECTION,
        "holes": holes.SECTION,
        "gaps": gaps.SECTION,
        "count": count.SECTION,
        "scripts": scripts.SECTION,
        "back": back.SECTION,
        "entries": entries.SECTION,
    },
    recap={"vocabulary": {}, "mask": {"section": "batch"}, "count": {"section": "count"}},
    redraws={"derivation": ("word",)},
    strip=strip,
)
