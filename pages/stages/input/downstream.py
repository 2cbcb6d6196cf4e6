"""What follows from it: the first layer's attention, and the translation."""

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.edits import Edit
from core.figures.controls import Control, Controls, numbered
from core.figures.matrix import Axis, Matrix
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import STACK, matrix_words
from pages.stages.input.look import Look
from pages.stages.input.sides import beside


def downstream(look: Look) -> None:
    write(heading(look.t, "downstream"), *said(look))
    heads = numbered(look.page.model.config.heads)
    control = Control("head", look.t("head"), heads, stepper="always")
    components.controls(key="heads", data=Controls([control]).data())
    beside(look, weights, {f"weights_{which}": (which,) for which in ("own", "now")})


def said(look: Look) -> list[str]:
    t, view = look.t, look.view
    said = [] if view.added else [paragraph(t, "downstream_join")]
    if not view.moved:
        said.append(paragraph(t, "downstream_none", other=look.other_name))
    if view.most.before != view.most.after:
        names = {"row": look.page.name(view.most.row), "column": look.page.name(view.most.column)}
        facts = {"before": weight(look, view.most.before, ()), "after": weight(look, view.most.after, view.shown_edits)}
        facts["mean"] = mean_moved(look)
        said.append(paragraph(t, "downstream_moved", head=view.most.head + 1, **facts, **names))
    return [*said, *translation(look)]


def weight(look: Look, value: float, edits: tuple[Edit, ...]) -> float:
    """The weight that moved most, as the model is or as switched; it can be followed."""
    most, tap = look.view.most, look.view.attention_own.taps["weights"]
    return number(look, value, Cell(tap, (most.head, most.row, most.column)), given=RunSpec(edits=edits))


def mean_moved(look: Look) -> float:
    """How far all weights moved on average."""
    every = Cell(look.view.attention_own.taps["weights"], (None, None, None))
    runs = [within(every, RunSpec(edits=edits)) for edits in ((), look.view.shown_edits)]
    return measured(look, look.view.most.mean, "shift", *runs)


def translation(look: Look) -> list[str]:
    t, before, after = look.t, look.view.own.text_out, look.view.shown.text_out
    if before is None:
        return []
    moved = "translation_other" if look.view.moved else "translation_would"
    nothing = t("translation_nothing")
    facts = {"before": before or nothing, "after": after or nothing, "other": look.side_name("now")}
    return [paragraph(t, "translation_same" if before == after else moved, **facts)]


def weights(look: Look, which: str) -> Matrix:
    view = look.view.attention_own if which == "own" else look.view.attention_now
    n = len(view.tokens)
    fits = n * n * 4 * view.heads <= STACK
    heads = range(1, view.heads + 1) if fits else (look.values["head"],)
    caption = look.t(f"weights.{which}", other=look.side_name("now"))
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
        words=matrix_words(look.t, "weights_label", caption=caption),
    )
