"""Encoder: what each layer adds to a token's stream, and the whole model as one diagram."""

from collections.abc import Sequence

from core.questions import Question, some
from core.questions.encoder import each
from core.views.encoder import EncoderView
from pages.shared.address.address import Table, choice, index, whole
from pages.shared.body import Body, Panel, shows, stacked
from pages.shared.page.stage import FOLLOWED, PICTURE, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.stages.encoder import (
    doors,
    families,
    network,
    parameter_counts,
    residual,
    same_token_twice,
    stack_height,
    sub_layers,
    words,
)
from pages.stages.encoder.context import SHOWN, StageContext, layers_of, parts_of, view_of
from pages.stages.encoder.followed import followed
from pages.stages.encoder.opened import opened
from pages.stages.encoder.picture import controls, picture


def questions(page: PageContext, view: EncoderView) -> Sequence[Question]:
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    return some(each(view_of(name, text), text))


def opening(view: EncoderView, asked: Asked) -> tuple[int, int]:
    """Token and layer: the asked ones; while the question is open, the layer beside, or else the token."""
    if asked.question is None:
        return min(1, len(view.tokens) - 1), 1
    row, layer = asked.question.row, int(str(asked.question.facts["layer"]))
    if asked.open and view.layers > 1:
        layer = layer + 1 if layer < view.layers else layer - 1
    elif asked.open:
        row = row + 1 if row + 1 < len(view.tokens) else row - 1
    return max(0, row), layer


def parameters(page: PageContext, view: EncoderView, asked: Asked) -> Table:
    token, layer = opening(view, asked)
    parts = parts_of(page)
    layers = layers_of(page)
    return {
        "layer": whole(1, layers, min(layer, layers), ends="sentence"),
        "part": choice(*parts, default=parts[0]),
        "shown": choice(*SHOWN, default="stream"),
        "pos": index(len(view.tokens), token),
        "q": index(max(1, len(view.given)), 0),
    }


def strip(context: StageContext) -> Strip:
    """What is written is marked where the stack that writes it is looked at."""
    page, source = context.page, Marks(first="pos", click="pos")
    if not page.translates:
        return Strip(source)
    target, read = Marks(first="q", click="q"), f"{page.model.reader.name}."
    turns = {
        f"{shown}/{part}": (source, None if shown == "stream" and part.startswith(read) else target)
        for shown in SHOWN
        for part in parts_of(page)
    }
    return Strip(*turns[f"{context.values['shown']}/{context.part}"], by=("shown", "part"), turns=turns)


BODY = Body(
    Panel(picture, followed, (1.45, 1), above=stacked(doors.draw, shows("controls", controls)), says=words.write),
    opened,
    resets=("layer", "pos", "q", "part"),
    try_this=words.attempt,
)


STAGE = Stage(
    "encoder",
    BODY,
    context=StageContext,
    view=lambda page, chosen: view_of(*page.key),
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("pos", "q", "part"),
    sections={
        "residual": Section(residual.draw),
        "network": network.SECTION,
        "walk": Section(sub_layers.draw, redraws=("pos", "layer")),
        "parting": same_token_twice.SECTION,
        "height": stack_height.SECTION,
        "inside": Section(parameter_counts.draw),
        "families": Section(families.draw),
    },
    redraws={PICTURE: ("layer", "pos", "q", "shown"), FOLLOWED: ("part",)},
    recap={"added": {"section": "residual"}, "network": {"section": "network"}, "norms": {"section": "walk"}},
    strip=strip,
)
