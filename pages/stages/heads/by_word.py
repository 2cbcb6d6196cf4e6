"""By word: pieces, or characters, merged into words, as lines."""

import numpy as np
import streamlit as st

from core.derivation import Cell, Measure, RunSpec
from core.edits import Edit
from core.figures.followed import Followed
from core.figures.heads import lines_words
from core.figures.lines import Lines, four_digits
from core.figures.picture import veiled
from core.text import segmentation
from core.text.token import named
from core.views.by_word import Group, groups, merged
from pages.shared.address.address import Table, index
from pages.shared.number.follow import follow, hidden, number
from pages.shared.page.parts import door, heading, paragraph, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.heads.context import Heads, StageContext, heads_of, pin_parameter
from pages.stages.heads.picture import known_heads, one_head

NAMES = {"q": "wq", "k": "wk", "pin": "wpin"}
PIECES = "The tokenizer found an unaffable electroencephalographer."  # words that few vocabularies have


def parameters(page: PageContext, view: Heads) -> Table:
    """Cheap: Chinese words are cut only once the section is open, so that there may be fewer than tokens."""
    n, m = len(view.view.queries), len(view.view.keys)
    return {"wq": index(n, None), "wk": index(m, None), "wpin": pin_parameter(n, m, "row")}


def followed_line(context: StageContext) -> tuple[int, int]:
    """Of the word that is selected, or else of the first of several pieces, what it looks at most, unless another is
    selected."""
    weights = weights_of(context)
    q, k = context.values["wq"], context.values["wk"]
    row = min(opening(words_of(*context.key, context.kind, context.edits)[0]) if q is None else q, len(weights) - 1)
    return row, int(weights[row].argmax()) if k is None else min(k, weights.shape[1] - 1)


def weights_of(context: StageContext) -> np.ndarray:
    """[word, word]: of the selected head; NaN is veiled."""
    rows, columns = words_of(*context.key, context.kind, context.edits)
    return merged(veiled(context.weights(context.layer, context.head), context.veil), rows, columns)


def opening(rows: list[Group]) -> int:
    """The first word of several pieces, else the first that was typed."""
    return next((i for i, group in enumerate(rows) if len(group.at) > 1), min(1, len(rows) - 1))


@cached.shared
def words_of(name: str, text: str, kind: str, edits: tuple[Edit, ...]) -> tuple[list[Group], list[Group]]:
    """The words of those who look, and of those who are looked at."""
    heads = heads_of(name, text, kind, edits).view
    cuts = chinese(text) if cached.model(name).translates else None
    columns = groups(heads.keys, text, cuts if kind != "self" else None)
    if kind in ("encoder", "causal"):
        return columns, columns
    rows = [Group(token.text, (i,)) for i, token in enumerate(heads.queries)]  # it writes whole words
    return rows, rows if kind == "self" else columns


def chinese(text: str) -> list[tuple[int, int]]:
    """Where jieba's words begin and end."""
    return [(word.start, word.start + len(word.text)) for word in segmentation.cut(text, cached.dictionary())]


def in_pieces(context: StageContext) -> bool:
    """Whether this model cuts the example's words."""
    name, kind = context.page.address.model, context.kind
    return any(len(group.at) > 1 for group in words_of(name, PIECES, kind, ())[0])


def draw(context: StageContext) -> None:
    t = context.t
    rows, columns = words_of(*context.key, context.kind, context.edits)
    said = "by_word.jieba" if context.page.translates else "by_word.pieces"
    whole = all(len(group.at) == 1 for group in (*rows, *columns))
    write(heading(t, "by_word"), paragraph(t, "by_word.said"), paragraph(t, "by_word.whole" if whole else said))
    if whole and in_pieces(context):
        door(context.page, context.page.slug, t("by_word.try", text=PIECES), "words", text=PIECES, guess="skip")
    if context.heads.weights is None:
        return write(paragraph(t, "by_word.long", limit=cached.WHOLE))
    components.controls(key="word_controls", data=one_head(context).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.lines(key="word_lines", data=picture(context, rows, columns).pack())
    with right:
        follow(context, followed, key="word_followed")


SECTION = Section(
    draw,
    parameters,
    redraws=("kind", "edit", "layer", "head"),
    pieces={"word_followed": ("wq", "wk")},
)


def picture(context: StageContext, rows: list[Group], columns: list[Group]) -> Lines:
    return Lines(
        id="word_lines",
        fragment="section",
        planes={f"{context.layer}.{context.head}": four_digits(weights_of(context))},
        queries=[group.label for group in rows],
        keys=[group.label for group in columns],
        heads=context.heads.heads,
        known=known_heads(context),
        file=f"{context.file}-by-word",
        names=NAMES,
        words=lines_words(context.t, context.kind),
        single=True,
        at=followed_line(context),
    )


def followed(context: StageContext) -> Followed:
    """The weight from one word to another."""
    t, (rows, columns) = context.t, words_of(*context.key, context.kind, context.edits)
    q, k = followed_line(context)
    row, column = rows[q], columns[k]
    asking, answering = ([group.label for group in side] for side in (rows, columns))
    names = {"row": named(asking, q), "column": named(answering, k), "layer": context.layer, "head": context.head}
    where, id = t("follow_where", **names), f"word/{context.kind}/{context.layer}/{context.head}/{q}/{k}"
    if set(row.at) & set(context.veil):
        return hidden(t, id, where)
    tap, groups = context.attention().taps["weights"], (len(column.at),) * len(row.at)
    weights = tuple(Cell(tap, (context.head - 1, i, j)) for i in row.at for j in column.at)
    return number(context, Measure("by_word", weights, groups), id, where, given=RunSpec(edits=context.edits))
