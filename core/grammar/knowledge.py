"""What the grammar knows: its words by kind, what may stand in a slot, and every character and word it uses."""

from collections.abc import Iterator, Mapping

from ..text.shared import SharedVocabulary
from . import lexicon
from .english import agree, inflect
from .forms import FORMS
from .sentence import PATTERNS, TOKEN, Parts, inflect_unit
from .sentence import lexicon as words_of
from .word import Act, Job, Noun, Person, Verb, Word


def known() -> dict[str, tuple[str, ...]]:
    """Kind of word -> the Chinese words of it."""
    verbs = {atom for form in FORMS.values() for slot in form.slots.values() for word in slot.words
             if isinstance(word, Verb) for atom in word.atoms}  # fmt: skip
    return {
        "names": tuple(p.zh for p in lexicon.PEOPLE if p.kind == "name"),
        "people": tuple(dict.fromkeys(p.atoms[0] for p in lexicon.PEOPLE if p.kind != "name")),
        "nouns": tuple(noun.zh for noun in (*lexicon.NOUNS, *lexicon.ABSTRACT)),
        "verbs": tuple(sorted(verbs)),
        "adjectives": tuple(dict.fromkeys((*lexicon.ATTRIBUTES, *lexicon.ADJECTIVES))),
        "places": tuple(place.zh for place in lexicon.PLACES),
        "times": tuple(t.zh for t in (*lexicon.PAST, *lexicon.PRESENT, *lexicon.FUTURE, *lexicon.HABIT)),
        "numbers": tuple(number.zh for number in lexicon.NUMBERS),
        "measures": lexicon.MEASURES,
    }


def options(form: str, slot: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """The Chinese of what may stand in a slot of a form, given the words in the slots before it ("" for none).

    Raises:
        KeyError: there is no such form or slot, or a word before it is missing or unknown.
    """
    before: dict[str, Word] = {}
    for name, other in FORMS[form].slots.items():
        if name == slot:
            return tuple(word.zh for word in other.options(before))
        before[name] = words_of(other)[words[name]]
    raise KeyError(slot)


def changed(parts: Parts, slot: str, word: str) -> Parts:
    """The parts with another word in one slot; what no longer goes with it gives way to the first that does."""
    wanted = {**dict(parts.words), slot: word}
    fitting: dict[str, str] = {}
    for name in FORMS[parts.form].slots:
        choices = options(parts.form, name, fitting)
        fitting[name] = wanted[name] if wanted[name] in choices else choices[0]
    return Parts(parts.form, tuple(fitting.items()))


def vocabulary() -> SharedVocabulary:
    """Every character of the Chinese and every word of the English, each sorted."""
    return SharedVocabulary(tuple(sorted(characters())), tuple(sorted(set(english_words()))))


def characters() -> set[str]:
    """Every character that some form's Chinese may hold."""
    texts = [word.zh for form in FORMS.values() for slot in form.slots.values() for word in slot.words]
    literals = [part for pattern in PATTERNS.values() for part in pattern if isinstance(part, str)]
    return set("".join((*texts, *literals, *lexicon.MEASURES)))


def english_words() -> Iterator[str]:
    """Every word some form may say, and a few that none does."""
    yield from ("a", "an")
    for form in FORMS.values():
        for token in form.en.split():
            gap = TOKEN.fullmatch(token.partition("/")[0])
            if gap is None:
                yield token.partition("/")[0]
                continue
            for word in form.slots[gap[1]].words:
                yield from said_by(word, gap[2], gap[3] or "")


def said_by(word: Word, kind: str | None, form: str) -> Iterator[str]:
    """The words that a slot of a form's English may put in, with this word in it."""
    if kind == ":" and isinstance(word, Person):
        yield from ("was", "were") if form == "was" else (agree(form, word.person),)
    elif kind == ":":
        yield from ("is", "are", "was", "were")
    elif isinstance(word, Noun):
        for piece in (*word.forms[""], *word.forms["plural"]):
            yield piece.text
        if word.unit:
            yield from (word.unit, inflect_unit(word.unit, True), "of")
    elif isinstance(word, Verb):
        for lemma in word.senses.values():
            for shape in ("base", "s") if form == "present" else (form,):
                yield from inflect(lemma, shape).split()
        if isinstance(word, Act):
            yield from (piece.text for piece in word.tail)
    elif isinstance(word, Job):
        yield from (piece.text for pieces in word.forms.values() for piece in pieces)
    else:
        yield from (piece.text for piece in word.english(form))
