"""The function of the notes called twice, beside the module called twice: each drawing of this section calls anew."""

import math
import re

import numpy as np
import streamlit as st

from core.lessons import input as input_part
from core.views.pipeline import Called, called
from pages.shared.address.address import Table, whole, words
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import Html, code, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.words.numbers import exact, grouped
from pages.shared.words.texts import Texts
from pages.stages.input.context import StageContext
from pages.stages.input.shapes import boxes

IDS, MOST, TYPED = "1 5 23 9 0", 32, 200  # what the function of the notes is called with; ids and characters at most
SIZES = {"rows": (1, 30_522, 30), "columns": (1, 512, 512)}
SHOWN, TICK = 20, 5  # numbers of the first token, every fifth with its place
CODE = {"function": input_part.transformer_input, "module": input_part.TransformerInput}


def parameters(page, view) -> Table:
    return {"ids": words(TYPED, IDS), **{name: whole(*sizes) for name, sizes in SIZES.items()}}


def draw(context: StageContext) -> None:
    t, (vocab, width) = context.t, (context.values[name] for name in SIZES)
    ids = [int(found) for found in re.findall(r"[0-9]{1,6}", context.values["ids"])[:MOST]] or [0]
    write(heading(t, "twice"), paragraph(t, "twice_said"))
    controls("twice", text_box(context, "ids", t("twice.ids"), TYPED), *boxes(t, SIZES))
    both = called(ids, vocab, width)
    ran = [np.stack([call[0, 0, :SHOWN] for call in calls.results]) for calls in both if not calls.failed]
    reach = max(1e-9, *(float(np.abs(shown).max()) for shown in ran)) if ran else 1.0
    for place, name, calls in zip(st.columns(2, gap="large"), CODE, both, strict=True):
        with place:
            compared(t, name, calls, reach)
    if ran:
        write(f"<p class='soft'>{t.html('twice.caption', count=ran[0].shape[1], reach=reach)}</p>")
    st.button(t("twice.again"), key="again", type="tertiary")
    write(saved(t, both[0]))
    code(*CODE.values())


def compared(t: Texts, name: str, calls: Called, reach: float) -> None:
    title = f"<h3>{t.html(f'twice.{name}')}</h3>"
    if calls.failed:
        write(title, paragraph(t, "twice.failed", error=calls.failed))
        return
    first, second = calls.results
    difference = float(np.abs(first - second).max())
    cells = strips(t, np.stack([first[0, 0, :SHOWN], second[0, 0, :SHOWN]]), reach)
    write(title, cells, paragraph(t, f"twice_{name}", difference=difference))


def strips(t: Texts, calls: np.ndarray, reach: float) -> str:
    """The first numbers of both calls as coloured cells, and below each pair whether they are the same."""
    dims = [t("twice.dim"), *(i if i % TICK == 0 else "" for i in range(calls.shape[1]))]
    rows = [[t("twice.call", number=i), *(tinted(float(x), reach) for x in call)] for i, call in enumerate(calls, 1)]
    same = [t("twice.same"), *("=" if a == b else "≠" for a, b in zip(*calls, strict=True))]
    return table([dims, *rows, same], kind="cells")


def tinted(value: float, reach: float) -> Html:
    kind = "shaded less" if value < 0 else "shaded"
    return Html(f"<span class='{kind}' style='--share: {abs(value) / reach:.3f}' title='{exact(value)}'></span>")


def saved(t: Texts, notes: Called) -> str:
    """The table of positions as a buffer that a file of weights holds; none where it could not be made."""
    said = [
        paragraph(t, "twice.saved", name=name, shape=str(shape), count=grouped(math.prod(shape)))
        for name, shape in notes.saved.items()
    ]
    return "".join((f"<h3>{t.html('twice.buffer')}</h3>", *said, paragraph(t, "twice.buffer_said")))


SECTION = Section(draw, parameters, ("ids", *SIZES))
