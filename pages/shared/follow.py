"""Follow this number: the derivation of what is selected, alone in its fragment, as the lines a browser shows."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.derivation import Derivation, Step, Term
from pages.shared import components, state
from pages.shared.numbers import exact, short
from pages.shared.page import Page
from pages.shared.state import Parameter
from pages.shared.texts import Texts


def follow(
    page: Page,
    table: Mapping[str, Parameter],
    data: Callable[[dict[str, Any]], dict],
    component: Callable = components.derivation,
    key: str = "derivation",
    also: Callable[[dict[str, Any]], None] | None = None,
    below: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Draw `component` with `data(values of table)`. A click that moves the selection reruns this and nothing else,
    but for `also(values)`: sentences about what is selected, in places made before, and `below(values)`: what stands
    under it, in the same fragment. While "Open it" is open the whole
    page runs, because what it shows is of the selected cell too.

    Where a page follows several numbers, each has a `key` of its own and says in its data which `params` it follows;
    the one that is `main` also hears of what none of them follows.
    """

    @st.fragment
    def draw() -> None:
        if state.pop("_selected") and st.query_params.get("open") == "1":
            st.rerun(scope="app")
        values = state.Address().read(table)
        if also:
            also(values)
        shown = data(values)
        note = page.refusal() or shown.get("note", "")
        component(key=key, data={**shown, "note": note}, on_selection_change=state.selecting(key, table))
        if below:
            below(values)

    draw()


def lines(t: Texts, derivation: Derivation, **names: object) -> list[dict]:
    """The steps in words. `names` (tokens, indices) fill the sentences beside each step's own numbers."""
    shown = [line(t, step, **names) for step in derivation.steps]
    shown[-1]["check"] = t("recomputed", difference=short(abs(derivation.difference)))
    return shown


def line(t: Texts, step: Step, **names: object) -> dict:
    values = {**names, **step.parts}
    return {
        "operation": bare(t(f"steps.{step.id}.operation", **values)),
        "value": t(f"steps.{step.id}.value", **values) if f"steps.{step.id}.value" in t else short(step.value),
        "exact": exact(step.value),
        "bars": [float(f"{value:.4g}") for value in step.terms],
        "focus": step.focus,
        "lines": [term_line(t, step, term, names.get("labels")) for term in step.largest],
        "reason": t(f"steps.{step.id}.reason", count=len(step.terms), **values),
    }


def bare(operation: str) -> str:
    """Brackets are for what is added with a minus sign; without one they go."""
    return re.sub(r"\+ \((\d[^()]*)\)", r"+ \1", operation)


def term_line(t: Texts, step: Step, term: Term, labels: object) -> str:
    """One summand: its index (a token's name where the sum runs over tokens), left · right, and what that gives."""
    index = labels[term.index] if isinstance(labels, tuple) else term.index
    left, right = short(term.left), short(term.right)
    return t(f"steps.{step.id}.term", index=index, left=left, right=right, value=short(term.value))
