"""How far to trust the map: the same measures of it and of the space, another start, and what had to be left out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.views import maps, meaning
from core.views.maps import Map, Plan, quality
from core.views.meaning import Group
from pages.shared.page import parts
from pages.shared.server import cached, jobs
from pages.shared.words.numbers import fixed
from pages.shared.words.texts import Texts, clip
from pages.stages.meaning import typed_words
from pages.stages.meaning.arranging import AT_ONCE, arranged, made, map_of
from pages.stages.meaning.context import LONGEST_WORD, StageContext, words_of
from pages.stages.meaning.groups import OWN

SHOWN = 12  # words named in a note
TERMS = ("tsne", "pca", "perplexity", "silhouette", "divergence")
MARGIN = 0.02  # two measures that differ by less are not told apart
ALIKE = 0.9  # from here on two maps agree


def trust(context: StageContext, shown: Map, plan: Plan) -> str:
    """The same two measures of the map and of the space, so that nobody takes one for the other."""
    t, of = context.t, (context.model, context.groups)
    on, within = on_map(*of, shown.plan), in_space(*of, plan.metric)
    other = moved_by_a_hair(context, shown)
    also = on_map(*of, other.plan) if other else on
    if np.isnan(on.purity):
        return soft(t.html("trust_none"))
    head = [
        "",
        t("trust_head.space", dims=context.page.model.config.d_model),
        t("trust_head.map"),
        t("trust_head.chance"),
    ]
    twice = {"purity": (on.purity, also.purity), "silhouette": (on.silhouette, also.silhouette)}
    if shown.divergence is not None:
        once_more = other.divergence if other and other.divergence is not None else shown.divergence
        twice["divergence"] = shown.divergence, once_more
    beside = {
        "purity": (f"{within.purity:.2f}", f"{on.chance:.2f}"),
        "silhouette": (fixed(within.silhouette, 2), ""),
        "divergence": ("", ""),
    }
    rows = [[t(f"trust_head.{name}"), beside[name][0], span(t, *both), beside[name][1]] for name, both in twice.items()]
    said = t.together([*verdict(t, (on, also), within), nature(t, shown.plan)])
    wobbles = any(fixed(one, 2) != fixed(other, 2) for one, other in twice.values())
    measured = "".join(map(paragraph, [*([t.html("wobble")] if wobbles else []), *two_starts(context, shown)]))
    terms = "".join(paragraph(t.html(f"terms.{name}")) for name in TERMS)
    inside = f"{parts.table(rows, head, kind='sums')}{measured}{terms}"
    return f"{soft(said)}{parts.folded(t.html('trust_title'), inside)}"


def paragraph(sentence: str) -> str:
    return f"<p>{sentence}</p>"


def soft(sentence: str) -> str:
    return f"<p class='soft'>{sentence}</p>"


def moved_by_a_hair(context: StageContext, shown: Map) -> Map | None:
    """The same map from a start moved by a hair; of maps that t-SNE draws at once."""
    few = len(context.words.words) <= AT_ONCE
    if shown.plan.method != "tsne" or shown.plan.iterations == 0 or not few:
        return None
    return made(context, replace(shown.plan, moved=True))


def span(t: Texts, one: float, other: float) -> str:
    """A measure of two maps: both values, to two digits behind the point; one where that is all."""
    low, high = (fixed(value, 2) for value in sorted((one, other)))
    return low if low == high else t("between", low=low, high=high)


def verdict(t: Texts, on_map: Sequence[maps.Quality], in_space: maps.Quality) -> list[str]:
    """Where every map mixes what the space parts, or parts groups more than the space does."""
    if max(each.purity for each in on_map) < in_space.purity - MARGIN:
        return [t.html("trust_mixes")]
    parts = min(each.silhouette for each in on_map) > in_space.silhouette + MARGIN
    return [t.html("trust_parts")] if parts else []


def nature(t: Texts, plan: Plan) -> str:
    """What such a map can and cannot say."""
    if plan.method == "pca":
        return t.html("trust_pca")
    if plan.iterations == 0:
        return t.html("trust_start", start=t(f"start.{plan.start}"))
    if plan.iterations <= maps.EXAGGERATED:
        return t.html("trust_exaggerated", iterations=maps.EXAGGERATED)
    return t.html("trust_tsne")


@cached.shared
def on_map(model: str, groups: tuple[Group, ...], plan: Plan) -> maps.Quality:
    return quality(map_of(model, groups, plan).points, words_of(model, groups).groups, "euclidean")


@cached.shared
def in_space(model: str, groups: tuple[Group, ...], metric: str) -> maps.Quality:
    words = words_of(model, groups)
    return quality(words.vectors, words.groups, metric)


def two_starts(context: StageContext, shown: Map) -> list[str]:
    """What another random start makes of the same words; only of maps that are drawn at once."""
    t, words, plan = context.t, context.words, shown.plan
    if plan.method != "tsne" or plan.start != "random" or shown.divergence is None:
        return []
    if len(words.words) > AT_ONCE:
        return [t.html("starts_many", limit=AT_ONCE)]
    second = replace(plan, seed=plan.seed + 1)
    try:
        other, _ = arranged(context, second)
    except jobs.Busy:
        return []
    found = maps.agreement(shown.points, other.points)
    agree = found.neighbours >= ALIKE and found.distances >= ALIKE
    said = t.html(
        "starts_agree" if agree else "starts_differ",
        seed=plan.seed,
        other=second.seed,
        neighbours=round(100 * found.neighbours),
        distances=f"{found.distances:.2f}",
        kl=f"{shown.divergence:.2f}",
        other_kl=f"{other.divergence or 0:.2f}",
    )
    return [said]


# ---- what had to be left out


def remarks(context: StageContext, plan: Plan) -> list[str]:
    """What had to be left out, put together or changed: a sentence each."""
    t, words, said = context.t, context.words, []
    if context.values["groups"] == OWN and not typed_words.text(context, "words"):
        said.append(t.html("own_elsewhere"))
    if words.unknown:
        said.append(t.html("left_unknown", n=len(words.unknown), words=listed(t, words.unknown)))
    if words.repeated:
        said.append(t.html("left_repeated", n=len(words.repeated), words=listed(t, words.repeated)))
    if words.averaged:
        spelled = [f"{word.text} = {' + '.join(word.pieces)}" for word in words.averaged]
        said.append(t.html("averaged", n=len(words.averaged), words=listed(t, spelled, 3)))
    if words.cut:
        said.append(t.html("cut", limit=meaning.LIMIT, n=words.cut))
    return [*said, *fitted_said(t, plan, len(words.words))]


def fitted_said(t: Texts, plan: Plan, count: int) -> list[str]:
    """Where so few words do not allow the plan."""
    fitted = plan.fitted(count)
    if plan.method == "tsne" and fitted.method == "pca" and count:
        return [t.html("too_few", n=count, fewest=maps.FEWEST)]
    if fitted.method == "tsne" and fitted.perplexity < plan.perplexity:
        return [t.html("perplexity_lowered", n=count, asked=plan.perplexity, taken=fitted.perplexity)]
    return []


def listed(t: Texts, words: Sequence[str], most: int = SHOWN) -> str:
    return t("comma").join(clip(word, LONGEST_WORD) for word in words[:most]) + (" …" if len(words) > most else "")
