"""The input as code: shapes on the way, the function of the notes called twice, what comes before and after."""

import html
import inspect

import numpy as np
import streamlit as st

from core.lessons import input as input_part
from core.views.input import InputView, multiplies
from core.views.pipeline import Pipeline, pipeline
from pages.shared import cached
from pages.shared.numbers import short
from pages.shared.open_it import source
from pages.shared.page import Page
from pages.stages.input_pieces import paragraph, part, table, write
from pages.stages.input_sides import ROWS

NOTES = [[1, 5, 23, 9, 0]], 30, 8  # ids, vocabulary and width the function of the notes is called with


def shapes(page: Page) -> None:
    t = page.t
    run: Pipeline = cached.remember(("pipeline",), pipeline)
    rows = "".join(
        f"<tr><td>{t.html(f'stops.{stop.name}')}</td><td><pre>{html.escape(stop.code)}</pre></td>"
        f"<td>{' × '.join(map(str, stop.array.shape))}<br>{numbers(stop.array)}</td></tr>"
        for stop in run.stops
    )
    position, added = run.stop("position").array, run.stop("total").array
    sizes = {"own": f"{position.nbytes:,}", "whole": f"{added.nbytes:,}", "stride": str(run.stride)}
    write(
        part(t, "pipeline"),
        paragraph(t, "pipeline_said"),
        f"<div class='shapes-box'><table class='shapes lines'>{rows}</table></div>",
        paragraph(t, "pipeline_broadcast", batch=added.shape[0], **sizes),
        paragraph(t, "pipeline_refused", refused=run.refused),
    )


def numbers(array: np.ndarray) -> str:
    """The first of a tensor's numbers."""
    first = array.reshape(-1, array.shape[-1])[0, :3]
    said = ", ".join(str(x) if array.dtype.kind == "i" else short(float(x)) for x in first)
    return html.escape(f"[{said}{', …' if array.shape[-1] > len(first) else ''}]")


@st.fragment
def twice(page: Page) -> None:
    """The function of the notes called twice, beside the module called twice."""
    t = page.t
    write(part(t, "twice"), paragraph(t, "twice_said"))
    if "twice" not in st.session_state or st.session_state.pop("again", False):
        st.session_state["twice"] = calls()
    function, module = st.session_state["twice"]
    left, right = st.columns([1, 1.2], gap="large")
    for place, name, results, code in (
        (left, "function", function, input_part.transformer_input),
        (right, "module", module, input_part.TransformerInput),
    ):
        with place:
            difference = float(np.abs(results[0] - results[1]).max())
            rows = [[t("twice.call", number=i + 1), *map(float, result[0, 0, :4])] for i, result in enumerate(results)]
            write(paragraph(t, f"twice_{name}", difference=difference), table(rows))
            st.code(source(code), language="python", wrap_lines=True)
    st.button(t("twice.again"), key="again", type="tertiary")


def calls() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """[two calls of the function], [two calls of the module], on the same ids."""
    import torch

    ids, vocab, d_model = torch.tensor(NOTES[0]), *NOTES[1:]
    module = input_part.TransformerInput(vocab, d_model).eval()
    with torch.no_grad():
        function = [input_part.transformer_input(ids, vocab, d_model).numpy() for _ in range(2)]
        return function, [module(ids).numpy() for _ in range(2)]


def flow(page: Page, own: InputView) -> None:
    """What comes before and after, each box a door."""
    t, n, d = page.t, len(own.tokens), own.d_model
    write(part(t, "flow"))
    with st.container(key="flow", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="flow_before", width="content", gap="small"):
            with st.container(key="flow_token", horizontal=True, vertical_alignment="center", gap="small"):
                page.link("tokens", f"{t('stages.tokens')} · {n} × id")
                arrow("→")
                page.link("embedding", f"{t('stages.embedding')} · {n} × {d}")
                if multiplies(page.model):
                    arrow(f"→ · √{d}")
            page.link("position", f"{t('stages.position')} · {n} × {d}")
            if "segment" in own.names:
                st.html(f"<span class='box'>{t.html('flow_segment')} · {n} × {d}</span>", width="content")
        arrow("→ + →")
        if "segment" in own.names:
            page.link("layernorm", f"{t('stages.layernorm')} · {n} × {d}")
            arrow("→")
        st.html(f"<span class='box'>{t.html('flow_dropout')}</span>", width="content")
        arrow("→")
        page.link("attention", f"{t('stages.attention')} · {n} × {d}")
    both = "flow_both" if multiplies(page.model) else "flow_bert"
    write(paragraph(t, both), paragraph(t, "flow_batch"), batch_of_two(page, own))
    for piece in (input_part.BertInput if "segment" in own.names else input_part.TransformerInput,
                  input_part.padding_mask):  # fmt: skip
        st.code(source(piece), language="python", wrap_lines=True)
    st.download_button(t("take"), whole_file, "transformer_input.py", "text/x-python", key="take", on_click="ignore")


def batch_of_two(page: Page, own: InputView) -> str:
    """The sentence, its first tokens at least, with its first half beneath it, filled up; and the mask of both."""
    import torch

    pad = page.model.tokenizer.pad_id
    names, ids = page.tokens[:ROWS], own.ids[:ROWS]
    half = (len(ids) + 1) // 2
    batch = torch.tensor([ids, [*ids[:half], *[pad] * (len(ids) - half)]])
    mask = input_part.padding_mask(batch, pad)[:, 0, 0].int().tolist()
    tokens = [names, [*names[:half], *["[PAD]"] * (len(ids) - half)]]
    rows = [row for i in (0, 1) for row in ([page.t("flow_text", number=i + 1), *tokens[i]], ["mask", *mask[i]])]
    return table(rows)


def whole_file() -> str:
    return inspect.getsource(input_part)


def arrow(sign: str) -> None:
    st.html(f"<span class='soft arrow'>{sign}</span>", width="content")
