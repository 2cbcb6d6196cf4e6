"""What a word of the grammar is: its Chinese, its English, and which characters each English word renders."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .english import FUNCTION_WORDS, agree, inflect

ONE_AT_A_TIME = ("骑", "开")  # verbs that are said of one thing, even in general


@dataclass(frozen=True)
class Piece:
    """An English word and the Chinese characters it renders: `start` up to `end`, none where they are equal."""

    text: str
    start: int = 0
    end: int = 0


def pieces(english: str, chinese: str, start: int = 0) -> tuple[Piece, ...]:
    """Every word of `english` rendering the whole of `chinese`, which begins at `start`."""
    return tuple(Piece(word, start, start + len(chinese)) for word in english.split())


def phrase(english: str, chinese: str, start: int = 0) -> tuple[Piece, ...]:
    """As `pieces`, but "the", "in" and their like render nothing."""
    words = (piece.text for piece in pieces(english, chinese))
    return tuple(Piece(w) if w in FUNCTION_WORDS else Piece(w, start, start + len(chinese)) for w in words)


@dataclass(frozen=True, eq=False)
class Word:
    """A choice for a slot: a word, or a short phrase that is chosen as a whole.

    Attributes:
        zh: the Chinese, by which it is known.
        forms: its English in each form it can take; "" is the plain one.
        kind: what it is, for the words that care: "reading", "drink", "mood" …
        atoms: the words in it that the held-out pairs are made of.
    """

    zh: str
    forms: Mapping[str, tuple[Piece, ...]]
    kind: str = ""
    atoms: tuple[str, ...] = ()

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        """The English in one form; what it depends on besides is in `context`.

        Raises:
            KeyError: it has no such form.
        """
        return self.forms[form]


@dataclass(frozen=True, eq=False)
class Person(Word):
    """Who acts. `person`: "1" for I, "3" for he, she and one other, "2" for everyone else.

    `pronoun` takes up a person again ("because Xiaoming was tired, he …"); None where the sex is not said.
    """

    person: str = "3"
    pronoun: str | None = None

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        return (Piece(self.pronoun),) if form == "pronoun" and self.pronoun else self.forms[form]


@dataclass(frozen=True, eq=False)
class Job(Word):
    """What somebody is: a teacher, or, of several people, teachers."""

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        who = context.get("who")
        if form:
            return self.forms[form]
        several = isinstance(who, Person) and who.zh.endswith("们")
        return self.forms["plural"] if several else (Piece("a"), *self.forms["one"])


@dataclass(frozen=True, eq=False)
class Noun(Word):
    """A thing. `measure` is its measure word; `unit` what English needs as well: a *cup* of tea.

    Attributes:
        count: "count"; "mass" has no plural; "pair" is plural by itself, and one of them is a pair.
        looks: the adjectives that may stand before it or be said of it.
    """

    measure: str = "个"
    unit: str | None = None
    count: str = "count"
    looks: frozenset[str] = frozenset()

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        """ "" · plural · a: with its article · usual: in general · counted: as many as the determiner says."""
        if form == "a":
            return (Piece("a"), *self.forms[""]) if self.count == "count" else self.forms["plural"]
        if form == "usual":  # one rides a bicycle every day, but sells bicycles
            verb = context.get("verb")
            return self.english("a" if isinstance(verb, Verb) and verb.zh in ONE_AT_A_TIME else "plural")
        if form == "counted":
            number = context.get("determiner")
            one = isinstance(number, Determiner) and not number.many and number.counts
            return self.forms["" if one and self.count != "pair" else "plural"]
        return self.forms[form]

    def is_or_are(self, determiner: "Determiner | None") -> str:
        """For the thing that `determiner` points out."""
        counted = determiner is not None and determiner.counts
        return "are" if self.count == "pair" and not counted else "is"

    def there(self, number: "Determiner") -> str:
        """For as many as `number` says."""
        if number.counts:
            return "are" if number.many else "is"
        return "is" if self.count == "mass" else "are"


@dataclass(frozen=True, eq=False)
class Determiner(Word):
    """What says which or how many. `counts`: a measure word follows. `many`: more than one."""

    counts: bool = False
    many: bool = False


@dataclass(frozen=True, eq=False)
class Verb(Word):
    """An action. `senses`: the English verb by the kind of its object; "" where the object does not matter."""

    senses: Mapping[str, str] = field(default_factory=dict)

    @property
    def contextual(self) -> bool:
        """Whether its English depends on the object."""
        return len(set(self.senses.values())) > 1

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        what, who = context.get("what"), context.get("who")
        kind = what.kind if isinstance(what, Word) else ""
        lemma = self.senses.get(kind) or next(iter(self.senses.values()))  # no object: then it has one sense
        if form == "present":
            return pieces(agree(lemma, who.person if isinstance(who, Person) else "3"), self.zh)
        return pieces(inflect(lemma, form), self.zh)


@dataclass(frozen=True, eq=False)
class Act(Verb):
    """An action by itself. `tail`: the English words after the verb, each with its characters."""

    tail: tuple[Piece, ...] = ()

    def english(self, form: str, **context: object) -> tuple[Piece, ...]:
        end = min((piece.start for piece in self.tail if piece.end), default=len(self.zh))
        head = super().english(form, **context)
        return (*(Piece(piece.text, 0, end) for piece in head), *self.tail)
