"""One Chinese text, spelt with vocabularies of several sizes: how many tokens it takes, and what no piece can spell."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ..text import bpe, chinese_wordpiece, segmentation, unigram
from ..text.characters import Characters
from ..text.dictionary import dictionary
from ..text.segmentation import HAN
from ..text.wordpiece import WordPiece

Spelt = Sequence[tuple[int, bool]]  # of each token: its characters, and whether it is the unknown one


class Spelling(NamedTuple):
    """What a vocabulary makes of a text.

    Attributes:
        name: of the vocabulary.
        size: its rows.
        tokens: of the text.
        unknown: characters that lie in an unknown token.
        characters: of the text.
    """

    name: str
    size: int
    tokens: int
    unknown: int
    characters: int


def spellings(text: str, wordpiece: WordPiece, characters: Characters) -> tuple[Spelling, ...]:
    """The Chinese of a text by each vocabulary, the smallest first; what is not Chinese only parts it."""
    of: Mapping[str, tuple[int, Callable[[str], Spelt]]] = {
        "characters": (len(characters), partial(of_tokens, characters)),
        "chinese": (len(chinese_wordpiece.pieces()), of_jieba),
        "unigram": (unigram.tokenizer().get_vocab_size(), of_unigram),
        "wordpiece": (len(wordpiece), partial(of_tokens, wordpiece)),
        "bpe": (bpe.tokenizer().get_vocab_size(), lambda run: [(p.end - p.start, False) for p in bpe.encode(run)]),
    }
    runs = HAN.findall(text)
    own = sum(map(len, runs))
    made = []
    for name, (size, spelt) in of.items():
        pieces = [piece for run in runs for piece in spelt(run)]
        made.append(Spelling(name, size, len(pieces), sum(length for length, unknown in pieces if unknown), own))
    return tuple(sorted(made, key=lambda spelling: spelling.size))


def of_tokens(tokenizer: WordPiece | Characters, run: str) -> Spelt:
    """Without what a model adds, and however long the run is."""
    tokens = (token for token in tokenizer.encode(run, max_tokens=len(run) + 2) if token.start < token.end)
    return [(token.end - token.start, token.id == tokenizer.unk_id) for token in tokens]


def of_jieba(run: str) -> Spelt:
    """jieba's words by the Chinese WordPiece."""
    cut = segmentation.cut(run, dictionary())
    return [(p.end - p.start, p.text == chinese_wordpiece.UNKNOWN) for p in chinese_wordpiece.encode(cut)]


def of_unigram(run: str) -> Spelt:
    """Unigram's unknown piece has the first id."""
    return [(p.end - p.start, p.id == 0) for p in unigram.encode(run)]
