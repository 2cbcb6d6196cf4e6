"""A derivation's steps in words: what a page says of them, with their own numbers in it."""

from collections.abc import Mapping

from core.derivation import Derivation, Step, Term
from core.derivation.powers import of_powers, power, printed
from core.derivation.steps import beyond, has_others, others
from core.figures.followed import Line, Words
from pages.shared.words.number_marks import Others, all_of, fill
from pages.shared.words.numbers import exact, grouped, short
from pages.shared.words.texts import Texts

SUMMANDS = "{numbers}"  # a step that only adds: its parts, one after the other, each a door


def lines(t: Texts, derivation: Derivation, check: str = "recomputed", **names: object) -> list[Line]:
    """The steps in the words that every page has for them. `names` (tokens, indices) fill the sentences beside each
    step's own numbers; the last step says, in the page's own words, what it was held against."""
    *before, last = derivation.steps
    held, words = t(check, difference=short(abs(derivation.difference)), **names), Texts(t.language, "cells")
    return [*(line(words, step, names) for step in before), line(words, last, names, held)]


def line(t: Texts, step: Step, names: Mapping[str, object], check: str = "", brief: bool = False) -> Line:
    """One step in words; none of its terms where it is said in brief."""
    written = [] if brief else summands(t, step, names.get("labels"))
    some = written and step.count > len(step.largest)
    values = {**names, **step.parts}
    words = f"steps.{step.id}"
    template = t.words[f"{words}.operation"]
    given = (power if of_powers(template) else short)(step.value)
    value = t(f"{words}.value", **values) if f"{words}.value" in t else given
    operation = addition(step) if template == SUMMANDS else template
    return Line(
        operation=fill(operation, printed(operation, values), step.of),
        value=all_of(value, step.at),
        exact=exact(step.value),
        bars=drawn(step),
        focus=step.focus,
        lines=written,
        reason=t(f"{words}.reason", count=grouped(step.count), **values) + (t("beyond.above") if some else ""),
        check=check,
    )


def drawn(step: Step) -> list[float]:
    return [float(f"{value:.4g}") for value in step.terms]


def summands(t: Texts, step: Step, labels: object) -> list[Words]:
    """The largest terms, and what the others come to."""
    said: list[Words] = [term_line(t, step, term, labels) for term in step.largest]
    count = step.count - len(step.largest)
    if not said or not count:
        return said
    door = {"rest": unwritten(t, step, labels)} if has_others(step) else {}
    rest = power(step.rest) if of_powers(t.words[f"steps.{step.id}.term"]) else step.rest
    return [*said, fill(t.words[f"{beyond(step)}.line"], {"others": grouped(count), "rest": rest}, door)]


def unwritten(t: Texts, step: Step, labels: object) -> Others:
    """The number behind which the other terms of a step are written out, once it is asked for."""

    words = beyond(step)

    def read() -> Step:
        found = others(step)
        assert found is not None
        return found

    def write(step: Step) -> Line:
        said = t(f"{words}.sum", others=grouped(step.count))
        return Line(
            said, short(step.value), exact(step.value), drawn(step), lines=summands(t, step, labels), whole=True
        )

    name = t("beyond.name", others=grouped(step.count - len(step.largest)))
    return Others(name, t(f"{words}.where"), step.rest, read, write)


def term_line(t: Texts, step: Step, term: Term, labels: object) -> str:
    """One summand: its index (a token's name where the sum runs over tokens), left · right, and what that gives."""
    index = labels[term.index] if isinstance(labels, tuple) else labels(term.index) if callable(labels) else term.index
    values = {"index": index, "left": term.left, "right": term.right, "value": term.value}
    of = {name: origin for name, origin in (("left", term.left_of), ("right", term.right_of)) if origin}
    template = t.words[f"steps.{step.id}.term"]
    return fill(template, printed(template, values), of)


def addition(step: Step) -> str:
    """What is added, with a sign between; one with a minus stands in brackets."""
    first, *others = step.parts
    return " + ".join([f"{{{first}}}", *(f"{{{name}:summand}}" for name in others)])
