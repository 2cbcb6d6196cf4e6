"""Where the gradient flows in the small layer, and one real step down it."""

import numpy as np
import streamlit as st

from core.errors import InputError
from core.figures.controls import Control
from core.views import small_layer as views
from core.views.small_layer import LEARNED, Step
from pages.shared.address.address import choice, real
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.attention.context import StageContext
from pages.stages.attention.maps import captioned, grid
from pages.stages.attention.small_layer import NAMES, WORDS, refused

FASTEST = 10
CORNER = 1e-4  # beyond it, autograd and finite differences do not mean the same
WAY = {  # where the gradient arrives, in its order, and the matrices it passes on the way
    "logits": "E",
    "output": "",
    "residual2": "",
    "fed": "W2",
    "hidden": "W1",
    "normed": "",
    "residual": "",
    "attended": "WO",
    "context": "",
    "V": "WV",
    "weights": "",
    "scores": "",
    "Q": "WQ",
    "K": "WK",
}


def parameters(page, view):
    return {
        "target": choice(*WORDS, default=WORDS[-1]),
        "eta": real(0, FASTEST, 0.5),
        "learned": choice(*LEARNED, default="WQ"),
    }


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "step"), paragraphs([t.html("step.said")]))
    controls(
        "step",
        Control("target", t("step.target"), [(word, word) for word in WORDS]),
        typed(t, "eta", t("step.rate"), 0, FASTEST, step=0.1),
        Control("learned", t("step.learned"), [(id, NAMES.get(id, id)) for id in LEARNED], stepper="never"),
    )
    try:
        made = step_of(context)
    except InputError as error:
        write(f"<p class='note'>{refused(t, error)}</p>", paragraphs([t.html("step.mend")]))
        return
    heads = [t(f"step.{name}") for name in ("arrives", "size", "learns", "size")]
    left, right = st.columns([1, 1.3], gap="large")
    with left:
        write(table(way(context, made), heads, kind="sums"))
    with right:
        write(changed(context, made), paragraphs(words(context, made)))


def step_of(context: StageContext) -> Step:
    return stepped(context.values["put"], WORDS.index(context.values["target"]), context.values["eta"])


@cached.shared
def stepped(put: str, target: int, rate: float) -> Step:
    return views.step(views.numbers(views.changes(put)), target, rate)


def way(context: StageContext, made: Step) -> list[list[object]]:
    """How large the gradient is that arrives at each state, and at the matrix that is used there."""

    def size(name: str) -> float:
        return float(np.linalg.norm(made.gradients[name]))

    return [
        [context.t(f"step.states.{name}"), size(name), NAMES.get(matrix, matrix), size(matrix) if matrix else ""]
        for name, matrix in WAY.items()
    ]


def changed(context: StageContext, made: Step) -> str:
    """One matrix before, its gradient, the matrix after; the attention before and after."""
    t, name = context.t, context.values["learned"]
    known = NAMES.get(name, name)
    was, now = (t(f"step.{when}", name=known) for when in ("before", "after"))
    times = f"− {short(made.rate)} ×"
    shown = [plain(was, made.before[name]), times, plain(t("step.gradient"), made.gradients[name])]
    old, new = (states["weights"] for states in made.states)
    attention = [plain(t("step.before", name="α"), old), "→", plain(t("step.after", name="α"), new)]
    lines = [*shown, "=", plain(now, made.after[name])], attention
    return "".join(f"<div class='maps'>{''.join(line)}</div>" for line in lines)


def plain(name: str, values: np.ndarray) -> str:
    """A small matrix under its name."""
    return captioned(name, grid(values.tolist(), [""] * len(values), [""] * values.shape[1]))


def words(context: StageContext, made: Step) -> list[str]:
    t, (old, new) = context.t, made.states
    target = made.target
    chances = {"before": float(old["probabilities"][1, target]), "after": float(new["probabilities"][1, target])}
    facts = {"word": WORDS[target], "loss": made.loss, "new_loss": made.new_loss}
    said = [t.html("step.fell" if made.new_loss < made.loss else "step.rose", **facts, **chances)]
    sizes = {name: float(np.linalg.norm(made.gradients[name])) for name in ("V", "weights")}
    said.append(t.html("step.parallel", value=sizes["V"], weights=sizes["weights"]))
    check = "step.checked" if made.difference < CORNER else "step.corner"
    return [*said, t.html(check, difference=made.difference)]
