"""The visitor's own words, laid over the dictionary of this page alone."""

from dataclasses import replace

from core.text import own_words, segmentation
from core.text.segmentation import Word
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.segmentation.context import (
    CLIPPED,
    LONGEST_WORDS,
    StageContext,
    everyones,
    threshold,
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
    box = text_box(
        context, "words", t("own.label"), LONGEST_WORDS, refusal=refusal(context), example=EXAMPLE, also=also
    )
    controls("own", box)
    if context.mine:
        head = ("word", "was", "now", "needs", "taken")
        words = table(own_rows(context), [t(f"own.{name}") for name in head], "counted")
        write(words, f"<p class='soft'>{total_said(context)}</p>")


def refusal(context: StageContext) -> str:
    """Which of the words could not be taken, and why."""
    limits = {"most": own_words.MOST_WORDS, "longest": own_words.LONGEST_WORD}
    refused = own_words.read_words(context.words)[1][:MOST_REFUSED]
    return " ".join(context.t(f"notes.word_{code}", word=clip(word, CLIPPED), **limits) for word, code in refused)


def own_rows(context: StageContext) -> list[tuple[object, ...]]:
    cut = {word.text for word in context.view.words}
    return [
        (
            word,
            f"{everyones(context.text).frequency(word):,}",
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
    return segmentation.cut(text, replace(words_of(words, text), total=total), hmm)


def total_said(context: StageContext) -> str:
    """N with the visitor's words, and N as jieba's add_word and del_word would leave it."""
    own = context.view.dictionary
    theirs = everyones(context.text).total + sum(own.own.values())
    cut = cut_with(theirs, context.text, context.words, context.hmm)
    said = context.t.html("own.total", now=f"{own.total:,}", theirs=f"{theirs:,}")
    same = cut == list(context.view.words)
    return f"{said} {context.t.html('own.same_cut' if same else 'own.other_cut')}"
