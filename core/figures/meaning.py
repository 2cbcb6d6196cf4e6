"""The meaning lab's pictures: words on a map, a word's senses through the layers, gradients by row."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from plotly.graph_objects import Bar, Figure, Heatmap, Scatter, Scatter3d

from core.figures.theme import Scheme, colors, template
from core.views.maps import legible
from core.views.senses import Senses

SYMBOLS = (
    "circle",
    "diamond",
    "square",
    "cross",
    "diamond-open",
)  # told apart without colour, too; all exist in three dimensions


PALE = 0.9  # a cosine that is as pale as any, where none is smaller: a difference of a hundredth must not look large


@dataclass(frozen=True)
class Marked:
    """What is selected on a map: a word, and the words nearest to it in the space, where they are on the map."""

    chosen: int | None
    near: Sequence[int] = ()


def map_figure(
    points: np.ndarray,
    words: Sequence[str],
    groups: Sequence[str],
    names: Mapping[str, str],
    marked: Marked,
    scheme: Scheme,
    height: int = 440,
    width: int = 560,
) -> Figure:
    """Words [word, 2 or 3], a colour and a mark a group, as many labels as can be read.

    From the chosen word a line leads to each of its nearest in the space itself: a long one says where the map errs.
    """
    flat = points.shape[1] == 2
    figure = Figure(layout={"template": template(scheme), "height": height})
    palette = colors(scheme)["chartCategoricalColors"]
    named = labelled(points, words, marked, width, height)
    add_lines(figure, points, marked, scheme)
    for number, group in enumerate(dict.fromkeys(groups)):
        at = [i for i, of in enumerate(groups) if of == group]
        mark = {"color": palette[number % len(palette)], "symbol": SYMBOLS[number % len(SYMBOLS)]}
        figure.add_trace(
            place(points[at])(
                **axes(points[at]),
                name=html.escape(names.get(group, group)),
                mode="markers+text",
                marker={**mark, "size": 7 if flat else 4, "opacity": 0.9},
                text=[html.escape(words[i]) if named[i] and i != marked.chosen else "" for i in at],
                textposition=[named[i] or "middle right" for i in at],
                textfont={"size": 12, "color": colors(scheme)["grayTextColor"]},
                customdata=[html.escape(words[i]) for i in at],
                hovertemplate="%{customdata}",
            )
        )
    if marked.chosen is not None:
        add_ring(figure, points[[marked.chosen]], words[marked.chosen], named[marked.chosen], scheme)
    keep_still(figure, flat)
    return figure


def labelled(points: np.ndarray, words: Sequence[str], marked: Marked, width: int, height: int) -> list[str]:
    """For each word on which side its name is written, "" for none; the chosen word is the first to be placed."""
    first = [i for i in (marked.chosen, *marked.near) if i is not None]
    solid = points.shape[1] == 3  # from every side names would touch: only the nearest are written
    order = [*first, *(i for i in range(len(words)) if i not in first and not solid)]
    sides = legible(points[order, :2], [words[i] for i in order], width * 0.9, height * 0.8) if order else []
    found = dict(zip(order, sides, strict=True))
    return [found.get(i, "") for i in range(len(words))]


def place(points: np.ndarray):
    return Scatter if points.shape[1] == 2 else Scatter3d


def axes(points: np.ndarray) -> dict[str, np.ndarray]:
    return dict(zip("xyz", points.T, strict=False))


def add_lines(figure: Figure, points: np.ndarray, marked: Marked, scheme: Scheme) -> None:
    if marked.chosen is None or not marked.near:
        return
    gap = np.full(points.shape[1], np.nan)
    ends = np.array([point for i in marked.near for point in (points[marked.chosen], points[i], gap)])
    line = {"color": colors(scheme)["orangeColor"], "width": 1.5}
    figure.add_trace(place(points)(**axes(ends), mode="lines", line=line, hoverinfo="skip", showlegend=False))


def add_ring(figure: Figure, at: np.ndarray, word: str, side: str, scheme: Scheme) -> None:
    ink, size = colors(scheme)["orangeColor"], 15 if at.shape[1] == 2 else 8
    figure.add_trace(
        place(at)(
            **axes(at), mode="markers+text", hoverinfo="skip", showlegend=False,
            marker={"size": size, "symbol": "circle-open", "color": ink, "line": {"width": 2}},
            text=[f"<b>{html.escape(word)}</b>"], textposition=side or "top center",
            textfont={"size": 14, "color": ink},
        )
    )  # fmt: skip


def keep_still(figure: Figure, flat: bool) -> None:
    """No axes, because neither direction nor place on a map means anything; distances alike in every direction."""
    bare = {"visible": False}
    figure.update_layout(
        margin={"l": 4, "r": 4, "t": 4, "b": 4}, uirevision="map", dragmode="pan" if flat else "orbit",
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "font": {"size": 13}},
    )  # fmt: skip
    if flat:
        figure.update_xaxes(**bare)
        figure.update_yaxes(**bare, scaleanchor="x")
    else:
        figure.update_scenes(
            xaxis=bare, yaxis=bare, zaxis=bare, aspectmode="data", camera={"eye": {"x": 1, "y": 1, "z": 0.7}}
        )


def senses_figure(view: Senses, depth: int, words: Mapping[str, str], scheme: Scheme) -> Figure:
    """Mean cosine within a sense and across senses, at every depth. `words`: within, across, table, enters, axis."""
    ink = colors(scheme)
    figure = Figure(layout={"template": template(scheme), "height": 280, "hovermode": "x unified"})
    x = list(range(len(view.states)))
    lines = {"within": (view.within, ink["primaryColor"], "solid"), "across": (view.across, ink["orangeColor"], "dash")}
    for name, (values, color, dash) in lines.items():
        line = {"color": color, "width": 2, "dash": dash}
        figure.add_trace(
            Scatter(x=x, y=values, name=words[name], mode="lines+markers", line=line, hovertemplate="%{y:.4~g}")
        )
    figure.add_vline(x=depth, line={"color": ink["grayColor"], "width": 1, "dash": "dot"})
    ticks = [words["table"], words["enters"], *(str(i) for i in x[1:-1])]
    figure.update_xaxes(title=words["axis"], tickmode="array", tickvals=x, ticktext=ticks)
    figure.update_layout(showlegend=True, legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"})
    return figure


def cosines_figure(cosines: np.ndarray, labels: Sequence[str], groups: Sequence[str], scheme: Scheme) -> Figure:
    """Each against each, numbered as the list beside it; thin lines where a group ends."""
    ink, n = colors(scheme), len(labels)
    figure = Figure(layout={"template": template(scheme), "height": 300})
    apart = cosines[~np.eye(n, dtype=bool)] if n > 1 else cosines
    low = float(apart.min()) if apart.size else 0.0
    text = [[f"{value:z.2f}".replace("-", "−") for value in row] for row in cosines]
    figure.add_trace(
        Heatmap(
            z=cosines, x=list(range(n)), y=list(range(n)), zmin=min(low, PALE), zmax=1,
            showscale=False, xgap=1, ygap=1,
            colorscale=[[0, ink["chartSequentialColors"][0]], [1, ink["chartSequentialColors"][-4]]],
            text=text, texttemplate="%{text}", textfont={"size": 11},
            hovertemplate="%{y} · %{x}: %{z:.4f}<extra></extra>",
        )
    )  # fmt: skip
    for i in range(1, n):
        if groups[i] != groups[i - 1]:
            figure.add_vline(x=i - 0.5, line={"color": ink["orangeColor"], "width": 1.5})
            figure.add_hline(y=i - 0.5, line={"color": ink["orangeColor"], "width": 1.5})
    numbers = {"tickmode": "array", "tickvals": list(range(n)), "ticktext": list(labels), "showgrid": False}
    figure.update_xaxes(**numbers, side="top")
    figure.update_yaxes(**numbers, autorange="reversed")
    figure.update_layout(margin={"l": 28, "r": 4, "t": 26, "b": 4})
    return figure


def rows_figure(lengths: np.ndarray, labels: Sequence[str], scheme: Scheme) -> Figure:
    """The length of the gradient of some rows, the rows named."""
    figure = Figure(layout={"template": template(scheme), "height": 260})
    at, ink = list(range(len(labels))), colors(scheme)["primaryColor"]
    figure.add_trace(Bar(x=at, y=lengths, marker={"color": ink}, hovertemplate="%{y:.4~g}<extra></extra>"))
    ticks = [html.escape(label) for label in labels]
    figure.update_xaxes(
        tickmode="array", tickvals=at, ticktext=ticks, tickangle=0 if len(at) < 9 else -60, automargin=True
    )
    figure.update_yaxes(rangemode="tozero")
    return figure
