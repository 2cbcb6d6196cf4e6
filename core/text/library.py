"""A tokenizer by what its `tokenizer.json` says, run by Hugging Face's `tokenizers`: for every one whose rules are not
written out here. What it did inside a word is not known; words, pieces and places are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from .byte_pairs import SIGN_OF, bytes_in, readable
from .template import truncate
from .token import Token
from .trace import Candidate, CutReason, Match, SpecialMatch, Stretch, TextTrace, Trace, Unknown, Word

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

PROBES = "a", "A", "0", ".", "的"  # texts of which a vocabulary has one


@dataclass(frozen=True)
class Piece(Match):
    """A part of a word that became a token, and what that is called."""

    name: str

    @property
    def text(self) -> str:
        return self.name

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Only itself: what else was looked up is not known."""
        return (Candidate(self.name, self.start, self.end, self.id),)


@dataclass(frozen=True)
class Place:
    """What stands in a row beside or instead of a text: a token that nobody typed, or all of a text's.

    Attributes:
        text: 0 for the first text, 1 for the second; None for a token that nobody typed.
        id: of that token.
        segment: of what stands here.
    """

    text: int | None
    id: int
    segment: int


class LibraryTokenizer:
    """A tokenizer whose rules somebody else runs.

    Attributes:
        pieces: the vocabulary with what was added; the piece at `i` has id `i`.
        names: what each is called where it is shown: of bytes, what they spell.
        specials: those that the files call special.
        pad_id, eos_id: of what fills a row up and of what ends a text; None where nothing does.
        unk_id: of what stands for what is unknown; -1 where nothing does.
        front, back: what is put around a text.
    """

    cuts_words = True
    merges_bytes = False
    steps: tuple[str, ...] = ()  # of normalisation: they are not known

    def __init__(self, rules: "Tokenizer", pad: str | None = None, unk: str | None = None, end: str | None = None):
        """Take the rules, and the names of the tokens that fill up, stand for what is unknown, and end a text.

        Raises:
            ValueError: ids are left out of the vocabulary, or no text becomes a token.
        """
        rules.no_padding()
        rules.no_truncation()
        self.rules = rules
        self.gap = "" if type(rules.model).__name__ == "WordPiece" else " "  # what a later word begins with
        ids = rules.get_vocab(with_added_tokens=True)
        if sorted(ids.values()) != list(range(len(ids))):
            raise ValueError("the vocabulary leaves ids out")
        added = rules.get_added_tokens_decoder()
        self.pieces = tuple(sorted(ids, key=ids.__getitem__))
        self.specials = tuple(token.content for token in added.values() if token.special)
        self._ids, self._added = ids, frozenset(added)
        of_bytes = all(sign in ids for sign in SIGN_OF.values())
        spelt = [of_bytes and id not in self._added and set(piece) <= SIGNS for id, piece in enumerate(self.pieces)]
        self.names = tuple(
            readable(bytes_in(piece)) if known else piece for piece, known in zip(self.pieces, spelt, strict=True)
        )
        self.eos_id = ids.get(end) if end else None
        self.unk_id = ids.get(unk, -1) if unk else -1
        self.pad_id = ids.get(pad, self.eos_id) if pad else self.eos_id
        self.rows = tuple(tuple(self._places(texts)) for texts in (1, 2))
        at = next(i for i, place in enumerate(self.rows[0]) if place.text == 0)
        self.front, self.back = (
            tuple(self.pieces[place.id] for place in part) for part in (self.rows[0][:at], self.rows[0][at + 1 :])
        )

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

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some tokens."""
        return self.rules.decode(list(ids), skip_special_tokens=False)

    def unknown(self, text: str) -> tuple[str, ...]:
        """The parts of a text, as typed, that the vocabulary cannot spell: each once, in reading order."""
        tokens = self._trace_text(text, 0).tokens
        return tuple(dict.fromkeys(text[token.start : token.end] for token in tokens if token.id == self.unk_id))

    def encode(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> tuple[Token, ...]:
        """The tokens of a text, or of a pair: the last step of `trace`, which see."""
        return self.trace(text, pair, pad_to, max_tokens).tokens

    def trace(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int | None = None
    ) -> Trace:
        """Turn a text, or a pair of texts, into tokens.

        Args:
            text: the text.
            pair: a second text.
            pad_to: fill up to this many tokens; longer rows stay as they are.
            max_tokens: cut the texts, the longer first, so that the row is at most this long.

        Raises:
            ValueError: `max_tokens` leaves no room for what is put around a text.
        """
        sources = [text] if pair is None else [text, pair]
        template = self.rows[len(sources) - 1]
        texts = tuple(self._trace_text(source, number) for number, source in enumerate(sources))
        whole = sum(len(text.tokens) for text in texts)
        room = whole if max_tokens is None else max_tokens - (len(template) - len(sources))
        if room < 0:
            raise ValueError(f"max_tokens must be at least {len(template) - len(sources)}, not {max_tokens}")
        cuts = truncate([text.tokens for text in texts], room)
        row: list[Token] = []
        for place in template:
            if place.text is None:
                row.append(self._put(place.id, place.segment))
            else:
                row += texts[place.text].tokens[: cuts[place.text].kept]
        padding = max(0, (pad_to or 0) - len(row))
        row += [self._put(self.pad_id or 0, 0)] * padding
        return Trace(texts, cuts, tuple(row), padding)

    def _places(self, texts: int) -> Iterator[Place]:
        """What a row of one text, or two, is made of, found in that of a short one."""
        for probe in PROBES:
            made = self.rules.encode(probe, None if texts == 1 else probe)
            if {0, texts - 1} <= set(made.sequence_ids):
                break
        else:
            raise ValueError("no text becomes a token")
        each = zip(made.sequence_ids, made.ids, made.type_ids, strict=True)
        before = None
        for text, id, segment in each:
            if text is None or text != before:
                yield Place(text, id, segment)
            before = text

    def _put(self, id: int, segment: int) -> Token:
        """A token that nobody typed."""
        return Token(self.names[id], id, 0, 0, special=True, segment=segment, word=None)

    def _trace_text(self, text: str, number: int) -> TextTrace:
        made = self.rules.encode(text, add_special_tokens=False)
        places = self.rows[number]
        segment = next(place.segment for place in places if place.text == number)
        parts: list[SpecialMatch | Stretch] = []
        words: list[Word] = []
        end = 0

        def close(at: int) -> None:
            if words:
                parts.append(Stretch(text[end:at], end, (), tuple(words)))

        tokens: list[Token] = []
        count = 0
        for (_, id), group in groupby(range(len(made.ids)), lambda i: (made.word_ids[i], self._alone(made, i))):
            first, *_ = indices = list(group)
            start, last = made.offsets[first][0], made.offsets[indices[-1]][1]
            if id is not None:
                close(start)
                words, end = [], last
                parts.append(SpecialMatch(text[start:last], id, start, last))
                tokens.append(Token(self.names[id], id, start, last, special=True, segment=segment, word=None))
                continue
            cut: CutReason = "start" if not tokens else "special" if not words else why_cut(text, start)
            words.append(self._word(count, text, made, indices, cut))
            for i in indices:
                at = made.offsets[i]
                tokens.append(Token(self.names[made.ids[i]], made.ids[i], *at, False, segment, count))
            count += 1
        close(len(text))
        return TextTrace(text, segment, tuple(parts), tuple(tokens))

    def _alone(self, made: "Encoding", i: int) -> int | None:
        """The id of a token that was added and is found as it is typed; None of a piece of a word."""
        return made.ids[i] if made.ids[i] in self._added and made.ids[i] != self.unk_id else None

    def _word(self, index: int, text: str, made: "Encoding", indices: list[int], cut: CutReason) -> Word:
        start, end = made.offsets[indices[0]][0], made.offsets[indices[-1]][1]
        origins = tuple(range(start, end)) or (min(start, max(0, len(text) - 1)),)
        word = text[origins[0] : origins[-1] + 1]
        if len(indices) == 1 and made.ids[indices[0]] == self.unk_id:
            return Word(index, word, origins, cut, (), Unknown("no_piece", word, 0, ()))
        places = ((i, made.ids[i], *made.offsets[i]) for i in indices)
        pieces = tuple(Piece(word, a - start, b - start, id, self.names[id]) for _, id, a, b in places)
        return Word(index, word, origins, cut, pieces, None)


SIGNS = frozenset(SIGN_OF.values())


def why_cut(text: str, start: int) -> CutReason:
    """Why a word that begins here is apart from the one before."""
    around = text[max(0, start - 1) : start + 1]
    return "whitespace" if any(map(str.isspace, around)) else "punctuation"
