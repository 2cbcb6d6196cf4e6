"""Meaning: the table as a space. A map of words, what lies near in the space itself, and what context changes."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.meaning import nearest_word
from core.views.maps import METHODS, METRICS, SNAPSHOTS, STARTS
from core.views.meaning import Space
from pages.shared.address.address import choice, whole
from pages.shared.page.stage import FOLLOWED, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.shared.words import samples
from pages.stages.meaning import (
    gradient,
    in_context,
    languages,
    measures,
    sentences,
    sums,
    table_over_training,
    typed_words,
    words,
)
from pages.stages.meaning.context import (
    PERPLEXITIES,
    StageContext,
    a_row,
    a_word,
    space_of,
    words_asked,
    words_to_ask,
)
from pages.stages.meaning.groups import sentence_words, some_groups, word_of_token
from pages.stages.meaning.page import draw

MAP = ("groups", "words", "map", "perplexity", "metric", "start", "seed", "dimensions", "snapshot")


def view(page: PageContext, chosen) -> Space:
    return space_of(page.address.model)


def questions(page: PageContext, view: Space) -> Sequence[Question]:
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    return some(nearest_word(space_of(name), *asked) for asked in words_to_ask(name, text))


def parameters(page: PageContext, view: Space, asked: Asked):
    name, allowed = page.address.model, page.t("allowed_word")
    told = words_asked(name, page.text, asked.question)
    of = told.word if told else view.first(1)[0]
    return {
        "groups": some_groups(name, not samples.is_example(page.text) and bool(sentence_words(page))),
        "words": typed_words.parameter(),
        "map": choice(*METHODS, default="tsne"),
        "perplexity": choice(*PERPLEXITIES, default=page.opening.get("perplexity", "10")),
        "metric": choice(*METRICS, default="cosine"),
        "start": choice(*STARTS, default="pca"),
        "seed": whole(0, 99, 0),
        "dimensions": choice("2", "3", default="2"),
        "snapshot": choice(*map(str, SNAPSHOTS), default=str(SNAPSHOTS[-1])),
        "of": a_word(view, of, allowed),
        "to": a_row(view, allowed),
        **in_context.parameters(page, view),
    }


def strip(context: StageContext) -> Strip:
    return Strip(Marks(first="of", click="of", also={"to": None}), values=word_of_token(context.page))


STAGE = Stage(
    "meaning",
    draw,
    context=StageContext,
    view=view,
    questions=questions,
    asked=lambda context: words.asked(context) if context.question else {},
    parameters=parameters,
    opened_by=("of", "to"),
    sections={
        "sum": Section(sums.draw, sums.parameters, (*sums.TERMS, "remove")),
        "measures": Section(measures.draw, redraws=("of",)),
        "sentences": Section(sentences.draw, sentences.parameters, ("sentences",)),
        "grew": Section(table_over_training.draw, table_over_training.parameters, ("trained", "grown", "plane")),
        "gradient": Section(gradient.draw, gradient.parameters, ("rate",)),
        "languages": Section(languages.draw, languages.parameters, ("learned", "heard")),
    },
    recap={"row": {}, "map": {"map": "pca"}, "trained": {"section": "grew"}},
    redraws={"picture": MAP, "context": in_context.DRAWN_FROM, FOLLOWED: ("of", "to")},
    strip=strip,
    keeps=True,
)
