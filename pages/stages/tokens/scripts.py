"""One vocabulary for many scripts: how MiniLM's spells them, and one that was built on bytes."""

import html
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.text import bpe
from pages.shared.page.parts import Html, amount, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import clip
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.count import by_others
from pages.stages.tokens.rows import READER

PIECES = 30  # characters of what MiniLM makes of a sentence
LONGEST = 26  # characters of a sentence
BAR = 36  # pixels of the longest
Row = tuple[Html, Html, int, int, int, Html, int]


def draw(context: StageContext) -> None:
    t, others = context.t, named(context)
    with st.spinner(t("count.loading")):
        texts = {t("scripts.own"): context.page.text, **others}
        rows = in_bars([row(name, text) for name, text in texts.items() if text.strip()])
        size = grouped(bpe.tokenizer().get_vocab_size())
    head = [t(f"scripts.{name}") for name in ("name", "text", "characters", "tokens", "unknown", "spelt", "bpe")]
    facts = {"sentences": len(others), **apart(others)}
    write(
        heading(t, "scripts"),
        paragraph(t, "scripts.said"),
        table(rows, head, kind="scripts named"),
        paragraph(t, "scripts.wordpiece", size=grouped(len(cached.model(READER).tokenizer)), **facts),
        paragraph(t, "scripts.bytes", size=size),
        paragraph(t, "scripts.shared"),
    )


def named(context: StageContext) -> dict[str, str]:
    """The sentence in each script, which is called by its name in the visitor's language."""
    return {context.t(f"scripts.of.{id}"): text for id, text in samples.read("scripts").items()}


def apart(others: Mapping[str, str]) -> dict[str, object]:
    """In how many sentences something cannot be spelt, and which of the others falls into the smallest pieces."""
    tokens = {name: tokens_of(text) for name, text in others.items()}
    spelt = [name for name in others if "[UNK]" not in tokens[name]]
    most = max(spelt, key=lambda name: len(tokens[name]) / len(others[name]))
    counts = {"characters": len(others[most]), "tokens": len(tokens[most])}
    return {"unspelt": len(others) - len(spelt), "most": most, **counts}


def tokens_of(text: str) -> list[str]:
    """MiniLM's, without those that it adds."""
    return [token.text for token in cached.trace(READER, text).tokens if token.end]


def row(name: str, text: str) -> Row:
    """A sentence, MiniLM's tokens of it, how many of them are [UNK], and the tokens of a byte-level BPE."""
    tokens = tokens_of(text)
    unknown = tokens.count("[UNK]")
    spelt = clip(" ".join(tokens), PIECES)
    name, begun, pieces = (Html(f"<bdi>{html.escape(said)}</bdi>") for said in (name, clip(text, LONGEST), spelt))
    return name, begun, len(text), len(tokens), unknown, pieces, len(by_others(text)["bpe"])


def in_bars(rows: Sequence[Row]) -> list[list[object]]:
    """Both counts of tokens on one scale."""
    bar = partial(amount, most=max(max(row[3], row[6]) for row in rows), longest=BAR)
    return [[*begin, bar(ours), unknown, spelt, bar(theirs)] for *begin, ours, unknown, spelt, theirs in rows]


SECTION = Section(draw)
