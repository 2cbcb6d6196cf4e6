"""By word: pieces, or characters, merged into words, as lines."""

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
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.heads.context import Heads, StageContext, heads_of, pin_parameter
from pages.stages.heads.picture import known_heads

NAMES = {"q": "wq", "k": "wk", "pin": "wpin"}


def parameters(page: PageContext, view: Heads) -> Table:
    """Cheap: Chinese words are cut only once the section is open, so that there may be fewer than tokens."""
    heads = view.view
    n, m = len(heads.queries), len(heads.keys)
    first = min(1, n - 1) if page.translates else opening(groups(heads.queries, page.text))
    pins = pin_parameter(n, m, f"q{first}")
    return {"wq": index(n, first), "wk": index(m, min(first, m - 1)), "wpin": pins}


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


def draw(context: StageContext) -> None:
    t = context.t
    rows, columns = words_of(*context.key, context.kind, context.edits)
    said = "by_word.jieba" if context.page.translates else "by_word.pieces"
    whole = all(len(group.at) == 1 for group in (*rows, *columns))
    write(heading(t, "by_word"), paragraph(t, "by_word.said"), paragraph(t, "by_word.whole" if whole else said))
    if context.heads.weights is None:
        return write(paragraph(t, "by_word.long", limit=cached.WHOLE))
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.lines(key="word_lines", data=picture(context, rows, columns).pack())
    with right:
        follow(context, followed, key="word_followed")


SECTION = Section(
    draw, parameters, redraws=("kind", "edit"), pieces={"word_followed": ("wq", "wk", "layer", "head", "also")}
)


def picture(context: StageContext, rows: list[Group], columns: list[Group]) -> Lines:
    heads = context.heads
    assert heads.weights is not None
    planes = four_digits(merged(veiled(heads.weights, context.veil, 2), rows, columns))
    return Lines(
        id="word_lines",
        fragment="section",
        planes={
            f"{layer + 1}.{head + 1}": planes[layer, head]
            for layer in range(heads.layers)
            for head in range(heads.heads)
        },
        queries=[group.label for group in rows],
        keys=[group.label for group in columns],
        heads=heads.heads,
        known=known_heads(context),
        file=f"{context.file}-by-word",
        names=NAMES,
        words=lines_words(context.t, context.kind),
    )


def followed(context: StageContext) -> Followed:
    """The weight from one word to another."""
    t, (rows, columns) = context.t, words_of(*context.key, context.kind, context.edits)
    q, k = min(context.values["wq"], len(rows) - 1), min(context.values["wk"], len(columns) - 1)
    row, column = rows[q], columns[k]
    asking, answering = ([group.label for group in side] for side in (rows, columns))
    names = {"row": named(asking, q), "column": named(answering, k), "layer": context.layer, "head": context.head}
    where, id = t("follow_where", **names), f"word/{context.kind}/{context.layer}/{context.head}/{q}/{k}"
    if set(row.at) & set(context.veil):
        return hidden(t, id, where)
    tap, groups = context.attention().taps["weights"], (len(column.at),) * len(row.at)
    weights = tuple(Cell(tap, (context.head - 1, i, j)) for i in row.at for j in column.at)
    return number(context, Measure("by_word", weights, groups), id, where, given=RunSpec(edits=context.edits))
