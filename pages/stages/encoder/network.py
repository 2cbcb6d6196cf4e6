"""The feed-forward network: which of its units fire for which token; the same network at every place."""

from statistics import fmean
from typing import Any

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.edits import silence
from core.figures.followed import Traced
from core.figures.matrix import Axis, Matrix
from core.model.places import Place
from core.text.token import named
from core.training import recorded
from core.views.encoder import LIKELY, Units, bent, narrowed, permuted, sentence_vector, units, written_by
from core.views.vectors import cosine
from core.zoo import Model
from pages.shared.address.address import Table, index
from pages.shared.number.follow import follow
from pages.shared.number.number_links import number
from pages.shared.number.number_panel import Cells
from pages.shared.page.parts import Html, amount, folded, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, written
from pages.shared.words.texts import Texts, clip
from pages.stages.encoder.context import StageContext

MOST = 48  # tokens shown
WRITTEN = 60  # characters of a translation that does not end
FOLLOWS = "unit_followed"
NAMES = {"gelu": "GELU", "gelu_new": "GELU", "relu": "ReLU", "swiglu": "SwiGLU"}


def parameters(page: PageContext, view: object) -> Table:
    return {"unit": index(page.model.config.d_ff, None)}


def draw(context: StageContext) -> None:
    t, found = context.t, units_of(context)
    config = context.page.model.config
    firing = found.firing()
    facts = {"d": config.d_model, "wide": grouped(config.d_ff), "layer": context.layer}
    facts["times"] = f"{config.d_ff / config.d_model:.3g}"
    write(
        heading(t, "network"),
        paragraph(t, "network.said", **facts, f=NAMES[config.activation]),
    )
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.matrix(key="units", data=picture(context, found).pack())
    with right:
        follow(context, followed, key=FOLLOWS)
    counted = {"least": grouped(int(firing.min())), "most": grouped(int(firing.max())), "wide": grouped(config.d_ff)}
    head = [t(f"network.{name}") for name in ("token", "firing", "first")]
    write(
        paragraph(t, "network.fire" if counted["least"] != counted["most"] else "network.fire_alike", **counted),
        folded(t.html("network.counted"), table(rows(context, found, firing), head)),
    )
    there, back = passed(*context.key, context.layer)
    differs = float(abs(there - back).max())
    if len(context.view.tokens) > 1:
        same, why = st.columns(2, gap="large")
        said = paragraph(t, "network.permuted", difference=differs, n=len(context.view.tokens))
        same.html(f"<h3>{t.html('network.same')}</h3>{said}")
        said = paragraph(t, "network.bent", bent=bend(*context.key, context.layer))
        said += none_of_them(context) + paragraph(t, "network.scratch", **from_scratch(t))
        why.html(f"<h3>{t.html('network.why')}</h3>{said}")
    lost = narrow(*context.key, context.layer) if config.d_ff > config.d_model else 0
    if lost > 0:
        kind = "narrowed_gated" if config.activation == "swiglu" else "narrowed"
        said = paragraph(t, f"network.{kind}", d=config.d_model, lost=lost)
        write(f"<h3>{t.html('network.wider')}</h3>{said}")


def none_of_them(context: StageContext) -> str:
    """What becomes of the translation, the next token or the sentence's vector where every feed-forward network gives
    zeros."""
    t, model = context.t, context.page.model
    own, other = ends_of(*context.key, muted=False), ends_of(*context.key, muted=True)
    if model.objective == "compare":
        return paragraph(t, "network.none_compare", cosine=float(cosine(own, other)))
    if model.translates:
        nothing = t("residual.nothing")
        return paragraph(t, "network.none_translate", own=own or nothing, other=clip(other, WRITTEN) or nothing)
    (id, p), (now, q) = own, other
    names = model.tokenizer.names
    return paragraph(t, f"network.none_{'same' if id == now else 'next'}", own=names[id], p=p, other=names[now], q=q)


def from_scratch(t: Texts) -> dict[str, object]:
    """The loss on examples that were not trained on, of small networks with feed-forward networks, with linear ones and
    with none: the mean over all sets of initial weights; and whether a linear one did better than one that bends."""
    runs = recorded.family("feedforward")
    first = runs["bent"]
    ends = {name: fmean(run.ends) for name, run in runs.items()}
    fewer = grouped(first.parameters - runs["silent"].parameters)
    counts = {"layers": first.setting.layers, "steps": str(len(first.loss)), "trainings": len(first.ends)}
    overlap = t("network.overlap") if max(first.ends) > min(runs["unbent"].ends) else ""
    return {**counts, "fewer": fewer, "overlap": overlap, **ends}


@cached.shared
def ends_of(name: str, text: str, muted: bool) -> Any:
    """What the model gives in the end: the likeliest next token and its probability, a translation, or [d_model] the
    mean of the last states."""
    model = cached.model(name)
    places = [place for stack in model.stacks.values() for place in stack.sublayers if place.part == "feedforward"]
    edits = tuple(silence(place.stack, int(place.layer or 0) + 1, place.part) for place in places) if muted else ()
    run = cached.capture(name, text, only=(model.depths()[-1], LIKELY), edits=edits)
    if model.objective == "compare":
        return sentence_vector(run, model)
    if model.translates:
        return run.text_out or ""
    likely = run[LIKELY][-1]
    return int(likely.argmax()), float(likely.max())


@cached.shared
def bend(name: str, text: str, layer: int) -> float:
    model = cached.model(name)
    place = place_of(model, layer)
    return bent(cached.capture(name, text, only=(model.given(place),)), model, place)


@cached.shared
def narrow(name: str, text: str, layer: int) -> float:
    model = cached.model(name)
    place = place_of(model, layer)
    return narrowed(cached.capture(name, text, only=written_by(model, place)), model, place)


def followed(context: StageContext) -> Traced:
    """The activation of the selected unit for the selected token; none selected: of the one that fires most there."""
    unit = context.values["unit"]
    unit = units_of(context).best(context.pos, 1)[0] if unit is None else unit
    return Cells(context.page).panel(
        Cell(place_of(context.page.model, context.layer).tap("activated"), (context.pos, unit))
    )


def place_of(model: Model, layer: int) -> Place:
    return Place(model.reader.name, layer - 1, "feedforward")


def units_of(context: StageContext) -> Units:
    return units_in(*context.key, context.layer)


@cached.shared
def units_in(name: str, text: str, layer: int) -> Units:
    place = place_of(cached.model(name), layer)
    return units(cached.capture(name, text, only=(place.tap("activated"),)), place)


@cached.shared
def passed(name: str, text: str, layer: int) -> np.ndarray:
    """[2, token, d_model]: what comes out, last token first, and what comes out if the last goes in first."""
    place = place_of(cached.model(name), layer)
    model = cached.model(name)
    run = cached.capture(name, text, only=(model.given(place),))
    return permuted(run, model, place, range(len(run.tokens))[::-1])


def picture(context: StageContext, found: Units) -> Matrix:
    t, tokens = context.t, context.page.tokens[:MOST]
    values = found.activated[: len(tokens), found.shown]
    return Matrix(
        id="units",
        fragment="section",
        name=(),
        planes={"": values},
        rows=Axis("pos", len(tokens), tokens),
        columns=Axis("unit", len(found.shown), [str(unit) for unit in found.shown], ids=found.shown.tolist()),
        reach=float(np.quantile(np.abs(values), 0.99)) or 1.0,
        signed=bool((values < 0).any()),
        tall=300,
        words=matrix_words(t, "network.label", caption=t("network.caption")),
    )


def rows(context: StageContext, found: Units, firing: np.ndarray) -> list[list[object]]:
    texts = [token.text for token in context.view.tokens]
    return [
        [
            named(texts, i),
            amount(int(firing[i]), int(firing.max())),
            fired(context, found, i, found.best(i, 1)[0]),
        ]
        for i in range(min(MOST, len(texts)))
    ]


def fired(context: StageContext, found: Units, token: int, unit: int) -> str:
    value = float(found.activated[token, unit])
    cell = Cell(place_of(context.page.model, context.layer).tap("activated"), (token, unit))
    return Html(f"{unit}: {written(number(context, value, cell))}") if value > 0 else "–"


SECTION = Section(draw, parameters, ("layer",), {FOLLOWS: ("pos", "unit")})
