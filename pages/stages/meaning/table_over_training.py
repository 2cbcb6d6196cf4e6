"""Where the rows come from: the translator's table before, while and after it was trained."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.figures.cloud import Cloud
from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.text.unicode import is_cjk
from core.training.translator import Recipe
from core.views import maps
from core.views.learning import STEPS, losses, pulled_in, snapshot
from core.views.maps import Plan, quality
from core.views.meaning import Group, Space, mean_cosine, split, word_set
from core.zoo import able
from pages.shared.address.address import Parameter, choice
from pages.shared.page import parts
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.numbers import short
from pages.stages.meaning.context import StageContext, nearest_words, opening
from pages.stages.meaning.groups import name_of
from pages.stages.meaning.picture import cloud_words, ends

MODEL = able("translate")  # whose training was recorded
LAST = 6000  # steps of the whole training
SMOOTHING = Recipe.smoothing  # of the labels
ALL = (*STEPS, LAST)
WORDS = ("三", "teacher", "bought", "狗")  # whose nearest rows are listed at every step
PLANES = ("same", "own")  # every step seen from one side, or each step with a map of its own


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    return {
        "trained": choice(*map(str, ALL), default=str(LAST)),
        "grown": choice(*WORDS, default=WORDS[0]),
        "plane": choice(*PLANES, default=PLANES[0]),
    }


class Grown:
    """One step of training: the words drawn, how pure the space is, and each word's nearest rows."""

    def __init__(self, space: Space):
        sample = opening(MODEL)
        groups = [Group(id, tuple(split(sample["groups"][id]))) for id in sample["opens"]]
        self.words = word_set(space, groups)
        self.drawn = maps.draw(self.words.vectors, Plan())
        self.neighbours = nearest_words(self.words)
        self.purity = quality(self.words.vectors, self.words.groups, "cosine")
        found = {text: space.word(text) for text in WORDS}
        self.near = {text: space.neighbours(word, 6) for text, word in found.items() if word}
        self.alike = alike(space)
        self.rank = rank(space, "[PAD]", WORDS[-1])
        self.nbytes = self.words.nbytes + self.drawn.nbytes


def rank(space: Space, piece: str, word: str) -> int:
    """As which of the rows nearest to `word` a piece comes, counted from 1."""
    ids = space.ids
    cosines = space.cosines(space.table[ids[word]])
    cosines[ids[word]] = -np.inf
    return int((cosines > cosines[ids[piece]]).sum()) + 1


def alike(space: Space) -> dict[str, float]:
    """How alike rows are that the output never writes, and those it writes."""
    pieces = space.model.tokenizer.pieces
    read = characters(pieces)
    said = [id for id, piece in enumerate(pieces) if piece.isascii() and piece.isalpha()]
    return {
        "chinese": mean_cosine(space.table, read),
        "english": mean_cosine(space.table, said),
        "pad": mean_cosine(space.table, [pieces.index("[PAD]")], read),
    }


def characters(pieces: Sequence[str]) -> list[int]:
    """The rows of Chinese characters, which the output never writes."""
    return [id for id, piece in enumerate(pieces) if any(map(is_cjk, piece))]


@cached.shared
def pulled() -> tuple[str, float]:
    """The translation of the site's Chinese example, and the percentage of pairs (position, character) that its
    gradient pulls in."""
    model, text = cached.model(MODEL), samples.example("zh")
    target = cached.translation(MODEL, text).text_out or ""
    return target, 100 * pulled_in(model, text, target, characters(model.tokenizer.pieces), SMOOTHING)


@cached.shared
def grown(step: int) -> Grown:
    stored = snapshot(cached.model(MODEL), step).table
    return Grown(Space(cached.model(MODEL), stored, np.linalg.norm(stored, axis=1)))


@cached.shared
def plane() -> np.ndarray:
    """[d_model, 2]: the two directions in which the trained words spread most."""
    trained = grown(LAST).words.vectors
    return np.linalg.svd(trained - trained.mean(0), full_matrices=False)[2][:2].T


def seen(step: int) -> np.ndarray:
    """[word, 2]: a step's words from that side, about the trained words' middle."""
    return (grown(step).words.vectors - grown(LAST).words.vectors.mean(0)) @ plane()


def draw(context: StageContext) -> None:
    """How near became near: a map and the nearest rows of a word, at a few steps of the training."""
    t, step, word = context.t, int(context.values["trained"]), context.values["grown"]
    parts.write(parts.heading(t, "grew"), parts.paragraphs([t.html("grew_said", last=f"{LAST:,}")]))
    with st.spinner(t("grew_drawing")):
        found = {n: grown(n) for n in ALL}
    components.controls(key="grown_controls", data=controls(context).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        picture(context, found[step], step)
    with right:
        components.curves(key="grown_loss", data=loss(context, step).pack())
        parts.write(steps_table(context, found, step, word), parts.paragraph(t, "grew_found", **purities(found)))
    more = parts.paragraphs(said(context, found[step]))
    parts.write(parts.folded(t.html("grew_more"), more))


def controls(context: StageContext) -> Controls:
    t = context.t
    words = Control("grown", t("grown"), [(word, word) for word in WORDS])
    return Controls([words, Control("plane", t("plane_label"), [(id, t(f"plane.{id}")) for id in PLANES])])


def loss(context: StageContext, step: int) -> Curves:
    """The loss along the training; the chosen step is marked."""
    t, curve = context.t, losses(cached.model(MODEL))
    every = curve[1][0] - curve[0][0]
    now = next(value for at, value in curve if at == step)
    return Curves(
        x=Along(len(curve), t("step"), step=every),
        y=Upwards(low=0),
        series=[Series(t("grew_loss"))],
        values=[np.array([value for _, value in curve], np.float32)],
        marks=[Mark(step, now, short(now), "end" if step > LAST / 2 else "start")],
        height=150,
        words=CurvesWords(t("grew_loss_label")),
    )


def picture(context: StageContext, here: Grown, step: int) -> None:
    """The same words at every step; the word that is followed is marked."""
    same = context.values["plane"] == "same"
    near, alike = here.neighbours
    names = list(dict.fromkeys(here.words.groups))
    drawn = Cloud(
        param="grown",
        also={},
        texts=[each.text for each in here.words.words],
        groups=[names.index(group) for group in here.words.groups],
        names=[name_of(context.t, id) for id in names],
        dimensions=2,
        points=seen(step) if same else here.drawn.points,
        near=near,
        cosines=alike,
        words=replace(cloud_words(context), run=context.t("trained")),
        fixed=True,
        snapshots=ALL,
        snapshot=step,
        by="trained",
        each=0,
        ends=ends([seen(n) for n in ALL]) if same else (),
        legend=same,
    )
    components.cloud(key="grown_map", data=drawn.pack())


def steps_table(context: StageContext, found: Mapping[int, Grown], now: int, word: str) -> str:
    """A line a step: purity in the space, and the nearest rows of the word."""
    t = context.t
    rows = [
        (f"{step:,}", f"{each.purity.purity:.3f}", " ".join(row.piece for row in each.near[word][:5]))
        for step, each in found.items()
    ]
    head = (t("step"), t("purity"), t("nearest_to", word=word))
    return parts.table(rows, head, marked=[list(found).index(now)])


def never(context: StageContext, here: Grown) -> str:
    """What becomes of the rows that the output never writes."""
    target, share = pulled()
    facts = {"smoothing": str(SMOOTHING), "vocab": f"{len(cached.model(MODEL).tokenizer.pieces):,}"}
    facts |= {"target": target, "pulled": f"{share:.1f}", "rank": str(here.rank), "dog": WORDS[-1]}
    return context.t.html("grew_never", **facts, **here.alike)


def purities(found: Mapping[int, Grown]) -> dict[str, object]:
    """How pure the space was before training and is after it."""
    before, after = found[0].purity, found[LAST].purity
    return {"chance": before.chance, "before": before.purity, "after": after.purity, "last": f"{LAST:,}"}


def said(context: StageContext, here: Grown) -> list[str]:
    t = context.t
    plane = t.html("grew_plane", d_model=cached.model(MODEL).config.d_model)
    return [plane, t.html("grew_same"), never(context, here)]
