"""Sentence to parts: which form it has, and what stands in its slots."""

from collections.abc import Iterator, Mapping

from ..text.characters import read
from .forms import FORMS, Form
from .lexicon import MEASURES
from .sentence import PATTERNS, Gap, Parts, build, lexicon
from .word import Determiner, Word


def parse(text: str) -> Parts | None:
    """The parts of a Chinese sentence, spaces and ASCII punctuation forgiven; None where the grammar makes no such."""
    return next(parses(read(text)), None)


def parses(text: str) -> Iterator[Parts]:
    """Every way to read a sentence. The forms are such that there is never a second one (tested)."""
    for form in FORMS.values():
        if all(part in text for part in PATTERNS[form.id] if isinstance(part, str)):
            seen = set()
            for words in fillings(form, text, 0, 0, {}):
                parts = Parts(form.id, tuple((slot, words[slot].zh) for slot in form.slots))
                if parts not in seen and makes(parts, text):
                    seen.add(parts)
                    yield parts


def makes(parts: Parts, text: str) -> bool:
    """Whether the words go together, and with the right measure word."""
    try:
        return build(parts).zh == text
    except ValueError:
        return False


def fillings(form: Form, text: str, part: int, at: int, words: Mapping[str, Word]) -> Iterator[Mapping[str, Word]]:
    """All ways to fill the parts from `part` on with the text from `at` on."""
    if part == len(PATTERNS[form.id]):
        if at == len(text):
            yield words
        return
    wanted = PATTERNS[form.id][part]
    if isinstance(wanted, str):
        if text.startswith(wanted, at):
            yield from fillings(form, text, part + 1, at + len(wanted), words)
        return
    for word, end in candidates(wanted, form, text, at):
        yield from fillings(form, text, part + 1, end, {**words, wanted.slot: word})


def candidates(gap: Gap, form: Form, text: str, at: int) -> Iterator[tuple[Word, int]]:
    """The words that may stand in a gap here, and where each ends, its measure word included."""
    for word in lexicon(form.slots[gap.slot]).values():
        if text.startswith(word.zh, at):
            end = at + len(word.zh)
            if gap.measured and isinstance(word, Determiner) and word.counts:
                yield from ((word, end + len(m)) for m in MEASURES if text.startswith(m, end))
            else:
                yield word, end
