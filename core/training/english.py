"""Count the English words of the segmentation lab: `python -m core.training.english BOOK …`, a second.

The books are plain texts of Project Gutenberg, in the public domain: The Adventures of Sherlock Holmes (Doyle 1892,
https://www.gutenberg.org/ebooks/1661) and History of the United States (Beard and Beard 1921, …/ebooks/16960), as
Norvig's `big.txt` has them (https://norvig.com/big.txt). Of each, what stands between Project Gutenberg's own lines is
read.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from ..text.dictionary import ENGLISH

BOOK = re.compile(r"^\*\*\* ?START OF.*?\*\*\*$(.*?)^\*\*\* ?END OF", re.MULTILINE | re.DOTALL)
RAREST = 2  # words seen once are left out: many are misprints and names
WORD = re.compile("[a-z]+")
LETTERS = ("a", "i")  # the words of one letter; others are initials


def count(texts: list[str]) -> Counter[str]:
    """How often each word stands in the books, in lower case."""
    words = Counter(word for text in texts for book in BOOK.findall(text) for word in WORD.findall(book.lower()))
    kept = {word: n for word, n in words.items() if n >= RAREST and (len(word) > 1 or word in LETTERS)}
    return Counter(kept)


def save(words: Counter[str], path: Path = ENGLISH) -> None:
    """A word and its count a line, the most frequent first."""
    rows = sorted(words.items(), key=lambda row: (-row[1], row[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{word}\t{n}\n" for word, n in rows), encoding="utf-8")


if __name__ == "__main__":
    save(count([Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]))
