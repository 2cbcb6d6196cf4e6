"""A step in words: its operation and its largest terms, each number with where it is from.

The words are those of the site (assets/lessons/cells.toml), in either language.
"""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..counting import agreed
from ..numbers import grouped, short
from ..words import Words
from .origins import Source
from .powers import of_powers, power, printed
from .steps import Derivation, Step, Term, beyond

NAMED = re.compile(r"\{(\w+)(:summand)?\}")
SUMMANDS = "{numbers}"  # a step that only adds: its parts, one after the other


@dataclass(frozen=True)
class Piece:
    """Some of a text: a number that comes from somewhere, or what stands between two."""

    text: str
    of: Source | None = None


Sentence = tuple[Piece, ...]


@dataclass(frozen=True)
class Worded:
    """One step: the operation, what it gives, the terms that are read out, and why."""

    operation: Sentence
    value: Sentence
    terms: tuple[Sentence, ...]
    reason: str


def plain(sentence: Sentence) -> str:
    return "".join(piece.text for piece in sentence)


def fill(template: str, values: Mapping[str, object], of: Mapping[str, Source]) -> Sentence:
    """A template with its values in it. A `:summand` with a minus sign stands in brackets.

    >>> plain(fill("{x} × {by:summand}", {"x": 2.0, "by": -3.0}, {}))
    '2.000 × (−3.000)'
    """
    template, pieces, at = agreed(template, values), [], 0
    for found in NAMED.finditer(template):
        if (name := found[1]) in values:
            text = shown(values[name])
            before, after = "()" if found[2] and text.startswith("−") else ("", "")
            pieces += [Piece(template[at : found.start()] + before), Piece(text, of.get(name)), Piece(after)]
            at = found.end()
    return tuple(piece for piece in (*pieces, Piece(template[at:])) if piece.text)


def shown(x: object) -> str:
    return short(x) if isinstance(x, float) else str(x)


def worded(t: Words, step: Step, label: Callable[[Term], object]) -> Worded:
    """A step in the words of `t`, which is of cells; `label` says what the index of a term is called."""
    key = f"steps.{step.id}"
    names = " + ".join(t(f"summand.{name}") if f"summand.{name}" in t else name for name in step.parts)
    values = {"count": step.count, "names": names, **step.parts}
    operation = t.words[f"{key}.operation"]
    if operation == SUMMANDS:
        first, *others = step.parts
        operation = " + ".join([f"{{{first}}}", *(f"{{{name}:summand}}" for name in others)])
    given = (power if of_powers(operation) else short)(step.value)
    value = t(f"{key}.value", **step.parts) if f"{key}.value" in t else given
    reason = plain(fill(t.words[f"{key}.reason"], values, {})) if f"{key}.reason" in t else ""
    return Worded(
        fill(operation, printed(operation, values), step.of), (Piece(value, step.at),), terms(t, step, label), reason
    )


def terms(t: Words, step: Step, label: Callable[[Term], object]) -> tuple[Sentence, ...]:
    """The largest terms, and what the others come to."""
    template, read = t.words[f"steps.{step.id}.term"] if step.largest else "", []
    for term in step.largest:
        values = {"index": label(term), "left": term.left, "right": term.right, "value": term.value}
        of = {name: of for name, of in (("left", term.left_of), ("right", term.right_of)) if of}
        read.append(fill(template, printed(template, values), of))
    others = step.count - len(step.largest)
    if read and others:
        rest = power(step.rest) if of_powers(template) else step.rest
        read.append(fill(t.words[f"{beyond(step)}.line"], {"others": grouped(others), "rest": rest}, {}))
    return tuple(read)


def as_html(derivation: Derivation) -> str:
    """The steps as a table, for a notebook."""
    t = Words("en", "cells")
    rows = []
    for step in derivation.steps:
        said = worded(t, step, lambda term: term.index)
        lines = [f"<b>{html.escape(plain(said.operation))}</b>", *(html.escape(plain(term)) for term in said.terms)]
        rows.append(f"<tr><td style='text-align:left'>{'<br>'.join(lines)}</td><td>{plain(said.value)}</td></tr>")
    held = t("recomputed", difference=short(abs(derivation.difference)))
    cell = html.escape(str(derivation.cell or ""))
    caption = f"<caption style='white-space:nowrap'><code>{cell}</code> = {short(derivation.captured)}</caption>"
    return f"<table>{caption}{''.join(rows)}</table><small>{held}</small>"
