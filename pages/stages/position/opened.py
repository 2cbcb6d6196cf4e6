"""Open it: the formula with the selected number, the code, the shapes."""

from core.lessons.position import rotation, turned
from core.model.position import LearnedPosition, SinusoidalPosition, per_radian, waves
from core.views.position import PositionTable
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.position.context import TAP, StageContext
from pages.stages.position.repeat import repeat


def opened(context: StageContext) -> Opened:
    page, table = context.page, context.table
    learned, (rows, d) = table.kind == "learned", table.rows.shape
    module = SinusoidalPosition if context.own_kind == "sinusoidal" else LearnedPosition
    return Opened(
        formula=formula(table, context.pos, context.dim),
        code=(module, waves, per_radian, rotation, turned),
        shapes=[
            ("embedding.position_table.table", ("position", "d_model"), (rows, d)),
            (TAP, page.model.tap_dims[TAP], (context.tokens, d)),
        ],
        compare=lambda: (
            page.t(f"compared.{table.kind}"),
            compare.position_difference(page.address.model) if learned else compare.waves_difference(rows, d),
        ),
        compared="open.compared" if learned else "compared.waves",
        table=lambda: csv(table.rows, [str(i) for i in range(rows)], [str(i) for i in range(d)]),
        table_name=f"positions-{table.kind}.csv",
        repeat=repeat,
    )


def formula(table: PositionTable, pos: int, dim: int) -> str:
    """The general formula and, under it, the selected number."""
    value = short(float(table.rows[pos, dim]))
    if table.kind == "learned":
        return rf"p_k = P_k, \qquad P_{{{pos},{dim}}} = {value}"
    wave, twice = (r"\cos" if dim % 2 else r"\sin"), dim // 2 * 2
    general = (
        r"PE_{p,2i} = \sin\frac{p}{10000^{2i/d}}, \qquad PE_{p,2i+1} = \cos\frac{p}{10000^{2i/d}},"
        r"\qquad 0 \le p < L,\ 0 \le i < d/2"
    )
    numbers = rf"PE_{{{pos},{dim}}} = {wave}\frac{{{pos}}}{{10000^{{{twice}/{table.d_model}}}}} = {value}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \end{{aligned}}"
