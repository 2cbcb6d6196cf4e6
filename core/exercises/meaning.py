"""Two words of the map that have little in common; a row that is very near; one that is spelt otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..views.meaning import Space, Word
from ..views.vectors import cosine, unit
from .exercise import Exercise, Patch, Values, Verdict

LOW, HIGH = 0.1, 0.7  # a cosine nearer to 0 than the one, and above the other


@dataclass(frozen=True, eq=False)
class Chosen:
    """The table as a space, the word that is followed and what it is compared with, and the words of the map."""

    space: Space
    word: Word
    other: Word
    words: Sequence[Word]


def unlike(chosen: Chosen, values: Values) -> Verdict:
    """Have the two words that are compared hardly anything in common?"""
    found = float(cosine(chosen.word.vector, chosen.other.vector))
    facts = {"word": chosen.word.text, "other": chosen.other.text, "cosine": found}
    return Verdict(abs(found) < LOW, facts)


def two_unlike(chosen: Chosen, values: Values) -> Patch | None:
    """Of the followed word that of the map which is least like it, where that is enough; else of all. What is compared
    with is looked up by its name: that of a piece is the piece, not the word."""
    if not chosen.words:
        return None
    named = [chosen.space.named(word.text) or word for word in chosen.words]
    mine = [float(cosine(chosen.word.vector, word.vector)) for word in named]
    if min(map(abs, mine)) < LOW:
        return {"of": chosen.word.text, "to": named[int(np.abs(mine).argmin())].text}
    words, others = (np.stack([word.vector for word in of]) for of in (chosen.words, named))
    every = np.abs(unit(words) @ unit(others).T)
    first, second = divmod(int(every.argmin()), len(named))
    if every[first, second] >= LOW:
        return None
    return {"of": chosen.words[first].text, "to": named[second].text}


def near(chosen: Chosen, values: Values) -> Verdict:
    """Has the followed word a row that is very near?"""
    nearest = chosen.space.neighbours(chosen.word, 1)[0]
    facts = {"word": chosen.word.text, "near": nearest.piece, "cosine": nearest.cosine}
    return Verdict(nearest.cosine > HIGH, facts)


def one_that_is_near(chosen: Chosen, values: Values) -> Patch | None:
    """The first: each costs a look at the whole table."""
    for word in chosen.words:
        if chosen.space.neighbours(word, 1)[0].cosine > HIGH:
            return {"of": word.text, "to": None}
    return None


def plain(piece: str) -> str:
    return piece.removeprefix("##").removeprefix("␣").casefold()


def spelt_otherwise(word: Word, near: str) -> bool:
    """Whether two begin with different letters."""
    return plain(word.text)[:1] != plain(near)[:1]


def near_and_other(chosen: Chosen, values: Values) -> Verdict:
    """Does the row nearest to the followed word begin with another letter?"""
    nearest = chosen.space.neighbours(chosen.word, 1)[0]
    facts = {"word": chosen.word.text, "near": nearest.piece, "cosine": nearest.cosine}
    return Verdict(spelt_otherwise(chosen.word, nearest.piece), facts)


def one_spelt_otherwise(chosen: Chosen, values: Values) -> Patch | None:
    for word in chosen.words:
        if spelt_otherwise(word, chosen.space.neighbours(word, 1)[0].piece):
            return {"of": word.text, "to": None}
    return None


EXERCISES = (
    Exercise("unlike", unlike, two_unlike),
    Exercise("near", near, one_that_is_near),
    Exercise("spelling", near_and_other, one_spelt_otherwise, fits=lambda model: model.tokenizer.cuts_words),
)
