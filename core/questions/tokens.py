"""How much work is it to find the pieces? How many there are, the sentence has shown on the page before."""

from collections.abc import Iterator

from ..views.tokens import TokensView, Unit
from .question import Choice, Question

FEWEST = 2  # look-ups that fail, or merges, for a word to be worth asking about


def each(view: TokensView) -> Iterator[Question]:
    """Of {word}, which is cut: of how many look-ups, or merges, came its pieces? First of the word the page opens on,
    then of every different one; else of the word beside the text."""
    texts: set[str] = set()
    for at in dict.fromkeys((view.opening(), *range(len(view.units)))):
        unit = view.units[at]
        if unit.kind == "word" and worth_asking(unit) and unit.text not in texts:
            texts.add(unit.text)
            yield merges(unit, at) if unit.merges else tries("tries_of_word", unit, at)
    if view.beside and not texts:
        yield tries("tries_of_example", view.beside, len(view.units))


def worth_asking(unit: Unit) -> bool:
    """Whether it is cut, and who knows the rule can count: of merges, each makes one piece fewer unless it is made in
    several places at once."""
    if unit.merges:
        return unit.pieces > 1 and FEWEST <= len(unit.merges) == len(unit.letters) - unit.pieces
    return unit.pieces > 1 and bool(unit.lookups) and unit.lookups[0].rejected >= FEWEST


def tries(template: str, unit: Unit, asked: int) -> Question:
    """How many beginnings of the word, from the whole of it down, are looked up until its first piece is found?

    Among the choices are the answers of who begins with the shortest, counts pieces, or counts characters.
    """
    first, pieces = unit.lookups[0], len(unit.tokens)
    length, tried = len(unit.text), first.tried
    facts = {
        "word": unit.text,
        "shorter": unit.text[:-1],
        "piece": unit.tokens[0].text,
        "count": tried,
        "rejected": first.rejected,
        "pieces": " ".join(token.text for token in unit.tokens),
    }
    return Question(template, numbers(tried, length - tried + 1, pieces, length), str(tried), 1.0, asked, facts)


def merges(unit: Unit, asked: int) -> Question:
    """How many merges make these pieces of its bytes?"""
    count, length = len(unit.merges), len(unit.letters)
    facts = {
        "word": unit.text,
        "bytes": length,
        "count": count,
        "tokens": len(unit.tokens),
        "pieces": " ".join(token.text for token in unit.tokens),
    }
    return Question("merges", numbers(count, len(unit.tokens), length), str(count), 1.0, asked, facts)


def numbers(answer: int, *others: int) -> tuple[Choice, ...]:
    """The numbers to choose from, in their order."""
    return tuple(Choice(str(n), str(n)) for n in sorted({answer, *others}))
