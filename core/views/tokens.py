"""What the tokens stage shows: one text's way to its tokens, laid out over the characters as they were typed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, takewhile
from typing import Literal

from ..text.byte_pairs import MergedWord, bytes_in, letters, readable
from ..text.normalization import NORMALIZATION
from ..text.token import Token
from ..text.trace import CutReason, SpecialMatch, Stretch, TextTrace, Trace, UnknownReason, Word
from ..text.wordpiece import WordPiece

Kind = Literal["added", "typed", "word"]
SPACED = " "  # between the bytes of one character
SPELT_WHOLE = 1  # this many pieces: the word is in the vocabulary as it is


@dataclass(frozen=True)
class Row:
    """The text at one step, a cell for each code point as typed.

    Attributes:
        name: "typed", or the step of normalisation: "clean", "cjk", "accents", "lowercase", "punctuation".
        cells: what each code point has become: mostly one character, "" where it was dropped, several where it
            was taken apart; None inside a special token typed literally, which is not normalised.
        changed: the code points at which this step changed something.
    """

    name: str
    cells: tuple[str | None, ...]
    changed: tuple[int, ...]


@dataclass(frozen=True)
class Lookup:
    """One stop of the walk through a word: the longest piece that starts at `start`.

    Attributes:
        start: the character of the word where it stands.
        end: one past the last character of the piece found; None where nothing was found.
        id: the piece's row in the vocabulary; None where nothing was found.
        tried: how many candidates were tried here, from the whole rest of the word down, the last one included.
    """

    start: int
    end: int | None
    id: int | None
    tried: int

    @property
    def rejected(self) -> int:
        """How many of those tried are not in the vocabulary."""
        return self.tried - (self.end is not None)


@dataclass(frozen=True)
class Merging:
    """One merge on a word's way to its tokens: two pieces become one, wherever they stand side by side.

    Attributes:
        left, right: the pieces, as they are shown.
        start, end: the bytes of the word that the new piece covers where it is made first.
        id: the new piece's row in the vocabulary.
        rank: how many merges were learnt before this one.
        chances: how many different pairs could have been merged here; this one has the lowest rank.
        ends: where each piece of the word ends after it, in bytes.
    """

    left: str
    right: str
    start: int
    end: int
    id: int | None
    rank: int
    chances: int
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Unit:
    """What can be selected: a word, a special token typed literally, or one that the template adds.

    Attributes:
        kind: "word", "typed" or "added".
        text: the word, normalised; or the special token.
        start, end: the code points of the text it covers; 0 and 0 where it was added.
        cut: why a word is apart from what comes before; None for special tokens.
        tokens: what it became, tokens that truncation cut off included.
        kept: how many of those stayed.
        lookups: the walk through a word, up to where it failed; empty for special tokens and words not looked at.
        unknown: why it became [UNK]; None where it did not.
        letters: of a word whose bytes are merged, each byte as it is shown by itself.
        merges: how they were.
    """

    kind: Kind
    text: str
    start: int
    end: int
    cut: CutReason | None
    tokens: tuple[Token, ...]
    kept: int
    lookups: tuple[Lookup, ...] = ()
    unknown: UnknownReason | None = None
    letters: tuple[str, ...] = ()
    merges: tuple[Merging, ...] = ()

    @property
    def steps(self) -> int:
        """How many steps its way to its tokens has."""
        return len(self.lookups) or len(self.merges)

    @property
    def pieces(self) -> int:
        """How many pieces of the vocabulary spell it: 0 for an unknown word."""
        return 0 if self.unknown else len(self.tokens)

    @property
    def found(self) -> int:
        """How many pieces the walk found, those that an unknown word then throws away included."""
        return sum(lookup.end is not None for lookup in self.lookups)


@dataclass(frozen=True)
class TokensView:
    """One text and its tokens. `units` are in reading order, those that the template adds included; `beside` is a word
    that does not stand in the text, walked beside it."""

    text: str
    rows: tuple[Row, ...]
    units: tuple[Unit, ...]
    truncated: int
    beside: Unit | None = None

    @cached_property
    def walked(self) -> tuple[Unit, ...]:
        """Everything that can be followed: the units, and behind them the one beside."""
        return self.units if self.beside is None else (*self.units, self.beside)

    @cached_property
    def cut(self) -> bool:
        """Whether some word has been taken apart, or would have to be and could not."""
        return any(word.pieces != SPELT_WHOLE for word in self.words)

    @cached_property
    def words(self) -> tuple[Unit, ...]:
        """The units that are words."""
        return tuple(unit for unit in self.units if unit.kind == "word")

    @cached_property
    def typed(self) -> tuple[Unit, ...]:
        """The special tokens that stood in the text."""
        return tuple(unit for unit in self.units if unit.kind == "typed")

    @cached_property
    def row_of(self) -> Mapping[str, Row]:
        """Each step of normalisation by its name."""
        return {row.name: row for row in self.rows}

    @property
    def spaces(self) -> int:
        """How many characters of whitespace parted words and then vanished."""
        return sum(cell == " " for cell in self.row_of["clean"].cells) if "clean" in self.row_of else 0

    @property
    def kept(self) -> int:
        """How many tokens the text itself has in the row that the model reads."""
        return sum(unit.kept for unit in self.units if unit.kind != "added")

    @property
    def total(self) -> int:
        """How long that row is, the added tokens included."""
        return sum(unit.kept for unit in self.units)

    @property
    def nbytes(self) -> int:
        """Roughly what it holds, for a cache of a bounded size."""
        return 1000 + 40 * len(self.rows) * len(self.text) + 600 * len(self.units)

    def opening(self, without: Iterable[int] = ()) -> int:
        """The unit to look at first: the word of most pieces, else an unknown one, else the longest.

        `without` are units not to be taken. Where there is no word: a special token that was typed, else [CLS].
        """
        left = [i for i in range(len(self.units)) if i not in set(without) and self.units[i].kept]
        words = [i for i in left if self.units[i].kind == "word"]
        typed = [i for i in left if self.units[i].kind == "typed"]
        return max(words, key=lambda i: interest(self.units[i]), default=next(iter(typed), 0))

    def same(self, index: int) -> tuple[int, ...]:
        """The units that are the same word as the one at `index`, itself included."""
        asked = self.walked[index]
        if asked is self.beside:
            return (index,)
        return tuple(i for i, unit in enumerate(self.units) if (unit.kind, unit.text) == (asked.kind, asked.text))


@lru_cache(maxsize=8)
def reserved(tokenizer: WordPiece) -> int:
    """How many rows of a vocabulary are held free: [unused0], [unused1], and so on."""
    return sum(piece.startswith("[unused") for piece in tokenizer.pieces)


def interest(word: Unit) -> tuple[int, bool, int]:
    """Most pieces first, then unknown, then longest."""
    return (max(SPELT_WHOLE, word.pieces), word.unknown is not None, len(word.text))


def tokens_view(trace: Trace, steps: Sequence[str] = tuple(NORMALIZATION)) -> TokensView:
    """The view of the first text of a trace; `steps` are those of the tokenizer's normalisation."""
    text = trace.texts[0]
    row = trace.tokens[: len(trace.tokens) - trace.padding]
    front = tuple(takewhile(nobody_typed, row))
    back = tuple(token for token in row[len(front) :] if nobody_typed(token))
    units = (*map(added, front), *text_units(text, trace.cuts[0].kept), *map(added, back))
    return TokensView(text.text, tuple(rows(text, steps)), units, trace.truncated)


def alone(trace: Trace) -> Unit:
    """The one word of a text."""
    return tokens_view(trace).words[0]


def nobody_typed(token: Token) -> bool:
    return token.special and token.end == 0


def added(token: Token) -> Unit:
    return Unit("added", token.text, 0, 0, None, (token,), 1)


def text_units(text: TextTrace, room: int) -> Iterator[Unit]:
    """Words and typed special tokens in reading order; tokens from `room` on were cut off."""
    at = 0
    for part in text.parts:
        for item in (part,) if isinstance(part, SpecialMatch) else part.words:
            count = max(1, len(item.matches)) if isinstance(item, Word) else 1
            tokens, kept = text.tokens[at : at + count], max(0, min(count, room - at))
            at += count
            if isinstance(item, Word):
                yield worded(item, tokens, kept)
            else:
                yield Unit("typed", item.text, item.start, item.end, None, tokens, kept)


def worded(word: Word, tokens: tuple[Token, ...], kept: int) -> Unit:
    """A word, what it became, and its way there."""
    if isinstance(word, MergedWord):
        text, way = readable(bytes_in(word.text)), tuple(merges(word))
        return Unit("word", text, word.start, word.end, word.cut, tokens, kept, (), None, letters(word.text), way)
    reason = word.unknown.reason if word.unknown else None
    return Unit("word", word.text, word.start, word.end, word.cut, tokens, kept, tuple(lookups(word)), reason)


def merges(word: MergedWord) -> Iterator[Merging]:
    """The merges of a word, each with the place where it is made first and with the others that could have been."""
    before: tuple[str, ...] = tuple(word.text)
    for merge in word.merges:
        starts = list(accumulate(map(len, before), initial=0))
        at = next(i for i, pair in enumerate(pairwise(before)) if pair == (merge.left, merge.right))
        made = merge.left + merge.right
        left, right = (readable(bytes_in(piece)) for piece in (merge.left, merge.right))
        start, ends = starts[at], tuple(accumulate(map(len, merge.pieces)))
        yield Merging(left, right, start, start + len(made), merge.id, merge.rank, merge.chances, ends)
        before = merge.pieces


def lookups(word: Word) -> Iterator[Lookup]:
    """The stops of a word's walk; for an unknown word those before it failed, and the one where it did."""
    unknown, size = word.unknown, len(word.text)
    for match in unknown.found if unknown else word.matches:
        yield Lookup(match.start, match.end, match.id, size - match.end + 1)
    if unknown and unknown.offset is not None:
        yield Lookup(unknown.offset, None, None, size - unknown.offset)


def rows(text: TextTrace, steps: Sequence[str]) -> Iterator[Row]:
    """The text as typed, then after each step of normalisation."""
    before: list[str | None] = list(text.text)
    yield Row("typed", tuple(before), ())
    stretches = [part for part in text.parts if isinstance(part, Stretch)]
    for special in text.specials:
        before[special.start : special.end] = [None] * (special.end - special.start)
    for index, name in enumerate(steps):
        after: list[str | None] = [None if cell is None else "" for cell in before]
        for stretch in stretches:
            step = stretch.steps[index]
            assert step.name == name
            shown = letters(step.text) if name == "bytes" else step.text
            for character, origin in zip(shown, step.origins, strict=True):
                after[origin] = f"{after[origin] or ''}{SPACED if name == 'bytes' and after[origin] else ''}{character}"
        yield Row(name, tuple(after), tuple(i for i in range(len(after)) if after[i] != before[i]))
        before = after
