"""English inflection: plurals, verb forms, comparison, a or an."""

import re

# past and past participle
IRREGULAR = {
    "be": ("was", "been"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "buy": ("bought", "bought"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drink": ("drank", "drunk"),
    "drive": ("drove", "driven"),
    "eat": ("ate", "eaten"),
    "find": ("found", "found"),
    "get": ("got", "got"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "have": ("had", "had"),
    "keep": ("kept", "kept"),
    "know": ("knew", "known"),
    "leave": ("left", "left"),
    "lend": ("lent", "lent"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "meet": ("met", "met"),
    "put": ("put", "put"),
    "read": ("read", "read"),
    "ride": ("rode", "ridden"),
    "run": ("ran", "run"),
    "see": ("saw", "seen"),
    "sell": ("sold", "sold"),
    "send": ("sent", "sent"),
    "sing": ("sang", "sung"),
    "sleep": ("slept", "slept"),
    "speak": ("spoke", "spoken"),
    "swim": ("swam", "swum"),
    "take": ("took", "taken"),
    "teach": ("taught", "taught"),
    "tell": ("told", "told"),
    "think": ("thought", "thought"),
    "wear": ("wore", "worn"),
    "write": ("wrote", "written"),
}
DOUBLED = {"get", "plan", "put", "run", "swim", "chat", "stop", "shop"}  # the last letter, before -ing and -ed
THIRD = {"have": "has", "be": "is", "do": "does", "go": "goes"}
BE = {"1": "am", "3": "is"}
PLURALS = {"child": "children", "fish": "fish", "sheep": "sheep", "series": "series"}
VOWELS = tuple("aeiou")
# What carries grammar rather than meaning: left out when alignment is measured.
FUNCTION_WORDS = frozenset(
    re.split(
        " ",
        "a an the of to in at on under by with for from that who than as is am are was were be been being do "
        "does did have has had will not no any there it and or if because so , . ? ! 's",
    )
)


def inflect(verb: str, form: str) -> str:
    """A verb of one word or more ("turn on") in one form: base, s, past, participle, ing. The first word changes."""
    head, space, rest = verb.partition(" ")
    return _inflect(head, form) + space + rest


def _inflect(verb: str, form: str) -> str:
    if form == "base":
        return verb
    if form == "s":
        return THIRD.get(verb) or sibilant(verb) or y_to_ies(verb) or verb + "s"
    stem = verb + verb[-1] if verb in DOUBLED else verb
    if form == "ing":
        return stem[:-1] + "ing" if stem.endswith("e") and not stem.endswith("ee") else stem + "ing"
    if form not in ("past", "participle"):
        raise ValueError(f"no form {form!r} of a verb")
    if verb in IRREGULAR:
        return IRREGULAR[verb][form == "participle"]
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if y_to_ies(verb) else stem + "ed"


def plural(noun: str) -> str:
    """The plural of a noun of one word or more ("police officer"). The last word changes."""
    first, space, last = noun.rpartition(" ")
    many = PLURALS.get(last) or sibilant(last) or y_to_ies(last) or last + "s"
    return first + space + many


def sibilant(word: str) -> str | None:
    return word + "es" if word.endswith(("s", "sh", "ch", "x")) or word in ("tomato", "potato") else None


def y_to_ies(word: str) -> str | None:
    return word[:-1] + "ies" if word.endswith("y") and not word.endswith(("ay", "ey", "oy", "uy")) else None


def agree(verb: str, person: str) -> str:
    """The present tense for a person: "1" for I, "3" for he, she, it, "2" for everyone else."""
    if verb == "be":
        return BE.get(person, "are")
    return inflect(verb, "s" if person == "3" else "base")


def article(following: str) -> str:
    """a, or an where the next word begins with a vowel (no word of this grammar begins like "hour" or "university")."""
    return "an" if following.lower().startswith(VOWELS) else "a"
