"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import numpy as np

from core.derivation import Cell
from core.questions.encoder import PARTS
from core.views.encoder import Sublayer
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.stages.encoder.look import Look
from pages.stages.encoder.sub_layers import passed

SMALL = 0.5  # of the stream's length: up to here what is written is called small


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the token and the layer."""
    hidden = look.hides(look.reader, look.layer, look.pos)
    say(look, lead, said, ("lead_open" if hidden else "lead", facts(look)), notices(look))


def facts(look: Look) -> dict[str, object]:
    """The selected token of the encoder, in the selected layer."""
    attention, feedforward = (look.view.at(look.reader, look.layer, part) for part in PARTS)
    return {
        "token": look.name_of(look.reader),
        "layer": look.layer,
        "layers": look.view.layers,
        "attention": passed(look, attention, "share"),
        "feedforward": passed(look, feedforward, "share"),
        "kept": passed(look, attention, "kept"),
    }


def notices(look: Look) -> list[str]:
    t, view = look.t, look.view
    said = [t.html("notice.stream", **facts(look))]
    shares = np.concatenate([one.share for one in view.sublayers if one.place.stack == look.reader])
    small = int((shares <= SMALL).sum())
    if not look.veiled:
        said.append(t.html("notice.small", small=small, all=len(shares), percent=round(100 * small / len(shares))))
        said += largest(look)
    return [*said, *t.if_said("notice.kind"), t.html("notice.chatgpt")]


def largest(look: Look) -> list[str]:
    """Where the most is written onto a stream, compared with what was there."""
    every = [one for one in look.view.sublayers if one.place.stack == look.reader]
    best = max(every, key=lambda one: float(one.share.max()))
    at, place = int(best.share.argmax()), best.place
    if float(best.share[at]) <= 1:
        return []
    names = {"token": look.page.name(at), "layer": int(place.layer or 0) + 1, "part": look.t(f"parts.{place.part}")}
    return [look.t.html("notice.largest", share=share(look, best, at), **names)]


def share(look: Look, one: Sublayer, at: int) -> float:
    """How much a sub-layer writes for a token, of what was there; it can be followed."""
    written, before = (Cell(one.place.tap(name), (at, None)) for name in ("output", "skip"))
    return measured(look, float(one.share[at]), "ratio", written, before)


def asked(look: Look) -> dict[str, float]:
    """The two shares that the question's answer names."""
    question = look.question
    if question is None:
        return {}
    layer = int(question.facts["layer"])
    return {f"{part}_share": share(look, look.view.at(look.reader, layer, part), question.row) for part in PARTS}


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    layer = look.view.layers if look.layer < look.view.layers else 1
    return look.t("notice.try", layer=layer), {"layer": layer}
