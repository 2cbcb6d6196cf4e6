"""The visitor's words, and the methods in numbers."""

from dataclasses import replace
from functools import partial
from math import isnan

import streamlit as st

from core.text import segmentation
from core.text.segmentation import Word
from core.views.segmentation import METHODS
from pages.shared.address import visit
from pages.shared.address.address import Repair
from pages.shared.page.parts import heading, table, write
from pages.shared.page.stage import Stage
from pages.shared.server import cached
from pages.stages.segmentation.context import LONGEST_WORDS, StageContext, threshold, weighing, words_of

MOST_ROWS = 12


def own_words(context: StageContext) -> str:
    """The box; what becomes of the words in it is HTML for what follows."""
    t = context.t
    write(heading(t, "own"), f"<p class='soft'>{t.html('own.said')}</p>")
    st.text_input(
        t("own.label"),
        placeholder="打工人, 乒乓球拍:26, -和尚",
        label_visibility="collapsed",
        **visit.controlled("words_in", context.words, partial(weigh, context.page.stage, context.waved_off)),
    )
    if not context.mine:
        return ""
    head = ("word", "was", "now", "needs", "taken")
    return table(own_rows(context), [t(f"own.{name}") for name in head], "counted") + (
        f"<p class='soft'>{total_said(context)}</p>"
    )


def weigh(stage: Stage, also: dict[str, object], typed: str) -> None:
    patch = {**also, "words": typed[:LONGEST_WORDS] or None, "arc": None, "way": None}
    if len(typed) <= LONGEST_WORDS:
        return visit.apply(stage, patch)
    visit.refuse(Repair("words_cut", {"limit": LONGEST_WORDS}))
    visit.change_all(**patch)


def own_rows(context: StageContext) -> list[tuple[object, ...]]:
    cut = {word.text for word in context.view.words}
    return [
        (
            word,
            f"{cached.dictionary().frequency(word):,}",
            f"{context.view.dictionary.frequency(word):,}",
            needed(context, word),
            context.t("own.yes" if word in cut else "own.no"),
        )
        for word in list(context.mine)[:MOST_ROWS]
    ]


def needed(context: StageContext, word: str) -> str:
    """From which frequency on the best path of this text takes it."""
    at = threshold(context.text, weighing(context.words, word, None) or "", word) if word in context.text else None
    return "–" if at is None else f"{at:,}"


@cached.shared
def cut_with(total: int, text: str, words: str, hmm: bool) -> list[Word]:
    """The words of a text where the dictionary's N is another."""
    return segmentation.cut(text, replace(words_of(words), total=total), hmm)


def total_said(context: StageContext) -> str:
    """N with the visitor's words, and N as jieba's add_word and del_word would leave it."""
    own = context.view.dictionary
    theirs = cached.dictionary().total + sum(own.own.values())
    cut = cut_with(theirs, context.text, context.words, context.hmm)
    said = context.t.html("own.total", now=f"{own.total:,}", theirs=f"{theirs:,}")
    same = cut == list(context.view.words)
    return f"{said} {context.t.html('own.same_cut' if same else 'own.other_cut')}"


# ---- the methods in numbers


def compared(context: StageContext) -> str:
    t = context.t
    head = ("", t("table.tokens"), t("table.each"), *(t(f"methods.{name}") for name in METHODS))
    rows = [method_row(context, i, name) for i, name in enumerate(METHODS)]
    return heading(t, "table") + f"<p class='soft'>{t.html('table.said')}</p>" + table(rows, head, "counted")


def method_row(context: StageContext, i: int, name: str) -> list[object]:
    count = len(context.view.methods[name])
    each = len(context.text) / count if count else "–"
    agreement = ("" if i == j else share(float(x)) for j, x in enumerate(context.view.agreement[i]))
    return [context.t(f"methods.{name}"), count, each, *agreement]


def share(x: float) -> str:
    """F1, to be compared at a glance."""
    return "–" if isnan(x) else f"{x:.2f}"
