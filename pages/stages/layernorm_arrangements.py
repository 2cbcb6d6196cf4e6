"""Where the norms sit: post-norm, pre-norm and on the input, on the same weights; and the same before any training."""

from typing import TYPE_CHECKING

import streamlit as st

from core.figures import layernorm as figures
from core.model.places import SUBLAYERS
from core.views import arrangements as views
from core.views.arrangements import ARRANGEMENTS, ArrangementView
from core.views.layernorm import places
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
    """Three diagrams of one layer, of the encoder or the decoder, lit up by the spread of each state."""
    t, config = page.t, page.model.config
    st.html(f"<h2 class='part'>{t.html('where.title')}</h2>")
    stacks = [t.html("where.stacks")] if config.decoder_layers else []
    paragraphs([t.html("where.said", model=page.model_name), *stacks])
    layers = [(i, str(i)) for i in range(1, config.layers + 1)]
    shown = [{"name": "layer", "label": t("layer"), "options": layers}]
    if stacks:
        names = [(stack, t(f"place.{stack}")) for stack in SUBLAYERS]
        shown.insert(0, {"name": "stack", "label": t("where.stack"), "options": names})
    components.controls(key="layers", data={"controls": shown})
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
    """All stacks at once: which one is looked at, the browser knows."""
    every = [spread for arrangement in found.values() for spread in arrangement.spreads.values() if spread > 0]
    words = {name: page.t(f"where.{name}") for name in ("norm", "in", "diagram")} | {"layer": page.t("layer")}
    return {
        "param": "layer",
        "stack": "stack",
        "low": 0.8 * min(every),
        "high": max(every),
        "stacks": {stack: stack_of(page, found, stack) for stack in found["post"].layers},
        "words": words,
    }


def stack_of(page: Page, found: dict[str, ArrangementView], stack: str) -> dict:
    t, layers = page.t, found["post"].layers[stack]
    has_entrance = places(page.model)[0].part == "embedding"
    return {
        "layers": layers,
        "parts": [{"id": part, "name": t(f"where.{part}")} for part in SUBLAYERS[stack]],
        "words": {"entrance": t("where.entrance"), "exit": t("where.exit", layers=layers)},
        "arrangements": [
            {
                "id": norm,
                "norm": norm,
                "title": t(f"arrangements.{norm}"),
                "formula": t(f"where.formula_{norm}"),
                "note": note_of(page, found[norm], found["post"], stack),
                "entrance": has_entrance or norm == "input",
                "exit": norm == "pre",
                "stream": found[norm].outputs(stack),
                "states": [states(page, found[norm], stack, i) for i in range(layers)],
            }
            for norm in ARRANGEMENTS
        ],
    }


def note_of(page: Page, arrangement: ArrangementView, own: ArrangementView, stack: str) -> str:
    """What the diagram shows; of the encoder also how far its last states went astray. Each decoder reads what it
    writes itself, so two decoders' states are of different texts."""
    stream = arrangement.outputs(stack)
    facts = {"first": stream[0] if arrangement.norm == "input" else stream[1], "last": stream[-1]}
    said = page.t(f"where.note_{arrangement.norm}", **facts)
    if stack == "decoder" or arrangement.norm == "post":
        return said
    return said + page.t("where.note_cosine", cosine=arrangement.agreement(own))


def states(page: Page, arrangement: ArrangementView, stack: str, layer: int) -> list[dict]:
    """The states of one layer, in the order the data meet them."""
    taps = {}
    for part in SUBLAYERS[stack]:
        at = f"{stack}.{layer}.{part}"
        taps |= {f"{part}.in": f"{at}.skip", f"{part}.output": f"{at}.output"}
        taps |= {f"{part}.residual": f"{at}.residual", f"{part}.norm": f"{at}.norm.output"}
    taps["exit"] = f"{stack}.norm.output"
    return [
        {"id": id, "name": state_name(page, id), "spread": arrangement.spreads[tap]}
        for id, tap in taps.items()
        if tap in arrangement.spreads
    ]


def state_name(page: Page, id: str) -> str:
    part, _, state = id.rpartition(".")
    return f"{page.t(f'where.{part}')} · {page.t(f'state.{state}')}" if part else page.t(f"state.{state}")


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
