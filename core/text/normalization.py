"""Normalisation: the text a tokenizer sees, made from the text a person typed, in four named steps.

Every character keeps the index of the character it came from, through all the steps, so a token found
in the normalised text can be shown in the original.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .unicode import is_accent, is_cjk, is_dropped, is_whitespace


@dataclass(frozen=True)
class Step:
    """The text after one step of normalisation.

    Attributes:
        name: "clean", "cjk", "accents" or "lowercase".
        text: the text after it.
        origins: for each character of `text`, the code point of the original that it came from. A space
            put beside a Han character comes from that character.
    """

    name: str
    text: str
    origins: tuple[int, ...]


# A character of the text so far, and the index of the original character it came from.
Traced = tuple[str, int]


def normalize(text: str, start: int = 0) -> tuple[Step, ...]:
    """Clean, set Han characters apart, strip accents, lowercase.

    Args:
        text: what to normalise.
        start: the index of its first character, where it is a stretch of a longer text.

    Returns:
        One Step for each of the four, in the order they act; the last holds the normalised text.
    """
    steps = []
    traced: list[Traced] = list(zip(text, range(start, start + len(text)), strict=True))
    for name, act in NORMALIZATION.items():
        traced = list(act(traced))
        steps.append(_as_step(name, traced))
    return tuple(steps)


def clean(traced: Iterable[Traced]) -> Iterator[Traced]:
    """Drop control characters and lone surrogates; make every kind of whitespace a plain space."""
    for character, origin in traced:
        if not is_dropped(character):
            yield " " if is_whitespace(character) else character, origin


def separate_cjk(traced: Iterable[Traced]) -> Iterator[Traced]:
    """Put a space on either side of every Han character, so that each becomes a word."""
    for character, origin in traced:
        if is_cjk(character):
            yield from ((" ", origin), (character, origin), (" ", origin))
        else:
            yield character, origin


def strip_accents(traced: Iterable[Traced]) -> Iterator[Traced]:
    """Decompose (é becomes e and an acute), then drop the accents."""
    return (pair for pair in decompose(traced) if not is_accent(pair[0]))


def lowercase(traced: Iterable[Traced]) -> Iterator[Traced]:
    """Lowercase each character by itself.

    By itself, because `tokenizers` does: a Σ that ends a Greek word becomes σ. Lowercasing the whole
    string, as Google's code does, would give ς.
    """
    for character, origin in traced:
        for lowered in character.lower():
            yield lowered, origin


def decompose(traced: Iterable[Traced]) -> Iterator[Traced]:
    """Canonical decomposition (NFD) that keeps the origins.

    Where marks change places (NFD puts them in one fixed order), the origins do not move along: they are
    dealt out in reading order, as `tokenizers` does, so they never run backwards.

    References:
        Unicode Standard Annex #15, Unicode Normalization Forms.
    """
    traced = list(traced)
    if all(character.isascii() for character, _ in traced):  # nothing to decompose, nothing to put in order
        yield from traced
        return
    origins = (origin for _, origin in traced)
    origin = 0
    for character, is_first in _in_canonical_order(_decomposed(character for character, _ in traced)):
        if is_first:
            origin = next(origins)
        yield character, origin


# A decomposed character, and whether it is the first of those its source became.
Part = tuple[str, bool]


def _decomposed(characters: Iterable[str]) -> Iterator[Part]:
    for character in characters:
        for index, part in enumerate(unicodedata.normalize("NFD", character)):
            yield part, index == 0


def _in_canonical_order(parts: Iterable[Part]) -> Iterator[Part]:
    """Sort each run of combining marks by combining class; marks of one class keep their order."""
    marks: list[Part] = []
    for part in parts:
        if unicodedata.combining(part[0]):
            marks.append(part)
        else:
            yield from sorted(marks, key=_combining_class)
            marks = []
            yield part
    yield from sorted(marks, key=_combining_class)


def _combining_class(part: Part) -> int:
    return unicodedata.combining(part[0])


def _as_step(name: str, traced: list[Traced]) -> Step:
    text = "".join(character for character, _ in traced)
    return Step(name, text, tuple(origin for _, origin in traced))


NORMALIZATION = {"clean": clean, "cjk": separate_cjk, "accents": strip_accents, "lowercase": lowercase}
