"""LayerNorm of one small vector that the visitor types: every step in a table, PyTorch's beside ours."""

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import InputError
from core.views.by_hand import MOST, ByHand, by_hand, vector
from core.views.norms import written
from pages.shared import state
from pages.shared.numbers import short
from pages.shared.page import Page, paragraphs
from pages.shared.state import Parameter, choice
from pages.shared.texts import Texts

SMALL = "1,2,3,4"
VECTOR = Parameter(lambda raw: raw if len(raw) <= 200 else None, SMALL, SMALL)  # numbers, or what was typed for one
EPSILONS = ("1e-12", "1e-5", "1e-3", "0.1")
PARAMETERS = {"vector": VECTOR, "small": choice(*EPSILONS, default="1e-5")}  # 1e-5 is what torch.nn.LayerNorm takes
COLUMNS = ("centred", "square", "normalized", "theirs", "difference")


@st.fragment
def table(page: Page) -> None:
    """The table, and the ε it is made with, in a fragment of their own."""
    t, now = page.t, state.Address().read(PARAMETERS)
    eps = float(now["small"])
    st.session_state["small_in"] = now["small"]
    st.segmented_control("ε", EPSILONS, key="small_in", required=True, on_change=choose, width="content")
    typed = tuple(entry.strip() for entry in str(now["vector"]).split(","))
    key = f"hand_{crc32(str(now['vector']).encode())}"  # another vector, another table: no edit is applied twice
    problem, hand = "", None
    try:
        hand = by_hand(vector(typed), eps)
    except InputError as error:
        problem = t.html(f"hand.{error.code}", **counted(error))
    cells: dict[str, list[str]] = {"x": list(typed)}
    for name in COLUMNS:
        cells[name] = [""] * len(typed) if hand is None else [short(value) for value in column(hand, name)]
    config = {
        name: st.column_config.TextColumn(t(f"hand.{name}"), default="0" if name == "x" else "") for name in cells
    }
    st.data_editor(
        pd.DataFrame(cells),
        key=key,
        num_rows="dynamic",
        hide_index=True,
        on_change=take,
        args=(key, typed),
        disabled=list(COLUMNS),
        column_config=config,
        width="stretch",
    )
    if hand is None:
        st.html(f"<p class='note'>{problem}</p>")
    else:
        paragraphs(words(t, hand, eps))


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


def counted(error: InputError) -> dict[str, object]:
    """What an error speaks of, rows as people count them."""
    facts = dict(error.parameters)
    return {**facts, "place": int(str(facts["place"])) + 1} if "place" in facts else facts


def choose() -> None:
    state.change(small=st.session_state["small_in"])


def take(key: str, typed: tuple[str, ...]) -> None:
    """What was typed, added and taken out becomes the address's text."""
    said: Mapping[str, Any] = state.report(key)
    edited, gone, added = (said.get(f"{what}_rows") or () for what in ("edited", "deleted", "added"))
    rows = [str(edited[i].get("x", entry)) if i in edited else entry for i, entry in enumerate(typed)]
    rows = [row for i, row in enumerate(rows) if i not in gone] + [str(row.get("x", "0")) for row in added]
    text = ",".join(row.replace(",", ".").strip()[:16] for row in rows[: MOST + 1])
    state.change(vector=text[:200])
