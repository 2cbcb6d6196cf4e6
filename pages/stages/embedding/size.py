"""V, d and L, and what they cost."""

import streamlit as st

from core.views.embedding import EmbeddingView
from pages.shared.address.address import Table, whole
from pages.shared.address.visit import on_press
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section, piece
from pages.shared.words.numbers import grouped, short
from pages.stages.embedding.context import StageContext

MOST = {"vocab": 300_000, "width": 16_384, "longest": 8_192}
BYTES = {"float32": 4, "float16": 2}
PIECE = "calculator"
LONGEST = 380  # pixels of a bar
READY = {  # V, d and L of published models
    "handout": (30_000, 768, 512),
    "narrow": (30_000, 512, 512),  # another handout
    "base": (37_000, 512, 256),  # Vaswani et al. 2017; tensor2tensor's transformer_base_v1
    "bert": (30_522, 1_024, 512),  # BERT large
    "gpt3": (50_257, 12_288, 2_048),
    "xlmr": (250_002, 768, 512),
}


def parameters(page: PageContext, view: EmbeddingView) -> Table:
    own = dict(zip(MOST, sizes(page, view), strict=True))
    return {name: whole(1, most, own[name]) for name, most in MOST.items()}


def sizes(page: PageContext, view: EmbeddingView) -> tuple[int, int, int]:
    """V, d and L of the model that just ran."""
    return view.vocab, view.d_model, page.model.config.positions


def draw(context: StageContext) -> None:
    write(heading(context.t, "size"), paragraph(context.t, "size.said"))
    piece(context, PIECE, calculator)


def calculator(context: StageContext) -> None:
    t = context.t
    controls("size", *(typed(t, name, t(name), 1, most) for name, most in MOST.items()))
    with st.container(key="ready_sizes", horizontal=True, gap="small"):
        own = ("own", sizes(context.page, context.view))
        for name, values in (own, *READY.items()):
            press = on_press(context, **dict(zip(MOST, values, strict=True)))
            here = values == tuple(context.values[size] for size in MOST)
            st.button(t(f"size.ready.{name}"), key=f"size_{name}", type="tertiary", on_click=press, disabled=here)
    head = [t(f"size.{name}") for name in ("what", "formula", "count")]
    key, facts = said(context)
    write(table(counted(context), [*head, *BYTES], kind="named"), paragraph(t, key, **facts))


def counted(context: StageContext) -> list[list[object]]:
    """The two tables that are parameters, and what goes in and comes out for one row of text."""
    t = context.t
    v, d, length = (context.values[name] for name in MOST)
    rows = [("table", "V · d", v * d), ("positions", "L · d", length * d), ("out", "L · d", length * d)]
    rows.append(("onehot", "L · V", length * v))
    most = max(n for *_, n in rows)
    drawn = [(name, formula, n, amount(n, most, longest=LONGEST)) for name, formula, n in rows]
    return [
        [t(f"size.rows.{name}"), formula, bar, *(f"{short(n * each / 1e6)} MB" for each in BYTES.values())]
        for name, formula, n, bar in drawn
    ]


def said(context: StageContext) -> tuple[str, dict[str, object]]:
    """How much of the model that ran is its table; of another size, how many times that."""
    v, d, length = (context.values[name] for name in MOST)
    view, own = context.view, sizes(context.page, context.view)
    if (v, d, length) == own:
        share = 100 * v * d / view.parameters
        return "size.own", {"all": grouped(view.parameters), "share": share}
    return "size.any", {"times": v * d / (own[0] * own[1]), "model": context.page.model_name}


SECTION = Section(draw, parameters, pieces={PIECE: tuple(MOST)})
