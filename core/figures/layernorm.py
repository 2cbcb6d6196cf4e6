"""Lines for the layernorm stage: spread through a model's norms, and spread and gradient before any training."""

from collections.abc import Mapping, Sequence
from math import inf, log10

from plotly.graph_objects import Figure, Scatter

from ..numbers import power_of_ten
from ..views.arrangements import ARRANGEMENTS, Starts
from ..views.layernorm import DepthView
from .theme import Scheme, colors, template

TALL = 280  # pixels of a figure
LINE = 16  # and of a line of words
DASHES = {"post": "solid", "pre": "dash", "input": "dot"}  # told apart without colour, too


def depth_figure(view: DepthView, labels: Sequence[str], words: Mapping[str, str], scheme: Scheme) -> Figure:
    """Spread before and after each norm, the way from one to the other, and the mean it takes off. `words`: before,
    after, mean, axis."""
    x = list(range(1, len(labels) + 1))
    figure = Figure(layout={"template": template(scheme), "height": 300, "hovermode": "x unified"})
    accent, ink, gray = line_colors(scheme)
    ways = [
        end
        for i, (a, b) in enumerate(zip(view.spreads, view.after, strict=True), 1)
        for end in ((i, a), (i, b), (i, None))
    ]
    across, up = zip(*ways, strict=True)
    figure.add_trace(
        Scatter(x=across, y=up, mode="lines", line={"color": gray, "width": 1}, hoverinfo="skip", showlegend=False)
    )
    looks = {
        "before": (view.spreads, {"color": accent, "symbol": "circle-open", "line": {"width": 2}}),
        "after": (view.after, {"color": ink, "symbol": "circle"}),
        "mean": (view.means, {"color": gray, "symbol": "line-ew-open"}),
    }
    for name, (values, look) in looks.items():
        figure.add_trace(
            Scatter(
                x=x, y=values, name=words[name], mode="markers", text=labels,
                marker={"size": 9, **look},
                hovertemplate="%{y:.4~g}",
            )
        )  # fmt: skip
    figure.update_layout(showlegend=True, margin={"t": 32, "b": 40})
    figure.add_annotation(axis_name(words["axis"], scheme))
    figure.update_xaxes(tickmode="array", tickvals=x, ticktext=[str(i) for i in x])
    figure.update_yaxes(rangemode="tozero")
    return figure


def spread_figure(starts: Starts, words: Mapping[str, str], scheme: Scheme) -> Figure:
    """The stream's spread after each layer of the deepest networks, by arrangement. `words`: the arrangements, axis."""
    lines = {a: (list(range(len(s.spreads))), s.spreads) for a in ARRANGEMENTS for s in [starts.deepest(a)]}
    return arrangements(lines, words, scheme)


def gradient_figure(starts: Starts, words: Mapping[str, str], scheme: Scheme) -> Figure:
    """The norm of the whole gradient by the number of layers, by arrangement. `words`: the arrangements, axis."""
    lines = {a: ([s.layers for s in starts.of(a)], [s.gradient for s in starts.of(a)]) for a in ARRANGEMENTS}
    return arrangements(lines, words, scheme)


def arrangements(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], words: Mapping[str, str], scheme: Scheme
) -> Figure:
    """One line an arrangement, named at its end, logarithmic upwards."""
    figure = Figure(layout={"template": template(scheme), "height": TALL, "hovermode": "x unified"})
    for (name, (x, y)), color in zip(lines.items(), line_colors(scheme), strict=True):
        figure.add_trace(
            Scatter(
                x=x, y=y, name=words[name], mode="lines", hovertemplate="%{y:.4~g}",
                line={"color": color, "width": 2, "dash": DASHES[name]},
            )
        )  # fmt: skip
    highest = max(value for _, values in lines.values() for value in values)
    names = zip(lines.items(), line_colors(scheme), label_heights(lines, highest), strict=True)
    for (name, (x, y)), color, lifted in names:
        figure.add_annotation(
            x=x[-1], y=log10(y[-1]), text=words[name], showarrow=False, xanchor="left", xshift=6, yshift=lifted,
            font={"color": color, "size": 13},
        )  # fmt: skip
    figure.add_annotation(axis_name(words["axis"], scheme))
    figure.update_layout(margin={"t": 12, "b": 44, "l": 48, "r": 96})
    figure.update_xaxes(range=[0, max(x[-1] for x, _ in lines.values())], zeroline=False)
    powers = range(0, 1 + int(log10(highest)), 1 if highest < 1e6 else 3)
    figure.update_yaxes(type="log", tickvals=[10**power for power in powers], ticktext=[*map(power_of_ten, powers)])
    return figure


def label_heights(lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], highest: float) -> list[float]:
    """By how many pixels each line's name is lifted off its end, so that none lies on the next."""
    pixels = (TALL - 56) / (1.1 * log10(highest))
    ends = {name: pixels * log10(y[-1]) for name, (_, y) in lines.items()}
    at, placed = -inf, {}
    for name in sorted(ends, key=ends.__getitem__):
        placed[name] = at = max(ends[name], at + LINE)
    return [placed[name] - ends[name] for name in lines]


def axis_name(text: str, scheme: Scheme) -> dict[str, object]:
    """What an axis counts, under its right end."""
    return {
        "text": text, "showarrow": False, "xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right",
        "yanchor": "top", "yshift": -22, "font": {"color": colors(scheme)["grayTextColor"], "size": 13},
    }  # fmt: skip


def line_colors(scheme: Scheme) -> list[str]:
    c = colors(scheme)
    return [c["primaryColor"], c["textColor"], c["grayColor"]]
