"""A Unigram model: every piece has a probability, and a text is cut so that their product is greatest.

It was trained here (core/training/unigram.py); ▁ stands for the space before a piece, so that a space is never lost.

References:
    Kudo 2018, https://arxiv.org/abs/1804.10959 (Unigram); Kudo and Richardson 2018, SentencePiece (▁).
"""

from functools import cache
from typing import NamedTuple

from tokenizers import Tokenizer, models, pre_tokenizers

from ..files import MODELS

PIECES = MODELS / "unigram/pieces.tsv"
UNKNOWN = "<unk>"


class Piece(NamedTuple):
    """A piece as the model writes it, and the code points it stands for. `id` is its row; unknown is 0."""

    text: str
    id: int
    start: int
    end: int


def metaspace() -> pre_tokenizers.PreTokenizer:
    """A space becomes ▁ and belongs to what follows it; none is put in front."""
    return pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="never")


@cache
def tokenizer() -> Tokenizer:
    """The model as it was trained: a piece and its log-probability a line, the unknown piece first."""
    lines = PIECES.read_text(encoding="utf-8").splitlines()
    rows = [line.rsplit("\t", 1) for line in lines]
    loaded = Tokenizer(models.Unigram([(piece, float(log)) for piece, log in rows], unk_id=0))
    loaded.pre_tokenizer = metaspace()  # type: ignore[assignment]
    return loaded


def encode(text: str) -> list[Piece]:
    """The pieces of a text. Neighbouring characters that no piece has are one unknown piece."""
    encoding = tokenizer().encode(text, add_special_tokens=False)
    return [
        Piece(UNKNOWN if id == 0 else token, id, start, end)
        for token, id, (start, end) in zip(encoding.tokens, encoding.ids, encoding.offsets, strict=True)
    ]
