"""Where the norms sit: post-norm, pre-norm and on the input, on the same weights; and the same before any training."""

from typing import TYPE_CHECKING

import streamlit as st

from core.figures import layernorm as figures
from core.views import layernorm as views
from core.views.layernorm import ARRANGEMENTS, ArrangementView
from pages.shared import cached, components
from pages.shared.charts import chart, scheme
from pages.shared.page import Page, paragraphs

if TYPE_CHECKING:
    from core.zoo import Model

WRITTEN = 80  # characters of what a model writes with its norms elsewhere; it may never come to an end


@st.cache_resource(show_spinner=False, max_entries=8)
def elsewhere(name: str, norm: str) -> "Model":
    from core.zoo import rearranged

    return rearranged(cached.model(name), norm)


def arranged(page: Page, norm: str) -> ArrangementView:
    name, text = page.address.model, page.text

    def make() -> ArrangementView:
        from core import capture

        model = elsewhere(name, norm)
        return views.arrangement_view(capture(model, text, only=views.ARRANGEMENT_TAPS), model)

    return cached.remember(("arranged", name, text, norm), make)


def where_it_sits(page: Page) -> None:
    """Three diagrams of one layer, lit up by the spread of each state."""
    t = page.t
    st.html(f"<h2 class='part'>{t.html('where.title')}</h2>")
    paragraphs([t.html("where.said", model=page.model_name)])
    layers = [(i, str(i)) for i in range(1, page.model.config.layers + 1)]
    layer = {"name": "layer", "label": t("layer"), "options": layers}
    components.controls(key="layers", data={"controls": [layer]})
    with st.spinner(t("where.running")):
        found = {norm: arranged(page, norm) for norm in ARRANGEMENTS}
    components.blocks(key="blocks", data=blocks(page, found), on_selection_change=lambda: None)
    said = [t.html("where.check"), t.html("where.history")]
    if found["post"].text_out is not None:
        texts = {norm: shortened(found[norm].text_out or "–") for norm in ARRANGEMENTS}
        said.insert(0, t.html("where.writes", **texts))
    paragraphs(said)


def shortened(text: str) -> str:
    return text if len(text) <= WRITTEN else f"{text[:WRITTEN].rstrip()} …"


def blocks(page: Page, found: dict[str, ArrangementView]) -> dict:
    t = page.t
    streams = {norm: arrangement.outputs() for norm, arrangement in found.items()}
    every = [spread for arrangement in found.values() for spread in arrangement.spreads.values() if spread > 0]
    has_entrance = views.places(page.model)[0] == "embedding.norm"
    return {
        "param": "layer",
        "layers": page.model.config.layers,
        "low": 0.8 * min(every),
        "high": max(every),
        "arrangements": [
            {
                "id": norm,
                "norm": norm,
                "title": t(f"arrangements.{norm}"),
                "formula": t(f"where.formula_{norm}"),
                "note": note_of(page, found[norm], found["post"]),
                "entrance": has_entrance or norm == "input",
                "exit": norm == "pre",
                "stream": streams[norm],
                "states": [states(page, found[norm], i) for i in range(page.model.config.layers)],
            }
            for norm in ARRANGEMENTS
        ],
        "words": {name: t(f"where.{name}") for name in
                  ("norm", "attention", "feedforward", "entrance", "exit", "in", "diagram")}
        | {"layer": t("layer")},
    }  # fmt: skip


def note_of(page: Page, arrangement: ArrangementView, own: ArrangementView) -> str:
    stream = arrangement.outputs()
    facts = {"first": stream[0], "last": stream[-1], "model": page.model_name}
    return page.t(f"where.note_{arrangement.norm}", **facts, cosine=arrangement.agreement(own))


def states(page: Page, arrangement: ArrangementView, layer: int) -> list[dict]:
    """The states of one layer, in the order the data meet them."""
    at = f"encoder.{layer}"
    taps = {"in": f"{at}.attention.skip"}
    for part in ("attention", "feedforward"):
        if part == "feedforward":
            taps["middle"] = f"{at}.feedforward.skip"
        taps |= {f"{part}.output": f"{at}.{part}.output", f"{part}.residual": f"{at}.{part}.residual"}
        taps |= {f"{part}.norm": f"{at}.{part}.norm.output"}
    taps["exit"] = "encoder.norm.output"
    return [
        {"id": id, "name": page.t(f"state.{id.replace('.', '_')}"), "spread": arrangement.spreads[tap]}
        for id, tap in taps.items()
        if tap in arrangement.spreads
    ]


# ---- before any training


def at_the_start(page: Page) -> None:
    """The committed experiment: spread and gradient of networks that were only drawn."""
    t, found = page.t, views.starts()
    st.html(f"<h2 class='part'>{t.html('start.title')}</h2>")
    deep = {norm: found.deepest(norm) for norm in ARRANGEMENTS}
    facts = {f"spread_{norm}": start.spreads[-1] for norm, start in deep.items()}
    facts |= {f"gradient_{norm}": start.gradient for norm, start in deep.items()}
    shallow, deepest = found.of("pre")[0], deep["pre"]
    last = {
        "shallow": shallow.layers,
        "deep": deepest.layers,
        "pre_shallow": shallow.gradients[-1],
        "pre_deep": deepest.gradients[-1],
        "post_shallow": found.of("post")[0].gradients[-1],
        "post_deep": deep["post"].gradients[-1],
    }
    paragraphs([t.html("start.said", layers=deepest.layers, **facts), t.html("start.last", **last)])
    spread, gradient = start_figures(page, t.language, scheme(page))
    left, right = st.columns(2, gap="large")
    with left:
        st.html(f"<p class='soft'>{t.html('start.spread', layers=deepest.layers)}</p>")
        chart(spread, "start_spread")
    with right:
        st.html(f"<p class='soft'>{t.html('start.gradient')}</p>")
        chart(gradient, "start_gradient")
    settings = {name: value for name, value in found.settings.items() if name != "seeds"}
    settings |= {"seeds": len(found.settings["seeds"]), "seconds": found.seconds}
    st.html(f"<p class='soft'>{t.html('start.settings', **settings)}</p>")
    st.code(found.command, language="bash")


@st.cache_resource(show_spinner=False, max_entries=8)
def start_figures(_page: Page, language: str, scheme: figures.Scheme) -> tuple[figures.Figure, figures.Figure]:
    t, found = _page.t, views.starts()
    lines = {norm: t(f"arrangements.{norm}") for norm in ARRANGEMENTS}
    spread = figures.spread_figure(found, {**lines, "axis": t("start.after_layer")}, scheme)
    return spread, figures.gradient_figure(found, {**lines, "axis": t("start.layers")}, scheme)
