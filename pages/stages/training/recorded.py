"""The translator's own training: its curves, what it wrote for a sentence on the way, its heads as they align."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.figures.matrix import Axis, Matrix
from core.training.snapshots import STEPS, measured
from core.views.snapshots import Grown, grown, model_at
from core.zoo import Model, able
from pages.shared.address.address import choice
from pages.shared.page.parts import door, folded, heading, paragraph, paragraphs, shaded, table, write
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.numbers import grouped, percent
from pages.shared.words.texts import Texts, clip
from pages.stages.training.context import Descents, StageContext

MODEL = able("translate")
READ = 40  # characters of a sentence: more cannot be seen in the matrix
WRITTEN = 44  # characters of what an unfinished network writes
OPENS = STEPS[1]  # where something has begun and little is done


def parameters(page: PageContext, view: Descents):
    heads = [id for id, _ in heads_of()]
    return {
        "after": choice(*map(str, STEPS), default=str(OPENS)),
        "head": choice(*heads, default=best_head()),
    }


@cached.once
def at_step(step: int) -> Model:
    return model_at(cached.model(MODEL), step)


def heads_of() -> list[tuple[str, tuple[int, int]]]:
    """The id of every head of the cross-attention, counted from 1, and its place."""
    shares = measured()["steps"][-1]["argmax"]
    return [(f"{i + 1}.{j + 1}", (i, j)) for i, row in enumerate(shares) for j in range(len(row))]


def best_head() -> str:
    best = measured()["steps"][-1]["best"]
    return f"{best['layer'] + 1}.{best['head'] + 1}"


def text_of(page: PageContext) -> str:
    """The visitor's sentence if the translator can read it, else the Chinese site's own."""
    own = page.address.own_text
    readable = page.address.model_of(own) == MODEL and cached.model(MODEL).tokenizer.encode(own)[:-1]
    return own[:READ] if readable else samples.example("zh")


@cached.shared
def grown_on(text: str) -> Grown:
    return grown({step: at_step(step) for step in STEPS}, text)


def draw(context: StageContext) -> None:
    t, text = context.t, text_of(context.page)
    write(heading(t, "recorded"), paragraph(t, "recorded.said", **recipe()))
    left, right = st.columns(2, gap="large")
    metrics = card()["curves"]
    with left:
        components.curves(key="recorded_loss", data=loss(t, metrics).pack())
    with right:
        components.curves(key="recorded_exact", data=exact(t, metrics).pack())
    with st.spinner(t("recorded.reading")):
        found = grown_on(text)
    write(f"<h3 class='part'>{t.html('recorded.one')}</h3>", copies(t, found, text))
    components.controls(key="recorded_controls", data=controls(t).data())
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        components.matrix(key="recorded_matrix", data=matrix(t, found).pack())
    with right:
        write(paragraphs([t.html("recorded.aligned", words=grouped(measured()["steps"][0]["words"]))]))
        door(context.page, "translation", t("recorded.door"))
    write(made(t))


# ---- the curves


@cached.once
def card() -> dict[str, Any]:
    path = cached.model(MODEL).folder / "metrics.json"
    return json.loads(path.read_text(encoding="utf-8"))


def recipe() -> dict[str, str]:
    """On how many sentence pairs it was trained, in how many steps, and how many pairs are in one."""
    found = card()["recipe"]
    return {"trained": grouped(found["sentences"]), "steps": grouped(found["steps"]), "batch": grouped(found["batch"])}


def made(t: Texts) -> str:
    about = measured()
    facts = {"command": "make train", "measure": about["command"], "sentences": about["sentences"]}
    return folded(t.html("recorded.made"), paragraph(t, "recorded.how", **facts))


def loss(t: Texts, curves: dict[str, list[list[float]]]) -> Curves:
    """The loss before the first step, and then of every 25th."""
    values = np.array([value for _, value in curves["loss"]], np.float32)
    by = int(curves["loss"][1][0])
    marks = [Mark(step, float(values[step // by]), grouped(step)) for step in STEPS[1:-1]]
    axis = Along(len(values), t("recorded.step"), step=by)
    words = CurvesWords(t("recorded.loss"), t.html("recorded.loss_caption", by=by))
    return Curves(axis, Upwards(low=0), [Series(t("recorded.loss_name"))], [values], words, 190, marks=marks)


def exact(t: Texts, curves: dict[str, list[list[float]]]) -> Curves:
    """The share of held-out sentences that were translated word for word."""
    first, by = int(curves["sentence"][0][0]), int(curves["sentence"][1][0] - curves["sentence"][0][0])
    series = [Series(t("recorded.sentence")), Series(t("recorded.pair"), "second")]
    values = [np.array([share for _, share in curves[which]], np.float32) for which in ("sentence", "pair")]
    axis = Along(len(values[0]), t("recorded.step"), from_=first, step=by)
    words = CurvesWords(t("recorded.exact"), t.html("recorded.exact_caption"))
    return Curves(axis, Upwards(low=0, high=1), series, values, words, 190)


# ---- the heads


def controls(t: Texts) -> Controls:
    steps = Control("after", t("recorded.after"), [(str(n), grouped(n)) for n in STEPS], first=str(OPENS))
    heads = [(id, id) for id, _ in heads_of()]
    return Controls([steps, Control("head", t("recorded.heads"), heads, first=best_head())])


def matrix(t: Texts, found: Grown) -> Matrix:
    """Each word that is written against each character, at the chosen step and head."""
    planes = {f"{step}/{id}": found.weights[step][place] for step in STEPS for id, place in heads_of()}
    rows, columns = found.target, found.source
    return Matrix(
        id="recorded_matrix",
        planes=planes,
        rows=Axis("target", len(rows), rows),
        columns=Axis("source", len(columns), columns),
        name=("after", "head"),
        reach=1.0,
        fragment="section",
        side=420,
        still=True,
        words=matrix_words(t, "recorded.matrix", caption=t("recorded.matrix_caption")),
    )


def copies(t: Texts, found: Grown, text: str) -> str:
    """What each copy wrote; and of every head, the share of content words that look most at a character they render."""
    rows: list[Sequence[object]] = []
    for one in measured()["steps"]:
        shares = [shaded(share, f"{percent(share)}\u00a0%") for layer in one["argmax"] for share in layer]
        rows.append([grouped(one["step"]), clip(found.wrote[one["step"]] or "–", WRITTEN), *shares])
    head = (t("recorded.step"), t("recorded.wrote", text=text), *(id for id, _ in heads_of()))
    return f"<p class='soft'>{t.html('recorded.every')}</p>" + table(rows, head, "counted wrote")
