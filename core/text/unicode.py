"""The four questions a BERT tokenizer asks about a character, answered from Unicode's categories.

BERT exists in several implementations that disagree on rare characters. We follow the `tokenizers`
library, the one most models are used with; each place where it leaves Google's original is marked.
"""

import unicodedata

CJK_RANGES = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    # Google's code begins the next range at 2B820. `tokenizers` says 2B920, so the 256 characters
    # before it are ordinary letters to it, and therefore to us.
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)

# Control, format, private use, surrogate. Google's code keeps private use. Unassigned code points (Cn)
# stay everywhere: today's unassigned character is next year's letter.
DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs"})


def is_whitespace(character: str) -> bool:
    """Whether it separates words: tab, line feed, carriage return, or any Unicode separator."""
    return character in "\t\n\r" or unicodedata.category(character).startswith("Z")


def is_dropped(character: str) -> bool:
    """Whether cleaning removes it: invisible control characters, and U+FFFD, the mark of broken text."""
    if character in "\t\n\r":
        return False
    return character == "\ufffd" or unicodedata.category(character) in DROPPED_CATEGORIES


def is_cjk(character: str) -> bool:
    """Whether it is a Han character, each of which BERT makes a word of its own. Kana and Hangul are not."""
    code = ord(character)
    return code >= 0x3400 and any(first <= code <= last for first, last in CJK_RANGES)


def is_punctuation(character: str) -> bool:
    """Whether it is cut off as a word of its own: Unicode punctuation, and ASCII symbols such as $ and ^."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


def is_accent(character: str) -> bool:
    """Whether it is a mark that takes no space of its own, such as the acute in a decomposed é."""
    return unicodedata.category(character) == "Mn"
