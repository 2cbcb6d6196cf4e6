"""Tokens against words: the same sentence counted in several ways, and where its spaces went."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

import streamlit as st

from core.text import segmentation
from core.text.unicode import is_cjk
from core.views.segmentation import Piece, methods
from pages.shared.page.parts import Html, amount, chip, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.tokens.context import SPELLER, StageContext

PIECES = 76  # characters of a row of pieces
HEX = re.compile(r"[0-9A-F]{2}")
FRAME = 2  # that a piece's frame takes


def draw(context: StageContext) -> None:
    t, view = context.t, context.view
    config = context.page.model.config
    write(heading(t, "count"), paragraph(t, "count.said"))
    with st.spinner(t("count.loading")):
        counted = ways(context)
    n = view.total
    cost = {"n": n, "cells": f"{n * n:,}", "layers": config.layers, "heads": config.heads}
    cost["all"] = f"{n * n * config.layers * config.heads:,}"
    most = max(n for _, n, _ in counted)
    rows = [(name, amount(n, most), first) for name, n, first in counted]
    write(
        table(rows, [t(f"count.{name}") for name in ("what", "how_many", "pieces")], kind="pieced"),
        paragraph(t, "count.spaces") if " " in context.page.text.strip() else "",
        paragraph(t, "count.cost", **cost),
        *between(context),
    )


def between(context: StageContext) -> list[str]:
    """Why tokens are neither characters nor words: what single characters would cost where they are pieces, what
    pieces would save where they are characters."""
    view, cuts = context.view, context.tokenizer.cuts_words or context.tokenizer.merges_bytes
    text, tokens = context.page.text, view.kept
    pieces = len(by_others(text)["bpe"])
    characters = len(text if context.tokenizer.merges_bytes else "".join(text.split()))  # white space becomes none
    if view.truncated or (characters <= tokens if cuts else not pieces < tokens <= characters):
        return []
    all_then = view.total - tokens + (characters if cuts else pieces)
    facts = {"tokens": tokens, "characters": characters, "pieces": pieces}
    costs = {"now": f"{view.total**2:,}", "then": f"{all_then**2:,}"}
    return [paragraph(context.t, "count.between" if cuts else "count.between_characters", **facts, **costs)]


def ways(context: StageContext) -> list[tuple[str, int, Html]]:
    """What is counted, how many there are, and the first of them."""
    t, view, text, cut = context.t, context.view, context.page.text, by_others(context.page.text)
    own = [token.text for unit in view.units if unit.kind != "added" for token in unit.tokens[: unit.kept]]
    found = [
        ("characters", list(text.replace(" ", "␣").replace("\n", "↵"))),
        ("gaps", text.split()),
        *([("jieba", cut["jieba"])] if cut["jieba"] else []),
        ("words", [unit.text for unit in view.words]),
        ("tokens", own),
        ("total", [token.text for unit in view.units for token in unit.tokens[: unit.kept]]),
        ("bpe", cut["bpe"]),
        ("unigram", cut["unigram"]),
    ]
    return [(t(f"count.{name}"), len(pieces), first_of(pieces)) for name, pieces in found]


def first_of(pieces: Sequence[str]) -> Html:
    """As many as a row has room for."""
    lengths = accumulate(len(piece) + FRAME for piece in pieces)
    fitting = [piece for piece, length in zip(pieces, lengths, strict=True) if length <= PIECES]
    return Html("".join(map(chip, fitting)) + ("" if len(fitting) == len(pieces) else " …"))


@cached.shared
def by_others(text: str) -> Mapping[str, Sequence[str]]:
    """The pieces of jieba, of byte-level BPE and of Unigram; jieba is asked about Chinese only."""
    chinese = any(map(is_cjk, text))
    words = tuple(segmentation.cut(text, cached.dictionary())) if chinese else ()
    found = methods(text, words, cached.model(SPELLER).tokenizer)  # type: ignore[arg-type]
    return {name: [seen(piece) for piece in pieces] for name, pieces in found}


def seen(piece: Piece) -> str:
    """A piece in which white space is seen, and so are bytes that are no whole character."""
    if piece.kind == "bytes":
        return "".join(f"⟨{byte}⟩" if HEX.fullmatch(byte) else byte for byte in piece.text.split(" "))
    return piece.text.replace(" ", "␣").replace("\n", "↵")


SECTION = Section(draw)
