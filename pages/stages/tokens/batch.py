"""[PAD] and the attention mask: sentences of different lengths as one batch."""

from core.views.batch import Batch, batch
from pages.shared import cached
from pages.shared.address import words
from pages.shared.parts import heading, paragraph, refusal, table, write
from pages.shared.stage import Section
from pages.shared.texts import clip
from pages.stages.tokens.look import Look
from pages.stages.tokens.rows import cells, more, typed

OTHERS = {
    "minilm": "A dog barked.\nShe read the whole book in one evening because it was raining.",
    "translator": "他们是护士吗\n小明昨天晚上看了一部电影",
}
LONGEST = 600  # characters of the other sentences
MOST = 5  # of them
ROW = 40  # tokens of a row
ROUNDING = 1e-4  # what is less comes of adding in another order


def parameters(page, view):
    return {"others": words(LONGEST, None)}


def draw(look: Look) -> None:
    t, model = look.t, look.page.address.model
    write(heading(t, "batch"), paragraph(t, "batch.said", id=look.tokenizer.pad_id))
    refusal(look)
    others = look.values["others"] or OTHERS[model]
    typed(look, "others", others, LONGEST, height=96)
    texts = (look.page.text, *[line.strip() for line in others.splitlines() if line.strip()][:MOST])
    found = cached.remember(("batch", model, texts), lambda: batch(look.page.model, texts, ROW))
    write(rows(look, found), *said(look, found), measured(look, texts, found))


def rows(look: Look, found: Batch) -> str:
    """Each row of tokens, and under it its mask."""
    t = look.t
    both = [
        line
        for number, (tokens, mask) in enumerate(zip(found.rows, found.mask.tolist(), strict=True), 1)
        for line in ([t("batch.row", n=number), *cells(tokens)], [t("batch.mask"), *mask])
    ]
    return table(both) + more(look, found.mask.shape[1])


def said(look: Look, found: Batch) -> list[str]:
    """What the mask does here: nothing where nothing is padded."""
    t, pads = look.t, sum(found.pads)
    if not pads:
        return [paragraph(t, "batch.even")]
    masked = max(moved.difference for moved in found.masked)
    unmasked = max(moved.difference for moved in found.unmasked)
    key = "batch.found" if masked < ROUNDING < unmasked else "batch.plain"
    share = {"pads": pads, "cells": found.mask.size, "share": 100 * pads / found.mask.size}
    return [paragraph(t, key, masked=masked, unmasked=unmasked), paragraph(t, "batch.cost", **share)]


def measured(look: Look, texts: tuple[str, ...], found: Batch) -> str:
    t = look.t
    body = [
        [clip(text, 30) or "–", found.mask.shape[1] - pads, pads, one.difference, two.difference, two.cosine]
        for text, pads, one, two in zip(texts, found.pads, found.masked, found.unmasked, strict=True)
    ]
    head = [t(f"batch.{name}") for name in ("sentence", "tokens", "pads", "masked", "unmasked", "cosine")]
    return table(body, head, kind="sums")


SECTION = Section(draw, parameters, redraws=("others",))
