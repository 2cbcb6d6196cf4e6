"""Where the gradient flows in the small layer, and one real step down it."""

from itertools import pairwise

import numpy as np
import streamlit as st

from core.errors import InputError
from core.figures.controls import Control
from core.figures.flow import Flow, FlowWords, Line, Node, Part
from core.views import small_layer as views
from core.views.small_layer import LEARNED, Step
from pages.shared.address.address import choice, real
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.shared.words.texts import typeset
from pages.stages.attention.context import StageContext
from pages.stages.attention.maps import captioned, grid
from pages.stages.attention.small_layer import NAMES, WORDS, refused

FASTEST = 10
CORNER = 1e-4  # beyond it, autograd and finite differences do not mean the same
WAY = {  # where the gradient arrives: row and column of the picture, and the matrix it meets there
    "logits": (1, 0, "E"),
    "output": (2, 0, ""),
    "residual2": (3, 0, ""),
    "fed": (4, 0, "W2"),
    "hidden": (5, 0, "W1"),
    "normed": (6, 0, ""),
    "residual": (7, 0, ""),
    "attended": (8, 0, "WO"),
    "context": (9, 0, ""),
    "V": (10, 0, "WV"),
    "weights": (10, 1, ""),
    "scores": (11, 1, ""),
    "Q": (12, 1, "WQ"),
    "K": (12, 2, "WK"),
    "X": (13, 0, ""),
}
COLUMNS = {"V": 1, "weights": 2, "scores": 2, "Q": 1, "K": 1}  # how wide, where it is not the whole width
PAST = (("residual2", "normed"), ("residual", "X"))  # the residual connections


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
    left, right = st.columns([1, 1.1], gap="large")
    with left:
        components.flow(key="flow", data=flow(context, made).data())
    with right:
        write(changed(context, made), paragraphs(words(context, made)))


def step_of(context: StageContext) -> Step:
    return stepped(context.values["put"], WORDS.index(context.values["target"]), context.values["eta"])


@cached.shared
def stepped(put: str, target: int, rate: float) -> Step:
    return views.step(views.numbers(views.changes(put)), target, rate)


def flow(context: StageContext, made: Step) -> Flow:
    """From the loss back to X: how large the gradient is that arrives at each state, and at the matrix used there."""
    t, sizes = context.t, {name: float(np.linalg.norm(gradient)) for name, gradient in made.gradients.items()}
    carried = arriving(made)
    most = max(carried.values()) or 1.0

    def part(name: str) -> Part | None:
        return Part(NAMES.get(name, name), short(sizes[name]), {"learned": name}) if name else None

    nodes = [Node("loss", t("step.states.loss"), 0, wide=3, number=short(made.loss))]
    for name, (row, column, matrix) in WAY.items():
        title, wide = t(f"step.states.{name}"), COLUMNS.get(name, 3)
        nodes.append(Node(name, title, row, column, wide, short(sizes[name]), part(matrix)))
    lines = [Line(*ends, size / most, past=ends in PAST) for ends, size in carried.items()]
    return Flow(3, nodes, lines, FlowWords(t("step.flow_label"), t("step.flow_caption")))


def arriving(made: Step) -> dict[tuple[str, str], float]:
    """How large the gradient is that each line of the picture carries: from where it comes, and where it arrives. Where
    two come together, they are added there."""
    gradients, matrices = made.gradients, made.before
    parts = {
        ("hidden", "normed"): gradients["normed"] - gradients["residual2"],
        ("residual2", "normed"): gradients["residual2"],
        ("residual", "X"): gradients["residual"],
        **{(name, "X"): gradients[name] @ matrices[f"W{name}"].T for name in "QKV"},
    }
    chain = ["logits", "output", "residual2", "fed", "hidden"], ["normed", "residual", "attended", "context"]
    whole = [
        ("loss", "logits", gradients["logits"]),
        *((a, b, gradients[b]) for one in chain for a, b in pairwise(one)),
    ]
    whole += [("context", name, gradients[name]) for name in ("V", "weights")]
    whole += [(a, b, gradients[b]) for a, b in (("weights", "scores"), ("scores", "Q"), ("scores", "K"))]
    carried = {(a, b): gradient for a, b, gradient in whole} | parts
    return {ends: float(np.linalg.norm(gradient)) for ends, gradient in carried.items()}


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
    return captioned(typeset(name), grid(values.tolist(), [""] * len(values), [""] * values.shape[1]))


def words(context: StageContext, made: Step) -> list[str]:
    t, (old, new) = context.t, made.states
    target = made.target
    chances = {"before": float(old["probabilities"][1, target]), "after": float(new["probabilities"][1, target])}
    facts = {"word": WORDS[target], "loss": made.loss, "new_loss": made.new_loss}
    seen = made.rate == 0 or short(made.loss) != short(made.new_loss)
    key = "stayed" if not seen else "fell" if made.new_loss < made.loss else "rose"
    said = [t.html(f"step.{key}", **facts, **chances)]
    sizes = {name: float(np.linalg.norm(made.gradients[name])) for name in ("V", "weights")}
    said.append(t.html("step.parallel", value=sizes["V"], weights=sizes["weights"]))
    check = "step.checked" if made.difference < CORNER else "step.corner"
    return [*said, t.html(check, difference=made.difference)]
