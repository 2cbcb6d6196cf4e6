"""V · d for any vocabulary and width."""

import streamlit as st

from core.views.embedding import EmbeddingView
from pages.shared.address import Table, whole
from pages.shared.numbers import short
from pages.shared.visit import bind
from pages.stages.embedding.look import Look

MOST = {"vocab": 1_000_000, "width": 65_536}
BYTES = 4  # of a float32


def parameters(view: EmbeddingView) -> Table:
    own = dict(zip(MOST, view.table.shape, strict=True))
    return {name: whole(1, most, own[name]) for name, most in MOST.items()}


def draw(look: Look) -> None:
    with st.container(key="calculator", horizontal=True, vertical_alignment="bottom", gap="small"):
        for name, most in MOST.items():
            st.number_input(look.t(name), 1, most, step=1, width=160, **bind(look, name))
        st.html(f"<p>{said(look)}</p>")


def said(look: Look) -> str:
    size, all = tuple(look.values[name] for name in MOST), look.view.parameters
    count = size[0] * size[1]
    return look.t.html(
        "size.own" if size == look.view.table.shape else "size.any",
        count=f"{count:,}",
        megabytes=short(count * BYTES / 1e6),
        all=f"{all:,}",
        share=short(100 * count / all),
    )
