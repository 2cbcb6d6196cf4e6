"""From the tokens of each text to the row a BERT model reads: truncation, [CLS] and [SEP], padding."""

from collections.abc import Sequence
from dataclasses import replace

from .token import Token
from .trace import Cut


def template_size(texts: int) -> int:
    """How many special tokens surround this many texts: [CLS] in front and a [SEP] after each."""
    return 1 + texts


def truncate(texts: Sequence[Sequence[Token]], room: int) -> tuple[Cut, ...]:
    """Decide how many tokens of each text stay, so that together they fit.

    Args:
        texts: the tokens of one text, or of two.
        room: how many tokens there is room for, special tokens not counted.

    Returns:
        One Cut for each text.
    """
    kept = longest_first([len(tokens) for tokens in texts], room)
    return tuple(_cut(tokens, count) for tokens, count in zip(texts, kept, strict=True))


def longest_first(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """Shorten the longer text first, and both once they are equally long.

    >>> longest_first([3, 10], 8)
    (3, 5)
    >>> longest_first([10, 20], 9)
    (4, 5)
    """
    if sum(lengths) <= room:
        return tuple(lengths)
    if len(lengths) == 1:
        return (room,)
    first, second = lengths
    shorter = min(first, second, room // 2)
    longer = room - shorter
    return (shorter, longer) if first <= second else (longer, shorter)


def fill_template(texts: Sequence[Sequence[Token]], cls: Token, sep: Token) -> tuple[Token, ...]:
    """[CLS] first [SEP], or [CLS] first [SEP] second [SEP].

    References:
        Devlin et al. 2018, BERT, https://arxiv.org/abs/1810.04805, section 3 and figure 2.
    """
    row = [cls]
    for segment, tokens in enumerate(texts):
        row += [*tokens, replace(sep, segment=segment)]
    return tuple(row)


def _cut(tokens: Sequence[Token], kept: int) -> Cut:
    dropped = len(tokens) - kept
    return Cut(kept, dropped, tokens[kept].start if dropped else None)
