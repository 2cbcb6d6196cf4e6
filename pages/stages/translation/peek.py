"""What is let through where the causal mask is lifted: in training form, the whole target at once."""

import numpy as np
import streamlit as st

from core.capture import Capture
from core.edits import lift_mask
from core.model.places import attention_at
from core.views.translation import moved, peeked, right
from pages.shared import cached, components
from pages.shared.parts import heading, paragraphs, table, write
from pages.shared.stage import SECTION as PIECE
from pages.shared.stage import Section
from pages.stages.translation.look import ID, Look
from pages.stages.translation.picture import lifted


def draw(look: Look) -> None:
    t, config = look.t, look.page.model.config
    write(heading(t, "peek"), paragraphs([t.html("peek.said")]))
    plain, free = (trained_on(look, look.english, edits) for edits in ((), (lift_mask(),)))
    weights = np.stack([free[attention_at("self", i).tap("weights")] for i in range(config.decoder_layers)])
    share = peeked(weights)
    kept, lost = (float(right(run).mean()) for run in (plain, free))
    said = [t.html(f"peek.{'falls' if lost < kept else 'rises'}", kept=kept, lost=lost)]
    if len(share) > 1:
        mean = float(share[:-1].mean())
        said.insert(0, t.html("peek.mean", share=mean, layers=config.decoder_layers, heads=config.heads))
    left, right_side = st.columns([1, 1.25], gap="large")
    with left:
        given = [token.text for token in free.target_in]
        components.matrix(key="lifted", data=lifted(look, weights, given, PIECE).pack())
    with right_side:
        write(rows(look, plain, free, share), paragraphs(said))


SECTION = Section(draw)


def trained_on(look: Look, target: str, edits: tuple) -> Capture:
    return cached.capture(ID, look.text, target=target, edits=edits)


def rows(look: Look, plain: Capture, free: Capture, share: np.ndarray) -> str:
    """For each row: how much lies on later words, how likely the right word is, and what changes when the last word of
    the target is another."""
    t, other = look.t, changed_target(look.english, plain)
    columns = [share, *(right(run) for run in (plain, free))]
    columns += [moved(run, trained_on(look, other, run.edits)) if other else np.array([]) for run in (plain, free)]
    head = [t(f"peek.{name}") for name in ("row", "later", "p_kept", "p_lifted", "kept", "lifted")]
    written = [float, float, float, digits, digits]
    body = [
        [
            token.text,
            *(as_(column[i]) if i < len(column) else "–" for as_, column in zip(written, columns, strict=True)),
        ]
        for i, token in enumerate(plain.target_in)
    ]
    caption = t.html("peek.caption", was=last_word(plain), now=other.split()[-1].strip(".?")) if other else ""
    return f"<p class='soft'>{caption}</p>{table(body, head, 'peek')}"


def digits(x: float) -> str:
    """As many digits as single precision leaves of a difference of two probabilities."""
    return "0" if x == 0 else f"{x:.5f}" if x >= 5e-6 else "< 0.00001"


def last_word(run: Capture) -> str:
    return next((token.text for token in reversed(run.target_out) if token.text[0].isalnum()), "")


def changed_target(english: str, run: Capture) -> str:
    """The target with another last word; empty where there is none to change."""
    word = last_word(run)
    other = "tomorrow" if word != "tomorrow" else "yesterday"
    before, found, after = english.rpartition(word) if word else ("", "", "")
    return f"{before}{other}{after}" if found else ""
