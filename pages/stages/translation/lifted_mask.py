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
from pages.shared.page.parts import heading, paragraphs, shaded, table, write
from pages.shared.page.stage import SECTION as PIECE
from pages.shared.page.stage import Section
from pages.shared.page.whole_model import spreads
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.translation.context import ID, StageContext
from pages.stages.translation.picture import lifted

EVERY, MASK = Cell(LIKELY, (None, None)), Cell("decoder.0.self_attention.mask", (None, None))
SEEN = 1e-5  # of a difference


def draw(context: StageContext) -> None:
    t, config = context.t, context.page.model.config
    write(heading(t, "peek"), paragraphs([t.html("peek.said")]))
    plain, free = (trained_on(context, context.english, edits) for edits in ((), (lift_mask(),)))
    weights = np.stack([free[attention_at("self", i).tap("weights")] for i in range(config.decoder_layers)])
    share, other = peeked(weights), changed_target(context.english, plain)
    said = [compared(context, plain, free), t.html("peek.own_words")]
    if other:
        said.insert(0, t.html("peek.itself"))
    if len(share) > 1:
        mean = measured(context, share[:-1].mean(), "later_rows", MASK, given=given_of(context, free))
        said.insert(0, t.html("peek.mean", share=mean, layers=config.decoder_layers, heads=config.heads))
    left, right_side = st.columns([1, 1.25], gap="large")
    with left:
        given = [token.text for token in free.target_in]
        run = RunSpec(target=free.text_out, edits=free.edits)
        components.matrix(key="lifted", data=lifted(context, weights, given, PIECE, run).pack())
    with right_side:
        write(rows(context, plain, free, share, other), paragraphs(said))
        spreads(context, lift_mask())


SECTION = Section(draw, redraws=("layer", "head"))


def trained_on(context: StageContext, target: str, edits: tuple) -> Capture:
    return cached.capture(ID, context.text, target=target, edits=edits)


def compared(context: StageContext, plain: Capture, free: Capture) -> str:
    """How likely the right words are without the mask; of a single row, that there is nothing to hide."""
    kept, lost = (
        measured(context, right(run).mean(), "right", EVERY, given=given_of(context, run)) for run in (plain, free)
    )
    if len(plain.target_in) == 1:
        given, after = plain.target_in[0].text, plain.target_out[0].text
        return context.t.html("peek.alone", given=given, next=after, kept=kept)
    return context.t.html(f"peek.{'falls' if lost < kept else 'rises'}", kept=kept, lost=lost)


def rows(context: StageContext, plain: Capture, free: Capture, share: np.ndarray, other: str) -> str:
    """For each row: how much lies on later words, how likely the right word is, and what changes when the last word of
    the target is another, where there is one to change."""
    t, runs = context.t, (plain, free)
    columns = [later(context, free, share), *(right_words(context, run) for run in runs)]
    columns += [changed(context, run, trained_on(context, other, run.edits)) if other else [] for run in runs]
    head = [t(f"peek.{name}") for name in ("row", "later", "p_kept", "p_lifted", "kept", "lifted")]
    body = [
        [token.text, *(shaded(column[i]) if i < len(column) else "–" for column in columns)]
        for i, token in enumerate(plain.target_in)
    ]
    caption = t.html("peek.caption", was=last_word(plain), now=other.split()[-1].strip(".?")) if other else ""
    return f"<p class='soft'>{caption}</p>{table(body, head, 'peek')}"


def given_of(context: StageContext, run: Capture) -> RunSpec | None:
    """What tells a run from the page's own."""
    own = context.page.translation.target_out
    return None if not run.edits and run.target_out == own else RunSpec(target=run.text_out, edits=run.edits)


def later(context: StageContext, run: Capture, share: np.ndarray) -> list[float]:
    """Of each row the mean weight on later words; behind the last there is none."""
    rows = [replace(MASK, index=(i, None)) for i in range(len(share) - 1)]
    given = given_of(context, run)
    return [*(measured(context, share[i], "later", row, given=given) for i, row in enumerate(rows)), float(share[-1])]


def right_words(context: StageContext, run: Capture) -> list[float]:
    """The probability of the right word in each row."""
    cells = [Cell(LIKELY, (i, token.id)) for i, token in enumerate(run.target_out)]
    return [number(context, x, of, given=given_of(context, run)) for x, of in zip(right(run), cells, strict=True)]


def changed(context: StageContext, before: Capture, after: Capture) -> list[object]:
    """By how much any probability of each row changes at most."""
    runs = [given_of(context, run) for run in (before, after)]
    return [
        measured(context, x, "apart", *(Cell(LIKELY, (i, None), given) for given in runs)) if x >= SEEN else nearly(x)
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
    at = english.lower().rfind(word.lower()) if word else -1  # the first word has a capital
    return f"{english[:at]}{other}{english[at + len(word) :]}" if at >= 0 else ""
