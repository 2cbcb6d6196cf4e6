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
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.tokens.look import Look, shown
from pages.stages.tokens.rows import READER, cells, english, instead, more, who

UNSPELT = "☃"  # which no vocabulary here has
WORDS = 8  # in a sentence
FOLLOWS = "hidden_followed"


def parameters(page, view):
    return {"gap": index(510, None)}


def draw(look: Look) -> None:
    t = look.t
    write(heading(t, "holes"), *unknown(look))
    text = english(look)
    hidden = hidden_in(look, text)
    tensors, heads = outputs(cached.model(READER))
    own = "" if text == look.page.text else paragraph(t, instead(look, "holes"), text=text, **who(look))
    facts = {"id": cached.model(READER).tokenizer.id_of("[MASK]"), "tensors": tensors, "heads": len(heads)}
    write(f"<h3>{t.html('holes.mask')}</h3>", paragraph(t, "holes.mask_said", **facts), own)
    components.controls(key="gap", data=which(look, text).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        write(*found(look, hidden))
    with right:
        follow(look, followed, key=FOLLOWS)
    write(paragraph(t, "holes.mask_why", **facts))


# ---- [UNK]


def unknown(look: Look) -> list[str]:
    """The words of the text that nothing spells, or those of another text: one row for all of them."""
    t, tokenizer = look.t, look.tokenizer
    text = look.page.text if tokenizer.unknown(look.page.text) else look.page.opening.get("unspelt", UNSPELT)
    instead = "" if text == look.page.text else paragraph(t, "holes.unknown_none", text=text)
    words = tokenizer.unknown(text)
    if isinstance(tokenizer, BytePairs):
        return [paragraph(t, "holes.spelt", lacking=len(tokenizer.lacking))]
    ids = [token.id for token in tokenizer.encode(text) if token.id == tokenizer.unk_id]
    fetched = rows_of(look.page.model)[ids]
    facts = {"n": len(ids), "words": t("comma").join(shown(word) for word in words[:WORDS]), "id": tokenizer.unk_id}
    key = "holes.unknown" if len(ids) > 1 else "holes.unknown_one"
    return [instead, paragraph(t, key, difference=float(np.ptp(fetched, axis=0).max()), **facts)]


# ---- [MASK]


def choices(text: str) -> list[tuple[int, str]]:
    """The tokens that can be hidden."""
    tokens = cached.trace(READER, text).tokens
    return [(i, token.text) for i, token in enumerate(tokens) if token.end]


def hidden_in(look: Look, text: str) -> Hidden:
    """The chosen token of the row, else the last that is a word."""
    open_to = dict(choices(text))
    named = [i for i, piece in open_to.items() if piece.isalpha()] or list(open_to)
    at = look.values["gap"] if look.values["gap"] in open_to else named[-1]
    return hidden_at(text, at)


@cached.shared
def hidden_at(text: str, at: int) -> Hidden:
    return hide(cached.model(READER), text, at)


def which(look: Look, text: str) -> Controls:
    at = hidden_in(look, text).at
    return Controls([Control("gap", look.t("holes.which"), choices(text), first=at, stepper="always", plain=True)])


def found(look: Look, hidden: Hidden) -> list[str]:
    t, start = look.t, max(0, hidden.at - 12)
    facts = {"word": hidden.was.text, "rank": hidden.rank, "seen": hidden.seen}
    near = [(piece, alike(look, hidden, piece, cosine)) for piece, cosine in hidden.near]
    facts |= {"near": near[0][0], "cosine": near[0][1]}
    tokens = hidden.tokens[start:]
    vocab = f"{len(cached.model(READER).tokenizer):,}"
    return [
        table([cells(tokens)]) + more(look, len(tokens)),
        paragraph(t, "holes.mask_found", vocab=vocab, **facts),
        table(near, [t("holes.near"), t("holes.cosine")], kind="peek"),
    ]


def followed(look: Look) -> Traced:
    """The cosine of the nearest row; where there is none to follow, how long the vector is while it is not hidden."""
    text = english(look)
    hidden = hidden_in(look, text)
    length = Measure("length", (Cell(cached.model(READER).reader.exit, (hidden.at, None)),))
    return of_rows(look, measure(look, hidden, hidden.near[0][0]) or within(length, RunSpec(text, model=READER)))


def alike(look: Look, hidden: Hidden, piece: str, cosine: float) -> float:
    what = measure(look, hidden, piece)
    return number(look, cosine, what) if what else cosine


def measure(look: Look, hidden: Hidden, piece: str) -> Measure | None:
    """What such a cosine is of, where the text with [MASK] typed in it is the same row: not within a word."""
    text = english(look)
    masked = text[: hidden.was.start] + "[MASK]" + text[hidden.was.end :]
    if [token.id for token in cached.trace(READER, masked).tokens] != [token.id for token in hidden.tokens]:
        return None
    model, given = cached.model(READER), RunSpec(masked, model=READER)
    row = Weight(TABLE, (model.tokenizer.id_of(piece), None))
    return within(Measure("cosine", (Cell(model.reader.exit, (hidden.at, None)), row)), given)


SECTION = Section(draw, parameters, ("gap",), {FOLLOWS: ()}, follows=FOLLOWS)
