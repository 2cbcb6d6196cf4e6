"""A text as words with counts: what a vocabulary is trained on."""

import re
from collections.abc import Mapping

from .splitting import split
from .unicode import is_dropped, is_whitespace

TIMES = re.compile(r"(.+)[×*](\d{1,3})")  # hug×10: that many times


def read_words(text: str) -> Mapping[str, int]:
    """Word -> how often it stands in the text, in the order of their first places.

    Whitespace parts words and every punctuation mark is a word; characters that cannot be seen are dropped. Upper case
    stays. A word written `hug×10` or `hug*10` counts ten times. Unlike BERT, which makes every Han character a word of
    its own and so leaves no pair in Chinese to merge, a run of Han characters is one word here.
    """
    cleaned = "".join(" " if is_whitespace(c) else c for c in text if is_whitespace(c) or not is_dropped(c))
    counts: dict[str, int] = {}
    for chunk in cleaned.split():
        found = TIMES.fullmatch(chunk)
        part, times = (found[1], int(found[2])) if found and int(found[2]) else (chunk, 1)
        for start, end in split(part):
            counts[part[start:end]] = counts.get(part[start:end], 0) + times
    return counts
