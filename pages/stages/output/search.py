"""Greedy against beam: where the likeliest word first does not lead to the likeliest sentence."""

from math import exp

import streamlit as st

from core.capture import decode, translation_of
from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.model.decoding import Beam
from core.views.output import forced
from pages.shared.address.visit import on_press
from pages.shared.number.number_links import measured
from pages.shared.number.translation_numbers import log_of, pressed, run_of, so_far
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.renderings import ID
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.shared.words.numbers import written as shown
from pages.stages.output.beam_tree import kept, tree
from pages.stages.output.context import StageContext

# A sentence of the grammar with its subject left out, as Chinese often does and the grammar never does. Found by trying
# 3,787 sentences with a word left out or two exchanged; of the grammar's own the two ways part in 6 of 5,000.
PARTED = "昨天去了办公室"
WIDTH = 4


@cached.shared
def written(text: str, width: int) -> Beam:
    return decode(cached.model(ID), text, width=width).last.best


@cached.shared
def steps(text: str, ids: tuple[int, ...]) -> tuple[float, ...]:
    """The probability of each word of a translation, given those before it."""
    return forced(cached.model(ID), text, ids)


def draw(context: StageContext) -> None:
    t = context.t
    greedy, beam = (written(PARTED, width) for width in (1, WIDTH))
    write(
        heading(t, "search"),
        paragraph(t, "search.said", text=PARTED, width=WIDTH),
        both(context, greedy, beam),
        paragraph(t, "search.why", **compared(context, greedy, beam)),
        paragraph(t, "search.length", **scored(greedy=greedy, beam=beam)),
        paragraph(t, "search.when"),
        *both_ways(context),
    )
    if context.text != PARTED:
        st.button(
            t("search.use", text=PARTED), key="use_parted", type="tertiary", on_click=on_press(context, text=PARTED)
        )


def piece(id: int) -> str:
    return cached.model(ID).tokenizer.names[id]


def both_ways(context: StageContext) -> list[str]:
    """The visitor's own sentence, where it is translated."""
    if not context.page.translates:
        return []
    facts = own(context)
    return [paragraph(context.t, "search.own" if facts["same"] else "search.own_other", **facts)]


def both(context: StageContext, greedy: Beam, beam: Beam) -> str:
    """What both searches wrote, and what the beam let go of on the way."""
    numbers, looks, ends = {ids: short(share) for ids, share in beginnings().items()}, {}, {}
    for name, one in {"greedy": greedy, "beam": beam}.items():
        for i in range(len(one.ids)):
            numbers[one.ids[: i + 1]] = shown(share_of(context, one, i))
            looks[one.ids[: i + 1]] = " ".join((looks.get(one.ids[: i + 1], ""), name))
        ends[one.ids] = context.t.html(f"search.{name}", log=whole(context, PARTED, one))
    return tree(numbers, cached.model(ID).tokenizer.names, looks, ends)


@cached.shared
def beginnings() -> dict[tuple[int, ...], float]:
    return kept(decode(cached.model(ID), PARTED, width=WIDTH))


def share_of(context: StageContext, beam: Beam, row: int) -> float:
    """The probability of the word that it has in a row."""
    share = steps(PARTED, beam.ids)[row]
    return pressed(context, share, run_of(context, PARTED, beam.ids), Cell(LIKELY, (row, beam.ids[row])))


def whole(context: StageContext, text: str, beam: Beam) -> float:
    """The log-probability of all of it."""
    return log_of(context, beam.log_probability, run_of(context, text, beam.ids), len(beam.ids) - 1)


def times(context: StageContext, one: Beam, other: Beam) -> float:
    """How many times as likely the one is as the other."""
    value = exp(one.log_probability - other.log_probability)
    runs = [run_of(context, PARTED, beam.ids) for beam in (one, other)]
    if None in runs:
        return value
    ends = [so_far(len(beam.ids) - 1, run) for beam, run in zip((one, other), runs, strict=True)]
    return measured(context, value, "likelier", *ends)


def compared(context: StageContext, greedy: Beam, beam: Beam) -> dict[str, object]:
    """The word where they part, and both ends."""
    at = next(i for i, (a, b) in enumerate(zip(greedy.ids, beam.ids, strict=False)) if a != b)
    first, second = (share_of(context, one, at) for one in (greedy, beam))
    return {
        "first": piece(greedy.ids[at]),
        "first_share": first,
        "second": piece(beam.ids[at]),
        "second_share": second,
        "greedy_log": whole(context, PARTED, greedy),
        "beam_log": whole(context, PARTED, beam),
        "times": times(context, beam, greedy),
    }


def scored(**beams: Beam) -> dict[str, object]:
    """How many tokens each has, and what it is compared by."""
    counts: dict[str, object] = {f"{name}_n": len(beam.ids) for name, beam in beams.items()}
    return {**counts, **{f"{name}_score": beam.score for name, beam in beams.items()}}


def own(context: StageContext) -> dict[str, object]:
    """The visitor's sentence, written both ways."""
    greedy, beam = (written(context.text, width) for width in (1, WIDTH))
    texts = {name: translation_of(cached.model(ID), one.ids).text for name, one in (("greedy", greedy), ("beam", beam))}
    logs = {"greedy_log": whole(context, context.text, greedy), "beam_log": whole(context, context.text, beam)}
    return {"same": greedy.ids == beam.ids, "text": context.text, **texts, **logs}


SECTION = Section(draw)
