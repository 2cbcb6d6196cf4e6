"""How words are read: their English, their part of speech, and where jieba's own tagger says something else."""

import html
from collections.abc import Sequence

import streamlit as st

from core.reference import jieba
from core.text import segmentation
from core.text.segmentation import Word
from core.text.word_graph import Path
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts
from pages.stages.segmentation.context import StageContext, view_of

GLOSSES = samples.read("glosses")
MOST_READ = 100  # single characters that posseg is asked about: its search takes milliseconds for each
MOST_TAGS, MOST_WORDS = 14, 8  # named under the picture


def gloss(t: Texts, words: Sequence[str]) -> str | None:
    """What each word means, in English; None where one is not known, or nobody needs it."""
    if t.language == "zh" or not any(segmentation.HAN.search(word) for word in words):
        return None
    meant = [GLOSSES.get(word, None if segmentation.HAN.search(word) else word.strip() or "␣") for word in words]
    return None if None in meant else " / ".join(map(str, meant))


def reading(t: Texts, words: Sequence[str]) -> str | None:
    key = f"reads.{'/'.join(words)}"
    return t(key) if key in t else None


def beside(t: Texts, path: Path) -> str:
    """What stands beside a path: its words in English, or how it reads."""
    return gloss(t, path.texts) or reading(t, path.texts) or ""


def tag_name(t: Texts, tag: str) -> str:
    """A part of speech by its name; finer ones by what they are a kind of. A g behind a letter: less than a word."""
    if len(tag) == 2 and tag[1] == "g" and f"tags.{tag[0]}" in t:
        return f"{tag} {t('tags.morpheme', kind=t(f'tags.{tag[0]}'))}"
    return next((f"{tag} {t(f'tags.{tag[:size]}')}" for size in (3, 2, 1) if f"tags.{tag[:size]}" in t), tag or "–")


def mark(context: StageContext, word: Word) -> str:
    """Under a word: its states, where the second step made it; else its part of speech."""
    return word.states if word.kind == "hmm" else context.tag(word.text)


def parts_of_speech(context: StageContext) -> None:
    """The tags that stand under jieba's words, by name, and where jieba's own tagger says something else."""
    t = context.t
    tags = dict.fromkeys(tag for word in context.view.shown if word.kind != "hmm" and (tag := mark(context, word)))
    if not tags and not context.view.new:
        return
    names = " · ".join(html.escape(tag_name(t, tag)) for tag in list(tags)[:MOST_TAGS])
    st.html(f"<p class='soft'>{t.html('tags_said')} {names}<br>{posseg_said(context)}</p>")


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
