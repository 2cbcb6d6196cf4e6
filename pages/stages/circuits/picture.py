"""The pictures: the sum, its largest parts one after the other; all parts where they stand; and the controls above."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls, More
from core.figures.matrix import Axis, Matrix
from core.figures.shares import Share, Shares
from core.views.circuits import spoken
from pages.shared.page.controls import text_box
from pages.shared.page.parts import write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.words.numbers import fixed, grouped, short
from pages.shared.words.texts import clip
from pages.stages.circuits.context import LONGEST, StageContext

SHOWN = 9  # parts of the sum that have a row
ADDING = 3  # digits behind the point, with which the column adds up
LETTERS = 9  # of a token
OFFERED = 5  # words to choose from
NOWHERE = 0, 9  # layer and part of what is no single part
ALL: dict[str, object] = dict(zip(("layer", "part"), NOWHERE, strict=True))


def asked_words(context: StageContext) -> None:
    components.controls(key="controls", data=controls(context).data())


def controls(context: StageContext) -> Controls:
    """The words that are asked about: among the likeliest, or typed."""
    t, found = context.t, context.view.found
    best = context.view.best.tolist()
    asked = list(dict.fromkeys([*best[:OFFERED], found.word]))
    others = [id for id in dict.fromkeys([*best[: OFFERED + 1], *given(context)]) if id != found.word]
    then = {"layer": None, "part": None, "trail": None}

    def option(id: int) -> tuple[str, str]:
        return context.written(id), context.say(id)

    first, also = context.written(best[0]), {**then, "against": None}
    gap = t("nothing") if found.against is None else spoken(context.model, found.against)
    return Controls(
        [
            Control("word", t("word"), [option(id) for id in asked], first=first, also=also),
        ],
        More(
            t("typed.open"),
            [
                Control("against", t("against"), [(None, t("nothing")), *map(option, others)], also=then),
                typed(context, "word", spoken(context.model, found.word), then),
                typed(context, "against", gap, then),
            ],
        ),
    )


def typed(context: StageContext, name: str, shown: str, also: Mapping[str, object]) -> Control:
    """A word that is not offered."""
    return text_box(context, name, context.t(f"typed.{name}"), LONGEST, shown=shown, also=also, short=True)


def given(context: StageContext) -> list[int]:
    """The second word that is set, and the one the model's own example has."""
    set_now = context.view.found.against
    return [id for id in (set_now, context.example_against) if id is not None]


def sum_of(context: StageContext) -> Shares:
    """The largest parts, each bar beginning where the one before ended; then all others at once, and what all come
    to. Where the layer of the largest is asked, those of its kind are called by their kind alone."""
    t, found = context.t, context.view.found
    order = shown(context)
    rest = len(found.parts) - len(order)
    others = found.total - float(found.values[order].sum())
    steps = [*found.values[order], *([others] if rest else [])]
    ends = np.cumsum([0.0, *steps])
    low, high = float(ends.min()), float(ends.max())
    reach = (high - low) or 1.0

    def row(i: int, id: str, name: str, value: float, picks: Mapping[str, object], said: str = "") -> Share:
        begins, after = (0.0, value) if id == "all" else (float(ends[i]), float(ends[i + 1]))
        start = (min(begins, after) - low) / reach
        bar = {"share": abs(after - begins) / reach, "start": start, "negative": value < 0, "rest": id == "rest"}
        return Share(id, name, fixed(value, ADDING), said, picks=picks, total=id == "all", **bar)

    whole = {} if context.veiled else dict(ALL)
    rows = []
    for i, at in enumerate(order):
        layer, part = context.view.place(found.parts[at])
        picks = {} if context.veiled else {"layer": layer, "part": part}
        rows.append(row(i, str(i), context.name(found.parts[at]), float(found.values[at]), picks, looked(context, at)))
    if rest:
        rows.append(row(len(order), "rest", t("picture.rest", others=grouped(rest)), others, whole))
    rows.append(row(0, "all", context.whole, found.captured, whole))
    return Shares(
        param="",
        first=str(order.index(context.unasked)) if context.veiled and context.unasked in order else "",
        rows=rows,
        head=[t("picture.part"), "" if context.covered else t("picture.looks"), t("picture.adds"), ""],
        label=t("picture.label"),
        caption=t.together([t("picture.signs" if min(steps) < 0 else "picture.together"), *both_ways(context)]),
        added=True,
    )


def shown(context: StageContext) -> list[int]:
    """The parts that have a row, what adds or takes most first."""
    return context.view.found.ranked[:SHOWN].tolist()


def both_ways(context: StageContext) -> list[str]:
    """How much those without a row add, and how much they take away, where they do both: their sum tells neither."""
    found = context.view.found
    rest = found.values[found.ranked[SHOWN:]]
    adding, taking = float(rest[rest > 0].sum()), float(-rest[rest < 0].sum())
    if not adding or not taking:
        return []
    facts = {"others": grouped(len(rest)), "adding": short(adding), "taking": short(taking)}
    return [context.t("picture.rest_said", **facts)]


def looked(context: StageContext, i: int) -> str:
    """Of a head, the token that it looks at most; of the one that is asked about, that this is asked."""
    part = context.view.found.parts[i]
    if part.kind != "head" or context.covered:
        return ""
    if context.veiled and i == context.view.first_head:
        return "?"
    return clip(context.token_name(int(context.view.looks(part).argmax())), LETTERS)


def parts_map(context: StageContext) -> None:
    with st.container(key="parts_map"):
        write(f"<h2 class='part'>{context.t.html('grid.heading')}</h2>")
        components.matrix(key="matrix", data=grid(context).pack())


def grid(context: StageContext) -> Matrix:
    """Every part where it stands: a column a layer, a row a head, and the feed-forward network below."""
    t, view = context.t, context.view
    names = [*(t("rows.head", head=head + 1) for head in range(view.heads)), t("rows.feedforward"), t("rows.bias")]
    values = seen(context)
    return Matrix(
        id="parts",
        planes={"": values},
        rows=Axis("part", view.rows, names[: view.rows], room=12),
        columns=Axis("layer", view.layers, from_=1, word=t("layer")),
        reach=float(np.abs(view.grid).max()),
        root=True,
        legend="above",
        signed=True,
        tall=16 * view.rows,
        words=matrix_words(t, "grid.label", title=t("grid.title"), caption=caption(context), corner=t("layer")),
    )


def seen(context: StageContext) -> np.ndarray:
    """The grid, without the kind of part whose layer is asked."""
    values = context.view.grid
    for part in filter(context.hides, context.view.found.parts):
        layer, row = context.view.place(part)
        values[row, layer - 1] = np.nan
    return values


def caption(context: StageContext) -> str:
    """What stands in no layer is said under it; and how colours deepen."""
    t, found = context.t, context.view.found
    outside = [i for i, part in enumerate(found.parts) if part.layer is None]
    if context.covered and context.question:
        return t("grid.veiled", kind=t(f"grid.kinds.{context.question.facts['kind']}"))
    said = t("comma").join(f"{context.name(found.parts[i])} {short(float(found.values[i]))}" for i in outside)
    return t("grid.caption", outside=said)
