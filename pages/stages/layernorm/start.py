"""The committed experiment: spread and gradient of networks that were only drawn, before any training."""

import numpy as np
import streamlit as st

from core.derivation import Recorded
from core.figures import layernorm as figures
from core.figures.theme import Scheme
from core.views import arrangements as views
from core.views.arrangements import ARRANGEMENTS, Start, Starts
from pages.shared.number.number_links import number
from pages.shared.page.parts import command, folded, heading, paragraph, paragraphs, write
from pages.shared.pictures.charts import Kept, chart, scheme
from pages.shared.server.cached import shared
from pages.shared.words.texts import Texts
from pages.stages.layernorm.context import StageContext

SIDES = ("shallow", "deep")
FIGURES = {
    "spread": ("start.after_layer", figures.spread_figure),
    "gradient": ("start.layers", figures.gradient_figure),
}


def draw(context: StageContext) -> None:
    t, found = context.t, views.starts()
    write(heading(t, "start"))
    layers = found.deepest("pre").layers
    for place, name in zip(st.columns(2, gap="large"), FIGURES, strict=True):
        with place:
            write(f"<p class='soft'>{t.html(f'start.{name}', layers=layers)}</p>")
            chart(figure(context.t, name, scheme(context.page)).figure, f"start_{name}")
    write(paragraphs([said(context, found), last_layer(context, found)]))
    settings = {name: value for name, value in found.settings.items() if name != "seeds"}
    settings |= {
        "seeds": len(found.settings["seeds"]),
        "seconds": found.seconds,
        "file": "/".join(views.START_FILE.parts[-3:]),
    }
    made = paragraph(t, "start.settings", **settings) + command(found.command)
    write(folded(t.html("start.made"), made))


def noted(context: StageContext, found: Starts, start: Start, of: str) -> float:
    """The last of what was written down of one beginning, or the one number there is."""
    values = np.array(getattr(start, of), float)
    last = (len(values) - 1,) if values.ndim else ()
    name = f"recorded.beginnings.starts.{found.starts.index(start)}.{of}"
    return number(context, float(values[last]), Recorded(name, last))


def said(context: StageContext, found: Starts) -> str:
    """What comes out of the deepest networks."""
    deep = {norm: found.deepest(norm) for norm in ARRANGEMENTS}
    facts = {f"spread_{norm}": noted(context, found, start, "spreads") for norm, start in deep.items()}
    facts |= {f"gradient_{norm}": noted(context, found, start, "gradient") for norm, start in deep.items()}
    return context.t.html("start.said", layers=deep["pre"].layers, **facts)


def last_layer(context: StageContext, found: Starts) -> str:
    """The gradient of the last layer, in the shallowest and the deepest networks."""
    ends = {norm: (found.of(norm)[0], found.deepest(norm)) for norm in ("pre", "post")}
    sides = {f"{norm}_{side}": start for norm, both in ends.items() for side, start in zip(SIDES, both, strict=True)}
    facts = {name: noted(context, found, start, "gradients") for name, start in sides.items()}
    shallow, deep = ends["pre"]
    return context.t.html("start.last", shallow=shallow.layers, deep=deep.layers, **facts)


@shared
def figure(t: Texts, name: str, scheme: Scheme) -> Kept:
    axis, make_figure = FIGURES[name]
    words = {norm: t(f"arrangements.{norm}") for norm in ARRANGEMENTS}
    return Kept(make_figure(views.starts(), {**words, "axis": t(axis)}, scheme))
