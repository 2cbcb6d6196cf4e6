"""The second step: what the hidden Markov model makes of single characters; and the words' parts of speech."""

import html
from collections.abc import Sequence

import streamlit as st

from core.reference import jieba
from core.text.segmentation import Word
from core.views.segmentation import Piece, SegmentationView, stated
from pages.shared.address.visit import on_press
from pages.shared.page.parts import heading, paragraph, paragraphs, write
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts
from pages.stages.segmentation.bars import bar
from pages.stages.segmentation.context import StageContext, fresh, view_of
from pages.stages.segmentation.reading import mark, tag_name

FINDS = "newword"  # the line of the gallery in which the second step finds a word
MOST_STATES = 8  # characters whose states are told
MOST_READ = 100  # single characters that posseg is asked about: its search takes milliseconds for each
MOST_TAGS, MOST_WORDS = 14, 8  # named


def draw(context: StageContext) -> None:
    t = context.t
    said = (
        [second_step_said(context), tags_said(context)]
        if context.chinese
        else [t.html("notice.what_hmm") + t.html("second.english")]
    )
    write(heading(t, "second"), f"<div class='said'>{paragraphs([*filter(None, said)])}</div>")
    if any(word.states for word in context.view.words):
        write(steps(t, context.view))
    else:
        elsewhere(context)


def elsewhere(context: StageContext) -> None:
    """A text in which the second step finds a word, beside one of which it reads nothing; and a way to it."""
    text, _ = stated(samples.read("segmentation")[FINDS]["cut"])
    write(paragraph(context.t, "second.example", text=text), steps(context.t, view_of(text)))
    press = on_press(context, **fresh(context.page.address["guess"], text))
    st.button(context.t("second.see", text=text), key="second_see", type="tertiary", on_click=press)


def steps(t: Texts, view: SegmentationView) -> str:
    """The path, the state of each character that was read, and the words: what is new among them is filled."""
    path = [Piece(edge.text, edge.start, edge.end) for edge in view.paths[0].edges]
    places = [(word.start + i, state) for word in view.words for i, state in enumerate(word.states)]
    read = "".join(dict(places).get(i, " ") for i in range(len(view.text)))
    states = [Piece(state, at, at + 1) for at, state in places]
    new = [Piece(word.text, word.start, word.end) for word in view.new]
    rows = [
        bar(t.html("second.path"), view.text, path, [], ""),
        bar(t.html("second.states"), read, states, [], ""),
        bar(t.html("second.words"), view.text, view.methods["jieba"], new, ""),
    ]
    return f"<div class='cuts' tabindex='0'>{''.join(rows)}</div>"


def second_step_said(context: StageContext) -> str:
    """What the second step is, what it did, and that the path stayed."""
    key, facts = second_step(context)
    return context.t.html("notice.what_hmm") + context.t.html(f"notice.{key}", **facts)


def second_step(context: StageContext) -> tuple[str, dict[str, str]]:
    view = context.view
    if not context.hmm:
        return "hmm_off", {}
    if view.new:
        word = view.new[0]
        key = "hmm_listed" if view.dictionary.frequency(word.text) else "hmm"
        return key, {"characters": " ".join(word.text), "states": " ".join(word.states), "word": word.text}
    read = [word for word in view.words if word.states]
    if removed := would_be(read):
        return "hmm_removed", {"word": "".join(word.text for word in removed), **states_of(removed)}
    if read:
        return "hmm_alone" if sum(len(word.text) for word in read) > 1 else "hmm_one", states_of(read)
    if view.kept_apart:
        word = view.kept_apart[0]
        return "hmm_word", {"characters": " ".join(word), "word": word}
    return "hmm_idle", {}


def would_be(read: Sequence[Word]) -> Sequence[Word]:
    """The characters of the first word that the second step would make, had the visitor not removed it."""
    first = next((i for i, word in enumerate(read) if word.states != "S"), len(read))
    last = next((i for i, word in enumerate(read) if i >= first and word.states == "E"), len(read))
    return read[first : last + 1]


def states_of(read: Sequence[Word]) -> dict[str, str]:
    """Characters and their states, in a line; of many the first."""
    more = " …" if len(read) > MOST_STATES else ""
    shown = read[:MOST_STATES]
    return {
        "characters": " ".join(word.text for word in shown) + more,
        "states": " ".join(word.states for word in shown) + more,
    }


def tags_said(context: StageContext) -> str:
    """The tags that stand under jieba's words, by name, and where jieba's own tagger says something else."""
    t = context.t
    tags = dict.fromkeys(tag for word in context.view.shown if word.kind != "hmm" and (tag := mark(context, word)))
    if not tags and not context.view.new:
        return ""
    names = " · ".join(html.escape(tag_name(t, tag)) for tag in list(tags)[:MOST_TAGS])
    return f"{t.html('tags_said')} {names}<br>{posseg_said(context)}"


def posseg_said(context: StageContext) -> str:
    other = tagged_otherwise(context.text, context.words, context.hmm)
    if other is None:
        return ""
    return (
        context.t.html("posseg_differs", words=" ".join(other[:MOST_WORDS]))
        if other
        else context.t.html("posseg_agrees")
    )


@cached.shared
def tagged_otherwise(text: str, words: str, hmm: bool) -> list[str] | None:
    """What jieba.posseg cuts or tags in another way than jieba and its dictionary: word/tag. None: not asked."""
    ours = view_of(text, words, hmm)
    if sum(len(word.states) for word in ours.words) > MOST_READ:
        return None
    tag = ours.dictionary.tags.get
    known = {(word.start, word.text, tag(word.text, "x")) for word in ours.words}
    tagged = jieba.tagged(text, ours.dictionary, hmm)
    return [f"{word}/{flag}" for at, word, flag in tagged if (at, word, flag) not in known]
