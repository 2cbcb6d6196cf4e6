"""[UNK] and [MASK]: what can no longer be told, and what this model cannot tell."""

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec, Weight
from core.derivation.flow import TABLE
from core.derivation.origins import Measure, within
from core.figures.controls import Control, Controls
from core.figures.followed import Traced
from core.text.byte_pairs import BytePairs
from core.views.embedding import table as rows_of
from core.views.holes import Hidden, hide, outputs
from pages.shared.address.address import index
from pages.shared.number.follow import follow, of_rows
from pages.shared.number.number_links import number
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.tokens.context import StageContext, shown
from pages.stages.tokens.rows import READER, cells, english, instead, more, who

UNSPELT = "☃"  # which no vocabulary here has
WORDS = 8  # in a sentence
FOLLOWS = "hidden_followed"


def parameters(page, view):
    return {"gap": index(510, None)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "holes"), *unknown(context))
    text = english(context)
    hidden = hidden_in(context, text)
    tensors, heads = outputs(cached.model(READER))
    own = "" if text == context.page.text else paragraph(t, instead(context, "holes"), text=text, **who(context))
    facts = {"id": cached.model(READER).tokenizer.id_of("[MASK]"), "tensors": tensors, "heads": len(heads)}
    write(f"<h3>{t.html('holes.mask')}</h3>", paragraph(t, "holes.mask_said", **facts), own)
    components.controls(key="gap", data=which(context, text).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        write(*found(context, hidden))
    with right:
        follow(context, followed, key=FOLLOWS)
    write(paragraph(t, "holes.mask_why", **facts))


# ---- [UNK]


def unknown(context: StageContext) -> list[str]:
    """The words of the text that nothing spells, or those of another text: one row for all of them."""
    t, tokenizer = context.t, context.tokenizer
    text = context.page.text if tokenizer.unknown(context.page.text) else context.page.opening.get("unspelt", UNSPELT)
    instead = "" if text == context.page.text else paragraph(t, "holes.unknown_none", text=text)
    words = tokenizer.unknown(text)
    if isinstance(tokenizer, BytePairs):
        return [paragraph(t, "holes.spelt", lacking=len(tokenizer.lacking))]
    own = (token for token in tokenizer.encode(text) if not token.special)  # a [UNK] that was typed is no loss
    ids = [token.id for token in own if token.id == tokenizer.unk_id]
    fetched = rows_of(context.page.model)[ids]
    named = [*(shown(word) for word in words[:WORDS]), *["…"] * (len(words) > WORDS)]
    facts = {"n": len(ids), "words": t("comma").join(named), "id": tokenizer.unk_id}
    key = "holes.unknown" if len(ids) > 1 else "holes.unknown_one"
    return [instead, paragraph(t, key, difference=float(np.ptp(fetched, axis=0).max()), **facts)]


# ---- [MASK]


def choices(text: str) -> list[tuple[int, str]]:
    """The tokens that can be hidden."""
    tokens = cached.trace(READER, text).tokens
    return [(i, token.text) for i, token in enumerate(tokens) if token.end]


def hidden_in(context: StageContext, text: str) -> Hidden:
    """The chosen token of the row, else the last that is a word."""
    open_to = dict(choices(text))
    named = [i for i, piece in open_to.items() if piece.isalpha()] or list(open_to)
    at = context.values["gap"] if context.values["gap"] in open_to else named[-1]
    return hidden_at(text, at)


@cached.shared
def hidden_at(text: str, at: int) -> Hidden:
    return hide(cached.model(READER), text, at)


def which(context: StageContext, text: str) -> Controls:
    at = hidden_in(context, text).at
    return Controls([Control("gap", context.t("holes.which"), choices(text), first=at, stepper="always", plain=True)])


def found(context: StageContext, hidden: Hidden) -> list[str]:
    t, start = context.t, max(0, hidden.at - 12)
    facts = {"word": hidden.was.text, "rank": f"{hidden.rank:,}", "seen": f"{hidden.seen:,}"}
    near = [(piece, alike(context, hidden, piece, cosine)) for piece, cosine in hidden.near]
    facts |= {"near": near[0][0], "cosine": near[0][1]}
    rows = [(piece, amount(like, near[0][1], longest=320)) for piece, like in near]
    tokens = hidden.tokens[start:]
    vocab = f"{len(cached.model(READER).tokenizer):,}"
    return [
        "".join(("<p class='chips'>", *cells(tokens), "</p>")) + more(context, len(tokens)),
        paragraph(t, "holes.mask_found", vocab=vocab, **facts),
        table(rows, [t("holes.near"), t("holes.cosine")]),
    ]


def followed(context: StageContext) -> Traced:
    """The cosine of the nearest row; where there is none to follow, how long the vector is while it is not hidden."""
    text = english(context)
    hidden = hidden_in(context, text)
    length = Measure("length", (Cell(cached.model(READER).reader.exit, (hidden.at, None)),))
    return of_rows(context, measure(context, hidden, hidden.near[0][0]) or within(length, RunSpec(text, model=READER)))


def alike(context: StageContext, hidden: Hidden, piece: str, cosine: float) -> float:
    what = measure(context, hidden, piece)
    return number(context, cosine, what) if what else cosine


def measure(context: StageContext, hidden: Hidden, piece: str) -> Measure | None:
    """What such a cosine is of, where the text with [MASK] typed in it is the same row: not within a word."""
    text = english(context)
    masked = text[: hidden.was.start] + "[MASK]" + text[hidden.was.end :]
    if cached.ids(READER, masked) != [token.id for token in hidden.tokens]:
        return None
    model, given = cached.model(READER), RunSpec(masked, model=READER)
    row = Weight(TABLE, (model.tokenizer.id_of(piece), None))
    return within(Measure("cosine", (Cell(model.reader.exit, (hidden.at, None)), row)), given)


SECTION = Section(draw, parameters, ("gap",), {FOLLOWS: ()}, follows=FOLLOWS)
