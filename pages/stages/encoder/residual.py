"""Without the residual: the same weights, nothing carried past a sub-layer. How alike the tokens become."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.training import recorded
from core.views.encoder import alike_without, gradients, sentence_vector, without
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.whole_model import spreads
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.encoder.context import StageContext, lowest, states_of

# what a sentence is compared with, for a loss; the second where it is the first
OTHERS = ("Alice told Bob that she would help him tomorrow.", "The cat sat on the mat.")
DEEPER = 6  # layers of the recorded networks
MERGED, CLOSE = 0.99, 0.8  # mean cosines from which on tokens are called hardly, or hard to be, told apart


def draw(context: StageContext) -> None:
    t = context.t
    cut = merged(*context.key)
    write(heading(t, "residual"), paragraph(t, "residual.said"))
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        components.curves(key="merging", data=merging(context, cut).pack())
    with right:
        write(*said(context, cut))
        spreads(context, *without(context.page.model))
    if len(context.view.tokens) > cached.WHOLE:  # the way back through every weight would take too much memory
        write(paragraph(t, "residual.long", limit=cached.WHOLE))
        return
    if context.page.model.objective == "next" and len(context.view.tokens) < 2:
        write(paragraph(t, "residual.no_next"))
        return
    heard = {name: heard_at(context, cut=name == "without") for name in ("with", "without")}
    grown = heard["without"][0] > heard["with"][0]
    facts = {name: values[0] for name, values in heard.items()}
    write(
        f"<h3>{t.html('residual.gradient')}</h3>",
        paragraph(t, f"residual.loss_{context.page.model.objective}", text=other_than(context.page.text)),
    )
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        components.curves(key="gradient", data=both(context, heard).pack())
    with right:
        write(paragraph(t, "residual.grown" if grown else "residual.shrunk", **facts, **from_scratch()))


def from_scratch() -> dict[str, object]:
    """The loss on examples that were not trained on, of the deeper recorded networks with the residual and without: the
    mean over all sets of initial weights."""
    runs = recorded.family("residual")
    kept, cut = (runs[f"{id}{DEEPER}"] for id in ("kept", "cut"))
    ends = {"kept": fmean(kept.ends), "cut": fmean(cut.ends)}
    return {
        "layers": DEEPER,
        "steps": str(len(kept.loss)),
        "trainings": len(kept.ends),
        "guess": kept.setting.guessing,
        **ends,
    }


def heard_at(context: StageContext, cut: bool) -> list[float]:
    """At each depth how long the gradient is, of the same target with the lines cut."""
    model, values = context.page.model, gradient(*context.key, cut=cut)
    target = context.page.translation.text_out if context.page.translates else None
    given = RunSpec(target=target, edits=without(model)) if cut else None
    compared = Cell(model.depths()[-1], (None, None), RunSpec(other_than(context.page.text)))
    toward = (compared,) if model.objective == "compare" else ()
    kind = "gradient_all_toward" if toward else "gradient_all"
    states = [Cell(tap, (None, None), given) for tap in model.depths()]
    return [measured(context, float(x), kind, state, *toward) for x, state in zip(values, states, strict=True)]


def other_than(text: str) -> str:
    return OTHERS[text == OTHERS[0]]


@cached.shared
def merged(name: str, text: str) -> np.ndarray:
    """[depth] the mean cosine of two tokens where the encoder has no residual."""
    model = cached.model(name)
    return alike_without(states_of(name, text, without(model)), model)


@cached.shared
def gradient(name: str, text: str, cut: bool) -> np.ndarray:
    model = cached.model(name)
    toward = None if model.objective != "compare" else sentence_vector(states_of(name, other_than(text)), model)
    edits = without(model) if cut else ()
    return gradients(model, states_of(name, text), toward, edits)


def merging(context: StageContext, cut: np.ndarray) -> Curves:
    t = context.t
    return Curves(
        x=Along(len(cut), t("residual.depth")),
        y=Upwards(low=lowest(context.view.alike, cut), high=1.0),
        series=[Series(t("residual.with"), "accent"), Series(t("residual.without"), "second")],
        values=[context.view.alike, cut],
        words=CurvesWords(t("residual.label"), t.html("residual.caption")),
        height=230,
        ends=True,
    )


def both(context: StageContext, heard: Mapping[str, Sequence[float]]) -> Curves:
    t, values = context.t, [np.array(line, np.float32) for line in heard.values()]
    return Curves(
        x=Along(len(values[0]), t("residual.depth")),
        y=Upwards(low=0),
        series=[Series(t("residual.with"), "accent"), Series(t("residual.without"), "second")],
        values=values,
        words=CurvesWords(t("residual.gradient")),
        height=230,
        ends=True,
    )


def said(context: StageContext, cut: np.ndarray) -> list[str]:
    t, own = context.t, context.view.alike
    if len(context.view.tokens) < 2:
        return [paragraph(t, "residual.one")]
    taps = context.page.model.depths()
    ends = {"own": -1, "start": 0}
    facts = {name: measured(context, float(own[i]), "alike", Cell(taps[i], (None, None))) for name, i in ends.items()}
    edited = RunSpec(edits=without(context.page.model))
    facts["cut"] = measured(context, float(cut[-1]), "alike", Cell(taps[-1], (None, None)), given=edited)
    found = "merge" if cut[-1] >= MERGED > own[-1] else "close" if cut[-1] >= CLOSE > own[-1] else "compare"
    lines = [paragraph(t, f"residual.{found}", **facts)]
    if context.page.translates:
        lines.append(paragraph(t, "residual.written", **translations(context)))
    return lines


def translations(context: StageContext) -> dict[str, object]:
    """What becomes of the translation without any residual in the encoder."""
    name, text = context.key
    other, nothing = states_of(name, text, without(context.page.model)).text_out or "", context.t("residual.nothing")
    return {
        "own": context.page.translation.text_out or nothing,
        "other": other[:80] + "…" * (len(other) > 80) or nothing,
    }
