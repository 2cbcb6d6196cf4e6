"""The ruler: the text as typed and after every step; and the controls of the walk below it."""

from core.figures.controls import Control, Controls
from core.figures.ruler import Ruler, RulerPiece, RulerRow, RulerUnit, RulerWords
from core.views.tokens import Row
from pages.stages.tokens.context import StageContext, shown

LONGEST = 120  # characters of a unit


def ruler(context: StageContext) -> Ruler:
    """What the ruler draws; the pieces of a veiled word are not in it."""
    view, rows = context.view, changing(context)
    return Ruler(
        text=context.page.text,
        rows=[
            RulerRow(context.t(f"rows.{row.name}"), context.t(f"hints.{row.name}"), changes(context, row, i == 1))
            for i, row in enumerate(rows)
        ],
        units=[RulerUnit(unit.kind, unit.start, unit.end, unit.text[:LONGEST], unit.cut) for unit in view.units],
        pieces=[
            RulerPiece(i, step, token.start, token.end, token.text, token.id, step <= unit.kept)
            for i, unit in enumerate(view.units)
            if i not in context.veiled_units
            for step, token in enumerate(unit.tokens, 1)
        ],
        beside=context.view.beside is not None,
        veiled=context.veiled_units,
        words=words(context),
    )


def changing(context: StageContext) -> list[Row]:
    """The text as typed, and after every step that changed something."""
    typed, *steps = context.view.rows
    return [typed, *(row for row in steps if row.changed)]


def words(context: StageContext) -> RulerWords:
    t, shown = context.t, changing(context)
    idle = [t(f"rows.{row.name}") for row in context.view.rows if row not in shown]
    return RulerWords(
        **{name: t(f"ruler.{name}") for name in ("label", "offsets", "added", "veiled", "say")},
        **{name: t(f"rows.{name}") for name in ("words", "pieces", "ids")},
        **{f"{name}_hint": t(f"hints.{name}") for name in ("words", "pieces", "ids")},
        idle=t("ruler.idle", steps=t("ruler.and").join(idle)) if idle else "",
        legend=[(kind, t(f"legend.{kind}")) for kind in legend(context)],
    )


def changes(context: StageContext, row: Row, first: bool) -> list[tuple[int, str | None]]:
    """What a row must be told: what its step changed, and in the first one what no step touches."""
    columns = set(row.changed)
    if first:
        columns.update(i for unit in context.view.typed for i in range(unit.start, unit.end))
    return [(i, row.cells[i]) for i in sorted(columns)]


def legend(context: StageContext) -> list[str]:
    """Only the marks that this picture has."""
    cuts = {unit.cut for unit in context.view.units}
    cells = [row.cells[i] for row in context.view.rows for i in row.changed]
    marks = {
        "changed": any(cells),
        "gone": "" in cells,
        "blank": context.view.spaces > 0,
        "punctuation": "punctuation" in cuts,
        "cjk": "cjk" in cuts,
        "special": any(unit.kind != "word" for unit in context.view.units),
        "veil": bool(context.veiled_units),
    }
    return [kind for kind, there in marks.items() if there]


def controls(context: StageContext) -> Controls:
    units = context.view.walked
    counts = [1 if i in context.veil else max(1, unit.steps) for i, unit in enumerate(units)]
    options = [(i, shown(unit.text, 16)) for i, unit in enumerate(units)]
    return Controls(
        [
            Control("word", context.t("which"), options, stepper="always", plain=True),
            Control("step", context.t("step"), by="word", counts=counts),
        ]
    )
