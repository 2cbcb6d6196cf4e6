"""Read on the way: the state after every half-layer, read as if it were the last; and which words led."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.capture import Capture
from core.derivation import Cell, Measure, Weight
from core.derivation.flow import TABLE
from core.figures.curves import Along, Curves, CurvesWords, Series, Span, Upwards
from core.model.places import split
from core.views.circuits import STACK, Lens, lens
from pages.shared.number.number_links import number
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.circuits.context import StageContext

LEAST = -30  # powers of ten: no probability is drawn below it
SHOWN = 5  # rows of the table: the last; the picture has them all


@dataclass(frozen=True)
class Stretch:
    """States one after the other in which the same word leads."""

    first: int
    last: int
    word: int


def draw(context: StageContext) -> None:
    t = context.t
    found = lens_of(context)
    stretches = list(stretched(found))
    second = other(context, stretches)
    shown = stretches[-SHOWN:]
    facts = {"word": context.word, "layers": context.view.layers, "led": len(found.led), "states": len(found.taps)}
    write(heading(t, "lens"), paragraph(t, "lens.said", **facts))
    components.curves(key="lens", data=curves(context, found, second).pack())
    cut = paragraph(t, "lens.cut", shown=len(shown), all=len(stretches)) if len(shown) < len(stretches) else ""
    head = [t(f"lens.{name}", word=context.word) for name in ("after", "leads", "share", "own", "rank")]
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        write(table([row(context, found, one) for one in shown], head))
    with right:
        write(*turn(context, found), cut, paragraph(t, "lens.not_thought"))


def lens_of(context: StageContext) -> Lens:
    return lens_at(*context.page.key, context.token, context.view.found.word)


@cached.shared
def lens_at(name: str, text: str, token: int, word: int) -> Lens:
    return lens(states_of(name, text, token), cached.model(name), 0, word, count=1)


@cached.shared
def states_of(name: str, text: str, token: int) -> Capture:
    """A run with the states of one token alone."""
    taps = cached.model(name).stream(STACK)
    run = cached.capture(name, text, only=taps)
    return replace(run, arrays={tap: run[tap][token : token + 1].copy() for tap in taps}, later={})


def other(context: StageContext, stretches: Sequence[Stretch]) -> int:
    """The word that it is set against; else the one that leads longest before it; else the likeliest other."""
    found = context.view.found
    if found.against is not None:
        return found.against
    led = Counter[int]()
    for one in stretches:
        led[one.word] += one.last - one.first + 1
    first = (word for word, _ in led.most_common() if word != found.word)
    return next(first, next(int(id) for id in context.view.best if id != found.word))


def stretched(found: Lens) -> Iterator[Stretch]:
    leading = found.best[:, 0].tolist()
    first = 0
    for i, word in enumerate(leading):
        if i + 1 == len(leading) or leading[i + 1] != word:
            yield Stretch(first, i, word)
            first = i + 1


def curves(context: StageContext, found: Lens, second: int) -> Curves:
    t = context.t
    against = lens_at(*context.page.key, context.token, second)
    values = [np.maximum(one.probability, 10.0**LEAST) for one in (found, against)]
    return Curves(
        x=Along(len(found.taps), t("lens.halves")),
        y=Upwards(high=1.0, log=True),
        series=[Series(context.word, "accent"), Series(context.say(second), "second")],
        values=values,
        words=CurvesWords(t("lens.label"), t.html("lens.caption"), t("lens.leads")),
        height=220,
        spans=[
            Span(one.first, one.last, context.say(one.word), one.word == context.view.found.word)
            for one in stretched(found)
        ],
    )


def place(context: StageContext, tap: str) -> str:
    """After which half of which layer a state stands."""
    at, _ = split(tap)
    if at.layer is None:
        return context.t("lens.start")
    return context.t(f"lens.after_{at.part}", layer=at.layer + 1)


def row(context: StageContext, found: Lens, one: Stretch) -> list[object]:
    """The last state of a stretch, in which a word leads."""
    i = one.last
    names = [place(context, found.taps[at]) for at in dict.fromkeys((one.first, i))]
    return [
        " – ".join(names),
        context.say(one.word),
        read(context, found, i, one.word, float(found.probabilities[i, 0])),
        read(context, found, i, context.view.found.word, float(found.probability[i])),
        grouped(int(found.rank[i]) + 1),
    ]


def read(context: StageContext, found: Lens, i: int, word: int, value: float) -> float:
    """How likely a word is as a state has it; it can be followed."""
    return number(
        context, value, Measure("lens", (Cell(found.taps[i], (context.token, None)), Weight(TABLE, (word, None))))
    )


def turn(context: StageContext, found: Lens) -> list[str]:
    """From where on the word leads to the end; and where it stood half-way."""
    rank, t = found.rank, context.t
    if rank[-1]:
        return []
    behind = np.flatnonzero(rank)
    first = int(behind[-1]) + 1 if len(behind) else 0
    half = len(rank) // 2
    facts = {"word": context.word, "where": place(context, found.taps[first]), "half": place(context, found.taps[half])}
    late = "turn_last" if first == len(rank) - 1 else "turn"
    earlier = np.flatnonzero(rank[:first] == 0)
    if late == "turn_last" and len(earlier):
        late, led = "turn_last_again", int(earlier[-1])
        facts |= {"led": place(context, found.taps[led]), "other": context.say(int(found.best[led + 1, 0]))}
    again = late == "turn_last_again" and not rank[half]
    key = "turn_led_last" if again else late if rank[half] else "turn_held" if first <= half else "turn_led"
    return [
        paragraph(
            t, f"lens.{key}", rank=grouped(int(rank[half]) + 1), rows=grouped(context.model.config.vocab), **facts
        )
    ]


SECTION = Section(draw)
