"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from core.derivation import Cell
from core.questions.encoder import PARTS
from core.views.encoder import Sublayer
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.shared.server import cached
from pages.shared.words.numbers import percent
from pages.stages.encoder.context import StageContext
from pages.stages.encoder.network import from_scratch
from pages.stages.encoder.sub_layers import passed

MASSIVE = 20  # times as long as what was there


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the token and the layer."""
    say(context, lead, said, lead_of(context), notices(context))


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    """No share of any token while shares are asked for."""
    return "lead_open" if context.veiled else "lead", facts(context)


def facts(context: StageContext) -> dict[str, object]:
    """The selected token of the encoder, in the selected layer."""
    attention, feedforward = (context.view.at(context.reader, context.layer, part) for part in PARTS)
    return {
        "token": context.name_of(context.reader),
        "layer": context.layer,
        "layers": context.view.layers,
        "attention": passed(context, attention, "share"),
        "feedforward": passed(context, feedforward, "share"),
        "kept": passed(context, attention, "kept"),
    }


def notices(context: StageContext) -> list[str]:
    t = context.t
    said = [t.html("notice.stream", **from_scratch(t)), *([] if context.veiled else largest(context))]
    return [*said, *t.if_said("notice.kind"), t.html("notice.chatgpt")]


def largest(context: StageContext) -> list[str]:
    """Where the most is written onto a stream, compared with what was there."""
    every = [one for one in context.view.sublayers if one.place.stack == context.reader]
    best = max(every, key=lambda one: float(one.share.max()))
    at, place = int(best.share.argmax()), best.place
    if float(best.share[at]) <= 1:
        return []
    names = {
        "token": context.page.name(at),
        "layer": int(place.layer or 0) + 1,
        "part": context.t(f"parts.{place.part}"),
    }
    said = context.t.html("notice.largest", share=share(context, best, at), **names)
    massive = "encoder" not in context.page.model.stacks and at == 0 and best.share[at] > MASSIVE
    return [context.t.together([said, outlier(context, best, at)]) if massive else said]


def outlier(context: StageContext, one: Sublayer, at: int) -> str:
    """In which dimension of what is written most of it is."""
    tap = one.place.tap("output")
    squares = cached.capture(*context.page.key, only=(tap,))[tap][at].astype(float) ** 2
    dim = int(squares.argmax())
    return context.t.html("notice.massive", dim=dim, percent=percent(squares[dim] / squares.sum()))


def share(context: StageContext, one: Sublayer, at: int) -> float:
    """How much a sub-layer writes for a token, of what was there; it can be followed."""
    written, before = (Cell(one.place.tap(name), (at, None)) for name in ("output", "skip"))
    return measured(context, float(one.share[at]), "ratio", written, before)


def asked(context: StageContext) -> dict[str, float]:
    """The two shares that the question's answer names."""
    question = context.question
    if question is None:
        return {}
    layer = int(question.facts["layer"])
    return {
        f"{part}_share": share(context, context.view.at(context.reader, layer, part), question.row) for part in PARTS
    }


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    layer = context.view.layers if context.layer < context.view.layers else 1
    return context.t("notice.try", layer=layer), {"layer": layer}
