"""Follow this number: a derivation as the lines that the browser shows."""

from core.derivation import Derivation, Step, Term
from pages.shared.numbers import exact, short
from pages.shared.texts import Texts


def lines(t: Texts, derivation: Derivation, **names: object) -> list[dict]:
    """The steps in words. `names` (tokens, indices) fill the sentences beside each step's own numbers."""
    shown = [line(t, step, **names) for step in derivation.steps]
    shown[-1]["check"] = t("recomputed", difference=short(abs(derivation.difference)))
    return shown


def line(t: Texts, step: Step, **names: object) -> dict:
    values = {**names, **step.parts}
    return {
        "operation": t(f"steps.{step.id}.operation", **values),
        "value": t(f"steps.{step.id}.value", **values) if f"steps.{step.id}.value" in t else short(step.value),
        "exact": exact(step.value),
        "bars": [float(f"{value:.4g}") for value in step.terms],
        "focus": step.focus,
        "lines": [term_line(t, step, term, names.get("labels")) for term in step.largest],
        "reason": t(f"steps.{step.id}.reason", count=len(step.terms), **values),
    }


def term_line(t: Texts, step: Step, term: Term, labels: object) -> str:
    """One summand: its index (a token's name where the sum runs over tokens), left · right, and what that gives."""
    index = labels[term.index] if isinstance(labels, tuple) else term.index
    left, right = short(term.left), short(term.right)
    return t(f"steps.{step.id}.term", index=index, left=left, right=right, value=short(term.value))
