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
        "lines": [t(f"steps.{step.id}.largest", terms=" + ".join(term_words(term, names) for term in step.largest))]
        if step.largest
        else [],
        "reason": t(f"steps.{step.id}.reason", count=len(step.terms), **values),
    }


def term_words(term: Term, names: dict[str, object]) -> str:
    """One summand, with the name of its index: a token's where the sum runs over tokens."""
    labels = names.get("labels")
    index = labels[term.index] if isinstance(labels, tuple) else str(term.index)
    return f"{short(term.value)} ({index})"
