"""Follow this number: the derivation of what is selected, as the lines a browser shows, alone in its piece."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.derivation import Cell, Derivation, Measure, Source
from core.derivation.steps import onward
from core.figures.followed import Followed, Line, Traced
from core.run_spec import AT_HAND, RunSpec
from core.views.attention import AttentionView
from pages.shared.address import visit
from pages.shared.number import trail
from pages.shared.number.number_panel import Cells
from pages.shared.number.step_lines import line, lines
from pages.shared.page.parts import repaired
from pages.shared.page.stage import FOLLOWED, StageContext, piece
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import exact, short
from pages.shared.words.texts import Texts

__all__ = ["draw", "fill_followed", "follow", "headed", "hidden", "line", "lines", "number", "of_rows", "weight"]


def follow(
    context: StageContext,
    followed: Callable[[Any], Followed],
    also: Callable[[Any], None] | None = None,
    key: str = FOLLOWED,
) -> None:
    """Draw `followed(context)` as a piece of its own: a click that moves the selection reruns this and nothing else,
    but for `also(look)`: sentences about what is selected, above the number or in places made before (parts.Place).

    Where a page follows several numbers, each has a `key`, and its stage says in `redraws` what moves it.
    """
    piece(context, key, partial(draw, followed, also, key))


def draw(
    followed: Callable[[Any], Followed], also: Callable[[Any], None] | None, key: str, context: StageContext
) -> None:
    if also:
        also(context)
    data = with_repairs(context, panel(context, followed, key))
    if key == FOLLOWED:
        fill_followed(context, components.derivation, data)
    else:
        components.derivation(key=key, data=data)


def panel(context: StageContext, followed: Callable[[Any], Followed], key: str) -> dict[str, Any]:
    """What a piece follows, as the browser is given it. A page is a function of its address, so it is made once for all
    who look at the same; but for a trail, which may have to be mended in the address.
    """

    if context.values["trail"] is not None:
        return trail.along(context, followed(context), key).data()
    return from_its_beginning(context, followed, key)


@cached.shared
def from_its_beginning(context: StageContext, followed: Callable[[Any], Followed], key: str) -> dict[str, Any]:
    return trail.along(context, followed(context), key).data()


def with_repairs(context: StageContext, data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "note": context.t.together((repaired(context), data["note"]))}


def fill_followed(context: StageContext, component: Callable[..., Any], data: Mapping[str, object]) -> None:
    """Fills the piece that most clicks move: it hears of them itself, and says how far the server is."""
    hear = partial(visit.hear, FOLLOWED, context.page.stage, FOLLOWED)
    drawing = context.page.drawing
    component(key=FOLLOWED, data={**data, "echo": drawing.echo(context), "said": drawing.said}, on_report_change=hear)


def number(
    context: StageContext, source: Source, id: str, where: str, *before: Cell | Measure, given: RunSpec = AT_HAND
) -> Traced:
    """A number of a run that was `given` this, under the page's own name for it. How it is made is said once, wherever
    it is followed; the steps to some of what it is made of may come `before` its own."""
    panel = Cells(context.page, given).panel(source, *before)
    return replace(panel, id=id, where=where, given=given)


def weight(
    context: StageContext, view: AttentionView, head: int, q: int, k: int, id: str, where: str, **given: Any
) -> Traced:
    """A weight of an attention (head from 0), after the score that it is made of."""
    score, own = (Cell(view.taps[name], (head, q, k)) for name in ("scores", "weights"))
    return number(context, own, id, where, score, given=RunSpec(edits=view.edits, **given))


def headed(
    t: Texts,
    id: str,
    where: str,
    derivation: Derivation,
    steps: Sequence[Line],
    title: str = "follow",
    given: RunSpec = AT_HAND,
) -> Traced:
    """A derivation that is the page's own, under its number; its numbers are of the run that was `given` this."""
    value, behind = derivation.captured, onward(derivation.steps)
    return Traced(id, t(title), where, short(value), exact(value), steps, behind=behind, given=given)


def of_rows(context: StageContext, what: Measure) -> Traced:
    """What was measured of whole rows, of whatever run."""
    step = trail.Step.to(Cells(context.page), what)
    return replace(step.panel, given=step.cells.given)


def hidden(t: Texts, id: str, where: str, title: str = "follow", rule: str = "follow_rule") -> Followed:
    """A number that must not be seen while the question is open; how such a number is made is seen, where a page says
    its `rule`: a line a step, what is done and, after an arrow, what it is called."""
    said = (step.split(" → ") for step in (t(rule).splitlines() if rule in t else ()))
    steps = [Line(operation, value) for operation, value in said]
    return Followed(id, t(title), where, t("matrix.veiled"), steps=steps, note=t("veiled_step"))
