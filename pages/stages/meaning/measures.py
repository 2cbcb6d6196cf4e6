"""The nearest rows by three measures: where they agree, and where a row's length makes them part."""

import numpy as np

from core.figures.ranking import Entry, Ranked, Ranking
from core.views.meaning import DRAWN, MEASURES, any_two, space
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import clip
from pages.stages.meaning.context import StageContext

NEAREST = 8
WIDE = 14  # characters of a piece
ROUNDING = 1e-6  # of a mean: the same rows in another order differ by less


def draw(context: StageContext) -> None:
    t, view = context.t, context.view
    write(heading(t, "measures"))
    if context.veiled:
        return write(paragraph(t, "measures.veiled"))
    word = context.word
    values = view.measures(word.vector)
    lists = {name: view.order(values[name], name, NEAREST, without=word.ids) for name in MEASURES}
    common = set.intersection(*(set(ids) for ids in lists.values()))
    everywhere = [entries(context, values[name], lists[name], common) for name in MEASURES]
    titles = [t(f"measures.{name}") for name in MEASURES]
    ranked = [Ranked(title, found) for title, found in zip(titles, everywhere, strict=True)]
    write(paragraph(t, "measures.said", word=word.name))
    components.ranking(key="measures", data=Ranking(ranked, t("measures.label"), t("measures.caption")).data())
    write(paragraph(t, found(view.norms, lists, common), **facts(view.norms, lists, common)))
    write(paragraph(t, "measures.any_two", **drawn(view.model.id)))
    write(paragraph(t, "measures.used"))


@cached.shared
def drawn(name: str) -> dict[str, object]:
    mean, low, high = any_two(space(cached.model(name)))
    return {"count": grouped(DRAWN), "mean": mean, "low": low, "high": high}


def found(norms: np.ndarray, lists: dict[str, list[int]], common: set[int]) -> str:
    """What is said of the lists: nearly always the dot product's rows are the longest and the distance's the shortest,
    and it is said only where they are."""
    if len(common) == NEAREST:
        return "measures.found_same"
    dot, cosine, distance = (norms[lists[name]].mean() for name in ("dot", "cosine", "distance"))
    longer = dot > cosine * (1 + ROUNDING) and cosine > distance * (1 + ROUNDING)
    return "measures.found" if longer else "measures.found_other"


def entries(context: StageContext, values: np.ndarray, ids: list[int], common: set[int]) -> list[Entry]:
    names = context.view.model.tokenizer.names
    return [Entry(clip(names[i], WIDE), names[i], short(float(values[i])), i not in common) for i in ids]


def facts(norms: np.ndarray, lists: dict[str, list[int]], common: set[int]) -> dict[str, object]:
    """How many of the nearest all three have, and how long the rows of each are."""
    means = {f"{name}_norm": float(norms[ids].mean()) for name, ids in lists.items()}
    return {"common": len(common), "count": NEAREST, **means}
