"""Text to tokens, each step of the way kept. No model and no library in here: only text."""

from core.text.token import Token
from core.text.wordpiece import WordPiece

__all__ = ["Token", "WordPiece"]
