"""Another word in the place of one of a sentence: which words there are, what the sentence becomes, and whether the
rows of the two still stand side by side."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..text.token import Token
from ..text.unicode import is_cjk
from ..zoo import Model
from .meaning import space

NEAREST = 80  # rows of the table that are asked whether they may stand there instead


@dataclass(frozen=True)
class Word:
    """A word of a text: where it stands there, and the ids of its tokens."""

    text: str
    start: int
    end: int
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Replaced:
    """A sentence with another word in it, and how many tokens it has, those beyond a model's positions too."""

    text: str
    tokens: tuple[Token, ...]
    count: int


def words_of(tokens: Sequence[Token], text: str, spans: Sequence[tuple[int, int]] = ()) -> tuple[Word, ...]:
    """The words of a text whose tokens these are, as its model splits it or, where a token is a character, as these
    `spans` do; signs are none.

    >>> from core.zoo import load_model
    >>> text = "A giraffe sat."
    >>> [word.text for word in words_of(load_model("minilm").tokenizer.trace(text).tokens, text)]
    ['A', 'giraffe', 'sat']
    """
    typed = [token for token in tokens if token.word is not None and token.end]
    whole = (tuple(own) for _, own in groupby(typed, key=lambda token: (token.segment, token.word)))
    pieces = (tuple(t for t in typed if start <= t.start and t.end <= end) for start, end in spans) if spans else whole
    return spelt(filter(None, pieces), text)


def spelt(pieces: Iterable[Sequence[Token]], text: str) -> tuple[Word, ...]:
    return tuple(one for one in (word(own, text) for own in pieces) if any(map(str.isalnum, one.text)))


def word(pieces: Sequence[Token], text: str) -> Word:
    """Without the space that some tokens begin with."""
    start, end = min(piece.start for piece in pieces), max(piece.end for piece in pieces)
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return Word(text[start:end].rstrip(), start, start + len(text[start:end].rstrip()), tuple(p.id for p in pieces))


def opening(words: Sequence[Word], kinds: Iterable[Sequence[str]] = ()) -> int:
    """The word to begin with: one of the first of these `kinds` that there is; else, of the first half, so that models
    that only look back carry it on, the one that stands last in the vocabulary, where the frequent ones mostly stand
    first."""
    for kind in kinds:
        for i, word in enumerate(words):
            if word.text in kind:
                return i
    return max(range((len(words) + 1) // 2), key=lambda i: max(words[i].ids), default=0)


def replaced(model: Model, text: str, word: Word, by: str) -> Replaced:
    other = text[: word.start] + by + text[word.end :]
    trace = model.tokenizer.trace(other, max_tokens=model.config.positions)
    return Replaced(other, tuple(trace.tokens), len(trace.tokens) + trace.truncated)


def suggested(model: Model, text: str, word: Word, kinds: Iterable[Sequence[str]] = ()) -> str | None:
    """A word that may stand there instead, as many tokens long: the next of its kind; else, of those whose rows in the
    table are nearest to its own, the first that is no other form of it."""
    count = replaced(model, text, word, word.text).count
    for other in (*of_its_kind(word.text, kinds), *nearest(model, word)):
        found = replaced(model, text, word, other)
        if found.count == count and not model.unknown(other):
            return other
    return None


def of_its_kind(word: str, kinds: Iterable[Sequence[str]]) -> list[str]:
    own = next((words for words in kinds if word in words), ())
    at = own.index(word) if own else 0
    return [other for other in (*own[at + 1 :], *own[:at]) if len(other) == len(word)]


def nearest(model: Model, word: Word) -> Iterator[str]:
    table = space(model)
    for near in table.nearest(table.table[list(word.ids)].mean(0), NEAREST, without=word.ids):
        other = near.piece.removeprefix("␣")
        alike = other.casefold()[:3] == word.text.casefold()[:3]
        if other.isalpha() and not alike and written_in(other) == written_in(word.text):
            yield other


def written_in(word: str) -> tuple[bool, bool]:
    """Whether in plain Latin letters, and whether in Chinese characters."""
    return word.isascii(), is_cjk(word[:1])
