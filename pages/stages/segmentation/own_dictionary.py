"""The visitor's own words, laid over the dictionary of this page alone."""

from dataclasses import replace

import streamlit as st

from core.text import own_words, segmentation
from core.text.segmentation import Word
from core.views.segmentation import Piece, SegmentationView
from pages.shared.address.visit import on_press
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.segmentation.bars import bar
from pages.stages.segmentation.context import (
    CLIPPED,
    LONGEST_WORDS,
    StageContext,
    everyones,
    threshold,
    view_of,
    weighing,
    words_of,
)

MOST_ROWS = 12
MOST_REFUSED = 5  # words of which it is said why
EXAMPLE = "打工人, 乒乓球拍:26, -和尚"


def draw(context: StageContext) -> None:
    """The box, and what becomes of the words in it."""
    t = context.t
    write(heading(t, "own"), paragraph(t, "own.said"))
    also = {**context.waved_off, "arc": None, "way": None}
    if context.mine:
        write(weighed(context, context.words, context.view), f"<p class='soft'>{total_said(context)}</p>")
    elif (example := example_of(context)) and not context.veiled:
        view = view_of(context.text, example, context.hmm)
        write(paragraph(t, "own.example", words=example), weighed(context, example, view))
        st.button(t("own.use"), key="own_use", type="tertiary", on_click=on_press(context, words=example, **also))
    box = text_box(
        context, "words", t("own.label"), LONGEST_WORDS, refusal=refusal(context), example=EXAMPLE, also=also
    )
    controls("own", box)


def example_of(context: StageContext) -> str | None:
    """The word most worth weighing, with the frequency from which on the best path takes it."""
    rival = context.rival
    at = context.threshold(rival) if rival else None
    return weighing("", rival.text, at) if rival and at is not None else None


def weighed(context: StageContext, words: str, view: SegmentationView) -> str:
    """The best path without these words and with them; and a table of them."""
    head = [context.t(f"own.{name}") for name in ("word", "was", "now", "needs", "taken")]
    plain = view_of(context.text, "", context.hmm)
    cuts = cut_bar(context, "before", plain, view) + cut_bar(context, "after", view, plain)
    return f"<div class='cuts' tabindex='0'>{cuts}</div>" + table(own_rows(context, words, view), head, "counted")


def cut_bar(context: StageContext, name: str, view: SegmentationView, other: SegmentationView) -> str:
    """A best path; what the other does not have is filled."""
    path, rest = ([Piece(edge.text, edge.start, edge.end) for edge in one.paths[0].edges] for one in (view, other))
    return bar(context.t.html(f"own.{name}"), context.text, path, [piece for piece in path if piece not in rest], "")


def refusal(context: StageContext) -> str:
    """Which of the words could not be taken, and why."""
    limits = {"most": own_words.MOST_WORDS, "longest": own_words.LONGEST_WORD}
    refused = own_words.read_words(context.words)[1][:MOST_REFUSED]
    return " ".join(context.t(f"notes.word_{code}", word=clip(word, CLIPPED), **limits) for word, code in refused)


def own_rows(context: StageContext, words: str, view: SegmentationView) -> list[tuple[object, ...]]:
    cut = {word.text for word in view.words}
    return [
        (
            word,
            f"{everyones(context.text).frequency(word):,}",
            f"{view.dictionary.frequency(word):,}",
            needed(context.text, words, word),
            context.t("own.yes" if word in cut else "own.no"),
        )
        for word in list(own_words.read_words(words)[0])[:MOST_ROWS]
    ]


def needed(text: str, words: str, word: str) -> str:
    """From which frequency on the best path of this text takes it."""
    at = threshold(text, weighing(words, word, None) or "", word) if word in text else None
    return "–" if at is None else f"{at:,}"


@cached.shared
def cut_with(total: int, text: str, words: str, hmm: bool) -> list[Word]:
    """The words of a text where the dictionary's N is another."""
    return segmentation.cut(text, replace(words_of(words, text), total=total), hmm)


def total_said(context: StageContext) -> str:
    """N with the visitor's words, and N as jieba's add_word and del_word would leave it."""
    own = context.view.dictionary
    theirs = everyones(context.text).total + sum(own.own.values())
    cut = cut_with(theirs, context.text, context.words, context.hmm)
    said = context.t.html("own.total", now=f"{own.total:,}", theirs=f"{theirs:,}")
    same = cut == list(context.view.words)
    return context.t.together((said, context.t.html("own.same_cut" if same else "own.other_cut")))
