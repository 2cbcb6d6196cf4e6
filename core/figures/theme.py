"""The one Plotly template. Its colours are those of `.streamlit/config.toml`: they are written nowhere else."""

import tomllib
from functools import cache
from typing import Literal

from plotly.graph_objects import Figure as Figure
from plotly.graph_objects import Layout, layout

from ..files import ROOT

CONFIG = ROOT / ".streamlit/config.toml"
Scheme = Literal["light", "dark"]


@cache
def colors(scheme: Scheme) -> dict:
    """The theme's own names and colours for light or dark paper."""
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    return {"font": theme["font"], "code": theme["codeFont"], "size": theme["baseFontSize"], **theme[scheme]}


@cache
def template(scheme: Scheme) -> layout.Template:
    """Quiet axes on the page's own paper, the accent first and the ink after it, four significant digits."""
    c = colors(scheme)
    axis = {
        "gridcolor": c["borderColor"],
        "linecolor": c["borderColor"],
        "zerolinecolor": c["borderColor"],
        "tickfont": {"color": c["grayTextColor"], "size": 12, "family": c["code"]},
        "title": {"font": {"color": c["grayTextColor"], "size": 13}},
        "hoverformat": ".4~g",
    }
    return layout.Template(
        layout=Layout(
            font={"family": c["font"], "size": c["size"], "color": c["textColor"]},
            paper_bgcolor="rgba(0,0,0,0)",
            plot_bgcolor="rgba(0,0,0,0)",
            colorway=[c["primaryColor"], c["textColor"], c["grayColor"]],
            colorscale={"sequential": scale(c["chartSequentialColors"]), "diverging": scale(c["chartDivergingColors"])},
            margin={"l": 48, "r": 8, "t": 8, "b": 36},
            legend={"orientation": "h", "x": 0, "y": 1.04, "yanchor": "bottom", "font": {"size": 13}},
            xaxis={**axis, "showgrid": False},
            yaxis=axis,
            hoverlabel={"bgcolor": c["textColor"], "font": {"color": c["backgroundColor"], "size": 13}},
            showlegend=False,
        )
    )


def scale(names: list[str]) -> list[tuple[float, str]]:
    """Colours, evenly spaced, as Plotly wants a scale."""
    return [(i / (len(names) - 1), name) for i, name in enumerate(names)]
