"""Words added and taken away: what a sum of three rows comes nearest to, with its own words and without them."""

from collections.abc import Sequence

import streamlit as st

from core.derivation import Weight
from core.derivation.flow import TABLE
from core.figures.controls import Control
from core.views.meaning import Neighbour, Space, Word, analogy
from pages.shared.address import visit
from pages.shared.address.address import Parameter, choice
from pages.shared.number.number_links import measured
from pages.shared.page import parts
from pages.shared.page.controls import controls, text_box
from pages.shared.page.predict import plain
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.stages.meaning.context import LONGEST_WORD, StageContext, a_word, opens_with, space_of

TERMS = ("a", "minus", "plus")
BAR = 360  # pixels of a cosine of 1


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    first = zip(TERMS, sums(page)[0], strict=True)
    allowed = page.t("allowed_word")
    return {**{name: a_word(view, word, allowed) for name, word in first}, "remove": choice("1", default=None)}


def sums(page: PageContext) -> Sequence[Sequence[str]]:
    """The sums that are offered; of a model that brings none, the first words of its table."""
    return opens_with(page, "sums") or [space_of(page.address.model).first(len(TERMS))]


def draw(context: StageContext) -> None:
    parts.write(parts.heading(context.t, "sum"), parts.paragraph(context.t, "sum_lead"))
    whether = [(id, context.t(f"removed.{name}")) for id, name in ((None, "no"), ("1", "yes"))]
    controls("sum", *boxes(context), Control("remove", context.t("remove"), whether))
    ready(context)
    words = tuple(terms(context))
    rows, without = nearest(context, words, remove=False), nearest(context, words, remove=True)
    query = {id for word in words for id in word.ids}
    left, right = st.columns([1.3, 1], gap="large")
    left.html(table(context, words, without if context.values["remove"] else rows, query))
    right.html(parts.paragraphs(said_of_sum(context, words, rows[0], without[0], own=rows[0].id in query)))


def boxes(context: StageContext) -> list[Control]:
    t, values = context.t, context.values
    return [text_box(context, name, t(f"sum_{name}"), LONGEST_WORD, shown=values[name], short=True) for name in TERMS]


def ready(context: StageContext) -> None:
    """The sums that are offered, each a press away."""
    with st.container(key="sum", horizontal=True, vertical_alignment="bottom", gap="small"):
        for number, words in enumerate(sums(context.page)):
            press = visit.on_press(context, **dict(zip(TERMS, words, strict=True)))
            label = plain("{} − {} + {}".format(*words))
            st.button(label, key=f"sum_{number}", type="tertiary", on_click=press)


def terms(context: StageContext) -> list[Word]:
    found = [context.view.word(context.values[name]) for name in TERMS]
    assert all(found), "the address was read by a_word"
    return found  # type: ignore[return-value]


def nearest(context: StageContext, words: tuple[Word, ...], remove: bool) -> list[Neighbour]:
    return nearest_to(context.model, tuple(word.text for word in words), remove)


@cached.shared
def nearest_to(model: str, texts: tuple[str, ...], remove: bool) -> list[Neighbour]:
    words = [word for text in texts if (word := space_of(model).word(text))]
    return analogy(space_of(model), *words, remove=remove)


def alike(context: StageContext, words: tuple[Word, ...], row: Neighbour) -> float:
    """A row's cosine with the sum; where each word is one row, it can be followed."""
    if any(word.averaged for word in words):
        return row.cosine
    ids = (*(word.ids[0] for word in words), row.id)
    return measured(context, row.cosine, "sum_alike", *(Weight(TABLE, (id, None)) for id in ids))


def table(context: StageContext, words: tuple[Word, ...], rows: list[Neighbour], query: set[int]) -> str:
    """The nearest rows; those of the words that were put in stand out."""
    return parts.table(
        [(row.piece, parts.amount(alike(context, words, row), 1.0, longest=BAR)) for row in rows],
        [context.t("sum_row"), context.t("sum_cosine")],
        marked=[i for i, row in enumerate(rows) if row.id in query],
    )


def said_of_sum(
    context: StageContext, words: tuple[Word, ...], first: Neighbour, fresh: Neighbour, own: bool
) -> list[str]:
    """What came first, whether it was put in, and what comes first of the rest."""
    t, facts = context.t, {name: context.values[name] for name in TERMS}
    facts |= {"first": first.piece, "cosine": alike(context, words, first)}
    facts |= {"fresh": fresh.piece, "fresh_cosine": alike(context, words, fresh)}
    part = any(first.id in word.ids and len(word.ids) > 1 for word in words)
    said = t.html("sum_part" if part else "sum_own" if own else "sum_fresh", **facts)
    key = "sum_kept" if not context.values["remove"] else "sum_removed" if own else "sum_removed_same"
    return [said, t.html(key, **facts, left=fresh.piece)]
