"""What follows from it: the first layer's attention, and the translation."""

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.edits import Edit
from core.figures.controls import Control, numbered
from core.figures.matrix import Axis, Matrix
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import paragraph
from pages.shared.pictures.pictures import STACK, matrix_words
from pages.stages.input.context import StageContext
from pages.stages.input.sides import beside


def matrices(context: StageContext) -> None:
    beside(context, weights, {f"weights_{which}": (which,) for which in ("own", "now")})


def head(context: StageContext) -> Control:
    heads = numbered(context.page.model.config.heads)
    return Control("head", context.t("head"), heads, stepper="always")


def said(context: StageContext) -> list[str]:
    t, view = context.t, context.view
    said = [] if view.added else [paragraph(t, "downstream_join")]
    if view.most.before != view.most.after:
        names = {"row": context.page.name(view.most.row), "column": context.page.name(view.most.column)}
        facts = {
            "before": weight(context, view.most.before, ()),
            "after": weight(context, view.most.after, view.shown_edits),
        }
        facts["mean"] = mean_moved(context)
        said.append(paragraph(t, "downstream_moved", head=view.most.head + 1, **facts, **names))
    return said


def weight(context: StageContext, value: float, edits: tuple[Edit, ...]) -> float:
    """The weight that moved most, as the model is or as switched; it can be followed."""
    most, tap = context.view.most, context.view.attention_own.taps["weights"]
    return number(context, value, Cell(tap, (most.head, most.row, most.column)), given=RunSpec(edits=edits))


def mean_moved(context: StageContext) -> float:
    """How far all weights moved on average."""
    every = Cell(context.view.attention_own.taps["weights"], (None, None, None))
    runs = [within(every, RunSpec(edits=edits)) for edits in ((), context.view.shown_edits)]
    return measured(context, context.view.most.mean, "shift", *runs)


def translation(context: StageContext) -> list[str]:
    t, before, after = context.t, context.view.own.text_out, context.view.shown.text_out
    if before is None:
        return []
    moved = "translation_other" if context.view.moved else "translation_would"
    nothing = t("translation_nothing")
    facts = {"before": before or nothing, "after": after or nothing, "other": context.side_name("now")}
    return [paragraph(t, "translation_same" if before == after else moved, **facts)]


def weights(context: StageContext, which: str) -> Matrix:
    view = context.view.attention_own if which == "own" else context.view.attention_now
    n = len(view.tokens)
    fits = n * n * 4 * view.heads <= STACK
    heads = range(1, view.heads + 1) if fits else (context.values["head"],)
    caption = context.t(f"weights.{which}", other=context.side_name("now"))
    return Matrix(
        id=f"weights_{which}",
        fragment="effects",
        name=("head",),
        planes={str(head): view.weights[head - 1] for head in heads},
        rows=Axis("pos", n, view.tokens),
        columns=Axis("k", n, view.tokens),
        reach=1,
        tall=300,
        also={"look": which},
        words=matrix_words(context.t, "weights_label", caption=caption),
    )
