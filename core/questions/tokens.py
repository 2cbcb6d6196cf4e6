"""How many pieces does this word become?"""

import re

from core.questions.question import Choice, Question
from core.views.tokens import TokensView

LONG_WORD = 10  # from so many characters on, that a word stays whole is worth asking


def pieces_of_word(view: TokensView) -> Question | None:
    """How many pieces does {word} become? About the word the page opens on: one that is cut, or long and whole."""
    asked = view.opening()
    unit = view.units[asked]
    if unit.kind != "word" or unit.unknown or (unit.pieces == 1 and len(unit.text) < LONG_WORD):
        return None
    count = unit.pieces
    choices = tuple(Choice(str(n), str(n)) for n in numbers_near(count, unit.text))
    facts = {
        "word": unit.text,
        "characters": unit.end - unit.start,
        "count": count,
        "pieces": " ".join(t.text for t in unit.tokens),
    }
    return Question("pieces_of_word", choices, str(count), 1.0, asked, facts)


def numbers_near(count: int, word: str) -> list[int]:
    """Up to four numbers of pieces to choose from: one, the right one, as many as the ear hears, and a neighbour."""
    heard = len(re.findall("[aeiouy]+", word))
    wanted = dict.fromkeys([count, 1, heard, count + 1, count - 1, count + 2])
    return sorted([n for n in wanted if 1 <= n <= len(word)][:4])
