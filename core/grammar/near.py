"""A sentence of the grammar that says something near to an English one: by the words they share."""

import re
from collections.abc import Mapping
from functools import cache

from .english import FUNCTION_WORDS, inflect
from .forms import FORMS
from .sentence import Parts, Sentence, build, chosen
from .word import Verb, Word

KEPT = 12  # ways to fill the slots so far that are followed up
TRIED = 4  # words a slot is tried with: those that share most
SLOTS = frozenset(("what", "who", "other", "verb", "act", "place", "where", "goal", "job", "skill"))  # that say most
LITTLE = 0.4  # what another word counts, and a pronoun
UNASKED = 0.15
ENOUGH = 0.5
SMALL = frozenset(re.split(" ", "i me my you your he him hi her it we u our they them their on in off up out what who"))
ENDING = re.compile(r"(ing|es|ed|s|e)$")
FEWEST = 0.25  # of the words that are looked for
DENIAL = re.compile(r"\b(not|no|never|nothing|nobody|cannot)\b|n['’]t\b", re.IGNORECASE)
QUESTION = re.compile(
    r"(did|do|does|is|are|am|was|were|can|will|has|have|what|where|who|whose|when|how|which|why)\b", re.IGNORECASE
)
WORD = re.compile(r"[A-Za-z]+")


def near(english: str) -> Sentence | None:
    """The sentence that shares most words with this one, in their plain forms; None where it shares too few.

    >>> near("Yesterday our teacher was reading books.").zh
    '我们的老师昨天看了一本书'
    """
    wanted = set(WORD.findall(english.lower())) - (FUNCTION_WORDS - {"on", "in", "under"})
    made = [one for form in FORMS for one in filled(form, wanted) if sense(one.en) == sense(english)]
    best = max(made, key=lambda one: score(one, wanted), default=None)
    if not best or len(wanted & said_by(best)) < FEWEST * len(wanted):  # le chat is no chatting
        return None
    written = {stem(word.text) for word in best.target if word.content} - SMALL
    return best if written & set(map(stem, wanted)) and score(best, wanted) >= ENOUGH else None


def stem(word: str) -> str:
    """A word without its ending: drives, driving -> driv."""
    return ENDING.sub("", word.lower())


def said_by(sentence: Sentence) -> set[str]:
    """Every English word that a word of it may be said by, and those that are said."""
    words = (forms_of(word) for word in chosen(sentence.parts).values())
    return set().union(*words, (word.text.lower() for word in sentence.target))


def sense(english: str) -> tuple[bool, bool]:
    """Whether it denies, and whether it asks: what must not turn round."""
    asks = english.rstrip().endswith("?") or QUESTION.match(english.lstrip())
    return bool(DENIAL.search(english)), bool(asks)


def score(sentence: Sentence, wanted: set[str]) -> float:
    """What the shared words count together, less a little for each word that nobody asked for."""
    counted: dict[str, float] = {}
    for slot, word in chosen(sentence.parts).items():
        for said in forms_of(word) & wanted:
            counted[said] = max(counted.get(said, 0), weight(slot, word))
    said = {word.text.lower() for word in sentence.target}
    counted |= dict.fromkeys((said & wanted) - set(counted), LITTLE)
    return sum(counted.values()) - UNASKED * sum(
        word.content and word.text.lower() not in wanted for word in sentence.target
    )


def weight(slot: str, word: Word) -> float:
    return 1 if slot in SLOTS and word.kind != "pronoun" else LITTLE


def filled(form: str, wanted: set[str]) -> list[Sentence]:
    """The best ways to fill a form's slots, one after the other."""
    ways: list[dict[str, Word]] = [{}]
    for name, slot in FORMS[form].slots.items():
        more = []
        for words in ways:
            options = sorted(slot.options(words), key=lambda word: -len(forms_of(word) & wanted))
            empty = [word for word in options if not word.zh]
            more += [{**words, name: word} for word in dict.fromkeys((*empty[:1], *options[:TRIED]))]
        ways = sorted(more, key=lambda words: -shares(words, wanted))[:KEPT]
    return [build(Parts(form, tuple((name, word.zh) for name, word in words.items()))) for words in ways[:3]]


def shares(words: Mapping[str, Word], wanted: set[str]) -> int:
    """How many of the wanted words they have; an empty slot is a little better than one that shares none."""
    have = set().union(*(forms_of(word) for word in words.values())) & wanted
    return 10 * len(have) - sum(bool(word.zh) for word in words.values())


@cache
def forms_of(word: Word) -> frozenset[str]:
    """Every English word that a word may be said by, in small letters."""
    texts = [piece.text for pieces in word.forms.values() for piece in pieces]
    texts += [piece.text for piece in getattr(word, "tail", ())]
    if isinstance(word, Verb):
        shapes = ("base", "s", "past", "participle", "ing")
        texts += [inflect(lemma, shape) for lemma in word.senses.values() for shape in shapes]
    return frozenset(part for text in texts for part in WORD.findall(text.lower()))
