"""What stands for white space in a token, said in words."""

from collections.abc import Iterable

from core.text.byte_pairs import SEEN
from pages.shared.words.texts import Texts


def signs(t: Texts, shown: Iterable[str]) -> str:
    """In brackets, of the signs that some of these tokens have; nothing where there is none."""
    tokens = list(shown)
    said = [t(f"signs.{sign}") for sign in SEEN.values() if any(sign in text for text in tokens)]
    return t("signs.all", signs=t("signs.between").join(said)) if said else ""
