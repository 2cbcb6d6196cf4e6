"""The learned table beside the waves: its rows, norms and distances, and where it ends."""

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.figures.followed import Followed
from core.figures.matrix import Axis, Matrix
from core.views import position as views
from core.views.position import MEASURES, PositionTable
from pages.shared.address.address import Table, choice
from pages.shared.number import follow, number_links
from pages.shared.page.parts import folded, paragraphs, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import dimensions, matrix_words
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import Texts
from pages.stages.position.context import WINDOW, PositionView, StageContext, learned_row, learner
from pages.stages.position.far import PAIR, pair, pairs
from pages.stages.position.parts import begin, sines_first


def parameters(page: PageContext, view: PositionView) -> Table:
    return {
        "scale": choice("one", "each", default="each"),  # of the colours of two tables side by side
    }


def draw(context: StageContext) -> None:
    """The table that a model learned, this page's own or another, beside waves of its shape; no distances while the
    question is about them."""
    t, tables, name = context.t, (computed(context), context.view.learned), context.page.address.model
    own = learner(name) == name
    said = "text" if own else "text_short" if "learned" in context.view.tables else "text_other"
    begin(t, "learned", said, d_model=tables[1].d_model, learner=who(context), rows=context.page.model.config.positions)
    scales = [(name, t(f"scales.{name}")) for name in ("each", "one")]
    components.controls(key="scale_controls", data=Controls([Control("scale", t("learned.scale"), scales)]).data())
    for place, table in zip(st.columns(2, gap="large"), tables, strict=True):
        with place:
            said = t.html(f"learned_side.{table.kind}", d_model=table.d_model, learner=who(context))
            write(f"<p class='soft'>{said}</p>")
            components.matrix(key=f"rows_{table.kind}", data=rows(t, table, own).pack())
    if context.distances_veiled:
        return write(paragraphs(where_it_ends(context)))
    distances(context)


def who(context: StageContext) -> str:
    """The model whose table it is, by name."""
    return context.t.model(learner(context.page.address.model))


SECTION = Section(draw, parameters, pieces={"learned_pair": PAIR})


def computed(context: StageContext) -> PositionTable:
    """Waves of the learned table's shape."""
    return views.computed_table(*context.view.learned.rows.shape)


def rows(t: Texts, table: PositionTable, own: bool) -> Matrix:
    """The first rows of a table; a click in the page's `own` selects that number on the whole page."""
    row, column = ("pos", "dim") if own else ("other_pos", "other_dim")  # another model's cells
    order = sines_first(table.d_model)
    return Matrix(
        id=f"rows_{table.kind}",
        planes={"": table.rows[:WINDOW, order]},
        rows=Axis(row, WINDOW, word=t("position"), room=2),
        columns=dimensions(t, table.d_model, column, order),
        reach_by="scale",
        reach={"one": 1, "each": table.reach},
        tall=4 * WINDOW,
        also={"kind": table.kind} if own else {},
        words=matrix_words(t, "learned.rows_label", caption=t(f"rows.{table.kind}", count=WINDOW)),
    )


# ---- both tables compared


def distances(context: StageContext) -> None:
    """Norms, neighbours, and any two positions of the learned table."""
    t, tables = context.t, (computed(context), context.view.learned)
    for place, (name, made) in zip(st.columns(2, gap="large"), curves(context, *tables).items(), strict=True):
        with place:
            write(f"<p class='soft'>{t.html(f'{name}.title')}</p>")
            components.curves(key=f"curve_{name}", data=made.pack())
    one = {f"one/{m}": float(tables[0].pairs[m].max()) for m in MEASURES}
    left, right = st.columns(2, gap="large")
    with left:
        components.matrix(
            key="pairs_learned", data=pairs(t, "pairs_learned", tables[1], ("scale", "measure"), one).pack()
        )
    with right:
        follow.follow(context, followed_pair, key="learned_pair")
        write(paragraphs(where_it_ends(context)), more(context))


def more(context: StageContext) -> str:
    """What need not be read at once."""
    t, (rows, d) = context.t, context.view.learned.rows.shape
    long = measured(context, float(context.view.learned.norms[127]), "length", 127)
    first = ", ".join(short(float(x)) for x in views.encoded(rows, d)[:4])
    said = [
        t.html("norms.why", at_127=long),
        t.html("beyond.waves", position=grouped(rows), row=first),
        t.html("price.cost", rows=rows, d_model=d, parameters=f"{rows * d:,}"),
    ]
    return folded(t.html("learned.more"), paragraphs(said))


def curves(context: StageContext, waves: PositionTable, learned: PositionTable) -> dict[str, Curves]:
    """How long each row is, and how far from the next."""
    t = context.t
    norms = [marked(learned.norms, i, str(i)) for i in (0, 127)]
    steps = [marked(learned.steps, i, f"{i}–{i + 1}", below=True) for i in (0, 100)]
    long = {"at_0": measured(context, float(learned.norms[0]), "length", 0)}
    apart = {f"at_{i}": measured(context, float(learned.steps[i]), "distance", i, i + 1) for i in (0, 100)}
    mean, position = float(learned.norms[1:].mean()), t("position")
    return {
        "norms": curve(t, "norms", position, (learned.norms, waves.norms), norms, mean=mean, **long),
        "next": curve(t, "next", t("next.word"), (learned.steps, waves.steps), steps, **apart),
    }


def measured(context: StageContext, value: float, kind: str, *rows: int) -> float:
    """What is measured of rows of the table that was learned, so that it can be pressed."""
    return number_links.measured(context, value, kind, *map(learned_row, rows), given=context.learner)


def curve(
    t: Texts, name: str, along: str, values: tuple[np.ndarray, np.ndarray], marks: list[Mark], **facts: object
) -> Curves:
    """One number for each position, of the learned table and of the waves, on one logarithmic scale."""
    caption = t.html(f"{name}.caption", computed=float(values[1][0]), **facts)
    return Curves(
        x=Along(len(values[0]), along),
        y=Upwards(0.05, 20, log=True),
        series=[Series(t("kinds.learned")), Series(t("kinds.sinusoidal"), "second")],
        values=values,
        marks=marks,
        height=165,
        ends=True,
        words=CurvesWords(t(f"{name}.label"), caption),
    )


def marked(values: np.ndarray, i: int, name: str, below: bool = False) -> Mark:
    return Mark(i, float(values[i]), f"{name}: {short(float(values[i]))}", below=below)


def followed_pair(context: StageContext) -> Followed:
    return pair(context, context.view.learned, "followed_pair")


# ---- where it ends


def where_it_ends(context: StageContext) -> list[str]:
    """What PyTorch says to the position after the last, and what the paper found."""
    t, rows = context.t, len(context.view.learned.rows)
    refused = views.refusal(cached.model(learner(context.page.address.model)), rows)
    return [
        t.html("beyond.learned", rows=rows, last=rows - 1, position=grouped(rows), refused=refused),
        t.html("price.paper"),
    ]
