"""What tokenizing a text did, step by step: the data a page draws, and `encode` takes its tokens from.

Trace                    the tokens, and how they came about
  TextTrace              one for each text
    SpecialMatch         a special token typed literally
    Stretch              the text between those
      Step               normalisation (see normalization.py)
      Word               a word, and why it was cut off from the one before
        Match            a piece found, with every longer candidate that was rejected
        Unknown          or why the word cannot be spelt
  Cut                    how much of each text was kept
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .normalization import Step
from .token import Token

CONTINUATION = "##"

CutReason = Literal["start", "special", "whitespace", "cjk", "punctuation", "character", "digit"]
UnknownReason = Literal["too_long", "no_piece"]


@dataclass(frozen=True)
class Candidate:
    """A piece that was looked up: `id` is its row in the vocabulary, None where it is not there.

    `start` and `end` are characters of the normalised word.
    """

    text: str
    start: int
    end: int
    id: int | None


@dataclass(frozen=True)
class Match:
    """The longest piece of the vocabulary that starts at `start` in `word`, up to `end`."""

    word: str
    start: int
    end: int
    id: int

    @property
    def text(self) -> str:
        """The piece as the vocabulary spells it, `##` included."""
        return spell(self.word, self.start, self.end)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everything tried here: from the whole rest of the word down to the piece that was accepted.

        Made when asked for. Being longer than the longest match, all but the last are known to be absent.
        """
        rejected = _rejected(self.word, self.start, shortest=self.end - self.start + 1)
        return (*rejected, Candidate(self.text, self.start, self.end, self.id))


@dataclass(frozen=True)
class Unknown:
    """Why a word became [UNK].

    Attributes:
        reason: "too_long", the word was not looked at; or "no_piece", nothing in the vocabulary begins
            where the last piece ended.
        word: the word.
        offset: for "no_piece", the character of the word where nothing matched.
        found: for "no_piece", the pieces found before that. They are thrown away: a word is spelt
            completely or not at all.
    """

    reason: UnknownReason
    word: str
    offset: int | None
    found: tuple[Match, ...]

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everything tried at `offset`, down to a single character, and not found."""
        return () if self.offset is None else tuple(_rejected(self.word, self.offset, shortest=1))


@dataclass(frozen=True)
class Word:
    """A word of the text, and the walk through it from left to right.

    Attributes:
        index: its place among the words of its text.
        text: the word, normalised.
        origins: for each character of `text`, the code point of the original that it came from.
        cut: why it is apart from what comes before: the "start" of the text, a "special" token, some
            "whitespace", being or following a Han character ("cjk"), "punctuation" on either side, or, where
            every character is a token, being the next "character".
        matches: its pieces, none where it is unknown.
        unknown: why it has none; None where it could be spelt.
    """

    index: int
    text: str
    origins: tuple[int, ...]
    cut: CutReason
    matches: tuple[Match, ...]
    unknown: Unknown | None

    @property
    def start(self) -> int:
        """The first code point of the original that the word covers."""
        return self.origins[0]

    @property
    def end(self) -> int:
        """One past the last code point of the original that the word covers."""
        return self.origins[-1] + 1


@dataclass(frozen=True)
class SpecialMatch:
    """A special token that stood literally in the text, such as "[MASK]", and was not tokenized further."""

    text: str
    id: int
    start: int
    end: int


@dataclass(frozen=True)
class Stretch:
    """The text between special tokens: mostly, all of it.

    Attributes:
        text: as typed.
        start: its first code point in the whole text.
        steps: the text after each step of normalisation.
        words: what the normalised text was cut into.
    """

    text: str
    start: int
    steps: tuple[Step, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True)
class TextTrace:
    """One text, before it meets the template.

    Attributes:
        text: as typed.
        segment: 0 for the first text, 1 for the pair.
        parts: special tokens typed literally, and the stretches between them, in reading order.
        tokens: all its tokens, those that truncation cuts off included.
    """

    text: str
    segment: int
    parts: tuple[SpecialMatch | Stretch, ...]
    tokens: tuple[Token, ...]

    @property
    def specials(self) -> tuple[SpecialMatch, ...]:
        """The special tokens found in the text as typed."""
        return tuple(part for part in self.parts if isinstance(part, SpecialMatch))

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of all stretches; the one at `i` has index `i`."""
        return tuple(word for part in self.parts if isinstance(part, Stretch) for word in part.words)


@dataclass(frozen=True)
class Cut:
    """What truncation did to one text.

    Attributes:
        kept: how many of its tokens stayed.
        dropped: how many were cut off its end.
        offset: the code point where the first dropped token starts; None where none was dropped.
    """

    kept: int
    dropped: int
    offset: int | None


@dataclass(frozen=True)
class Trace:
    """How a text, or a pair of them, became tokens.

    Attributes:
        texts: one for each text.
        cuts: what truncation did to each of them.
        tokens: the result: template, what was kept of the texts, padding.
        padding: how many padding tokens stand at the end of `tokens`.
    """

    texts: tuple[TextTrace, ...]
    cuts: tuple[Cut, ...]
    tokens: tuple[Token, ...]
    padding: int

    @property
    def truncated(self) -> int:
        """How many tokens were cut off, over all texts."""
        return sum(cut.dropped for cut in self.cuts)

    @property
    def attention_mask(self) -> tuple[int, ...]:
        """For each token 1, for padding 0. A "[PAD]" that was typed is a token like any other."""
        return (1,) * (len(self.tokens) - self.padding) + (0,) * self.padding


def spell(word: str, start: int, end: int) -> str:
    """How the vocabulary would write this part of a word: with `##` unless it begins the word."""
    return word[start:end] if start == 0 else CONTINUATION + word[start:end]


def _rejected(word: str, start: int, shortest: int) -> Iterator[Candidate]:
    for end in range(len(word), start + shortest - 1, -1):
        yield Candidate(spell(word, start, end), start, end, None)
