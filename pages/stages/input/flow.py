"""What comes before and after, each box a door; a batch of two; and the whole input as a file to take away."""

import inspect
from itertools import pairwise
from typing import Any

import streamlit as st

from core.figures.flow import Flow, FlowWords, Line, Node
from core.figures.sheet import Door
from core.lessons import input as input_part
from core.views.input import multiplies
from pages.shared.page.parts import chip, code, heading, paragraph, table, write
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.stages.input.context import ROWS, StageContext

LAYER_1 = {"reads": "attention", "writes": "translation"}
BEHIND = ("tokens", "embedding", "position", "layernorm", "attention", "translation")  # the boxes' stages


def draw(context: StageContext) -> None:
    t, page = context.t, context.page
    of_bert = "segment" in context.view.own.names
    write(heading(t, "flow"))
    components.flow(key="flow", data=diagram(context).data())
    doors(page)
    if key := said_of(context):
        write(paragraph(t, key, model=page.model_name))
    if page.model.tokenizer.pad_id is not None:
        said = paragraph(t, "flow_batch", text=text_of_batch(context))
        write(said, batch_of_two(context, page.model.tokenizer.pad_id))
    code(input_part.BertInput if of_bert else input_part.TransformerInput, input_part.padding_mask)
    st.download_button(t("take"), whole_file, "transformer_input.py", "text/x-python", key="file", on_click="ignore")


def said_of(context: StageContext) -> str | None:
    """Which sentence fits what enters this model, where one does."""
    own = context.view.own
    if context.page.translates:
        return "flow_both"
    if "segment" in own.names:
        return "flow_bert"
    return "flow_alone" if own.learned and context.page.model.reader.causal else None


def diagram(context: StageContext) -> Flow:
    """From the tokens to the first layer: of the stack that reads, and beside it of the one that writes."""
    t, page, own = context.t, context.page, context.view.own
    begun = [entrance(context, "reads", len(own.tokens), 0)]
    if page.translates:
        begun.append(entrance(context, "writes", len(page.translation.target_in), len(own.names)))
    nodes = [node for entry, _ in begun for node in entry]
    lines = [line for _, entry in begun for line in entry]
    return Flow(len(begun) * len(own.names), nodes, lines, FlowWords(t("flow_label"), ""))


def entrance(context: StageContext, side: str, count: int, first: int) -> tuple[list[Node], list[Line]]:
    """The boxes of one entrance, from column `first` on, and what leads from each to the next."""
    t, page, own = context.t, context.page, context.view.own
    wide, size = len(own.names), f"{count} × {own.d_model}"
    nodes: list[Node] = []

    def box(id: str, title: str, row: int, slug: str = "", column: int = 0, wide: int = wide, **more: Any) -> str:
        link = Door(slug, page.href(slug)) if slug in page.links else None
        nodes.append(Node(f"{side}-{id}", title, row, first + column, wide, door=link, **more))
        return f"{side}-{id}"

    token = box("token", t("stages.tokens"), 0, "tokens", wide=1, number=f"{count} × id")
    last = box("embedding", t("stages.embedding"), 1, "embedding", wide=1, number=size)
    lines = [Line(token, last)]
    if multiplies(page.model):
        root = box("root", f"× √{own.d_model}", 2, wide=1, sign=True)
        lines.append(Line(last, root))
        last = root
    parts = [last]
    for column, name in enumerate(own.names[1:], 1):
        slug = "position" if name == "position" else ""
        parts.append(box(name, t(f"flow_parts.{name}"), 1, slug, column, 1, number=size))
    after = [box("sum", "+", 3, sign=True)]
    if "segment" in own.names:
        after.append(box("norm", t("stages.layernorm"), 4, "layernorm", number=size))
    after.append(box("dropout", t("flow_dropout"), 5))
    stack = "writes" if page.model.reader.causal else side
    after.append(box("enters", t(f"flow_enters.{stack}"), 6, LAYER_1[side], number=size))
    lines += [Line(part, after[0]) for part in parts] + [Line(*ends) for ends in pairwise(after)]
    return nodes, lines


def doors(page: PageContext) -> None:
    """A link for each stage behind a box, out of sight: the picture clicks it, so that Back works."""
    with st.container(key="doors"):
        for slug in BEHIND:
            if slug in page.links:
                with st.container(key=f"door-{slug}"):
                    st.page_link(page.links[slug], label=page.t.stage(slug), query_params=page.address.link())


def text_of_batch(context: StageContext) -> str:
    """How much of the sentence stands in the batch."""
    return context.t("flow_part" if len(context.view.own.ids) > ROWS else "flow_whole", n=ROWS)


def batch_of_two(context: StageContext, pad: int) -> str:
    """The sentence, its first tokens at least, with its first half beneath it, filled up; and the mask of both."""
    import torch

    own, filled_with = context.view.own, context.page.model.tokenizer.names[pad]
    names, ids = own.tokens[:ROWS], own.ids[:ROWS]
    half = (len(ids) + 1) // 2
    batch = torch.tensor([ids, [*ids[:half], *[pad] * (len(ids) - half)]])
    mask = input_part.padding_mask(batch, pad)[:, 0, 0].int().tolist()
    chips = [chip(name, "added" if special else "") for name, special in zip(names, own.special, strict=False)]
    tokens = [chips, [*chips[:half], *[chip(filled_with, "added")] * (len(ids) - half)]]
    t = context.t
    rows = [row for i in (0, 1) for row in ([t("flow_text", number=i + 1), *tokens[i]], [t("flow_mask"), *mask[i]])]
    return table(rows, kind="strip")


def whole_file() -> str:
    return inspect.getsource(input_part)
