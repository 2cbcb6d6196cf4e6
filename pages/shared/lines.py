"""A derivation's steps in words: what a page says of them, with their own numbers in it."""

from collections.abc import Mapping

from core.derivation import Derivation, Step, Term
from core.figures.followed import Line
from pages.shared.marked import all_of, fill
from pages.shared.numbers import exact, short
from pages.shared.texts import Texts

SUMMANDS = "{numbers}"  # a step that only adds: its parts, one after the other, each a door


def lines(t: Texts, derivation: Derivation, check: str = "recomputed", **names: object) -> list[Line]:
    """The steps in words. `names` (tokens, indices) fill the sentences beside each step's own numbers; the last step
    says what it was held against."""
    *before, last = derivation.steps
    held = t(check, difference=short(abs(derivation.difference)), **names)
    return [*(line(t, step, names) for step in before), line(t, last, names, held)]


def line(t: Texts, step: Step, names: Mapping[str, object], check: str = "") -> Line:
    values = {**names, **step.parts}
    words = f"steps.{step.id}"
    value = t(f"{words}.value", **values) if f"{words}.value" in t else short(step.value)
    template = t.words[f"{words}.operation"]
    return Line(
        operation=fill(addition(step) if template == SUMMANDS else template, values, step.of),
        value=all_of(value, step.at),
        exact=exact(step.value),
        bars=[float(f"{value:.4g}") for value in step.terms],
        focus=step.focus,
        lines=[term_line(t, step, term, names.get("labels")) for term in step.largest],
        reason=t(f"{words}.reason", count=step.count, **values),
        check=check,
    )


def term_line(t: Texts, step: Step, term: Term, labels: object) -> str:
    """One summand: its index (a token's name where the sum runs over tokens), left · right, and what that gives."""
    index = labels[term.index] if isinstance(labels, tuple) else labels(term.index) if callable(labels) else term.index
    values = {"index": index, "left": term.left, "right": term.right, "value": term.value}
    of = {name: origin for name, origin in (("left", term.left_of), ("right", term.right_of)) if origin}
    return fill(t.words[f"steps.{step.id}.term"], values, of)


def addition(step: Step) -> str:
    """What is added, with a sign between; one with a minus stands in brackets."""
    first, *others = step.parts
    return " + ".join([f"{{{first}}}", *(f"{{{name}:summand}}" for name in others)])
