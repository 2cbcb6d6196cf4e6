"""What a layer is made of: how many numbers were learned where."""

from functools import partial

import streamlit as st

from core.views.encoder import counted
from pages.shared.page.parts import Amount, adding_up, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.encoder.context import StageContext

SQUARE, WIDE, NARROW, SHARED = ("d²", "d"), ("d · d_ff", "d_ff"), ("d_ff · d", "d"), ("d · d_kv", "d_kv")
FORMULAS = {  # of a matrix, and of its bias
    **{f"to_{name}": SQUARE for name in ("query", "key", "value", "output")},
    **{name: WIDE for name in ("widen", "to_gate", "to_up")},
    "narrow": NARROW,
}


@cached.shared
def parameters_of(name: str) -> dict[str, int]:
    return counted(cached.model(name))


def part(context: StageContext, name: str, count: Amount) -> list[object]:
    """A row: what it is, by which formula, how many numbers."""
    t, config = context.t, context.page.model.config
    if name == "norms":
        centred = config.normalization == "layer"
        return [t("inside.norms" if centred else "inside.norms_rms"), "4d" if centred else "2d", count]
    shared = config.groups and name in ("to_key", "to_value")
    matrix, bias = SHARED if shared else FORMULAS[name]
    called = t("inside.to_down" if name == "narrow" and config.activation == "swiglu" else f"inside.{name}")
    if not config.bias:
        return [called, matrix, count]
    return [t("inside.with_bias", part=called), f"{matrix} + {bias}", count]


def draw(context: StageContext) -> None:
    t, config = context.t, context.page.model.config
    made = parameters_of(context.page.address.model)
    whole = sum(made.values())
    attention = sum(made[name] for name in ("to_query", "to_key", "to_value", "to_output"))
    network = whole - attention - made["norms"]
    d = config.d_model
    facts = {"d": d, "d_ff": grouped(config.d_ff), "heads": config.heads, "d_head": config.d_head}
    shares = {"attention": round(100 * attention / whole), "network": round(100 * network / whole)}
    groups = three = ""
    if config.groups:
        groups = t("inside.groups", groups=config.groups, narrow=config.groups * config.d_head)
    else:
        heads = {"one": grouped(3 * d * config.d_head), "three": grouped(3 * d * d), "four": grouped(4 * d * d)}
        three = paragraph(t, "inside.three", **heads)
    *bars, all = adding_up([*made.values()])
    write(heading(t, "inside"), paragraph(t, "inside.said", groups=groups, **facts))
    left, right = st.columns([1.1, 1], gap="large")
    left.html(
        table(
            [*map(partial(part, context), made, bars), [t("inside.whole"), "", all]],
            [t("inside.part"), t("inside.formula"), t("inside.count")],
            kind="named",
        )
    )
    shared = paragraph(t, "inside.shares", **shares, layers=config.layers, all=grouped(whole * config.layers))
    right.html(shared + three + paragraph(t, "inside.between" if config.norm == "post" else "inside.between_pre"))
