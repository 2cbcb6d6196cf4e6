"""Special tokens that somebody typed, taken out before the rest of a text is cut into words."""

import re
from collections.abc import Callable, Iterator, Mapping

from .trace import SpecialMatch, Stretch


def parted(
    text: str, literal: re.Pattern[str], ids: Mapping[str, int], stretch: Callable[[str, int, int, int], Stretch]
) -> Iterator[SpecialMatch | Stretch]:
    """Take out the special tokens typed literally, which `literal` finds; `stretch` of the text, start, end and
    how many words came before makes of what lies between them what a tokenizer makes of a text."""
    position, words_before = 0, 0
    for special in literal.finditer(text):
        if position < special.start():
            between = stretch(text, position, special.start(), words_before)
            words_before += len(between.words)
            yield between
        yield SpecialMatch(special[0], ids[special[0]], special.start(), special.end())
        position = special.end()
    if position < len(text):
        yield stretch(text, position, len(text), words_before)
