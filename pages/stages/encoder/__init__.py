"""Encoder: the whole model as one diagram, and what each layer adds to a token's stream."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.encoder import each
from core.views.encoder import EncoderView
from pages.shared import cached
from pages.shared.address import Table, choice, index, whole
from pages.shared.page import Marks, Page, Strip
from pages.shared.stage import FOLLOWED, PICTURE, Asked, Section, Stage
from pages.stages.encoder import inside, network, parting, residual, walk
from pages.stages.encoder.look import Look, parts_of, view_of
from pages.stages.encoder.page import draw


def questions(page: Page, view: EncoderView) -> Sequence[Question]:
    return cached.small(("writes more", page.address.model, page.text), lambda: some(each(view, page.text)))


def opening(view: EncoderView, asked: Asked) -> tuple[int, int]:
    """Token and layer: the asked ones; while the question is open, the token beside."""
    if asked.question is None:
        return min(1, len(view.tokens) - 1), 1
    row, layer = asked.question.row, int(str(asked.question.facts["layer"]))
    if asked.open:
        row = row + 1 if row + 1 < len(view.tokens) else row - 1
    return max(0, row), layer


def parameters(page: Page, view: EncoderView, asked: Asked) -> Table:
    token, layer = opening(view, asked)
    parts, config = parts_of(page), page.model.config
    layers = min(config.layers, config.decoder_layers or config.layers)
    return {
        "layer": whole(1, layers, min(layer, layers), ends="sentence"),
        "part": choice(*parts, default=parts[0]),
        "pos": index(len(view.tokens), token),
        "q": index(max(1, len(view.given)), 0),
    }


def strip(look: Look) -> Strip:
    target = Marks(first="q", click="q") if look.page.translates else None
    return Strip(Marks(first="pos", click="pos"), target)


STAGE = Stage(
    "encoder",
    draw,
    look=Look,
    view=lambda page, chosen: view_of(page),
    questions=questions,
    parameters=parameters,
    opened_by=("pos", "q", "part"),
    sections={
        "residual": Section(residual.draw),
        "network": network.SECTION,
        "walk": Section(walk.draw, redraws=("pos", "layer")),
        "parting": parting.SECTION,
        "inside": Section(inside.draw),
    },
    redraws={PICTURE: ("layer", "pos", "q"), FOLLOWED: ("part",)},
    strip=strip,
)
