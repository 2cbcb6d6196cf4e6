"""What comes before and after, each box a door; a batch of two; and the whole input as a file to take away."""

import inspect

import streamlit as st

from core.lessons import input as input_part
from core.views.input import multiplies
from pages.shared.page.open_it import source
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.stages.input.context import ROWS, StageContext


def draw(context: StageContext) -> None:
    t, page = context.t, context.page
    of_bert = "segment" in context.view.own.names
    write(heading(t, "flow"))
    with st.container(key="flow", horizontal=True, vertical_alignment="center", gap="small"):
        boxes(context, of_bert)
    both = ["flow_both"] if page.translates else ["flow_bert"] if of_bert else []
    if both:
        write(*(paragraph(t, key) for key in both))
    if page.model.tokenizer.pad_id is not None:
        write(paragraph(t, "flow_batch"), batch_of_two(context, page.model.tokenizer.pad_id))
    for code in (input_part.BertInput if of_bert else input_part.TransformerInput, input_part.padding_mask):
        st.code(source(code), language="python", wrap_lines=True)
    st.download_button(t("take"), whole_file, "transformer_input.py", "text/x-python", key="file", on_click="ignore")


def boxes(context: StageContext, of_bert: bool) -> None:
    t, page, n, d = context.t, context.page, len(context.view.own.tokens), context.view.own.d_model
    sized = f" · {n} × {d}"
    with st.container(key="flow_before", width="content", gap="small"):
        with st.container(key="flow_token", horizontal=True, vertical_alignment="center", gap="small"):
            door(page, "tokens", f"{t('stages.tokens')} · {n} × id")
            arrow("→")
            door(page, "embedding", t("stages.embedding") + sized)
            if multiplies(page.model):
                arrow(f"→ · √{d}")
        door(page, "position", t("stages.position") + sized)
        if of_bert:
            box(t.html("flow_segment") + sized)
    arrow("→ + →")
    if of_bert:
        door(page, "layernorm", t("stages.layernorm") + sized)
        arrow("→")
    box(t.html("flow_dropout"))
    arrow("→")
    door(page, "attention", t("stages.attention") + sized)


def box(words: str) -> None:
    st.html(f"<span class='box'>{words}</span>", width="content")


def arrow(sign: str) -> None:
    st.html(f"<span class='soft arrow'>{sign}</span>", width="content")


def batch_of_two(context: StageContext, pad: int) -> str:
    """The sentence, its first tokens at least, with its first half beneath it, filled up; and the mask of both."""
    import torch

    own, filled_with = context.view.own, context.page.model.tokenizer.names[pad]
    names, ids = own.tokens[:ROWS], own.ids[:ROWS]
    half = (len(ids) + 1) // 2
    batch = torch.tensor([ids, [*ids[:half], *[pad] * (len(ids) - half)]])
    mask = input_part.padding_mask(batch, pad)[:, 0, 0].int().tolist()
    tokens = [names, [*names[:half], *[filled_with] * (len(ids) - half)]]
    rows = [row for i in (0, 1) for row in ([context.t("flow_text", number=i + 1), *tokens[i]], ["mask", *mask[i]])]
    return table(rows, kind="sums")


def whole_file() -> str:
    return inspect.getsource(input_part)
