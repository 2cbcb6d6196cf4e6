"""Open it: the formula with this cosine's numbers, the code, scikit-learn over the same table."""

import numpy as np

from core.views import maps
from core.views.maps import draw
from core.views.meaning import Space, analogy
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.meaning.context import StageContext, alike, near_to
from pages.stages.meaning.repeat import repeat

GENERAL = r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}"


def opened(context: StageContext) -> Opened:
    words = context.words
    module = type(context.page.model.parts["embedding"])
    return Opened(
        formula=formula(context),
        code=(module.__init__, Space.cosines, Space.nearest, draw, analogy),
        shapes=[
            ("embedding.token_table.weight", ("vocab", "d_model"), context.view.table.shape),
            ("vectors", ("word", "d_model"), words.vectors.shape),
        ],
        compare=lambda: compared_neighbours(context),
        table=lambda: cosines(context),
        table_name="cosines.csv",
        compared="compared.nothing" if context.hidden else "compared.neighbours",
        other="scikit-learn",
        captured=not context.veiled,
        repeat=repeat,
    )


def cosines(context: StageContext) -> str:
    """Every word of the map against every other."""
    names = [word.text for word in context.words.words]
    table = 1 - maps.distances(context.words.vectors, "cosine")
    covered = [i for i, name in enumerate(names) if name in context.veil]
    table[covered] = table[:, covered] = np.nan
    return csv(table, names, names)


def compared_neighbours(context: StageContext) -> tuple[str, float]:
    """The nearest rows as scikit-learn finds them, veiled or not: how many are the same, and the largest difference of
    a cosine."""
    if context.hidden:
        return "", 0.0
    near = near_to(context.model, context.of)
    rows = tuple((row.id, row.cosine) for row in near)
    same, difference = compare.neighbour_difference(context.model, context.word.ids, rows)
    facts = {"word": context.of, "n": len(near), "same": same, "vocab": f"{len(context.view.norms):,}"}
    return context.t("compared.same", **facts), difference


def formula(context: StageContext) -> str:
    if context.hidden:
        return GENERAL
    cosine = Cells(context.page).derived(alike(context.word, context.other)).steps[-1]
    dot, x, y = (short(float(cosine.parts[name])) for name in ("dot", "one", "other"))
    numbers = rf"\frac{{{dot}}}{{{x} \times {y}}} = {short(cosine.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & = {numbers} \end{{aligned}}"
