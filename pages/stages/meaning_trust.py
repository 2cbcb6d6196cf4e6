"""How far to trust the map: the same measures of it and of the space, another start, and what had to be left out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.views import maps, meaning
from core.views.maps import Map, Plan, quality
from core.views.meaning import WordSet
from pages.shared import cached
from pages.shared.page import Page
from pages.shared.texts import Texts
from pages.stages.meaning_map import AT_ONCE, drawn, plan_of
from pages.stages.meaning_words import LONGEST_WORD, OWN, Kept

SHOWN = 12  # words named in a note
MARGIN = 0.02  # two measures that differ by less are not told apart


def trust(page: Page, shown: Map, words: WordSet, plan: Plan) -> None:
    """The same two measures of the map and of the space, so that nobody takes one for the other."""
    t = page.t
    rows = {
        "on_map": measured(shown.points, words, "euclidean"),
        "in_space": measured(words.vectors, words, plan.metric),
    }
    on, within = rows["on_map"], rows["in_space"]
    if np.isnan(on.purity):
        st.html(f"<p class='soft'>{t.html('trust_none')}</p>")
        return
    facts = {
        "map_purity": on.purity, "space_purity": within.purity, "chance": on.chance,
        "map_silhouette": on.silhouette, "space_silhouette": within.silhouette, "dims": page.model.config.d_model,
    }  # fmt: skip
    said = [t.html("trust", **facts), *verdict(t, on, within), nature(t, shown.plan)]
    if shown.divergence is not None:
        said.append(t.html("divergence", value=shown.divergence))
    sentences = [" ".join(said)]
    if shown.plan.method == "tsne" and shown.plan.start == "random" and shown.divergence is not None:
        sentences.append(two_starts(page, shown, words))
    st.html("".join(f"<p class='soft'>{sentence}</p>" for sentence in sentences))


def verdict(t: Texts, on_map: maps.Quality, in_space: maps.Quality) -> list[str]:
    """Where the map mixes what the space parts, or parts groups more than the space does."""
    if on_map.purity < in_space.purity - MARGIN:
        return [t.html("trust_mixes")]
    return [t.html("trust_parts")] if on_map.silhouette > in_space.silhouette + MARGIN else []


def nature(t: Texts, plan: Plan) -> str:
    """What such a map can and cannot say."""
    if plan.method == "pca":
        return t.html("trust_pca")
    if plan.iterations == 0:
        return t.html("trust_start", start=t(f"start.{plan.start}"))
    if plan.iterations <= maps.EXAGGERATED:
        return t.html("trust_exaggerated", iterations=maps.EXAGGERATED)
    return t.html("trust_tsne")


def measured(points: np.ndarray, words: WordSet, metric: str) -> maps.Quality:
    key = ("quality", hash(points.tobytes()), words.groups, metric)
    return cached.remember(key, lambda: Kept(quality(points, words.groups, metric))).of


def two_starts(page: Page, shown: Map, words: WordSet) -> str:
    """What another random start makes of the same words; only of maps that are drawn at once."""
    t = page.t
    if len(words.words) > AT_ONCE:
        return t.html("starts_many", limit=AT_ONCE)
    second = replace(shown.plan, seed=shown.plan.seed + 1)
    other, _ = drawn(page, words, second)
    found = maps.agreement(shown.points, other.points)
    disagree = found.neighbours < 0.9 or found.distances < 0.9
    return t.html(
        "starts_differ" if disagree else "starts_agree", seed=shown.plan.seed, other=second.seed,
        neighbours=100 * found.neighbours, distances=found.distances, kl=shown.divergence, other_kl=other.divergence,
    )  # fmt: skip


# ---- what had to be left out


def remarks(t: Texts, values: dict, words: WordSet) -> list[str]:
    """What had to be left out, put together or changed: a sentence each."""
    said: list[str] = []
    if values["groups"] == OWN and not st.session_state.get("own_words"):
        said.append(t.html("own_elsewhere"))
    if words.unknown:
        said.append(t.html("left_unknown", n=len(words.unknown), words=listed(t, words.unknown)))
    if words.repeated:
        said.append(t.html("left_repeated", n=len(words.repeated), words=listed(t, words.repeated)))
    if words.averaged:
        parts = [f"{word.text} = {' + '.join(word.pieces)}" for word in words.averaged]
        said.append(t.html("averaged", n=len(words.averaged), words=listed(t, parts, 3)))
    if words.cut:
        said.append(t.html("cut", limit=meaning.LIMIT, n=words.cut))
    plan = plan_of(values)
    fitted = plan.fitted(len(words.words))
    if plan.method == "tsne" and fitted.method == "pca" and words.words:
        said.append(t.html("too_few", n=len(words.words), fewest=maps.FEWEST))
    elif fitted.method == "tsne" and fitted.perplexity < plan.perplexity:
        said.append(t.html("perplexity_lowered", n=len(words.words), asked=plan.perplexity, taken=fitted.perplexity))
    return said


def listed(t: Texts, words: Sequence[str], most: int = SHOWN) -> str:
    short_words = [word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…" for word in words[:most]]
    return t("comma").join(short_words) + (" …" if len(words) > most else "")
