"""[PAD] and the attention mask: sentences of different lengths as one batch."""

import streamlit as st

from core.derivation import Cell, Measure, RunSpec
from core.derivation.origins import within
from core.edits import see_padding
from core.figures.followed import Traced
from core.views.batch import Batch, batch
from pages.shared.address.address import words
from pages.shared.number.follow import follow, of_rows
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.rows import cells, in_columns, more

LONGEST = 600  # characters of the other sentences
MOST = 5  # of them
ROW = 40  # tokens of a row
FOLLOWS = "batch_followed"
ROUNDING = 1e-4  # what is less comes of adding in another order
LARGE_ROUNDING = 1e-3  # and of numbers as large as in a model of thirty layers


def parameters(page, view):
    return {"others": words(LONGEST, None)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "batch"), paragraph(t, "batch.said", id=context.tokenizer.pad_id))
    texts, found = batch_of(context)
    write(rows(context, found))
    controls("others", text_box(context, "others", t("others_label"), LONGEST, first=others_of(context), lines=3))
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        write(*said(context, texts, found))
    with right:
        follow(context, followed, key=FOLLOWS)
    write(measured(context, texts, found))


def others_of(context: StageContext) -> str:
    others = context.values["others"] or ""
    return others if others.strip() else "\n".join(context.page.opening.get("others", ()))


def batch_of(context: StageContext) -> tuple[tuple[str, ...], Batch]:
    lines = others_of(context).splitlines()
    texts = (context.page.text, *[line.strip() for line in lines if line.strip()][:MOST])
    return texts, batched(context.page.address.model, texts)


@cached.shared
def batched(name: str, texts: tuple[str, ...]) -> Batch:
    return batch(cached.model(name), texts, ROW)


def rows(context: StageContext, found: Batch) -> str:
    """Each row of tokens, and under it its mask."""
    t = context.t
    both = [
        line
        for number, (tokens, mask) in enumerate(zip(found.rows, found.mask.tolist(), strict=True), 1)
        for line in ([t("batch.row", n=number), *cells(tokens)], [t("batch.mask"), *mask])
    ]
    return in_columns(both) + more(context, found.mask.shape[1])


def said(context: StageContext, texts: tuple[str, ...], found: Batch) -> list[str]:
    """What the mask does here: nothing where nothing is padded."""
    t, pads = context.t, sum(found.pads)
    if not pads:
        return [paragraph(t, "batch.even")]
    masked, bare = (max(moved.difference for moved in each) for each in (found.masked, found.unmasked))
    key = "batch.found" if masked < ROUNDING < found.unmasked[most(found)].difference else "batch.plain"
    rounded = [paragraph(t, "batch.rounded")] if max(masked, bare) < LARGE_ROUNDING else []
    share = {"pads": pads, "cells": found.mask.size, "share": 100 * pads / found.mask.size}
    facts = {"masked": masked, "unmasked": unmasked(context, texts[most(found)], found, most(found))[0]}
    return [paragraph(t, key, **facts), *rounded, paragraph(t, "batch.cost", **share)]


def measured(context: StageContext, texts: tuple[str, ...], found: Batch) -> str:
    t, length = context.t, found.mask.shape[1]
    body = [
        [clip(text, 30) or "–", length - pads, pads, one.difference, *unmasked(context, text, found, row)]
        for row, (text, pads, one) in enumerate(zip(texts, found.pads, found.masked, strict=True))
    ]
    head = [t(f"batch.{name}") for name in ("sentence", "tokens", "pads", "masked", "unmasked", "cosine")]
    return table(body, head, kind="sums")


# ---- what can be followed


def changed(context: StageContext, text: str, found: Batch, row: int) -> tuple[Measure, Measure] | None:
    """What a row makes of padding that is not masked: the text by itself, filled up as far. A text that is cut in the
    batch has no such run. With the mask only rounding is left, and in a batch that is another."""
    alone = cached.trace(context.page.address.model, text).tokens
    if context.page.model.objective == "next" or not found.pads[row]:  # who looks back alone, never sees the padding
        return None
    if [token.id for token in alone] != [token.id for token in found.rows[row][: len(alone)]]:
        return None
    last, seen = context.page.model.reader.exit, RunSpec(text, pad_to=found.mask.shape[1], edits=(see_padding(),))
    rows = (Cell(last, (token, None)) for token in found.unmasked[row].at)
    most, turned = ((within(row, RunSpec(text)), within(row, seen)) for row in rows)
    return Measure("apart", most), Measure("cosine", turned)


def unmasked(context: StageContext, text: str, found: Batch, row: int) -> tuple[float, float]:
    moved, what = found.unmasked[row], changed(context, text, found, row)
    values = moved.difference, moved.cosine
    return (number(context, values[0], what[0]), number(context, values[1], what[1])) if what else values


def followed(context: StageContext) -> Traced:
    """Where padding that is not masked changes most; where it changes nothing, how long the first vector is."""
    texts, found = batch_of(context)
    what = changed(context, texts[most(found)], found, most(found))
    return of_rows(context, what[0] if what else Measure("length", (Cell(context.page.model.reader.exit, (0, None)),)))


def most(found: Batch) -> int:
    return max(range(len(found.rows)), key=lambda row: found.unmasked[row].difference)


SECTION = Section(draw, parameters, ("others",), {FOLLOWS: ()}, follows=FOLLOWS)
