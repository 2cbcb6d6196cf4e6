"""LayerNorm: what each token's vector loses on purpose, where the norms sit, and what happens where they do not."""

import numpy as np

from core.derivation.layernorm import PARTS
from core.model.places import Place
from core.questions import some
from core.questions.layernorm import each
from core.views.layernorm import NormView
from core.views.norms import KINDS
from core.zoo import Model
from pages.shared.address.address import choice, index, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.stage import NO_MARKS, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.stages.layernorm import depth, hand, start, traits, where, words
from pages.stages.layernorm.context import (
    EPSILONS,
    GIVEN,
    StageContext,
    name_of,
    opening_norm,
    opening_view,
    places_of,
    view_of,
)
from pages.stages.layernorm.followed import followed
from pages.stages.layernorm.opened import opened
from pages.stages.layernorm.picture import controls, lanes

TOKEN = Marks(first="pos", click="pos")


def which(page: PageContext):
    name = page.address.model
    return {"norm": whole(1, len(places_of(name)), opening_norm(name))}


def view(page: PageContext, chosen) -> NormView:
    return view_of(*page.key, places_of(page.address.model)[chosen["norm"] - 1])


def questions(page: PageContext, view: NormView):
    """Of the norm it opens on, whichever is looked at."""
    return questions_of(*page.key)


def asked(context: StageContext) -> dict[str, object]:
    """Which norm the question is about, whichever is looked at."""
    place = context.places[opening_norm(context.page.address.model) - 1]
    return {"norm": name_of(context, place), "method": context.t(f"methods.{context.view.kind}")}


@cached.shared
def questions_of(name: str, text: str):
    return some(each(opening_view(name, text)))


def parameters(page: PageContext, view: NormView, asked: Asked):
    opening, last = opening_view(*page.key), view_of(*page.key, places_of(page.address.model)[-1])
    token = asked.question.row if asked.question else min(1, len(opening.tokens) - 1)
    dim = int(np.abs(opening.captured.after[token]).argmax())
    return {
        "given": choice(*GIVEN, default="as_is"),
        "eps": choice(*EPSILONS, default="own"),
        "method": choice(*KINDS, default=view.kind),
        "part": choice(*PARTS["layer"], default="after"),
        "pos": index(max(len(opening.tokens), len(last.tokens)), token),
        "dim": whole(0, opening.d_model - 1, dim, ends="sentence"),
        **arrangements(page),
    }


def arrangements(page: PageContext):
    """Layer and stack of the three arrangements, which the browser has all of: Python draws nothing from them."""
    stack = {"stack": choice("encoder", "decoder", default="encoder")} if page.translates else {}
    return {"layer": whole(1, page.model.config.layers, 1), **stack}


def marks(model: Model, place: Place) -> tuple[Marks, Marks | None]:
    return (NO_MARKS, TOKEN) if model.of_target(place) else (TOKEN, None)


def strip(context: StageContext) -> Strip:
    turns = {str(number): marks(context.page.model, place) for number, place in enumerate(context.places, 1)}
    return Strip(*marks(context.page.model, context.view.place), by=("norm",), turns=turns)


BODY = Body(
    Panel(shows("lanes", lanes), followed, (1.22, 1), "medium", above=shows("controls", controls), says=words.write),
    opened,
    resets=("norm", "given", "eps", "method", "part", "pos", "dim"),
    try_this=words.attempt,
)


STAGE = Stage(
    "layernorm",
    BODY,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    asked=asked,
    parameters=parameters,
    sections={
        "where": Section(where.draw),
        "depth": Section(depth.draw),
        "traits": Section(traits.draw, redraws=("norm", "pos")),
        "hand": Section(hand.draw, hand.parameters, redraws=("vector", "small")),
        "start": Section(start.draw),
    },
    redraws={"picture": ("norm", "pos", "method"), "derivation": ("given", "eps", "part", "dim")},
    recap={"itself": {}, "learned": {"section": "depth"}, "where": {"section": "where"}},
    strip=strip,
)
