"""A cut as a bar: a box a piece, on the ruler of the text's characters."""

import html
from collections.abc import Sequence

from core.views.segmentation import Piece


def bar(name: str, text: str, pieces: Sequence[Piece], sensible: Sequence[Piece], score: str) -> str:
    """One cut: a box a piece, as wide as its characters; one that is a word of the sensible cut is filled. What lies
    between two pieces belongs to none."""
    words, drawn, at = {(word.start, word.end) for word in sensible}, [], 0.0
    for piece in sorted(pieces, key=lambda piece: piece.start):
        look = "word" if (piece.start, piece.end) in words else "piece"
        room = f"margin-left:calc({piece.start - at:.4g}*var(--em));width:calc({piece.end - piece.start:.4g}*var(--em))"
        drawn.append(f"<i class='{look}' style='{room}'>{html.escape(spelt(text, piece))}</i>")
        at = piece.end
    return f"<div><span>{name}</span><bdi>{''.join(drawn)}</bdi><b>{score}</b></div>"


def spelt(text: str, piece: Piece) -> str:
    """A piece's characters; what a vocabulary cannot spell and part of a character have a sign."""
    if piece.kind in ("unknown", "bytes"):
        return {"unknown": "?", "bytes": "·"}[piece.kind]
    return text[int(piece.start) : int(piece.end)].replace(" ", "␣")
