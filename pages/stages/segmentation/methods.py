"""The methods beside one another: what each makes of this text, and how alike their cuts are."""

from math import isnan

from core.views.segmentation import METHODS
from pages.shared.page.parts import heading, paragraph, paragraphs, shaded, table, write
from pages.stages.segmentation.context import StageContext
from pages.stages.segmentation.words import methods_said


def draw(context: StageContext) -> None:
    t = context.t
    head = ("", t("table.tokens"), t("table.each"), *map(context.method, METHODS))
    rows = [method_row(context, i, name) for i, name in enumerate(METHODS)]
    said = [t.html("table.about"), *methods_said(context), t.html("table.agreement")]
    write(
        heading(t, "table"),
        paragraph(t, "table.said"),
        table(rows, head, "counted compared"),
        f"<div class='said'>{paragraphs(said)}</div>",
    )


def method_row(context: StageContext, i: int, name: str) -> list[object]:
    count = len(context.view.methods[name])
    each = len(context.text) / count if count else "–"
    agreement = ("–" if i == j else compared(float(x)) for j, x in enumerate(context.view.agreement[i]))
    return [context.method(name), count, each, *agreement]


def compared(x: float) -> object:
    return share(x) if isnan(x) else shaded(x, share(x))


def share(x: float) -> str:
    """F1, to be compared at a glance."""
    return "–" if isnan(x) else f"{x:.2f}"
