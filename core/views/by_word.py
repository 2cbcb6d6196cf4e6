"""Attention by word: pieces, or characters, merged into words. Weights are summed over a word's keys and averaged over
its queries, so that a row still adds up to 1.

Which characters make a word is the tokenizer's (BERT splits at spaces and punctuation) or, in Chinese, jieba's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..text.token import Token


@dataclass(frozen=True)
class Group:
    """A word, and the tokens it is made of."""

    label: str
    at: tuple[int, ...]


def groups(tokens: Sequence[Token], text: str, cuts: Sequence[tuple[int, int]] | None = None) -> list[Group]:
    """The words of a row of tokens. `cuts` are where words begin and end in the text; without them a token's own `word`
    says which it belongs to. What nobody typed stands alone.

    >>> groups([Token("un", 1, 0, 2, False, 0, 0), Token("##do", 2, 2, 4, False, 0, 0)], "undo")
    [Group(label='undo', at=(0, 1))]
    """
    found: list[tuple[object, list[int]]] = []
    for i, token in enumerate(tokens):
        key = ("alone", i) if token.special else ("word", word_of(token, cuts, i))
        if found and found[-1][0] == key:
            found[-1][1].append(i)
        else:
            found.append((key, [i]))
    return [Group(label(tokens, at, text), tuple(at)) for _, at in found]


def word_of(token: Token, cuts: Sequence[tuple[int, int]] | None, otherwise: int) -> object:
    """What two tokens of one word share."""
    if cuts is None:
        return otherwise if token.word is None else (token.segment, token.word)
    return next((n for n, (start, end) in enumerate(cuts) if start <= token.start < end), ("outside", otherwise))


def label(tokens: Sequence[Token], at: Sequence[int], text: str) -> str:
    """One token as it is called; several as they were typed, a blank before them with its sign."""
    first, typed = tokens[at[0]], text[tokens[at[0]].start : tokens[at[-1]].end]
    return first.text if len(at) == 1 else f"␣{typed[1:]}" if first.text[0] == "␣" else typed


def merged(weights: np.ndarray, rows: Sequence[Group], columns: Sequence[Group]) -> np.ndarray:
    """[..., query, key] -> [..., word, word]: the sum over a word's keys, the mean over a word's queries."""
    summed = np.stack([weights[..., list(group.at)].sum(-1) for group in columns], axis=-1)
    return np.stack([summed[..., list(group.at), :].mean(-2) for group in rows], axis=-2)
