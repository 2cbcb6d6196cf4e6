"""What is looked at on this page: a model's table as a space, the words drawn of it, and one word that is followed."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from core.derivation import Measure, Weight
from core.derivation.flow import TABLE
from core.exercises.meaning import Chosen
from core.lesson import lesson_of
from core.questions import Question
from core.views import meaning
from core.views.maps import NEAR, nearest
from core.views.meaning import Group, Neighbour, Space, Word, WordSet, word_set
from core.views.vectors import cosines
from pages.shared.address.address import Parameter
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.stages.meaning.groups import chosen_groups


class Words(NamedTuple):
    """A word, the words it is compared with, and what of it is said."""

    word: str
    others: tuple[str, ...]
    kind: str


PERPLEXITIES = ("2", "5", "10", "20", "30", "50")
LONGEST_WORD = 40  # characters
HIDDEN = "?"  # stands for a word to choose from, and for its cosine, while the question is open


def words_to_ask(model: str, text: str) -> Sequence[Words]:
    """What is asked about on this page, one after the other: which is first, is the sentence's affair."""
    asked = [Words(one["word"], tuple(one["others"]), one["kind"]) for one in opening(model).get("asked", ())]
    first = crc32(text.encode()) % len(asked) if asked else 0
    return asked[first:] + asked[:first]


def opening(model: str) -> Mapping[str, Any]:
    """What a model opens this page on: `[stages.meaning]` of its lesson."""
    return lesson_of(model).stages.get("meaning", {})


def opens_with(page: PageContext, name: str) -> Any:
    """One of these things, by its name; where there is another for a language, that of the page's."""
    return page.opening.get(f"{name}_{page.t.language}") or page.opening.get(name)


def words_asked(model: str, text: str, question: Question | None) -> Words | None:
    """The words that a question is about."""
    every = words_to_ask(model, text)
    first = next(iter(every), None)
    return next((words for words in every if question and question.facts["word"] == words.word), first)


@cached.shared
def space_of(model: str) -> Space:
    return meaning.space(cached.model(model))


@cached.shared
def words_of(model: str, groups: tuple[Group, ...]) -> WordSet:
    """The words of a map."""
    return word_set(space_of(model), groups)


@cached.shared
def nearest_on_map(model: str, groups: tuple[Group, ...]) -> tuple[np.ndarray, np.ndarray]:
    return nearest_words(words_of(model, groups))


def nearest_words(words: WordSet) -> tuple[np.ndarray, np.ndarray]:
    """[word, k] each: of these words the nearest in the space, and their cosines."""
    count = min(NEAR, len(words.words) - 1)
    near = nearest(words.vectors, count, "cosine")
    return near, np.take_along_axis(cosines(words.vectors), near, axis=1)


@cached.shared
def near_to(model: str, word: str) -> Sequence[Neighbour]:
    """The rows nearest to a word in the space itself."""
    found = space_of(model).word(word)
    return space_of(model).neighbours(found) if found else ()


def known(space: Space, text: str) -> Word | None:
    """A word of the visitor's, if the vocabulary can spell it."""
    return space.word(text) if 0 < len(text) <= LONGEST_WORD else None


def row_name(space: Space, text: str) -> str:
    """A word of the question's by its row's name."""
    word = space.word(text)
    return word.name if word else text


def a_word(space: Space, default: str, allowed: str) -> Parameter:
    """A word that the vocabulary can spell."""

    def read(raw: str) -> str | None:
        return raw.strip() if known(space, raw.strip()) else None

    return Parameter(read, default, allowed, kept=LONGEST_WORD)


def a_row(space: Space, allowed: str) -> Parameter:
    """A row by its piece, as neighbours are named, or a word."""
    word = a_word(space, "", allowed)
    return Parameter(lambda raw: raw if space.row(raw) else word.parse(raw), None, allowed)


def alike(one: Word, other: Word) -> Measure:
    """The cosine of two words; of a word of several pieces their mean is taken."""
    rows = tuple(Weight(TABLE, (id, None)) for word in (one, other) for id in word.ids)
    averaged = one.averaged or other.averaged
    return Measure("pooled", rows, (len(one.ids), len(other.ids))) if averaged else Measure("cosine", rows)


class StageContext(stage.StageContext[Space]):
    @property
    def model(self) -> str:
        return self.page.address.model

    @property
    def sample(self) -> Mapping[str, Any]:
        """This model's ready words and sentences."""
        return opening(self.model)

    @property
    def words_asked(self) -> Words | None:
        """The words the question and the lead are about, where there is a question."""
        return words_asked(self.model, self.page.text, self.question)

    @property
    def veil(self) -> frozenset[str]:
        """The words that must not be told apart while the question is open."""
        about = self.words_asked
        return frozenset((about.word, *about.others)) if self.veiled and about else frozenset()

    @property
    def covered(self) -> frozenset[str]:
        """Those of them that are not named on the map either: all but the one that is asked about."""
        about = self.words_asked
        return self.veil - {about.word} if about else self.veil

    @property
    def ids(self) -> list[str]:
        """The chosen groups."""
        return self.values["groups"].split(",")

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The chosen groups, with their words."""
        return tuple(chosen_groups(self, self.ids))

    @property
    def words(self) -> WordSet:
        """The words of the map."""
        return words_of(self.model, self.groups)

    # ---- the word that is followed

    @property
    def of(self) -> str:
        return self.values["of"]

    @property
    def hidden(self) -> bool:
        """Whether what is followed would answer the open question."""
        return self.of in self.covered or (self.of in self.veil and self.covers(self.to))

    def covers(self, piece: str) -> bool:
        """Whether a row is one of a word to choose from, however it is written."""
        return piece.removeprefix("␣").casefold() in {word.casefold() for word in self.covered}

    @cached_property
    def word(self) -> Word:
        word = self.view.word(self.of)
        assert word, "the address was read by a_word"
        return word

    @property
    def near(self) -> Sequence[Neighbour]:
        """The rows nearest to it in the space itself, of those that may be seen."""
        return [row for row in near_to(self.model, self.of) if not self.covers(row.piece)]

    @property
    def to(self) -> str:
        """What it is compared with: as chosen, else the answer of the question, else its nearest, on the map if it
        is there itself."""
        if self.values["to"]:
            return self.values["to"]
        about = self.words_asked
        if self.question and not self.veiled and about and self.of == about.word:
            return row_name(self.view, str(self.question.facts["near"]))
        return self.nearest_drawn or self.near[0].piece

    @property
    def nearest_drawn(self) -> str | None:
        """Of the words of the map that may be told apart, the nearest to it, where it is one of them."""
        words = self.words.words
        here = next((i for i, word in enumerate(words) if word.text == self.of), None)
        if here is None or len(words) < 2:
            return None
        near = nearest_on_map(self.model, self.groups)[0][here]
        return next((words[i].name for i in near if words[i].text not in self.veil), None)

    @property
    def other(self) -> Word:
        other = self.view.named(self.to)
        assert other, "the address was read by a_row"
        return other

    @property
    def practised(self) -> Chosen:
        return Chosen(self.view, self.word, self.other, self.words.words)
