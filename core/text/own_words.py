"""A visitor's own words for the dictionary: read as typed, refused where they cannot be taken, weighed."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from .dictionary import GREATEST, Dictionary
from .segmentation import cut
from .word_graph import BLOCK

MOST_WORDS = 50
LONGEST_WORD = 20
THOUSANDS = re.compile(r"(?<=[:：])\s*\d{1,3}(,\d{3})+(?![\d:：])")  # 1,067, as numbers stand on the page


class Refusal(NamedTuple):
    """A word that cannot be taken, and the code of the reason."""

    text: str
    code: str


def read_words(raw: str) -> tuple[dict[str, int | None], list[Refusal]]:
    """A visitor's words, `打工人, 乒乓球拍:26, -和尚`, and those that cannot be taken.

    A word without a number has None, for `suggested`; one after a minus is removed: 0.
    """
    words: dict[str, int | None] = {}
    refusals: list[Refusal] = []
    for entry in map(str.strip, re.split("[,，;；\n]", THOUSANDS.sub(lambda number: number[0].replace(",", ""), raw))):
        if not entry:
            continue
        remove = entry[0] in "-−"
        word, colon, number = (part.strip() for part in re.sub("[:：]", ":", entry[remove:]).partition(":"))
        frequency = 0 if remove else read_frequency(number) if colon else None
        if code := refused(word, frequency, colon and not remove):
            refusals.append(Refusal(entry, code))
        elif word not in words and len(words) == MOST_WORDS:
            refusals.append(Refusal(entry, "too_many"))
        else:
            words[word] = frequency
    return words, refusals


def read_frequency(number: str) -> int | None:
    """A whole number above 0; None where there is none."""
    frequency = int(number) if number.isdecimal() and len(number) < 11 else 0  # ２６ of a Chinese keyboard too
    return frequency if 1 <= frequency <= GREATEST else None


def refused(word: str, frequency: int | None, weighed: object) -> str | None:
    """Why a word cannot be taken."""
    if not word:
        return "empty"
    if re.search(r"\s", word):
        return "spaces"
    if not BLOCK.fullmatch(word):
        return "outside"  # jieba cuts there whatever the dictionary says
    if len(word) > LONGEST_WORD:
        return "too_long"
    return "frequency" if weighed and frequency is None else None


def written(words: Mapping[str, int | None]) -> str:
    """The words as `read_words` reads them."""
    return ", ".join(f"-{w}" if f == 0 else w if f is None else f"{w}:{f}" for w, f in words.items())


def weighed(words: Mapping[str, int | None], base: Dictionary) -> dict[str, int]:
    """The words with their frequencies, the suggested one where none was given."""
    return {word: suggested(word, base) if frequency is None else frequency for word, frequency in words.items()}


def suggested(word: str, base: Dictionary) -> int:
    """The frequency jieba gives to a word added without one: just enough for it to beat its parts."""
    share = 1.0
    for part in cut(word, base, hmm=False):
        share *= base.frequencies.get(part.text, 1) / base.total
    return max(int(share * base.total) + 1, base.frequencies.get(word, 1))
