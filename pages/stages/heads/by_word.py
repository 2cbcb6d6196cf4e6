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
from core.text.byte_pairs import BytePairs
from core.text.token import all_named, named
from core.text.unicode import is_cjk
from core.views.by_word import Group, groups, merged
from pages.shared.address.address import Table, index
from pages.shared.number.follow import follow, hidden, number
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.heads.context import Heads, StageContext, heads_of, pin_parameter
from pages.stages.heads.picture import known_heads, one_head

NAMES = {"q": "wq", "k": "wk", "pin": "wpin"}
PIECES = "The tokenizer found an unaffable electroencephalographer."  # words that few vocabularies have
LONGEST = 32  # tokens of these at most


def parameters(page: PageContext, view: Heads) -> Table:
    """Cheap: Chinese words are cut only once the section is open, so that there may be fewer than tokens."""
    n, m = (max(LONGEST, len(tokens)) for tokens in (view.view.queries, view.view.keys))
    return {"wq": index(n, None), "wk": index(m, None), "wpin": pin_parameter(n, m, "row")}


def text_of(context: StageContext) -> str:
    """The page's own; where nothing in it is merged, an example in which this model merges something."""
    text = context.page.text
    if context.heads.weights is None or merges(context, text):
        return text
    examples = (context.page.model.lesson.exercises.get("heads", PIECES), PIECES)
    return next((example for example in examples if merges(context, example)), text)


def merges(context: StageContext, text: str) -> bool:
    return in_pieces(*words_of(context.page.address.model, text, context.kind, context.edits))


def in_pieces(rows: list[Group], columns: list[Group]) -> bool:
    return any(len(group.at) > 1 for group in (*rows, *columns))


def read(context: StageContext) -> tuple[list[Group], list[Group]]:
    """The words of those who look, and of those who are looked at, in the text that is shown."""
    return words_of(context.page.address.model, text_of(context), context.kind, context.edits)


def followed_line(context: StageContext) -> tuple[int, int]:
    """Of the word that is selected, or else of the first of several pieces, what it looks at most, unless another is
    selected."""
    weights = weights_of(context)
    q, k = context.values["wq"], context.values["wk"]
    row = min(opening(read(context)[0]) if q is None else q, len(weights) - 1)
    return row, int(weights[row].argmax()) if k is None else min(k, weights.shape[1] - 1)


def weights_of(context: StageContext) -> np.ndarray:
    """[word, word]: of the selected head; NaN is veiled."""
    return merged(of_tokens(context), *read(context))


def of_tokens(context: StageContext) -> np.ndarray:
    """[query, key]: the same of tokens. No question is about the example."""
    if (text := text_of(context)) == context.page.text:
        return veiled(context.weights(context.layer, context.head), context.veil)
    weights = heads_of(context.page.address.model, text, context.kind, context.edits).view.weights
    assert weights is not None
    return weights[context.layer - 1, context.head - 1]


def opening(rows: list[Group]) -> int:
    """The first word of several pieces, else the first that was typed."""
    return next((i for i, group in enumerate(rows) if len(group.at) > 1), min(1, len(rows) - 1))


@cached.shared
def words_of(name: str, text: str, kind: str, edits: tuple[Edit, ...]) -> tuple[list[Group], list[Group]]:
    """The words of those who look, and of those who are looked at."""
    heads = heads_of(name, text, kind, edits).view
    cuts = chinese(text) if cached.model(name).translates or any(map(is_cjk, text)) else None
    columns = groups(heads.keys, text, cuts if kind != "self" else None)
    if kind in ("encoder", "causal"):
        return columns, columns
    rows = [Group(token.text, (i,)) for i, token in enumerate(heads.queries)]  # it writes whole words
    return rows, rows if kind == "self" else columns


def chinese(text: str) -> list[tuple[int, int]]:
    """Where jieba's words begin and end."""
    return [(word.start, word.start + len(word.text)) for word in segmentation.cut(text, cached.dictionary())]


def draw(context: StageContext) -> None:
    t, shown = context.t, text_of(context)
    own = shown == context.page.text
    rows, columns = read(context)
    said = [] if own and not in_pieces(rows, columns) else [paragraph(t, f"by_word.{merged_by(context)}")]
    first = [] if said and own else [paragraph(t, "by_word.whole" if own else "by_word.another", text=shown)]
    write(heading(t, "by_word"), paragraph(t, "by_word.said"), *first, *said)
    if context.heads.weights is None:
        return write(paragraph(t, "by_word.long", limit=cached.WHOLE))
    components.controls(key="word_controls", data=one_head(context).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.lines(key="word_lines", data=picture(context, rows, columns).pack())
    with right:
        follow(context, followed, key="word_followed")


def merged_by(context: StageContext) -> str:
    """What says which tokens make a word."""
    if context.page.translates:
        return "jieba"
    if any(map(is_cjk, text_of(context))):
        return "chinese"
    return "signs" if isinstance(context.page.model.tokenizer, BytePairs) else "pieces"


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
        queries=all_named([group.label for group in rows]),
        keys=all_named([group.label for group in columns]),
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
    t, (rows, columns), text = context.t, read(context), text_of(context)
    q, k = followed_line(context)
    row, column = rows[q], columns[k]
    asking, answering = ([group.label for group in side] for side in (rows, columns))
    names = {"row": named(asking, q), "column": named(answering, k), "layer": context.layer, "head": context.head}
    where, id = t("follow_where", **names), f"word/{context.kind}/{context.layer}/{context.head}/{q}/{k}"
    own = text == context.page.text
    if own and set(row.at) & set(context.veil):
        return hidden(t, id, where)
    given = RunSpec(None if own else text, edits=context.edits)
    tap, groups = context.attention().taps["weights"], (len(column.at),) * len(row.at)
    weights = tuple(Cell(tap, (context.head - 1, i, j)) for i in row.at for j in column.at)
    return number(context, Measure("by_word", weights, groups), id, where, given=given)
