"""Which characters each written word renders: known where the model wrote what the grammar says."""

from typing import Any

from core import grammar
from core.zoo import able
from pages.shared.server import cached

ID = able("translate")


def rows(view: Any) -> list[int | None]:
    """Of each word that the decoder was given the row in which it is written; [BOS] nobody wrote."""
    return [None, *range(len(view.written))][: len(view.given)]


@cached.shared
def reference(text: str) -> grammar.Sentence | None:
    """The grammar's own translation, where it makes this sentence."""
    parts = grammar.parse(text)
    return grammar.build(parts) if parts else None


@cached.shared
def rendered(text: str) -> tuple[grammar.TargetWord, ...]:
    """The words the model wrote, each with the places of its characters; none where nobody can say which those are."""
    known, written = reference(text), cached.translation(ID, text).target_out
    words = tuple(token.text for token in written if not token.special)
    return known.target if known and known.words == words else ()
