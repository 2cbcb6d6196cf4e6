"""What the sections of the position page share: a heading, numbers to type, derivations in words, names of axes."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.derivation import Derivation
from pages.shared import follow
from pages.shared.numbers import exact, grouped, short
from pages.shared.page import Page
from pages.shared.state import Parameter

Parameters = Mapping[str, Parameter]  # the table of the page's address
WINDOW = 64  # positions that a picture shows at once
FARTHEST = 1_000_000  # position to calculate with


def part(page: Page, name: str, text: str = "text", **values: object) -> None:
    """A section's heading, and a sentence or two on what it is for."""
    said = page.t.html(f"{name}.{text}", **values)
    st.html(f"<h2 class='part'>{page.t.html(f'{name}.title')}</h2><p class='lead'>{said}</p>")


def typed(page: Page, name: str, low: int, high: int) -> dict:
    """A number to type, and what is said to one that cannot be used."""
    limits = {"low": grouped(low), "high": grouped(high)}
    return {
        "name": name,
        "label": page.t(f"typed.{name}"),
        "number": [low, high],
        "options": [],
        "refusal": page.t("typed_refusal", **limits),
    }


def lines(page: Page, derivation: Derivation, check: str, **names: float | str) -> list[dict]:
    """The steps in words, and what the last was held against."""
    steps = tuple(replace(step, parts=spoken(step.parts)) for step in derivation.steps)
    shown = follow.lines(page.t, replace(derivation, steps=steps), **spoken(names))
    shown[-1]["check"] = page.t(check, difference=short(abs(derivation.difference)), **spoken(names))
    return shown


def spoken(values: Mapping[str, float | str]) -> dict[str, float | str]:
    """Whole numbers as they stand in a sentence: positions and steps may be long."""
    return {name: grouped(x) if isinstance(x, int) else x for name, x in values.items()}


def headline(page: Page, derivation: Derivation, title: str = "follow") -> dict:
    return {"title": page.t(title), "value": short(derivation.captured), "exact": exact(derivation.captured)}


def matrix_words(page: Page, label: str, caption: str, **more: object) -> dict:
    shared = {name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    return {"label": page.t(label), "caption": caption, **shared, **more}


def dimensions(page: Page, d: int) -> dict:
    return {"param": "dim", "labels": None, "count": d, "from": 0, "word": page.t("matrix.dim")}


def clock_words(page: Page) -> dict:
    return {"clock": page.t("clock"), "dim": page.t("matrix.dim")}
