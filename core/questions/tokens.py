"""How many pieces does this word become?"""

import re

from core.questions.question import Choice, Question
from core.views.tokens import TokensView, Unit

LONG_WORD = 10  # from so many characters on, that a word stays whole is worth asking


def pieces_of_word(view: TokensView) -> Question | None:
    """How many pieces does {word} become? About the word the page opens on: one that is cut, or long and whole; else
    about the word beside the text."""
    asked = view.opening()
    unit = view.units[asked]
    if unit.kind == "word" and (unit.pieces > 1 or (unit.pieces == 1 and len(unit.text) >= LONG_WORD)):
        return pieces_of("pieces_of_word", unit, asked)
    return pieces_of("pieces_of_example", view.beside, len(view.units)) if view.beside else None


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
