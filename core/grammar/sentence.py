"""Parts to sentence: Chinese, English, and which characters each English word renders."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from ..text.words import written
from .english import FUNCTION_WORDS, agree, article
from .forms import FORMS, Form, Slot
from .word import Determiner, Noun, Person, Piece, Verb, Word

SLOT = re.compile(r"\{(\w+)(\*?)\}")
TOKEN = re.compile(r"\{(\w+)(?:([.:])(\w+))?\}")
EMPTY_SHARE = 0.5  # how often a slot that may stay empty does
DETERMINERS = ("number", "which", "this")


@dataclass(frozen=True)
class Parts:
    """What a sentence is made of: a form, and for each of its slots the Chinese of the word in it ("" for none)."""

    form: str
    words: tuple[tuple[str, str], ...]

    def __getitem__(self, slot: str) -> str:
        return dict(self.words)[slot]


@dataclass(frozen=True)
class TargetWord:
    """An English word, and the characters of the Chinese that it renders; none where it renders none.

    `content` tells words that carry meaning from those that carry grammar.
    """

    text: str
    source: tuple[int, ...]

    @property
    def content(self) -> bool:
        """Whether it carries meaning."""
        return bool(self.source) and self.text not in FUNCTION_WORDS


@dataclass(frozen=True)
class Sentence:
    """A pair of sentences with the alignment of its words."""

    parts: Parts
    zh: str
    target: tuple[TargetWord, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The English words as the translator writes them."""
        return tuple(word.text for word in self.target)

    @property
    def en(self) -> str:
        """The English as a sentence."""
        return written(self.words)

    @property
    def atoms(self) -> tuple[str, ...]:
        """The content words of the Chinese that held-out pairs are made of."""
        words = chosen(self.parts)
        return tuple(dict.fromkeys(atom for word in words.values() for atom in word.atoms))

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every two of its content words, unless the one decides how the other is translated."""
        words = chosen(self.parts)
        verb, what = words.get("verb"), words.get("what")
        tied = {*verb.atoms, *what.atoms} if isinstance(verb, Verb) and verb.contextual and what else set()
        atoms = sorted(self.atoms)
        return tuple((a, b) for i, a in enumerate(atoms) for b in atoms[i + 1 :] if not (a in tied and b in tied))


@dataclass(frozen=True)
class Gap:
    """A slot in the Chinese of a form; `measured`: a measure word follows where the word in it wants one."""

    slot: str
    measured: bool


def pattern(form: Form) -> tuple[Gap | str, ...]:
    """The Chinese of a form as gaps and literal characters."""
    made: list[Gap | str] = []
    place = 0
    for gap in SLOT.finditer(form.zh):
        made += [form.zh[place : gap.start()]] if place < gap.start() else []
        made.append(Gap(gap[1], bool(gap[2])))
        place = gap.end()
    return tuple([*made, *([form.zh[place:]] if place < len(form.zh) else [])])


PATTERNS = {id: pattern(form) for id, form in FORMS.items()}
LEXICONS: dict[int, dict[str, Word]] = {}


def lexicon(slot: Slot) -> Mapping[str, Word]:
    """Chinese -> word, for all that may stand in a slot."""
    known = LEXICONS.get(id(slot))
    if known is None:
        known = LEXICONS[id(slot)] = {word.zh: word for word in slot.words}
    return known


def chosen(parts: Parts) -> dict[str, Word]:
    """The words of the parts by slot.

    Raises:
        ValueError: the form has no such slot, the slot no such word, or the words do not go together.
    """
    if parts.form not in FORMS:
        raise ValueError(f"there is no form {parts.form!r}")
    form = FORMS[parts.form]
    given = dict(parts.words)
    if tuple(given) != tuple(form.slots):
        raise ValueError(f"{form.id} has the slots {', '.join(form.slots)}, not {', '.join(given)}")
    words: dict[str, Word] = {}
    for name, slot in form.slots.items():
        word = lexicon(slot).get(given[name])
        if word is None or all(word is not option for option in slot.options(words)):
            raise ValueError(f"{given[name]!r} cannot be {name} in {form.id} here")
        words[name] = word
    return words


def measure_word(determiner: Word, what: Word) -> str:
    """What stands between the two: 本 in 三本书, nothing in 我的书."""
    return what.measure if isinstance(determiner, Determiner) and determiner.counts and isinstance(what, Noun) else ""


def build(parts: Parts) -> Sentence:
    """The sentence made of these parts.

    Raises:
        ValueError: they make none.
    """
    words = chosen(parts)
    zh, spans = chinese(parts.form, words)
    made: list[TargetWord] = []
    for token in FORMS[parts.form].en.split():
        made += english(token, words, spans)
    return Sentence(parts, zh, tuple(with_articles(made)))


Spans = dict[str, tuple[int, int]]


def chinese(form: str, words: Mapping[str, Word]) -> tuple[str, Spans]:
    """The Chinese, and where in it each slot, each "*measure" and each literal stands."""
    zh, spans = "", {}
    for part in PATTERNS[form]:
        if isinstance(part, str):
            for offset in range(len(part)):
                for end in range(offset + 1, len(part) + 1):
                    spans.setdefault(part[offset:end], (len(zh) + offset, len(zh) + end))
            zh += part
            continue
        text = words[part.slot].zh
        spans[part.slot] = (len(zh), len(zh) + len(text))
        zh += text
        if part.measured:
            measure = measure_word(words[part.slot], words["what"])
            spans["*"] = (len(zh), len(zh) + len(measure))
            zh += measure
    return zh, spans


def english(token: str, words: Mapping[str, Word], spans: Spans) -> list[TargetWord]:
    """What a token of a form's English becomes."""
    token, _, literal = token.partition("/")
    source = tuple(range(*spans[literal])) if literal else ()
    gap = TOKEN.fullmatch(token)
    if gap is None:
        return [TargetWord(token, source)]
    slot, kind, form = gap[1], gap[2], gap[3] or ""
    word = words[slot]
    if kind == ":":
        return [TargetWord(agreeing(word, form, words), source)]
    if form == "unit":
        return unit(word, words, spans)
    context = {**words, "determiner": determiner(words)}
    return [aligned(piece, spans[slot][0]) for piece in word.english(form, **context)]


def aligned(piece: Piece, start: int) -> TargetWord:
    return TargetWord(piece.text, tuple(range(start + piece.start, start + piece.end)))


def determiner(words: Mapping[str, Word]) -> Determiner | None:
    """What says how many or which, if the form has it."""
    found = (words[slot] for slot in DETERMINERS if slot in words)
    return next((word for word in found if isinstance(word, Determiner)), None)


def agreeing(word: Word, verb: str, words: Mapping[str, Word]) -> str:
    """A verb that agrees with a person or a thing."""
    if isinstance(word, Person):
        return ("were" if word.person == "2" else "was") if verb == "was" else agree(verb, word.person)
    assert isinstance(word, Noun)
    pointer = determiner(words)
    if verb == "there" and pointer is not None:
        return word.there(pointer)
    if verb == "are":
        return "is" if word.count == "mass" else "are"
    now = word.is_or_are(pointer)
    return {"is": "was", "are": "were"}[now] if verb == "was" else now


def unit(what: Word, words: Mapping[str, Word], spans: Spans) -> list[TargetWord]:
    """The "cups of" of two cups of tea, which renders the measure word; nothing where English has none."""
    number = determiner(words)
    if not isinstance(what, Noun) or what.unit is None or number is None or not number.counts:
        return []
    text = inflect_unit(what.unit, number.many)
    return [TargetWord(text, tuple(range(*spans["*"]))), TargetWord("of", ())]


def inflect_unit(unit: str, many: bool) -> str:
    return unit + ("es" if unit.endswith("s") else "s") if many else unit


def with_articles(words: list[TargetWord]) -> list[TargetWord]:
    """a, or an before a vowel."""
    following = [*words[1:], TargetWord("", ())]
    return [
        TargetWord(article(next.text), word.source) if word.text == "a" else word
        for word, next in zip(words, following, strict=True)
    ]


def sample(random: Random, form: str | None = None) -> Sentence:
    """A sentence by chance: any form, or the one named."""
    id = form or random.choice(list(FORMS))
    words: dict[str, Word] = {}
    for name, slot in FORMS[id].slots.items():
        options = slot.options(words)
        if options[0].zh == "" and options[0].forms.get("") == () and random.random() < EMPTY_SHARE:
            words[name] = options[0]
        else:
            words[name] = random.choice(options)
    return build(Parts(id, tuple((name, word.zh) for name, word in words.items())))
