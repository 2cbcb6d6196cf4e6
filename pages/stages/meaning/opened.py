"""Open it: the formula with this cosine's numbers, the code, scikit-learn over the same table."""

import numpy as np

from core.views import maps
from core.views.maps import draw
from core.views.meaning import Space, analogy
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.meaning.look import Look, alike
from pages.stages.meaning.repeat import repeat

GENERAL = r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}"


def opened(look: Look) -> Opened:
    words = look.words
    module = type(look.page.model.parts["embedding"])
    return Opened(
        formula=formula(look),
        code=(module.__init__, Space.cosines, Space.nearest, draw, analogy),
        shapes=[
            ("embedding.token_table.weight", ("vocab", "d_model"), look.view.table.shape),
            ("vectors", ("word", "d_model"), words.vectors.shape),
        ],
        compare=lambda: compared_neighbours(look),
        table=lambda: cosines(look),
        table_name="cosines.csv",
        compared="compared.nothing" if look.hidden else "compared.neighbours",
        other="scikit-learn",
        captured=not look.veiled,
        repeat=repeat,
    )


def cosines(look: Look) -> str:
    """Every word of the map against every other."""
    names = [word.text for word in look.words.words]
    table = 1 - maps.distances(look.words.vectors, "cosine")
    covered = [i for i, name in enumerate(names) if name in look.veil]
    table[covered] = table[:, covered] = np.nan
    return csv(table, names, names)


def compared_neighbours(look: Look) -> tuple[str, float]:
    """The nearest rows as scikit-learn finds them: how many are the same, and the largest difference of a cosine."""
    if look.hidden:
        return "", 0.0
    near = look.near
    rows = tuple((row.id, row.cosine) for row in near)
    same, difference = compare.neighbour_difference(look.model, look.word.ids, rows)
    facts = {"word": look.of, "n": len(near), "same": same, "vocab": f"{len(look.view.norms):,}"}
    return look.t("compared.same", **facts), difference


def formula(look: Look) -> str:
    if look.hidden:
        return GENERAL
    cosine = Cells(look.page).derived(alike(look.word, look.other)).steps[-1]
    dot, x, y = (short(float(cosine.parts[name])) for name in ("dot", "one", "other"))
    numbers = rf"\frac{{{dot}}}{{{x} \times {y}}} = {short(cosine.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & = {numbers} \end{{aligned}}"
