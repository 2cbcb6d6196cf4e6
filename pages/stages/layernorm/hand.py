"""LayerNorm of one small vector that the visitor types: every step in a table, PyTorch's beside ours."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import InputError
from core.figures.controls import Control
from core.views.by_hand import MOST, ByHand, by_hand, vector
from core.views.norms import written
from pages.shared.address.address import Parameter, choice
from pages.shared.page.controls import controls
from pages.shared.page.editor import editable
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.words.numbers import short
from pages.shared.words.texts import Texts
from pages.stages.layernorm.context import StageContext

SMALL = "1,2,3,4"
LONGEST, ENTRY = 200, 16  # characters of all numbers, and of one
WIDE = 680  # pixels
EPSILONS = ("1e-12", "1e-5", "1e-3", "0.1")
COLUMNS = ("centred", "square", "normalized", "theirs", "difference")


def parameters(page, view):
    """The numbers, or what was typed for one; and ε: 1e-5 is what torch.nn.LayerNorm takes."""
    typed = Parameter(lambda raw: raw if len(raw) <= LONGEST else None, SMALL, SMALL)
    return {"vector": typed, "small": choice(*EPSILONS, default="1e-5")}


def draw(context: StageContext) -> None:
    t, eps = context.t, float(context.values["small"])
    write(heading(t, "hand"), paragraphs([t.html("hand.said")]))
    controls("hand", Control("small", "ε", [(id, id) for id in EPSILONS]))
    typed = [entry.strip() for entry in context.values["vector"].split(",")]
    hand, problem = computed(t, typed, eps)
    table(context, typed, hand)
    write(f"<p class='note'>{problem}</p>" if hand is None else paragraphs(words(t, hand, eps)))


def computed(t: Texts, typed: Sequence[str], eps: float) -> tuple[ByHand | None, str]:
    """The calculation; or what is wrong with the numbers, rows as people count them."""
    try:
        return by_hand(vector(typed), eps), ""
    except InputError as error:
        facts = dict(error.parameters)
        if "place" in facts:
            facts["place"] = int(str(facts["place"])) + 1
        return None, t.html(f"hand.{error.code}", **facts)


def table(context: StageContext, typed: Sequence[str], hand: ByHand | None) -> None:
    """The numbers, to be changed, and each step beside them."""
    cells = {"x": list(typed)}
    for name in COLUMNS:
        cells[name] = [""] * len(typed) if hand is None else [short(value) for value in column(hand, name)]
    editable(
        context,
        f"hand_{crc32(','.join(typed).encode())}",
        pd.DataFrame(cells),
        partial(edited, typed),
        num_rows="dynamic",
        hide_index=True,
        disabled=list(COLUMNS),
        column_config={name: column_config(context.t, name) for name in cells},
        width=WIDE,
    )


def column_config(t: Texts, name: str):
    return st.column_config.TextColumn(t(f"hand.{name}"), default="0" if name == "x" else "")


def column(hand: ByHand, name: str) -> list[float]:
    """One column of the table, a number a row."""
    found = {
        "centred": hand.centred,
        "square": np.square(hand.centred),
        "normalized": hand.normalized,
        "theirs": hand.theirs,
        "difference": np.abs(hand.normalized - hand.theirs),
    }
    return [float(value) for value in found[name]]


def words(t: Texts, hand: ByHand, eps: float) -> list[str]:
    """Mean and variance with the numbers in them; what a single number or a constant vector does."""
    d = len(hand.values)
    typed = [f"{value:g}".replace("-", "−") for value in hand.values]
    total = " + ".join(f"({number})" if number.startswith("−") else number for number in typed)
    squares = " + ".join(short(value) for value in column(hand, "square"))
    said = [
        t.html("hand.mean_line", total=total, d=d, mean=hand.mean),
        t.html("hand.variance_line", squares=squares, d=d, variance=hand.variance, epsilon=written(eps)),
    ]
    if d == 1:
        return [*said, t.html("hand.single")]
    if hand.variance == 0:
        return [*said, t.html("hand.constant", epsilon=written(eps))]
    unbiased = hand.unbiased or 0.0
    facts = {"wrong": float(hand.centred[0] / np.sqrt(unbiased + eps)), "right": float(hand.normalized[0])}
    return [*said, t.html("hand.biased", d=d, fewer=d - 1, unbiased=unbiased, **facts)]


# ---- what was typed


def edited(typed: Sequence[str], said: Mapping[str, Any]) -> dict[str, object]:
    """What was typed, added and taken out, as the address's text. A browser may send anything: rows that are not
    there are passed over, and what is no text is none."""
    changed, gone, added = (said.get(f"{what}_rows") for what in ("edited", "deleted", "added"))
    changed = changed if isinstance(changed, Mapping) else {}
    gone, added = (rows if isinstance(rows, list) else [] for rows in (gone, added))
    kept = [entry_of(changed.get(i), entry) for i, entry in enumerate(typed) if i not in gone]
    rows = [*kept, *(entry_of(row, "0") for row in added[: MOST + 1])]
    return {"vector": ",".join(rows[: MOST + 1])[:LONGEST]}


def entry_of(row: object, otherwise: str) -> str:
    """What a row's first cell says now; `otherwise` where that was not touched."""
    said = row.get("x", otherwise) if isinstance(row, Mapping) else otherwise
    return said.replace(",", ".").strip()[:ENTRY] if isinstance(said, str) else ""
