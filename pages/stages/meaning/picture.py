"""The picture: the map left, the chosen word right."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.figures.cloud import Cloud, CloudWords
from core.views.maps import SNAPSHOTS, Map, Plan
from core.views.meaning import WordSet
from core.views.vectors import cosine
from pages.shared.number.follow import follow
from pages.shared.page import parts
from pages.shared.pictures import components
from pages.shared.server import jobs
from pages.stages.meaning.arranging import arranged, made, plan_of, progress
from pages.stages.meaning.context import HIDDEN, StageContext, nearest_on_map
from pages.stages.meaning.controls import controls
from pages.stages.meaning.followed import followed
from pages.stages.meaning.groups import name_of
from pages.stages.meaning.map_quality import remarks, trust
from pages.stages.meaning.word import the_word


def picture(context: StageContext) -> None:
    controls(context)
    left, right = st.columns([1.4, 1], gap="large")
    with left:
        the_map(context)
    with right:
        follow(context, followed, also=the_word)


def the_map(context: StageContext) -> None:
    words, plan = context.words, plan_of(context.values)
    said = remarks(context, plan)
    if not words.words:
        st.html(parts.paragraphs([context.t.html("no_words_left"), *said]))
        return
    try:
        shown, job = arranged(context, plan)
    except jobs.Busy:
        shown, job = made(context, Plan("pca", dimensions=plan.dimensions)), None
        said.insert(0, context.t.html("busy"))
    components.cloud(key="map", data=cloud(context, words, shown, plan).pack())
    if job:
        progress(context, job)
    notes = "".join(f"<p class='note'>{sentence}</p>" for sentence in said)
    parts.write(trust(context, shown, plan), notes)


def cloud(context: StageContext, words: WordSet, shown: Map, plan: Plan) -> Cloud:
    near, alike = neighbours(context)
    names = list(dict.fromkeys(words.groups))
    return Cloud(
        param="of",
        also={"to": None},
        texts=[HIDDEN if word.text in context.covered else word.text for word in words.words],
        asked=asked(context, words),
        groups=[names.index(group) for group in words.groups],
        names=[name_of(context.t, id) for id in names],
        dimensions=shown.points.shape[1],
        points=shown.points,
        near=near,
        cosines=alike,
        to="to",
        linked=linked(context, words),
        pairs=pairs(context, words),
        snapshots=SNAPSHOTS if shown.plan.method == "tsne" else (),
        snapshot=plan.iterations,
        words=replace(
            cloud_words(context),
            own=context.t.words["cloud.own"],
            close=context.t.words["cloud.close_open" if context.veiled else "cloud.close"],
            compared=context.t.words["cloud.compared"],
            off=context.t.words["cloud.off"],
            guess=context.t("cloud.guess"),
        ),
    )


def asked(context: StageContext, words: WordSet) -> int:
    """The place of the word that the open question is about, -1 where there is none."""
    named = context.veil - context.covered
    return next((i for i, word in enumerate(words.words) if word.text in named), -1)


def linked(context: StageContext, words: WordSet) -> list[tuple[int, int, float]]:
    """The word that the lead speaks of with the two that it compares it with, where they are on the map."""
    if context.veiled or not context.question:
        return []
    here, near, second = (str(context.question.facts[name]) for name in ("word", "near", "second"))
    return found_on(words, here, (near, second))


def pairs(context: StageContext, words: WordSet) -> list[tuple[int, int, float]]:
    """What may be compared on the map besides: the others that were asked about, and what is compared now."""
    here, others, _ = context.words_asked or ("", (), "")
    now = [] if context.hidden else found_on(words, context.of, (context.other.text.removeprefix("␣"),))
    return [*now, *([] if context.veiled else found_on(words, here, others))]


def found_on(words: WordSet, here: str, others: Sequence[str]) -> list[tuple[int, int, float]]:
    """The places of a word and of each of the others, and their cosine; none where one is not on the map."""
    places = {word.text: i for i, word in enumerate(words.words)}
    if here not in places:
        return []
    one, found = places[here], [places[other] for other in others if other in places]
    return [(one, i, round(float(cosine(words.vectors[one], words.vectors[i])), 4)) for i in found]


def ends(each: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """Along each axis the least and the largest of all these points."""
    points = np.concatenate(each)
    return [(round(float(axis.min()), 5), round(float(axis.max()), 5)) for axis in points.T]


def cloud_words(context: StageContext) -> CloudWords:
    names = ("label", "cosine", "turn", "run", "play", "stop")
    return CloudWords(hidden=HIDDEN, **{name: context.t(f"cloud.{name}") for name in names})


def neighbours(context: StageContext) -> tuple[np.ndarray, np.ndarray]:
    """[word, k] each: of the words of the map the nearest in the space, and their cosines; none that must not be told
    apart yet: those to choose from have none, and are none of the others'."""
    near, alike = nearest_on_map(context.model, context.groups)
    texts = [word.text for word in context.words.words]
    covered = np.isin(near, [i for i, text in enumerate(texts) if text in context.veil])
    covered[[text in context.covered for text in texts]] = True
    return np.where(covered, -1, near), np.where(covered, np.nan, alike)
