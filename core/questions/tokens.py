"""How many pieces does this word become?"""

import re
from collections.abc import Iterator

from ..views.tokens import TokensView, Unit
from .question import Choice, Question

LONG_WORD = 10  # from so many characters on, that a word stays whole is worth asking


def each(view: TokensView) -> Iterator[Question]:
    """How many pieces does {word} become? First of the word the page opens on, then of every different one that is cut,
    or long and whole; else of the word beside the text."""
    first = view.opening()
    texts: set[str] = set()
    for at in dict.fromkeys((first, *range(len(view.units)))):
        unit = view.units[at]
        if worth_asking(unit) and unit.text not in texts:
            texts.add(unit.text)
            yield pieces_of("pieces_of_word", unit, at)
    if view.beside and not texts:
        yield pieces_of("pieces_of_example", view.beside, len(view.units))


def worth_asking(unit: Unit) -> bool:
    """A word that is cut, or long and whole."""
    return unit.kind == "word" and (unit.pieces > 1 or (unit.pieces == 1 and len(unit.text) >= LONG_WORD))


def pieces_of(template: str, unit: Unit, asked: int) -> Question:
    count = unit.pieces
    choices = tuple(Choice(str(n), str(n)) for n in numbers_near(count, unit.text))
    facts = {
        "word": unit.text,
        "characters": unit.end - unit.start,
        "count": count,
        "pieces": " ".join(t.text for t in unit.tokens),
    }
    return Question(template, choices, str(count), 1.0, asked, facts)


def numbers_near(count: int, word: str) -> list[int]:
    """Up to four numbers of pieces to choose from: one, the right one, as many as the ear hears, and a neighbour."""
    heard = len(re.findall("[aeiouy]+", word))
    wanted = dict.fromkeys([count, 1, heard, count + 1, count - 1, count + 2])
    return sorted([n for n in wanted if 1 <= n <= len(word)][:4])
