"""WordPiece as uncased BERT uses it: the longest piece in the vocabulary wins, from the left.

`trace` keeps everything that happened on the way; `encode` is its last step.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from os import PathLike
from pathlib import Path

from .literal import parted
from .normalization import NORMALIZATION, Step, normalize
from .splitting import split, why_cut
from .template import fill_template, template_size, truncate
from .token import Token
from .trace import CutReason, Match, SpecialMatch, Stretch, TextTrace, Trace, Unknown, Word, spell

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LONGEST_WORD = 100


class WordPiece:
    """A vocabulary of word pieces, and the rules by which BERT spells a text with them.

    Attributes:
        pieces: the vocabulary; the piece at `i` has id `i`.
        added: tokens besides the special ones that are found as they are typed, before the text is cut into words.
        pad_id, unk_id, cls_id, sep_id, mask_id: ids of the special tokens.

    References:
        Schuster and Nakajima 2012, Japanese and Korean Voice Search, ICASSP (the vocabulary).
        Wu et al. 2016, https://arxiv.org/abs/1609.08144, section 4.1 (the name, and its use on words).
        Devlin et al. 2018, https://arxiv.org/abs/1810.04805 (BERT).
    """

    specials = SPECIALS
    cuts_words = True  # a word may become several tokens
    merges_bytes = False
    gap = ""  # what a word in the middle of a text begins with
    front = ("[CLS]",)  # before the text
    back = ("[SEP]",)  # and after it
    steps = tuple(NORMALIZATION)  # of normalisation

    def __init__(self, pieces: Sequence[str], added: Sequence[str] = (), apart: Collection[str] = ()) -> None:
        """Take the pieces in the order of their ids; `added` are some of them, and `apart` those of these with which
        no word is spelt: they were never in the vocabulary itself.

        Raises:
            ValueError: a special token, or one that was added, is missing from them.
        """
        self.pieces = tuple(pieces)
        self.added = tuple(token for token in added if token not in SPECIALS)
        self._ids = {piece: id for id, piece in enumerate(self.pieces)}
        missing = [special for special in (*SPECIALS, *self.added) if special not in self._ids]
        if missing:
            raise ValueError(f"not a BERT vocabulary: {', '.join(missing)} missing")
        self.pad_id, self.unk_id, self.cls_id, self.sep_id, self.mask_id = map(self._ids.__getitem__, SPECIALS)
        self._spelling = {piece: id for piece, id in self._ids.items() if piece not in apart} if apart else self._ids
        longest_first = sorted((*SPECIALS, *self.added), key=len, reverse=True)
        self._literal = re.compile("|".join(map(re.escape, longest_first)))

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> "WordPiece":
        """Read a `vocab.txt`: one piece a line, in UTF-8.

        Raises:
            OSError: it cannot be read.
            ValueError: it is not UTF-8, or a special token is missing.
        """
        return cls(Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n"))

    @property
    def names(self) -> tuple[str, ...]:
        """What each piece is called where it is shown: its spelling."""
        return self.pieces

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self.pieces)

    def id_of(self, piece: str) -> int | None:
        """The id of a piece, None where the vocabulary lacks it."""
        return self._ids.get(piece)

    def piece_of(self, id: int) -> str:
        """The piece with this id.

        Raises:
            IndexError: there is no such id.
        """
        if id < 0:
            raise IndexError(f"no piece has id {id}")
        return self.pieces[id]

    def encode(
        self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int = 512
    ) -> tuple[Token, ...]:
        """The tokens of a text, or of a pair: the last step of `trace`, which see."""
        return self.trace(text, pair, pad_to, max_tokens).tokens

    def unknown(self, text: str) -> tuple[str, ...]:
        """The words, as typed, that the vocabulary cannot spell: each once, in reading order.

        A Han character is a word, so for Chinese these are characters.
        """
        words = (word for word in self._trace_text(text, 0).words if word.unknown)
        return tuple(dict.fromkeys(text[word.start : word.end] for word in words))

    def trace(self, text: str, pair: str | None = None, pad_to: int | None = None, max_tokens: int = 512) -> Trace:
        """Turn a text, or a pair of texts, into tokens, and keep every step.

        Args:
            text: the text.
            pair: a second text, which becomes segment 1.
            pad_to: add [PAD] up to this many tokens; longer rows stay as they are.
            max_tokens: cut the texts, the longer first, so that the row is at most this long.

        Raises:
            ValueError: `max_tokens` leaves no room for [CLS] and [SEP].
        """
        sources = [text] if pair is None else [text, pair]
        room = max_tokens - template_size(len(sources))
        if room < 0:
            raise ValueError(f"max_tokens must be at least {template_size(len(sources))}, not {max_tokens}")

        texts = tuple(self._trace_text(source, segment) for segment, source in enumerate(sources))
        cuts = truncate([text.tokens for text in texts], room)
        kept = [text.tokens[: cut.kept] for text, cut in zip(texts, cuts, strict=True)]
        row = fill_template(kept, cls=self._added(self.cls_id), sep=self._added(self.sep_id))
        padding = max(0, (pad_to or 0) - len(row))
        return Trace(texts, cuts, row + (self._added(self.pad_id),) * padding, padding)

    def _trace_text(self, text: str, segment: int) -> TextTrace:
        parts = tuple(parted(text, self._literal, self._ids, self._stretch))
        tokens = tuple(token for part in parts for token in self._tokens(part, segment))
        return TextTrace(text, segment, parts, tokens)

    def _stretch(self, text: str, start: int, end: int, words_before: int) -> Stretch:
        steps = normalize(text[start:end], start)
        words = tuple(self._words(text, steps[-1], words_before, "special" if start else "start"))
        return Stretch(text[start:end], start, steps, words)

    def _words(self, text: str, normalized: Step, words_before: int, cut: CutReason) -> Iterator[Word]:
        """Split; `cut` is what the first word is apart from."""
        previous_end = None
        for index, (start, end) in enumerate(split(normalized.text), words_before):
            if previous_end is not None:
                cut = why_cut("".join(text[origin] for origin in normalized.origins[previous_end:start]))
            word = normalized.text[start:end]
            matches, unknown = self._walk(word)
            yield Word(index, word, normalized.origins[start:end], cut, matches, unknown)
            previous_end = end

    def _walk(self, word: str) -> tuple[tuple[Match, ...], Unknown | None]:
        """Spell a word with the longest piece at every place, or say why that cannot be done."""
        if len(word) > LONGEST_WORD:
            return (), Unknown("too_long", word, None, ())
        matches: list[Match] = []
        start = 0
        while start < len(word):
            match = self._longest_match(word, start)
            if match is None:
                return (), Unknown("no_piece", word, start, tuple(matches))
            matches.append(match)
            start = match.end
        return tuple(matches), None

    def _longest_match(self, word: str, start: int) -> Match | None:
        for end in range(len(word), start, -1):
            id = self._spelling.get(spell(word, start, end))
            if id is not None:
                return Match(word, start, end, id)
        return None

    def _tokens(self, part: SpecialMatch | Stretch, segment: int) -> Iterator[Token]:
        if isinstance(part, SpecialMatch):
            yield Token(part.text, part.id, part.start, part.end, special=True, segment=segment, word=None)
            return
        for word in part.words:
            if word.unknown:
                yield self._token(self.unk_id, word, 0, len(word.text), segment)
            for match in word.matches:
                yield self._token(match.id, word, match.start, match.end, segment)

    def _token(self, id: int, word: Word, start: int, end: int, segment: int) -> Token:
        first, last = word.origins[start], word.origins[end - 1]
        return Token(self.pieces[id], id, first, last + 1, special=False, segment=segment, word=word.index)

    def _added(self, id: int) -> Token:
        """A token that the template or the padding puts in."""
        return Token(self.pieces[id], id, 0, 0, special=True, segment=0, word=None)
