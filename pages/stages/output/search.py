"""Greedy against beam: where the likeliest word first does not lead to the likeliest sentence."""

from collections.abc import Sequence
from itertools import accumulate
from math import exp, log

import streamlit as st

from core.capture import decode, translation_of
from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.model.decoding import Beam
from core.views.output import forced
from pages.shared.address.visit import on_press
from pages.shared.number.number_links import measured
from pages.shared.number.translation_numbers import log_of, pressed, run_of, so_far
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.renderings import ID
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.output.look import Look

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


def draw(look: Look) -> None:
    t, model = look.t, cached.model(ID)
    greedy, beam = (written(PARTED, width) for width in (1, WIDTH))
    texts = [translation_of(model, one.ids).text for one in (greedy, beam)]
    write(
        heading(t, "search"),
        paragraph(t, "search.said", text=PARTED, width=WIDTH),
        paragraph(t, "search.greedy", text=texts[0]),
        path(look, greedy),
        paragraph(t, "search.beam", text=texts[1]),
        path(look, beam),
        paragraph(t, "search.why", **compared(look, greedy, beam)),
        *both_ways(look),
    )
    if look.text != PARTED:
        st.button(t("search.use", text=PARTED), key="use_parted", type="tertiary", on_click=on_press(look, text=PARTED))


def piece(id: int) -> str:
    return cached.model(ID).tokenizer.names[id]


def both_ways(look: Look) -> list[str]:
    """The visitor's own sentence, where it is translated."""
    if not look.page.translates:
        return []
    facts = own(look)
    return [paragraph(look.t, "search.own" if facts["same"] else "search.own_other", **facts)]


def path(look: Look, beam: Beam) -> str:
    """A translation word by word: each probability, and the sum of the logarithms so far."""
    t, shares, run = look.t, steps(PARTED, beam.ids), run_of(look, PARTED, beam.ids)
    likely = [share_of(look, beam, i) for i in range(len(shares))]
    sums = [log_of(look, value, run, i) for i, value in enumerate(accumulate(map(log, shares)))]
    rows: list[Sequence[object]] = [[t("search.p"), *likely], [t("search.sum"), *sums]]
    return table(rows, ["", *map(piece, beam.ids)], kind="sums")


def share_of(look: Look, beam: Beam, row: int) -> float:
    """The probability of the word that it has in a row."""
    share = steps(PARTED, beam.ids)[row]
    return pressed(look, share, run_of(look, PARTED, beam.ids), Cell(LIKELY, (row, beam.ids[row])))


def whole(look: Look, text: str, beam: Beam) -> float:
    """The log-probability of all of it."""
    return log_of(look, beam.log_probability, run_of(look, text, beam.ids), len(beam.ids) - 1)


def times(look: Look, one: Beam, other: Beam) -> float:
    """How many times as likely the one is as the other."""
    value = exp(one.log_probability - other.log_probability)
    runs = [run_of(look, PARTED, beam.ids) for beam in (one, other)]
    if None in runs:
        return value
    ends = [so_far(len(beam.ids) - 1, run) for beam, run in zip((one, other), runs, strict=True)]
    return measured(look, value, "likelier", *ends)


def compared(look: Look, greedy: Beam, beam: Beam) -> dict[str, object]:
    """The word where they part, and both ends."""
    at = next(i for i, (a, b) in enumerate(zip(greedy.ids, beam.ids, strict=False)) if a != b)
    first, second = (share_of(look, one, at) for one in (greedy, beam))
    return {
        "first": piece(greedy.ids[at]),
        "first_share": first,
        "second": piece(beam.ids[at]),
        "second_share": second,
        "greedy_log": whole(look, PARTED, greedy),
        "beam_log": whole(look, PARTED, beam),
        "times": times(look, beam, greedy),
    }


def own(look: Look) -> dict[str, object]:
    """The visitor's sentence, written both ways."""
    greedy, beam = (written(look.text, width) for width in (1, WIDTH))
    texts = {name: translation_of(cached.model(ID), one.ids).text for name, one in (("greedy", greedy), ("beam", beam))}
    logs = {"greedy_log": whole(look, look.text, greedy), "beam_log": whole(look, look.text, beam)}
    return {"same": greedy.ids == beam.ids, "text": look.text, **texts, **logs}


SECTION = Section(draw)
