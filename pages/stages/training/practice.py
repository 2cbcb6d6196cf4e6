"""Three practices: a file each to take away, with gaps to fill and the tests that say when it is right."""

from functools import cache
from typing import Literal

import numpy as np
import streamlit as st

from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.files import ASSETS
from core.lessons.input import sinusoids
from core.training.practice import DEPTHS, NORMS, found
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.texts import Texts
from pages.stages.training.context import StageContext

FOLDER = ASSETS / "practice"
PRACTICES = {"positions": "position", "waves": "position", "layernorm": "layernorm"}  # and the stop they belong to
POSITIONS, WIDE, HEIGHT = 100, 64, 170  # of the pictures
COLUMNS: dict[int, Literal["accent", "second", "faint"]] = {0: "accent", 8: "second", 16: "faint"}


@cache
def file(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "practice"), paragraph(t, "practice.said"))
    for place, (name, stop) in zip(st.columns(3, gap="large"), PRACTICES.items(), strict=True):
        with place:
            write(f"<h3 class='part'>{t.html(f'practice.{name}.title')}</h3>", paragraph(t, f"practice.{name}.said"))
            label = t("practice.take", file=f"{name}.py")
            st.download_button(label, file(name), f"{name}.py", "text/x-python", key=f"take_{name}", on_click="ignore")
            door(context.page, stop, t("practice.door", stop=t.stage(stop)))
            write(f"<p class='said'>{t.html('practice.result')}</p>")
            RESULTS[name](t)


# ---- what each comes to


def learned(t: Texts) -> None:
    """Practice 1: the loss of telling positions apart, falling."""
    losses = np.array(found()["positions"], np.float32)
    axis, words = Along(len(losses), t("practice.step")), CurvesWords(t("practice.loss"), t.html("practice.loss"))
    components.curves(
        key="practice_positions",
        data=Curves(axis, Upwards(low=0), [Series(t("descent.loss"))], [losses], words, HEIGHT).pack(),
    )


@cached.shared
def table_of_waves() -> np.ndarray:
    """[position, column]: the three that are drawn."""
    return sinusoids(POSITIONS, WIDE)[:, list(COLUMNS)].numpy()


def waves(t: Texts) -> None:
    """Practice 2: a fast wave, a slower one, and one slower still."""
    series = [Series(t("practice.column", i=i), look) for i, look in COLUMNS.items()]
    words = CurvesWords(t("practice.wave"), t.html("practice.wave"))
    values = list(table_of_waves().T)
    axis = Along(POSITIONS, t("practice.position"))
    components.curves(
        key="practice_waves", data=Curves(axis, Upwards(low=-1, high=1), series, values, words, HEIGHT).pack()
    )


def norms(t: Texts) -> None:
    """Practice 3: how many steps each network takes; – where it never learns."""
    head = ["", *(t(f"practice.norms.{norm}") for norm in NORMS)]
    rows = [
        [t("between").join([optimizer, t("own.layers", layers=layers)]), *("–" if n is None else n for n in line)]
        for optimizer, steps in found()["norms"].items()
        for layers, line in zip(DEPTHS, steps, strict=True)
    ]
    write(table(rows, head, "counted"), f"<p class='soft'>{t.html('practice.steps')}</p>")


RESULTS = {"positions": learned, "waves": waves, "layernorm": norms}
