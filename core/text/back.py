"""From tokens back to a text, as the `tokenizers` library's WordPiece decoder does it."""

from collections.abc import Sequence

from .token import Token
from .trace import CONTINUATION

# The spaces that English does not put
CLEANED = (
    (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
    (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
)  # fmt: skip


def decoded(tokens: Sequence[Token]) -> str:
    """A space before each piece that begins a word, but not before marks; special tokens are left out. [UNK] is no
    such token: it stands for something that was there."""
    text = ""
    for token in tokens:
        if not token.special:
            text += cleaned(spaced(token.text)) if text else token.text
    return text


def spaced(piece: str) -> str:
    return piece[len(CONTINUATION) :] if piece.startswith(CONTINUATION) else f" {piece}"


def cleaned(piece: str) -> str:
    for found, instead in CLEANED:
        piece = piece.replace(found, instead)
    return piece
