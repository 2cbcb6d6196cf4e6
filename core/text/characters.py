"""Chinese by character: what the translator reads. No word needs to be found first."""

import re
from collections.abc import Iterable, Iterator

from .normalization import Step
from .shared import SharedVocabulary
from .trace import CutReason
from .whole import Whole, as_step, cleaned, parts

# Typed on a keyboard that is set to English, they mean the Chinese marks.
MARKS = str.maketrans({"?": "？", ".": "。", ",": "，", "!": "！", ":": "：", ";": "；", "．": "。", "｡": "。"})
CHARACTER = re.compile(r"[^ ]")


def normalize(text: str) -> tuple[Step, ...]:
    """Clean, then Chinese punctuation marks for the ASCII ones."""
    clean = as_step("clean", cleaned(text))
    return clean, Step("punctuation", clean.text.translate(MARKS), clean.origins)


def read(text: str) -> str:
    """A text as the translator reads it: normalised, and without the spaces between its characters.

    >>> read("你好 吗?")
    '你好吗？'
    """
    return normalize(text)[-1].text.replace(" ", "")


class Characters(Whole):
    """A token a character, then [EOS]."""

    steps = ("clean", "punctuation")

    def __init__(self, vocabulary: SharedVocabulary, longest: int = 200) -> None:
        super().__init__(vocabulary, vocabulary.source_ids(), longest)

    def normalize(self, text: str) -> tuple[Step, ...]:
        return normalize(text)

    def split(self, text: str) -> Iterator[tuple[int, int, CutReason]]:
        return parts(CHARACTER, text, "character")


class Verses(Characters):
    """[BOS], then a token a character: what comes after the last is what is asked."""

    front = ("[BOS]",)
    back = ()

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some tokens, special ones left out; where a character was unknown stands 〇."""
        known = (id for id in ids if id not in (self.pad_id, self.bos_id, self.eos_id))
        return "".join("〇" if id == self.unk_id else self.pieces[id] for id in known)
