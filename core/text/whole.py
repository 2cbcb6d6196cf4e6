"""Tokenizers without pieces: a text is normalised and split, and every part is one token, known or [UNK].

What they do is kept in the same `Trace` as WordPiece's, so that a page can show either.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from .normalization import Step, Traced, clean
from .shared import SPECIALS, SharedVocabulary
from .template import truncate
from .token import Token
from .trace import CutReason, Match, Stretch, TextTrace, Trace, Unknown, Word


class Whole:
    """What `Characters` and `Words` have in common.

    Attributes:
        pieces: the shared vocabulary; the piece at `i` has id `i`.
        pad_id, unk_id, bos_id, eos_id: ids of the special tokens.
        longest: how many tokens a row may have, special tokens included.
    """

    specials = SPECIALS
    cuts_words = False  # each part of a text is one token
    merges_bytes = False
    gap = ""
    steps: tuple[str, ...] = ()  # of normalisation
    front: tuple[str, ...] = ()  # special tokens before the text
    back: tuple[str, ...] = ("[EOS]",)  # and after it

    def __init__(self, vocabulary: SharedVocabulary, ids: Mapping[str, int], longest: int) -> None:
        self.vocabulary = vocabulary
        self.pieces = vocabulary.pieces
        self.longest = longest
        self._ids = dict(ids)
        self.pad_id, self.unk_id, self.bos_id, self.eos_id = range(len(SPECIALS))

    @property
    def names(self) -> tuple[str, ...]:
        """What each piece is called where it is shown: its spelling."""
        return self.pieces

    def __len__(self) -> int:
        """How many pieces there are, those of the other language included: they share one table."""
        return len(self.pieces)

    def id_of(self, piece: str) -> int | None:
        """The id of a piece, None where a text of this language cannot hold it."""
        return SPECIALS.index(piece) if piece in SPECIALS else self._ids.get(piece)

    def piece_of(self, id: int) -> str:
        """The piece with this id.

        Raises:
            IndexError: there is no such id.
        """
        if id < 0:
            raise IndexError(f"no piece has id {id}")
        return self.pieces[id]

    def encode(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> tuple[Token, ...]:
        """The tokens of a text: the last step of `trace`, which see."""
        return self.trace(text, pair, pad_to, max_tokens).tokens

    def unknown(self, text: str) -> tuple[str, ...]:
        """The parts of a text, as typed, that are not in the vocabulary: each once, in reading order."""
        words = (word for word in self._trace_text(text).words if word.unknown)
        return tuple(dict.fromkeys(text[word.start : word.end] for word in words))

    def trace(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> Trace:
        """Turn a text into tokens, and keep every step.

        Args:
            text: the text. Special tokens typed literally are text like any other.
            pair: must be None; it is here because WordPiece has it.
            pad_to: add [PAD] up to this many tokens; longer rows stay as they are.
            max_tokens: cut the text so that the row is at most this long; `longest` where not given.

        Raises:
            ValueError: there is a pair, or `max_tokens` leaves no room for the special tokens.
        """
        if pair is not None:
            raise ValueError("this tokenizer reads one text, not a pair")
        around = len(self.front) + len(self.back)
        room = (self.longest if max_tokens is None else max_tokens) - around
        if room < 0:
            raise ValueError(f"max_tokens must be at least {around}, not {max_tokens}")
        traced = self._trace_text(text)
        cuts = truncate([traced.tokens], room)
        row = (*self.added(self.front), *traced.tokens[: cuts[0].kept], *self.added(self.back))
        padding = max(0, (pad_to or 0) - len(row))
        return Trace((traced,), cuts, row + tuple(self.added(["[PAD]"] * padding)), padding)

    def normalize(self, text: str) -> tuple[Step, ...]:
        """The text after each step of normalisation; the last is what gets split."""
        raise NotImplementedError

    def split(self, text: str) -> Iterator[tuple[int, int, CutReason]]:
        """Start and end of each part of a normalised text, and why it is apart from the one before."""
        raise NotImplementedError

    def _trace_text(self, text: str) -> TextTrace:
        if not text:
            return TextTrace(text, 0, (), ())
        steps = self.normalize(text)
        words = tuple(self._words(steps[-1]))
        tokens = tuple(self._token(word) for word in words)
        return TextTrace(text, 0, (Stretch(text, 0, steps, words),), tokens)

    def _words(self, normalized: Step) -> Iterator[Word]:
        for index, (start, end, cut) in enumerate(self.split(normalized.text)):
            word, id = normalized.text[start:end], self._ids.get(normalized.text[start:end])
            matches = () if id is None else (Match(word, 0, len(word), id),)
            unknown = Unknown("no_piece", word, 0, ()) if id is None else None
            yield Word(index, word, normalized.origins[start:end], cut, matches, unknown)

    def _token(self, word: Word) -> Token:
        id = word.matches[0].id if word.matches else self.unk_id
        return Token(self.pieces[id], id, word.start, word.end, special=False, segment=0, word=word.index)

    def added(self, pieces: Iterable[str]) -> Iterator[Token]:
        """Tokens that nobody typed."""
        for piece in pieces:
            yield Token(piece, SPECIALS.index(piece), 0, 0, special=True, segment=0, word=None)


def cleaned(text: str) -> list[Traced]:
    """Without control characters, every kind of whitespace a plain space; each character with its origin."""
    return list(clean(zip(text, range(len(text)), strict=True)))


def as_step(name: str, traced: Iterable[Traced]) -> Step:
    pairs = list(traced)
    return Step(name, "".join(character for character, _ in pairs), tuple(origin for _, origin in pairs))


def parts(pattern: re.Pattern[str], text: str, touching: CutReason) -> Iterator[tuple[int, int, CutReason]]:
    """Every match of `pattern`, and why it is cut off: `touching` where no space lies before it."""
    before = None
    for match in pattern.finditer(text):
        cut: CutReason = "start" if before is None else "whitespace" if before < match.start() else touching
        yield match.start(), match.end(), cut
        before = match.end()
