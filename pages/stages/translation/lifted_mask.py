"""What is let through where the causal mask is lifted: in training form, the whole target at once."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.capture import Capture
from core.derivation import Cell, RunSpec
from core.derivation.measures.words import LIKELY
from core.edits import lift_mask
from core.model.places import attention_at
from core.views.translation import moved, peeked, right
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.shared.page.stage import SECTION as PIECE
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.translation.look import ID, Look
from pages.stages.translation.picture import lifted

EVERY, MASK = Cell(LIKELY, (None, None)), Cell("decoder.0.self_attention.mask", (None, None))
SEEN = 1e-5  # of a difference


def draw(look: Look) -> None:
    t, config = look.t, look.page.model.config
    write(heading(t, "peek"), paragraphs([t.html("peek.said")]))
    plain, free = (trained_on(look, look.english, edits) for edits in ((), (lift_mask(),)))
    weights = np.stack([free[attention_at("self", i).tap("weights")] for i in range(config.decoder_layers)])
    share = peeked(weights)
    kept, lost = (measured(look, right(run).mean(), "right", EVERY, given=given_of(look, run)) for run in (plain, free))
    said = [t.html(f"peek.{'falls' if lost < kept else 'rises'}", kept=kept, lost=lost)]
    if len(share) > 1:
        mean = measured(look, share[:-1].mean(), "later_rows", MASK, given=given_of(look, free))
        said.insert(0, t.html("peek.mean", share=mean, layers=config.decoder_layers, heads=config.heads))
    left, right_side = st.columns([1, 1.25], gap="large")
    with left:
        given = [token.text for token in free.target_in]
        run = RunSpec(target=free.text_out, edits=free.edits)
        components.matrix(key="lifted", data=lifted(look, weights, given, PIECE, run).pack())
    with right_side:
        write(rows(look, plain, free, share), paragraphs(said))


SECTION = Section(draw)


def trained_on(look: Look, target: str, edits: tuple) -> Capture:
    return cached.capture(ID, look.text, target=target, edits=edits)


def rows(look: Look, plain: Capture, free: Capture, share: np.ndarray) -> str:
    """For each row: how much lies on later words, how likely the right word is, and what changes when the last word of
    the target is another."""
    t, other = look.t, changed_target(look.english, plain)
    runs = (plain, free)
    columns = [later(look, free, share), *(right_words(look, run) for run in runs)]
    columns += [changed(look, run, trained_on(look, other, run.edits)) if other else [] for run in runs]
    head = [t(f"peek.{name}") for name in ("row", "later", "p_kept", "p_lifted", "kept", "lifted")]
    body = [
        [token.text, *(column[i] if i < len(column) else "–" for column in columns)]
        for i, token in enumerate(plain.target_in)
    ]
    caption = t.html("peek.caption", was=last_word(plain), now=other.split()[-1].strip(".?")) if other else ""
    return f"<p class='soft'>{caption}</p>{table(body, head, 'peek')}"


def given_of(look: Look, run: Capture) -> RunSpec | None:
    """What tells a run from the page's own."""
    own = look.page.translation.target_out
    return None if not run.edits and run.target_out == own else RunSpec(target=run.text_out, edits=run.edits)


def later(look: Look, run: Capture, share: np.ndarray) -> list[float]:
    """Of each row the mean weight on later words; behind the last there is none."""
    rows = [replace(MASK, index=(i, None)) for i in range(len(share) - 1)]
    given = given_of(look, run)
    return [*(measured(look, share[i], "later", row, given=given) for i, row in enumerate(rows)), float(share[-1])]


def right_words(look: Look, run: Capture) -> list[float]:
    """The probability of the right word in each row."""
    cells = [Cell(LIKELY, (i, token.id)) for i, token in enumerate(run.target_out)]
    return [number(look, x, of, given=given_of(look, run)) for x, of in zip(right(run), cells, strict=True)]


def changed(look: Look, before: Capture, after: Capture) -> list[object]:
    """By how much any probability of each row changes at most."""
    runs = [given_of(look, run) for run in (before, after)]
    return [
        measured(look, x, "apart", *(Cell(LIKELY, (i, None), given) for given in runs)) if x >= SEEN else nearly(x)
        for i, x in enumerate(moved(before, after))
    ]


def nearly(x: float) -> str:
    """What is no more than single precision leaves of a difference of two probabilities."""
    return "< 0.00001" if x else "0"


def last_word(run: Capture) -> str:
    return next((token.text for token in reversed(run.target_out) if token.text[0].isalnum()), "")


def changed_target(english: str, run: Capture) -> str:
    """The target with another last word; empty where there is none to change."""
    word = last_word(run)
    other = "tomorrow" if word != "tomorrow" else "yesterday"
    before, found, after = english.rpartition(word) if word else ("", "", "")
    return f"{before}{other}{after}" if found else ""
