"""Follow this number: the derivation of what is selected, as the lines a browser shows, alone in its piece."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from core.derivation import Derivation, Step, Term
from core.figures.followed import Followed, Line
from pages.shared import components, visit
from pages.shared.numbers import exact, short
from pages.shared.parts import repaired
from pages.shared.stage import FOLLOWED, Look, piece
from pages.shared.texts import Texts


def follow(
    look: Look,
    followed: Callable[[Any], Followed],
    also: Callable[[Any], None] | None = None,
    key: str = FOLLOWED,
) -> None:
    """Draw `followed(look)` as a piece of its own: a click that moves the selection reruns this and nothing else,
    but for `also(look)`: sentences about what is selected, in places made before.

    Where a page follows several numbers, each has a `key`, and its stage says in `redraws` what moves it.
    """
    piece(look, key, partial(draw, followed, also, key))


def draw(followed: Callable[[Any], Followed], also: Callable[[Any], None] | None, key: str, look: Look) -> None:
    if also:
        also(look)
    shown = followed(look).data()
    shown["note"] = repaired(look) or shown["note"]
    if key == FOLLOWED:
        near(look, components.derivation, shown)
    else:
        components.derivation(key=key, data=shown)


def near(look: Look, component: Callable[..., Any], data: Mapping[str, object]) -> None:
    """Fills the piece that most clicks move: it hears of them itself, and says how far the server is."""
    hear = partial(visit.hear, FOLLOWED, look.page.stage, FOLLOWED)
    component(key=FOLLOWED, data={**data, "echo": visit.echo(), "said": look.page.sight.said}, on_report_change=hear)


def headed(
    t: Texts, id: str, where: str, derivation: Derivation, steps: Sequence[Line], title: str = "follow"
) -> Followed:
    """A derivation under its own number."""
    value = derivation.captured
    return Followed(id, t(title), where, short(value), exact(value), steps)


def hidden(t: Texts, id: str, where: str, title: str = "follow") -> Followed:
    """A number that must not be seen while the question is open."""
    return Followed(id, t(title), where, t("matrix.veiled"), note=t("veiled_step"))


def lines(t: Texts, derivation: Derivation, check: str = "recomputed", **names: object) -> list[Line]:
    """The steps in words. `names` (tokens, indices) fill the sentences beside each step's own numbers; the last step
    says what it was held against."""
    *before, last = derivation.steps
    held = t(check, difference=short(abs(derivation.difference)), **names)
    return [*(line(t, step, names) for step in before), line(t, last, names, held)]


def line(t: Texts, step: Step, names: Mapping[str, object], check: str = "") -> Line:
    values = {**names, **step.parts}
    words = f"steps.{step.id}"
    return Line(
        operation=t(f"{words}.operation", **values),
        value=t(f"{words}.value", **values) if f"{words}.value" in t else short(step.value),
        exact=exact(step.value),
        bars=[float(f"{value:.4g}") for value in step.terms],
        focus=step.focus,
        lines=[term_line(t, step, term, names.get("labels")) for term in step.largest],
        reason=t(f"{words}.reason", count=len(step.terms), **values),
        check=check,
    )


def term_line(t: Texts, step: Step, term: Term, labels: object) -> str:
    """One summand: its index (a token's name where the sum runs over tokens), left · right, and what that gives."""
    index = labels[term.index] if isinstance(labels, tuple) else term.index
    left, right = short(term.left), short(term.right)
    return t(f"steps.{step.id}.term", index=index, left=left, right=right, value=short(term.value))
