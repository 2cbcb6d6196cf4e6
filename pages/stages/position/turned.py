"""Query and key of a model that turns them by position, before and after: nothing is added, and distances are told."""

import streamlit as st

from core.capture import Capture
from core.derivation import Cell, RunSpec
from core.figures.controls import Control, Controls, numbered
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.figures.dials import Dials, DialsWords
from core.figures.followed import Followed
from core.text.token import named
from core.text.unicode import is_cjk
from core.views import turned as views
from core.views.turned import FAR, Turned
from core.zoo import SOURCES, Model, able
from pages.shared.address.address import Table, index, whole
from pages.shared.number.follow import follow, number
from pages.shared.number.number_links import number as link
from pages.shared.page.parts import paragraphs, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.position.context import WINDOW, PositionView, StageContext
from pages.stages.position.parts import begin, typed

SHIFT = 100_000  # tokens that may come before
SELECTED = ("tq", "tk")
CHOSEN = ("tl", "th", "shift")
PICTURED = (*CHOSEN, *SELECTED)


def name_of(run: Capture, at: int) -> str:
    """A token, told from others like it."""
    return named([token.text for token in run.tokens], at)


def turns() -> bool:
    """Whether a model that turns queries and keys is there."""
    return any("turn" in source.can for source in SOURCES.values())


def text_of(page: PageContext) -> str:
    """The visitor's sentence where this model can read it in words, else the one it opens on."""
    own = page.address["text"]
    model = cached.model(able("turn"))
    return model.lesson.stages["position"]["text"] if any(map(is_cjk, own)) or not own.strip() else own


def run_of(page: PageContext) -> tuple[Model, Capture]:
    name = able("turn")
    model = cached.model(name)
    only = [tap for place in views.attentions(model) for tap in (place.tap("query"), place.tap("key"))]
    scores = [place.tap(part) for place in views.attentions(model) for part in ("weights", "scores")]
    return model, cached.capture(name, text_of(page), only=(*only, *scores))


def parameters(page: PageContext, view: PositionView) -> Table:
    if page.address.raw.get("section") != "rotary" or not turns():
        return {}
    model, run = run_of(page)
    places = views.attentions(model)
    layer, head = opening(able("turn"), text_of(page))
    last = min(WINDOW, len(run.tokens)) - 1
    return {
        "tl": whole(1, len(places), layer + 1),
        "th": whole(1, model.config.heads, head + 1),
        "tq": index(last + 1, last),
        "tk": index(last + 1, max(0, last - 1)),
        "shift": whole(0, SHIFT, 0),
    }


@cached.shared
def opening(name: str, text: str) -> tuple[int, int]:
    """The head that looks one back most: what turning is good for shows best there."""
    model = cached.model(name)
    weights = [place.tap("weights") for place in views.attentions(model)]
    run = cached.capture(name, text, only=tuple(weights))
    return views.previous_token_head([run[tap] for tap in weights])


def draw(context: StageContext) -> None:
    t = context.t
    if not turns():
        return begin(t, "rotary", "absent")
    model, run = run_of(context.page)
    begin(t, "rotary", sentence=text_of(context.page), reader=t.model(model.id))
    shown = view(context, model, run)
    components.controls(key="turned_controls", data=controls(context, model, run).data())
    components.dials(key="dials", data=dials(context, run, shown).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.curves(key="turned_curve", data=curve(context, shown).pack())
        write(paragraphs(said(context, run, shown)))
    with right:
        follow(context, followed, key="turned_score")


SECTION = Section(draw, parameters, PICTURED, pieces={"turned_score": ()})


def view(context: StageContext, model: Model, run: Capture) -> Turned:
    layer, head, shift = (context.values[name] for name in CHOSEN)
    q, k = (context.values[name] for name in SELECTED)
    return views.turned_view(run, model, layer - 1, head - 1, q, k, shift)


def controls(context: StageContext, model: Model, run: Capture) -> Controls:
    t = context.t
    tokens = [(i, name_of(run, i)) for i in range(min(WINDOW, len(run.tokens)))]
    first = {name: context.page.address.table[name].default for name in PICTURED}
    layers, heads = numbered(len(views.attentions(model))), numbered(model.config.heads)
    return Controls(
        [
            Control("tl", t("rotary.layer"), layers, first=first["tl"], stepper="always"),
            Control("th", t("rotary.head"), heads, first=first["th"], stepper="always"),
            Control("tq", t("rotary.query"), tokens, first=first["tq"], stepper="always", plain=True),
            Control("tk", t("rotary.key"), tokens, first=first["tk"], stepper="always", plain=True),
            typed(t, "shift", 0, SHIFT),
        ]
    )


def dials(context: StageContext, run: Capture, shown: Turned) -> Dials:
    t, (q, k) = context.t, (name_of(run, context.values[name]) for name in SELECTED)
    hands = t("rotary.of_query", token=q), t("rotary.of_key", token=k)
    words = DialsWords(t("rotary.label"), *hands, t("rotary.tip"), t("rotary.rest"))
    return Dials(shown.query, shown.key, shown.angles, shown.brings, words)


def curve(context: StageContext, shown: Turned) -> Curves:
    """The score of this query and key, were they so far apart."""
    t, far = context.t, context.values["tq"] - context.values["tk"]
    here = [Mark(far, shown.score, short(shown.score), "end")] if 0 <= far <= FAR else []
    return Curves(
        x=Along(FAR + 1, t("rotary.distance")),
        y=Upwards(),
        series=[Series(t("rotary.score"))],
        values=[shown.by_distance],
        marks=here,
        height=220,
        words=CurvesWords(t("rotary.curve"), t.html("rotary.caption")),
    )


def said(context: StageContext, run: Capture, shown: Turned) -> list[str]:
    """Where this very query and key would score highest; and that both moved on together score the same."""
    t, (q, k, shift) = context.t, (context.values[name] for name in (*SELECTED, "shift"))
    asks, answers = (name_of(run, at) for at in (q, k))
    best = int(shown.by_distance.argmax())
    facts = {"asks": asks, "answers": answers, "score": captured(context, run)}
    key = "rotary.best_here" if best == q - k else "rotary.best"
    sentences = [t.html(key, best=best, far=FAR, most=float(shown.by_distance[best]), **facts)]
    if shift:
        moved = abs(shown.score - float(facts["score"]))
        sentences.append(t.html("rotary.moved", shift=shift, q=q + shift, k=k + shift, moved=moved, **facts))
    return sentences


def captured(context: StageContext, run: Capture) -> float:
    """The score as the run has it; it can be followed."""
    cell = score(context)
    return link(context, float(run[cell.tap][cell.index]), cell, given=given(context))


def score(context: StageContext) -> Cell:
    layer, head, q, k = (context.values[name] for name in ("tl", "th", *SELECTED))
    place = views.attentions(cached.model(able("turn")))[layer - 1]
    return Cell(place.tap("scores"), (head - 1, q, k))


def given(context: StageContext) -> RunSpec:
    return RunSpec(text=text_of(context.page), model=able("turn"))


def followed(context: StageContext) -> Followed:
    t, (layer, head, q, k) = context.t, (context.values[name] for name in ("tl", "th", *SELECTED))
    _, run = run_of(context.page)
    where = t("rotary.where", asks=name_of(run, q), answers=name_of(run, k), layer=layer, head=head)
    return number(context, score(context), f"turned/{layer}/{head}/{q}/{k}", where, given=given(context))
