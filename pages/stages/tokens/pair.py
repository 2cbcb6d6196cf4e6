"""[CLS], [SEP] and segments: two sentences in one row."""

from core.views.batch import Pair, pair
from pages.shared import cached
from pages.shared.address import words
from pages.shared.parts import heading, paragraph, refusal, write
from pages.shared.stage import Section
from pages.stages.tokens.look import Look
from pages.stages.tokens.rows import READER, english, lines, typed

LONGEST = 200  # characters of the second sentence
SECOND = "It was very tired."


def parameters(page, view):
    return {"second": words(LONGEST, None)}


def draw(look: Look) -> None:
    t, second = look.t, look.values["second"] or SECOND
    first = english(look)
    own = "" if first == look.page.text else paragraph(t, look.page.own("pair.instead"), text=first)
    write(heading(t, "pair"), paragraph(t, "pair.said"), own)
    refusal(look)
    typed(look, "second", second, LONGEST)
    found = cached.remember(("pair", first, second), lambda: pair(cached.model(READER), first, second))
    moved = {"apart": found.apart, "difference": found.unmarked.difference, "cosine": found.unmarked.cosine}
    write(
        lines(look, found.tokens, "segment", "position", "id"),
        paragraph(t, "pair.cut", cut=found.cut) if found.cut else "",
        paragraph(t, "pair.segments", **moved),
        paragraph(t, "pair.attention", **attention(found)),
        paragraph(t, "pair.cls"),
    )


def attention(found: Pair) -> dict[str, object]:
    """How much of all attention the special tokens are given, in percent."""
    names = [token.text if token.special and token.end == 0 else "" for token in found.tokens]
    of = {name: [100 * float(a) for a, n in zip(found.attention, names, strict=True) if n == name] for name in names}
    others = of.get("", [])
    return {
        "cls": sum(of["[CLS]"]),
        "sep": sum(of["[SEP]"]),
        "n": len(others),
        "other": sum(others) / max(1, len(others)),
        "even": 100 / len(names),
    }


SECTION = Section(draw, parameters, redraws=("second",))
