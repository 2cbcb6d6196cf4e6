"""Byte-level BPE: a text is cut into words, a word into bytes, and of two pieces side by side those are merged first
that were merged first in training, until no two can be.

`trace` keeps every merge; `encode` is its last step. A token may be part of a character. Where a vocabulary has all
bytes, nothing is ever unknown.

References:
    Sennrich et al. 2016, https://arxiv.org/abs/1508.07909 (BPE); Radford et al. 2019, GPT-2, section 2.2 (on bytes, and
    the pattern that cuts words).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from unicodedata import category

from .bpe import byte_of
from .literal import parted
from .merging import merged
from .normalization import Step
from .template import truncate
from .token import Token
from .trace import Candidate, CutReason, Match, SpecialMatch, Stretch, TextTrace, Trace, Word

SEEN = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})  # what white space is shown as
SIGN_OF = {byte: sign for sign, byte in byte_of().items()}  # the character that stands for a byte
SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # Unicode's white space
# GPT-2's pattern, for texts without digits, which are words of their own: an English ending, letters, signs, spaces;
# one space goes with what follows it.
WORD = re.compile(rf"'(?:[stmd]|re|ve|ll)| ?[^\W_]+| ?(?:[^\w{SPACE}]|_)+|[{SPACE}]+(?![^{SPACE}])|[{SPACE}]+")


@dataclass(frozen=True)
class Merge:
    """Two pieces that became one.

    Attributes:
        left, right: the pieces.
        rank: how many merges were learnt before this one; of all that could be made, the lowest is made.
        chances: how many different pairs could have been merged.
        id: the row of what they became.
        pieces: the word after it, which merges the two wherever they stand side by side.
    """

    left: str
    right: str
    rank: int
    chances: int
    id: int | None
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Piece(Match):
    """A part of a word, in the signs for its bytes, that the vocabulary has."""

    @property
    def text(self) -> str:
        return self.word[self.start : self.end]

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Only itself: no other was looked up here."""
        return (Candidate(self.text, self.start, self.end, self.id),)


@dataclass(frozen=True)
class MergedWord(Word):
    """A word in the signs for its bytes, and how they were merged; `origins` has a code point for each byte."""

    merges: tuple[Merge, ...] = ()


class BytePairs:
    """A vocabulary of merged bytes, and the merges in the order in which they were learnt.

    Attributes:
        pieces: the vocabulary; the piece at `i` has id `i`.
        specials: those that no text is spelt with, unless they are typed literally.
        longest: how many tokens a row may have.
        pad_id: the id of what fills a row up.
        eos_id: the id of what ends a text that is written; None where nothing does.
        unk_id: no id: nothing is unknown.
    """

    cuts_words = True
    merges_bytes = True
    gap = " "  # what a word in the middle of a text begins with
    front: tuple[str, ...] = ()  # nothing is added to a text
    back: tuple[str, ...] = ()
    steps = ("bytes",)  # of normalisation
    unk_id = -1

    def __init__(
        self,
        pieces: Sequence[str],
        merges: Iterable[tuple[str, str]],
        specials: Sequence[str],
        pad: str,
        longest: int,
        end: str = "",
    ) -> None:
        self.pieces, self.specials, self.longest = tuple(pieces), tuple(specials), longest
        self._ids = {piece: id for id, piece in enumerate(self.pieces)}
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._special = re.compile("|".join(map(re.escape, sorted(specials, key=len, reverse=True))))
        self.pad_id, self.eos_id = self._ids[pad], self._ids.get(end)

    @classmethod
    def of_file(cls, said: Mapping, longest: int) -> "BytePairs":
        """The tokenizer that a GGUF file holds, by what it says of itself."""
        pieces, kinds = said["tokenizer.ggml.tokens"], said["tokenizer.ggml.token_type"]
        merges = [(left, right) for left, _, right in (merge.partition(" ") for merge in said["tokenizer.ggml.merges"])]
        specials = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == 3]  # what it calls "control"
        pad, end = (pieces[said[f"tokenizer.ggml.{name}_token_id"]] for name in ("padding", "eos"))
        return cls(pieces, merges, specials, pad, longest, end)

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self.pieces)

    def id_of(self, piece: str) -> int | None:
        """The id of a piece, None where the vocabulary lacks it."""
        return self._ids.get(piece)

    def piece_of(self, id: int) -> str:
        """The piece with this id. Raises IndexError where there is none."""
        if id < 0:
            raise IndexError(f"no piece has id {id}")
        return self.pieces[id]

    @property
    def lacking(self) -> tuple[int, ...]:
        """The bytes that no piece stands for."""
        return tuple(byte for byte, sign in SIGN_OF.items() if sign not in self._ids)

    @property
    def count_of_merges(self) -> int:
        """How many merges were learnt."""
        return len(self._ranks)

    def rank_of(self, left: str, right: str) -> int | None:
        """The place of a merge among all, None where these two are never merged."""
        return self._ranks.get((left, right))

    def unknown(self, text: str) -> tuple[str, ...]:
        """The characters with a byte that the vocabulary lacks, such as control characters: each once, in their order.
        No token stands for these bytes."""
        spelt = signs(text, 0, len(text))
        return tuple(
            dict.fromkeys(text[at] for sign, at in zip(spelt.text, spelt.origins, strict=True) if sign not in self._ids)
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each piece is called where it is shown: a space as ␣, bytes that are no whole character as ⟨E6⟩."""
        return tuple(self.name_of(id) for id in range(len(self)))

    def name_of(self, id: int) -> str:
        """What a piece is called where it is shown. Raises IndexError where there is none.

        >>> readable(" café".encode()), readable("我".encode()[:2])
        ('␣café', '⟨E6⟩⟨88⟩')
        """
        return readable(self.bytes_of(id))

    def bytes_of(self, id: int) -> bytes:
        """What a token stands for: its bytes, which need not be whole characters; of a special one, its name's."""
        piece = self.piece_of(id)
        return piece.encode() if piece in self.specials else bytes_in(piece)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some tokens; bytes that are no whole character become �."""
        return b"".join(map(self.bytes_of, ids)).decode(errors="replace")

    def encode(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> tuple[Token, ...]:
        """The tokens of a text: the last step of `trace`, which see."""
        return self.trace(text, pair, pad_to, max_tokens).tokens

    def trace(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> Trace:
        """Turn a text into tokens, and keep every step. A special token that is typed is one.

        Args:
            text: the text.
            pair: must be None; it is here because WordPiece has it.
            pad_to: fill up to this many tokens; longer rows stay as they are.
            max_tokens: cut the text so that the row is at most this long; `longest` where not given.

        Raises:
            ValueError: there is a pair.
        """
        if pair is not None:
            raise ValueError("this tokenizer reads one text, not a pair")
        traced = self._trace_text(text)
        cuts = truncate([traced.tokens], self.longest if max_tokens is None else max_tokens)
        row = traced.tokens[: cuts[0].kept]
        padding = max(0, (pad_to or 0) - len(row))
        pad = Token(self.pieces[self.pad_id], self.pad_id, 0, 0, special=True, segment=0, word=None)
        return Trace((traced,), cuts, row + (pad,) * padding, padding)

    def _trace_text(self, text: str) -> TextTrace:
        parts = tuple(parted(text, self._special, self._ids, self._stretch))
        return TextTrace(text, 0, parts, tuple(token for part in parts for token in self._tokens(part)))

    def _stretch(self, text: str, start: int, end: int, words_before: int) -> Stretch:
        cut: CutReason = "special" if start else "start"
        words = []
        for index, (first, last) in enumerate(words_of(text[start:end]), words_before):
            if words:
                cut = why_cut(text[start + first - 1], text[start + first])
            words.append(self._word(index, text, start + first, start + last, cut))
        return Stretch(text[start:end], start, (signs(text, start, end),), tuple(words))

    def _word(self, index: int, text: str, start: int, end: int, cut: CutReason) -> MergedWord:
        spelt = signs(text, start, end)
        each = list(zip(spelt.text, spelt.origins, strict=True))
        known = [(sign, at) for sign, at in each if sign in self._ids] or each  # what it lacks is passed over
        word, origins = "".join(sign for sign, _ in known), tuple(at for _, at in known)
        merges = tuple(self.merges(word))
        pieces = merges[-1].pieces if merges else tuple(word)
        return MergedWord(index, word, origins, cut, tuple(self._pieces(word, pieces)), None, merges)

    def merges(self, word: str) -> Iterator[Merge]:
        """The merges that a word goes through, in the signs for its bytes."""
        pieces: Sequence[str] = word
        while pairs := [pair for pair in pairwise(pieces) if pair in self._ranks]:
            left, right = best = min(pairs, key=self._ranks.__getitem__)
            pieces = tuple(merged(pieces, left, right, left + right))
            made = self.id_of(left + right)
            yield Merge(left, right, self._ranks[best], len(set(pairs)), made, pieces)

    def _pieces(self, word: str, pieces: Sequence[str]) -> Iterator[Piece]:
        start = 0
        for piece in pieces:
            if piece in self._ids:
                yield Piece(word, start, start + len(piece), self._ids[piece])
            start += len(piece)

    def _tokens(self, part: SpecialMatch | Stretch) -> Iterator[Token]:
        if isinstance(part, SpecialMatch):
            yield Token(part.text, part.id, part.start, part.end, special=True, segment=0, word=None)
            return
        for word in part.words:
            for piece in word.matches:
                first, last = word.origins[piece.start], word.origins[piece.end - 1]
                yield Token(
                    self.name_of(piece.id), piece.id, first, last + 1, special=False, segment=0, word=word.index
                )


def bytes_in(signs: str) -> bytes:
    """What some signs stand for."""
    return bytes(byte_of()[sign] for sign in signs)


def letters(signs: str) -> tuple[str, ...]:
    """Each byte as it is shown by itself: an ASCII character, else two digits of base 16.

    >>> letters("Ġcaf" + "".join(SIGN_OF[byte] for byte in "é".encode()))
    ('␣', 'c', 'a', 'f', 'C3', 'A9')
    """
    return tuple(readable(bytes_in(sign)).strip("⟨⟩") for sign in signs)


def readable(bytes: bytes) -> str:
    """A text of these bytes in which white space is seen, and so is what is no whole character."""
    text = bytes.decode(errors="surrogateescape").translate(SEEN)
    return "".join(f"⟨{ord(c) - 0xDC00:X}⟩" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in text)


def signs(text: str, start: int, end: int) -> Step:
    """A part of a text in the signs for its bytes, each with the code point that it is of."""
    each = [(SIGN_OF[byte], at) for at in range(start, end) for byte in text[at].encode(errors="surrogatepass")]
    return Step("bytes", "".join(sign for sign, _ in each), tuple(at for _, at in each))


def words_of(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each word: every digit by itself, and between digits what GPT-2's pattern finds.

    >>> [text[start:end] for text in ["I've 12 cats"] for start, end in words_of(text)]
    ['I', "'ve", ' ', '1', '2', ' cats']
    """
    start = 0
    for at in [*(i for i, character in enumerate(text) if is_digit(character)), len(text)]:
        yield from ((start + found.start(), start + found.end()) for found in WORD.finditer(text[start:at]))
        if at < len(text):
            yield at, at + 1
        start = at + 1


def is_digit(character: str) -> bool:
    """Whether Unicode counts it among the numbers: 7, ٧, Ⅶ, ½."""
    return category(character)[0] == "N"


def why_cut(before: str, after: str) -> CutReason:
    """Why a word that begins with `after` is apart from what ends with `before`."""
    if is_digit(before) or is_digit(after):
        return "digit"
    return "whitespace" if before.isspace() or after.isspace() else "punctuation"
