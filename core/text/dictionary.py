"""Words and how often they were seen: jieba's, of Chinese, and those of two English books; a visitor's own words are
laid over them."""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from ..files import MODELS
from .unicode import is_cjk

ENGLISH = MODELS / "english/words.tsv"
GREATEST = 10**9  # frequency that a visitor may give


@dataclass(frozen=True, eq=False)
class Dictionary:
    """Words and how often they were seen. Never changed: `changed` lays a visitor's own words over it.

    Attributes:
        frequencies: word -> frequency; beginnings of words that are none themselves are there with 0.
        total: the sum of all frequencies.
        tags: word -> part of speech, by the first tag the dictionary lists.
        own: what was laid over: word -> frequency, 0 where it was removed.
    """

    frequencies: Mapping[str, int]
    total: int
    tags: Mapping[str, str]
    own: Mapping[str, int] = field(default_factory=dict)

    def frequency(self, word: str) -> int:
        """How often a word was seen; 0 for what is no word."""
        return self.frequencies.get(word, 0)

    def removed(self, word: str) -> bool:
        """Whether somebody took the word out."""
        return self.own.get(word) == 0

    def changed(self, words: Mapping[str, int]) -> "Dictionary":
        """This dictionary with other frequencies for some words; 0 removes one. Nothing is copied.

        Raises:
            ValueError: a frequency is negative, or a word is empty.
        """
        if any(frequency < 0 or not word for word, frequency in words.items()):
            raise ValueError("a word has at least one character and a frequency of at least 0")
        over = dict(words)
        for word in words:
            for end in range(1, len(word)):
                if word[:end] not in self.frequencies:
                    over.setdefault(word[:end], 0)
        total = self.total + sum(frequency - self.frequency(word) for word, frequency in words.items())
        return Dictionary(ChainMap(over, self.frequencies), total, self.tags, {**self.own, **words})  # type: ignore[arg-type]


@cache
def dictionary() -> Dictionary:
    """jieba's own dictionary, read once (about a second) and shared by everyone."""
    spec = find_spec("jieba")
    assert spec is not None and spec.submodule_search_locations
    frequencies: dict[str, int] = {}
    tags: dict[str, str] = {}
    total = 0
    with (Path(spec.submodule_search_locations[0]) / "dict.txt").open(encoding="utf-8") as file:
        for line in file:
            word, frequency, tag = line.split()
            frequencies[word] = int(frequency)
            tags[word] = tag
            total += int(frequency)
    return Dictionary(MappingProxyType(with_beginnings(frequencies)), total, MappingProxyType(tags))


@cache
def english() -> Dictionary:
    """The words of two English books, in any case, as core/training/english.py counted them. They have no tags."""
    frequencies = counted()
    total = sum(frequencies.values())
    return Dictionary(AnyCase(with_beginnings(frequencies)), total, {})


def counted() -> dict[str, int]:
    """The words of the two books, and how often each stands there."""
    rows = (line.split("\t") for line in ENGLISH.read_text(encoding="utf-8").splitlines())
    return {word: int(frequency) for word, frequency in rows}


def with_beginnings(frequencies: dict[str, int]) -> dict[str, int]:
    """The same words, and with 0 the beginnings of words that are none themselves."""
    beginnings = {word[:end] for word in frequencies for end in range(1, len(word))}
    for beginning in beginnings:
        frequencies.setdefault(beginning, 0)
    return frequencies


class AnyCase(Mapping[str, int]):
    """Frequencies of words in lower case, found however a word is written."""

    def __init__(self, frequencies: Mapping[str, int]) -> None:
        self.frequencies = frequencies

    def __getitem__(self, word: str) -> int:
        return self.frequencies[word.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.frequencies)

    def __len__(self) -> int:
        return len(self.frequencies)


def dictionary_for(text: str) -> Dictionary:
    """jieba's words where there is a Chinese character to cut, or nothing to cut at all; else the English ones."""
    latin = re.search("[a-zA-Z]", text) and not any(map(is_cjk, text))
    return english() if latin else dictionary()
