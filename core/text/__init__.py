"""Text to tokens, each step of the way kept. No model and no library in here: only text."""

from .token import Token
from .wordpiece import WordPiece

__all__ = ["Token", "WordPiece"]
