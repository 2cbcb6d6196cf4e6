"""How words are read: their English, and their part of speech."""

from collections.abc import Sequence

from core.text import segmentation
from core.text.segmentation import Word
from core.text.word_graph import Path
from pages.shared.words import samples
from pages.shared.words.texts import Texts
from pages.stages.segmentation.context import StageContext

GLOSSES = samples.read("glosses")


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
    name = short_name(t, tag)
    return f"{tag} {name}" if name else tag or t("tags.none")


def short_name(t: Texts, tag: str) -> str:
    """The name alone; "" where there is none."""
    return next((t(f"tags.{tag[:size]}") for size in (3, 2, 1) if f"tags.{tag[:size]}" in t), "")


def mark(context: StageContext, word: Word) -> str:
    """Under a word: its states, where the second step made it; else its part of speech."""
    return word.states if word.kind == "hmm" else context.tag(word.text)


def under(context: StageContext, word: Word) -> str:
    """The same as it stands in the picture: a part of speech by its name, where that is no wider than the word."""
    name = "" if word.kind == "hmm" else short_name(context.t, context.tag(word.text))
    letters = 2 if context.t.language == "zh" else 6  # of a name, under a character
    return name if 0 < len(name) <= letters * len(word.text) else mark(context, word)
