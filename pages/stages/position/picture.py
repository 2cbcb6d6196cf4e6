"""Waves, and under them one position as clock hands."""

import numpy as np

from core.figures.clocks import Clocks
from core.figures.controls import Control, Controls, numbered
from core.figures.waves import Waves, WavesWords
from core.views import position as views
from pages.shared.words.texts import Texts
from pages.stages.position import parts
from pages.stages.position.context import WINDOW, StageContext


def waves(context: StageContext) -> Waves:
    """The window of positions that has the selected one, of every kind of table."""
    tables, positions = context.view.tables, len(context.waves.rows)
    start = min(context.pos // WINDOW * WINDOW, max(0, positions - WINDOW))
    rows = {kind: table.rows[start : start + WINDOW] for kind, table in tables.items()}
    return Waves(
        from_=start,
        count=len(rows["sinusoidal"]),
        positions=positions,
        d=context.d_model,
        tokens=context.tokens,
        kinds=rows,
        reach={kind: table.reach for kind, table in tables.items()},
        period=[float(f"{x:.9g}") for x in views.wavelengths(context.d_model) / (2 * np.pi)],
        words=waves_words(context, start, start + len(rows["sinusoidal"]) - 1),
    )


def waves_words(context: StageContext, start: int, end: int) -> WavesWords:
    t, tables = context.t, context.view.tables
    return WavesWords(
        label=t("waves_label"),
        title={kind: t(f"waves_title.{kind}", start=start, end=end) for kind in tables},
        caption={kind: t(f"waves_caption.{kind}", reach=table.reach) for kind, table in tables.items()},
        dim=t("matrix.dim"),
        position=t("position"),
    )


def clocks(context: StageContext) -> Clocks:
    t, count = context.t, context.d_model // 2
    return parts.clocks(
        t, t("clocks_title", clocks=count), every=t("clocks.every", count=count), fewer=t("clocks.fewer")
    )


def controls(context: StageContext) -> Controls:
    t, tables, (positions, d) = context.t, context.view.tables, context.waves.rows.shape
    own_first = sorted(tables, key=lambda kind: kind != context.own_kind)
    kinds = Control("kind", t("kind"), [(kind, t(f"kinds.{kind}")) for kind in own_first])
    steppers = [stepper(t, "pos", "position", positions), stepper(t, "dim", "dimension", d)]
    return Controls([kinds, *steppers] if len(tables) > 1 else steppers)


def stepper(t: Texts, name: str, label: str, count: int) -> Control:
    return Control(name, t(label), numbered(count, first=0), plain=True, stepper="always")
