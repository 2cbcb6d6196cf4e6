"""The sources' example of two tokens as a calculator, carried on through a whole layer to the next word."""

import math
from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.errors import InputError
from core.figures.controls import Control
from core.figures.worksheet import Block, Worksheet, WorksheetLine
from core.lessons.small_layer import small_layer
from core.views import small_layer as views
from core.views.small_layer import GIVEN
from pages.shared.address.address import Parameter, choice
from pages.shared.address.visit import on_press
from pages.shared.page.controls import controls
from pages.shared.page.parts import code, heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.texts import Texts
from pages.stages.attention.context import StageContext

NAMES = {
    "WQ": "W^Q", "WK": "W^K", "WV": "W^V", "WO": "W^O", "W1": "W₁", "W2": "W₂", "products": "q·k", "weights": "α",
    "scores": "q·k ÷ √2", "context": "α·V", "attended": "α·V·W^O", "residual": "X + α·V·W^O", "normed": "LN",
    "hidden": "ReLU", "fed": "·W₂", "residual2": "LN + ·W₂", "output": "LN", "probabilities": "softmax",
}  # fmt: skip
ROWS = ("1", "2")
WORDS = ("A", "B", "C")
LINES: dict[str, tuple[str, ...]] = {  # of each line, matrices by name and the signs between
    "project": ("X", "| X ·", "WQ", "=", "Q", "X ·", "WK", "=", "K", "X ·", "WV", "=", "V"),
    "attend": (
        "Q",
        "·",
        "K",
        "ᵀ =",
        "products",
        "→",
        "scores",
        "→",
        "weights",
        "| ",
        "weights",
        "·",
        "V",
        "=",
        "context",
    ),
    "output": ("context", "·", "WO", "=", "attended", "| ", "residual", "→", "normed"),
    "feed": (
        "normed",
        "·",
        "W1",
        "→",
        "hidden",
        "| ",
        "hidden",
        "·",
        "W2",
        "=",
        "fed",
        "| ",
        "residual2",
        "→",
        "output",
    ),
    "choose": ("output", "·", "E", "→", "logits", "→", "probabilities"),
}
USUAL = {
    f"{name}.{i}.{j}": f"{value:g}".replace("-", "−")
    for name, rows in GIVEN.items()
    for i, row in enumerate(rows)
    for j, value in enumerate(row)
}


def parameters(page, view):
    return {
        "line": choice(*LINES, default="project"),
        "put": Parameter(lambda raw: raw if len(raw) <= views.LONGEST else None, "", "WQ.0.1=2"),
    }


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "hand"), paragraphs([t.html("hand.said")]))
    typed, states, problem = computed(t, context.values["put"])
    controls("line", Control("line", t("hand.line"), [(id, t(f"hand.steps.{id}")) for id in LINES], first="project"))
    components.worksheet(key="worksheet", data=sheet(t, typed, states).data())
    write(f"<p class='note'>{problem}</p>" if problem else paragraphs(words(t, states, context.values["line"])))
    st.button(t("hand.back"), key="hand_back", type="tertiary", on_click=on_press(context, put=None))
    code(small_layer)


def computed(t: Texts, put: str) -> tuple[dict[str, str], dict[str, np.ndarray], str]:
    """What was typed; every state, none where a number cannot be used; and the sentence that says so."""
    typed: dict[str, str] = {}
    try:
        typed = views.changes(put)
        return typed, states_of(put), ""
    except InputError as error:
        return typed, {}, refused(t, error)


@cached.shared
def states_of(put: str) -> dict[str, np.ndarray]:
    """Raises InputError."""
    return views.states(views.numbers(views.changes(put)))


def refused(t: Texts, error: InputError) -> str:
    facts = dict(error.parameters)
    if "matrix" in facts:
        facts["place"] = f"{NAMES.get(str(facts['matrix']), facts['matrix'])}[{facts['row']}, {facts['column']}]"
    return t.html(f"hand.{error.code}", **facts)


def sheet(t: Texts, typed: Mapping[str, str], states: Mapping[str, np.ndarray]) -> Worksheet:
    lines = [
        WorksheetLine(
            id,
            t(f"hand.lines.{id}"),
            [block(item, typed, states) if item.isalnum() else item for item in items],
        )
        for id, items in LINES.items()
    ]
    return Worksheet("put", typed, USUAL, lines, t("hand.label"))


def block(name: str, typed: Mapping[str, str], states: Mapping[str, np.ndarray]) -> Block:
    given = name in GIVEN
    return Block(
        id=name,
        name=NAMES.get(name, name),
        cells=given_cells(name, typed) if given else cells(states.get(name), columns_of(name)),
        given=given,
        rows=WORDS if name == "E" else () if given and name != "X" else ROWS,
        columns=WORDS if name in ("logits", "probabilities") else (),
        marked=[(1, word) for word in likeliest(states)] if name == "probabilities" and states else (),
    )


def given_cells(name: str, typed: Mapping[str, str]) -> list[list[str]]:
    places = [[f"{name}.{i}.{j}" for j in range(len(row))] for i, row in enumerate(GIVEN[name])]
    return [[typed.get(place, USUAL[place]) for place in row] for row in places]


def cells(values: np.ndarray | None, columns: int) -> list[list[str]]:
    """As they are written; empty where there are none."""
    return [[""] * columns] * len(ROWS) if values is None else [list(map(decimals, row)) for row in values]


def decimals(value: float) -> str:
    """As many behind the point in every cell: the points stand below each other."""
    return f"{value:.3f}".replace("-", "−") if abs(value) >= 5e-4 else "0"


def columns_of(name: str) -> int:
    if name in ("logits", "probabilities"):
        return len(WORDS)
    return 2 if name in ("Q", "K", "V", "products", "scores", "weights", "context") else 4


def words(t: Texts, states: Mapping[str, np.ndarray], line: str) -> list[str]:
    """What there is to say of a step: how scores become weights, and the next word."""
    if line == "attend":
        return attends(t, states)
    return [chooses(t, states)] if line == "choose" else []


def attends(t: Texts, states: Mapping[str, np.ndarray]) -> list[str]:
    """The first row from score to weight; what another divisor would give."""
    scores, weights = states["scores"][0], states["weights"][0]
    wrong = np.exp(states["products"][0] / 2)
    facts = {"a": float(scores[0]), "b": float(scores[1]), "p": float(weights[0]), "r": float(weights[1])}
    said = [t.html("hand.row", **facts)]
    if abs(wrong[0] / wrong.sum() - weights[0]) > 5e-4:
        said.append(t.html("hand.wrong", p=float(wrong[0] / wrong.sum()), r=float(wrong[1] / wrong.sum())))
    return said


def chooses(t: Texts, states: Mapping[str, np.ndarray]) -> str:
    best = likeliest(states)
    chance = float(states["probabilities"][1, best[0]])
    said = t("comma").join(WORDS[word] for word in best)
    return t.html("hand.next" if len(best) == 1 else "hand.next_tied", word=said, chance=chance, loss=-math.log(chance))


def likeliest(states: Mapping[str, np.ndarray]) -> list[int]:
    """The word with the highest probability after token 2, or those that share it."""
    chances = states["probabilities"][1]
    return np.flatnonzero(np.isclose(chances, chances.max(), rtol=1e-9, atol=0)).tolist()
