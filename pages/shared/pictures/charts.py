"""What Plotly draws, on the page's own paper."""

from typing import TYPE_CHECKING

import streamlit as st

from core.figures.theme import Figure, Scheme

if TYPE_CHECKING:
    from pages.shared.page.stage import PageContext


def scheme(page: "PageContext") -> Scheme:
    """Light or dark, as the visitor chose or as the browser has it."""
    theme = page.address["theme"] or st.context.theme.type
    return "dark" if theme == "dark" else "light"


def chart(figure: Figure, key: str, **config: object) -> None:
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False, **config})


class Kept:
    """A figure in the shared cache, as it is sent: Plotly would check and copy its every number at each run."""

    nbytes = 200_000  # of a large one

    def __init__(self, figure: Figure):
        sent = figure.to_dict()
        figure.to_dict = lambda: sent
        self.figure = figure
