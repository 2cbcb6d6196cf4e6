"""What if: one thing is changed, and the sheet shows how far that spreads."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import edits
from core.capture import Capture, fitting
from core.edits import Edit
from core.errors import InputError
from core.figures.controls import Control, Controls, numbered
from core.figures.sheet import Spread
from core.run_spec import RunSpec
from core.views import sheet
from core.views.vectors import cosine
from core.zoo import Model
from pages.shared.address.address import Table, choice, whole
from pages.shared.number.cell_path import run_prefix
from pages.shared.page.context import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.overview.context import StageContext

NONE, MUTE = "none", "mute"
WHOLE = {"zero": edits.zero_positions, "cut": edits.cut, "lift": edits.lift_mask}


def offered(model: Model) -> tuple[str, ...]:
    """The changes that there is something for in a model."""
    return (NONE, *(id for id, make in WHOLE.items() if fits(model, make())), MUTE)


def fits(model: Model, edit: Edit) -> bool:
    try:
        return bool(fitting(model, edit))
    except InputError:
        return False


def parameters(page: PageContext) -> Table:
    model = page.model
    return {
        "what": choice(*offered(model), default=NONE),
        "layer": whole(1, model.config.layers, 1),
        "head": whole(1, model.config.heads, 1),
    }


def controls(context: StageContext) -> None:
    """Which change, and which head where it is one that is muted. Whoever tries one while a question is open has waved
    that off: what comes out would answer it."""
    t, model = context.t, context.page.model
    names = [(id, t(f"what_if.{id}")) for id in offered(model)]
    shown = [Control("what", t("what_if.label"), names, NONE, {"guess": "skip"} if context.veiled else {})]
    if context.values["what"] == MUTE:
        shown += [
            Control("layer", t("what_if.layer"), numbered(model.config.layers), 1, stepper="always"),
            Control("head", t("what_if.head"), numbered(model.config.heads), 1, stepper="always"),
        ]
    with st.container(key="what_if"):
        components.controls(key="controls", data=Controls(shown).data())


def given(context: StageContext) -> RunSpec | None:
    """The changed run: the same tokens, whatever it would write itself. None where nothing is changed, or may be seen
    as yet."""
    what = context.values["what"]
    if what == NONE or context.veiled:
        return None
    model, values = context.page.model, context.values
    edit = WHOLE[what]() if what in WHOLE else edits.mute(model.attentions[0], values["layer"], values["head"])
    target = context.page.translation.text_out if model.translates else None
    return RunSpec(target=target or None, edits=(edit,))


@dataclass(frozen=True, eq=False)
class Changed:
    """How far everything is apart, and what came out: of a model that writes the words that became others, before and
    after; of one that reads, how alike the mean of the last states still is."""

    lengths: tuple[np.ndarray, ...]
    words: tuple[tuple[str, str], ...]
    alike: float

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.lengths)


def spread(context: StageContext, of: str) -> Spread:
    run = given(context)
    if run is None:
        return Spread(of, "", "", ())
    found = changed(*context.key, run)
    return Spread(spread_id(of, context), run_prefix(run), said(context, found), found.lengths)


def spread_id(of: str, context: StageContext) -> str:
    """What the tiles are of: the sheet itself, or the difference that a change makes."""
    run = given(context)
    return of if run is None else f"{of} {run_prefix(run)}"


@cached.shared
def changed(name: str, text: str, given: RunSpec) -> Changed:
    model = cached.model(name)
    read = sheet.taps(model)
    before = cached.capture(name, text, only=read, target=given.target)
    after = cached.capture(name, text, only=read, target=given.target, edits=given.edits)
    pairs = zip(sheet.said(before, model), sheet.said(after, model), strict=True) if not model.translates else ()
    words = [(one.text, other.text) for one, other in pairs if one.id != other.id]
    if model.translates:
        words = likeliest(before, after, model)
    end = model.depths()[-1]
    means = (run[end].astype(np.float64).mean(0) for run in (before, after))
    return Changed(sheet.spread(before, after, sheet.columns(model)), tuple(words), float(cosine(*means)))


def likeliest(before: Capture, after: Capture, model: Model) -> list[tuple[str, str]]:
    """Of a translation that is held to the same words: where another word would now be likeliest."""
    ids = (run["output.probabilities"].argmax(-1).tolist() for run in (before, after))
    assert model.words is not None
    return [(model.words.piece_of(a), model.words.piece_of(b)) for a, b in zip(*ids, strict=True) if a != b]


def said(context: StageContext, found: Changed) -> str:
    """The end of the way: what comes out otherwise."""
    t = context.t
    if context.page.model.objective == "compare":
        return t("what_if.vector", cosine=found.alike)
    if not found.words:
        return t("what_if.same")
    some = t("what_if.between").join(t("what_if.became", before=a, after=b) for a, b in found.words[:4])
    return t("what_if.words", count=len(found.words), some=some)
