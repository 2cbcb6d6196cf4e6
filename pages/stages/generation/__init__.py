"""Generation: a text goes on, a token at a time: what might come, what is drawn, and where the model looked for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.questions import Question, some
from core.questions.generation import ASKED, each
from core.views.generation import MOST, GenerationView
from core.writing import Sampling
from pages.shared.address.address import Table, choice, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page import own_model
from pages.shared.page.stage import FOLLOWED, PICTURE, WHOLE, Asked, PageContext, Stage
from pages.stages.generation import beginnings, cache, chat_template, words
from pages.stages.generation.context import (
    KS,
    NEWEST,
    PS,
    SEEDS,
    TEMPERATURES,
    StageContext,
    asked_of,
    usual,
    view_of,
    written,
)
from pages.stages.generation.followed import followed
from pages.stages.generation.opened import opened
from pages.stages.generation.picture import controls, picture

RULES = ("temperature", "topk", "topp", "seed")


def which(page: PageContext) -> Table:
    """What decides what is written: a sentence that is a question is asked, if it can be."""
    ask = page.model.chats and page.text.rstrip().endswith(("?", "？"))
    modes = {"mode": choice("text", "chat", default="chat" if ask else "text", ends="sentence")}
    opens = usual(page)
    return {
        **(modes if page.model.chats else {}),
        "temperature": choice(*TEMPERATURES, default=opens["temperature"]),
        "topk": choice(*KS, default=opens["topk"]),
        "topp": choice(*PS, default="1"),
        "seed": whole(0, SEEDS, 1),
    }


def view(page: PageContext, chosen: Mapping[str, Any]) -> GenerationView:
    T, k = float(chosen["temperature"]), None if chosen["topk"] == "all" else int(chosen["topk"])
    sampling = Sampling(T, k, float(chosen["topp"]), chosen["seed"]) if T else Sampling()  # greedily, the rest is idle
    return view_of(page.address.model, page.text, asked_of(page, chosen.get("mode", "text")), sampling)


def questions(page: PageContext, view: GenerationView) -> Sequence[Question]:
    """Of what the model itself gives, however a token is drawn."""
    few = ASKED + 1
    plain = view if not view.sampling.temperature else view_of(view.model.id, view.text, view.chat, Sampling(), few)
    return some(each(plain, written(plain, few)))


def parameters(page: PageContext, view: GenerationView, asked: Asked) -> Table:
    config, opens = page.model.config, usual(page)
    place = asked.question.row if asked.question else 0
    return {
        "n": whole(0, MOST, place if asked.open else place + 1, ends="sentence"),
        "q": whole(NEWEST, MOST - 1, place, ends="sentence"),
        "layer": whole(0, config.layers, opens["layer"]),
        "head": whole(0, config.heads, opens["head"]),
    }


BODY = Body(
    Panel(
        shows("written", picture),
        followed,
        (1.35, 1),
        above=shows("controls", controls),
        says=words.write,
        says_with=FOLLOWED,
    ),
    opened,
    resets=("n", "q"),
    try_this=words.attempt,
)


STAGE = Stage(
    "generation",
    BODY,
    context=StageContext,
    settle=own_model.settle_to_write_its_own,
    which=which,
    view=view,
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("n", "q"),
    sections={"tries": beginnings.SECTION, "cache": cache.SECTION, "template": chat_template.SECTION},
    recap={"loop": {}, "rules": {"temperature": 1.5}, "cache": {"section": "cache"}},
    redraws={PICTURE: ("n", *RULES, "layer", "head"), FOLLOWED: ("q",), WHOLE: ("mode",)},
)
