"""Embedding: an id names a row of the table, and the row is fetched."""

import numpy as np

from core.questions import some
from core.questions.embedding import each
from core.views.embedding import KINDS, EmbeddingView
from pages.shared.address.address import choice, index, whole
from pages.shared.page.stage import Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.embedding import ids, initialization, size, words
from pages.stages.embedding.context import StageContext, opening_position, view_of
from pages.stages.embedding.page import draw


def view(page: PageContext, chosen) -> EmbeddingView:
    return view_of(*page.key)


def questions(page: PageContext, view: EmbeddingView):
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str):
    return some(each(view_of(name, text)))


def parameters(page: PageContext, view: EmbeddingView, asked: Asked):
    n, position = len(view.ids), opening_position(view, asked)
    largest = int(np.abs(view.output[position]).argmax())
    return {
        "pos": index(n, position),
        "dim": whole(0, view.d_model - 1, largest, ends="sentence"),
        "row": whole(0, view.vocab - 1, None),
        "k": index(n, None),
        "pair": choice(*KINDS, default="row"),
    }


STAGE = Stage(
    "embedding",
    draw,
    context=StageContext,
    view=view,
    questions=questions,
    asked=words.asked,
    opened_by=("pos", "dim", "k"),
    parameters=parameters,
    sections={"size": size.SECTION, "ids": ids.SECTION, "begin": initialization.SECTION},
    recap={"lookup": {}, "same": {"pair": "row"}, "size": {"section": "size"}},
    strip=lambda context: Strip(Marks(first="pos", second="k", click="pos")),
)
