"""What comes after the attention: the rest of the layer, and the way out; and how the gradient comes back."""

from itertools import pairwise

import streamlit as st

from core.derivation import Weight
from core.figures.flow import Flow, FlowWords, Line, Node
from core.model.places import attention_at
from core.views.translation import gradients
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.translation.context import ID, StageContext

ATTENTIONS = ("self_attention", "cross_attention")
FEEDFORWARD = ("hidden", "output", "residual", "norm.output")
WIDE = 2  # columns of the picture that a box may take
RESIDUAL = (1, 2), (3, 6)  # from which of the arrays, and to which, one is added that goes past a sub-layer


def draw(context: StageContext) -> None:
    t, config = context.t, context.page.model.config
    size = config.vocab * config.d_model
    facts = {"vocab": f"{config.vocab:,}", "d": config.d_model, "size": f"{size:,}", "thrice": f"{3 * size:,}"}
    matrices = f"{attention_at('cross', context.layer - 1)}.to_"
    norms = {
        f"w_{name}": measured(context, norm, "gradient_all", Weight(f"{matrices}{name}.weight", (None, None)))
        for name, norm in gradient_norms(context).items()
    }
    said = paragraphs([t.html("after.tied", **facts), t.html("after.gradients", **norms)])
    write(heading(t, "after", layer=context.layer))
    left, right = st.columns([1, 1.15], gap="medium")
    with left:
        components.flow(key="after", data=way(context).data())
    right.html(said)


def way(context: StageContext) -> Flow:
    """The same arrays from top to bottom; past each sub-layer goes what is added to its output."""
    names, words = arrays(context)
    run = context.tap(*names)
    nodes = [
        Node(name, word, i, wide=WIDE, number=" × ".join(map(str, run[name].shape)))
        for i, (name, word) in enumerate(zip(names, words, strict=True))
    ]
    lines = [Line(*ends) for ends in pairwise(names)]
    lines += [Line(names[start], names[end], past=True) for start, end in RESIDUAL]
    return Flow(WIDE, nodes, lines, FlowWords(context.t("after.label"), ""), even=True)


def arrays(context: StageContext) -> tuple[list[str], list[str]]:
    """Every array between the attention and the logits, and what it is."""
    at = f"decoder.{context.layer - 1}"
    inside = [f"{part}.{tap}" for part in ATTENTIONS for tap in ("residual", "norm.output")]
    inside += [f"feedforward.{tap}" for tap in FEEDFORWARD]
    names = [*(f"{at}.{name}" for name in inside), "output.logits"]
    return names, [context.t("after." + name.removeprefix(f"{at}.").replace(".", "_")) for name in names]


def gradient_norms(context: StageContext) -> dict[str, float]:
    """Of each matrix of the selected layer's cross-attention."""
    return norms_at(context.text, context.layer - 1)


@cached.shared
def norms_at(text: str, layer: int) -> dict[str, float]:
    return gradients(cached.model(ID), cached.capture(ID, text, only=()), layer)


SECTION = Section(draw, redraws=("layer",))
