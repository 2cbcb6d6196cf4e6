"""The translator's three masks told apart, and what is let through where the causal one is lifted."""

import html
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from core.capture import Capture
from core.edits import lift_mask
from core.model.places import attention_at
from core.views.translation import moved, peeked, right
from pages.shared import cached
from pages.shared.numbers import short
from pages.shared.page import Page, paragraphs

MASKS = 24  # rows and columns of a mask that are shown
PADDING = 2


def masks(page: Page) -> None:
    """The masks of the first layers as the model made them, with padding behind the source."""
    t = page.t
    st.html(f"<h2 class='part'>{t.html('masks.title')}</h2>")
    run = padded(page)
    source, target = [token.text for token in run.tokens], [token.text for token in run.target_in]
    grids = [
        ("encoder", "encoder.0.attention.mask", source, source),
        ("self", "decoder.0.self_attention.mask", target, target),
        ("cross", "decoder.0.cross_attention.mask", target, source),
    ]
    columns = st.columns(3, gap="medium")
    for column, (kind, tap, rows, labels) in zip(columns, grids, strict=True):
        column.html(
            f"<p><b>{t.html(f'masks.{kind}')}</b></p>{grid(page, run[tap], rows, labels)}"
            f"<p class='soft'>{t.html(f'masks.{kind}_said')}</p>"
        )


def padded(page: Page) -> Capture:
    from core import capture

    length = len(page.tokens) + PADDING
    pad_to = length if length <= page.model.config.positions else None
    key = ("masks", page.address.model, page.text, pad_to)
    return cached.remember(
        key, lambda: capture(page.model, page.text, target=english(page), pad_to=pad_to, only=("*.mask",))
    )


def english(page: Page) -> str:
    return page.translation.text_out or ""


def grid(page: Page, mask: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """A mask as squares: full where looking is allowed, hatched where it is not. Of a long one the end, and it is said
    of how many rows and columns."""
    first_row, first_column = max(0, len(rows) - MASKS), max(0, len(columns) - MASKS)
    heads = "".join(f"<th><span>{html.escape(name)}</span></th>" for name in columns[first_column:])
    body = "".join(
        f"<tr><th>{html.escape(rows[i])}</th>"
        + "".join(f"<td class='{'open' if cell == 0 else 'shut'}'></td>" for cell in mask[i, first_column:])
        + "</tr>"
        for i in range(first_row, len(rows))
    )
    sizes = {"rows": len(rows), "columns": len(columns), "shown": MASKS}
    cut = page.t.html("masks.cut", **sizes) if first_row or first_column else ""
    table = f"<table class='mask'><tr><th></th>{heads}</tr>{body}</table>"
    return f"<div class='shapes-box'>{table}</div><p class='soft'>{cut}</p>"


def peeking(page: Page, draw: Callable[[np.ndarray, list[str]], None]) -> None:
    """In training form, the whole target at once: what lifting the causal mask lets through.

    `draw` makes a matrix of weights [layer, head, row, column] with these words at both sides.
    """
    t, config = page.t, page.model.config
    st.html(f"<h2 class='part'>{t.html('peek.title')}</h2>")
    plain, lifted = (trained_on(page, english(page), edits) for edits in ((), (lift_mask(),)))
    paragraphs([t.html("peek.said")])
    left, right_side = st.columns([1, 1.25], gap="large")
    weights = np.stack([lifted[attention_at("self", i).tap("weights")] for i in range(config.decoder_layers)])
    share = peeked(weights)
    with left:
        draw(weights, [token.text for token in lifted.target_in])
    with right_side:
        st.html(peek_table(page, plain, lifted, share))
        if len(share) > 1:
            mean = float(share[:-1].mean())
            paragraphs([t.html("peek.mean", share=mean, layers=config.decoder_layers, heads=config.heads)])
        kept, lost = (float(right(run).mean()) for run in (plain, lifted))
        paragraphs([t.html("peek.right", kept=kept, lost=lost)])


def trained_on(page: Page, target: str, edits: tuple) -> Capture:
    return cached.capture(page.address.model, page.text, target=target, edits=edits)


def peek_table(page: Page, plain: Capture, lifted: Capture, share: np.ndarray) -> str:
    """For each row: how much lies on later words, how likely the right word is, and what changes when the last word of
    the target is another."""
    t, other = page.t, changed_target(page, plain)
    effects = [moved(before, trained_on(page, other, before.edits)) if other else None for before in (plain, lifted)]
    head = "".join(
        f"<th>{t.html(f'peek.{name}')}</th>" for name in ("row", "later", "p_kept", "p_lifted", "kept", "lifted")
    )
    likely = [right(run) for run in (plain, lifted)]
    rows = "".join(
        f"<tr><td>{html.escape(token.text)}</td><td>{short(float(share[i]))}</td>"
        + "".join(f"<td>{short(float(p[i])) if i < len(p) else '–'}</td>" for p in likely)
        + "".join(f"<td>{'–' if effect is None else short(float(effect[i]))}</td>" for effect in effects)
        + "</tr>"
        for i, token in enumerate(plain.target_in)
    )
    caption = t.html("peek.caption", was=last_word(plain), now=other.split()[-1].strip(".?") if other else "–")
    table = f"<table class='shapes peek'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<p class='soft'>{caption}</p><div class='tokens'>{table}</div>"


def last_word(run: Capture) -> str:
    return next((token.text for token in reversed(run.target_out) if token.text[0].isalnum()), "")


def changed_target(page: Page, run: Capture) -> str:
    """The target with another last word; empty where there is none to change."""
    word = last_word(run)
    other = "tomorrow" if word != "tomorrow" else "yesterday"
    before, found, after = english(page).rpartition(word) if word else ("", "", "")
    return f"{before}{other}{after}" if found else ""
