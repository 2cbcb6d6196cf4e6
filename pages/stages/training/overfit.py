"""Overfitting, and dropout: the same network on a hundred lines, its loss on those and on lines it never saw."""

import numpy as np
import streamlit as st

from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.training.recorded import Run
from core.training.runs import LOOK_EVERY
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.words.numbers import percent
from pages.stages.training.contest_words import mean, tail
from pages.stages.training.context import StageContext, family
from pages.stages.training.words import near


def draw(context: StageContext) -> None:
    t, runs = context.t, family("dropout").runs
    first = next(iter(runs.values()))
    write(heading(t, "overfit"), paragraph(t, "overfit.said", lines=first.setting.few, steps=len(first.loss)))
    high = max(float(np.nanmax(curve)) for run in runs.values() for curve in curves(run))
    for place, (id, run) in zip(st.columns(len(runs), gap="medium"), runs.items(), strict=True):
        with place, st.container(gap=None):
            write(f"<h3 class='part'>{t.html('overfit.share')} {t.html(f'runs.{id}')}</h3>")
            components.curves(key=f"overfit_{id}", data=drawn(context, id, run, high, run is first).pack())
    rows = [[t(f"runs.{id}"), *measured(run)] for id, run in runs.items()]
    write(table(rows, [t(f"overfit.{name}") for name in ("share", "own", "held", "right")]))
    write(paragraph(t, "overfit.seen", **facts(runs)), paragraph(t, "overfit.means", seeds=len(first.seeds)))


def curves(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """At every look: the mean loss of the steps before it, on the lines it trains on; and on those held out."""
    own = run.loss.reshape(-1, LOOK_EVERY).mean(1)
    return np.array([np.nan, *own], np.float32), run.held


def drawn(context: StageContext, id: str, run: Run, high: float, legend: bool) -> Curves:
    t = context.t
    series = [Series(t("overfit.own")), Series(t("overfit.held"), "second")]
    words = CurvesWords(t("overfit.label", run=t(f"runs.{id}")))
    along = Along(len(run.looks), t("descent.steps"), step=LOOK_EVERY)
    return Curves(along, Upwards(low=0, high=high), series, list(curves(run)), words, 220, legend=legend)


def measured(run: Run) -> tuple[str, str, str]:
    """The loss on its own lines, of the first seed; on lines held out, and the share all right, means of all seeds."""
    return near(tail(run)), near(mean(run.ends)), f"{percent(mean([float(c['right'][-1]) for c in run.seeds]))}\u00a0%"


def facts(runs) -> dict[str, str]:
    """Without dropout, and with the share that does best on lines held out."""
    none = min(runs, key=lambda id: runs[id].setting.dropout)
    best = min(runs, key=lambda id: mean(runs[id].ends))
    most = max(runs, key=lambda id: runs[id].setting.dropout)
    low = int(np.argmin(runs[none].held))
    return {
        "own": near(tail(runs[none])),
        "low": near(runs[none].held[low]),
        "at": str(runs[none].looks[low]),
        "end": near(runs[none].held[-1]),
        "best": f"{runs[best].setting.dropout:g}",
        "best_end": near(mean(runs[best].ends)),
        "none_end": near(mean(runs[none].ends)),
        "most": f"{runs[most].setting.dropout:g}",
        "most_end": near(mean(runs[most].ends)),
    }
