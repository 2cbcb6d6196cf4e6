"""A pair of sentences: within each, and between the two."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.figures.controls import Control
from core.figures.followed import Followed
from core.figures.heads import lines_words
from core.figures.lines import Lines, four_digits
from core.text.token import named
from core.views.heads import HeadsView, heads_view, taps
from pages.shared.address.address import Table, choice, index, words
from pages.shared.number.follow import follow, weight
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, text_box
from pages.shared.page.one_head import first_kind
from pages.shared.page.parts import heading, paragraph, shaded, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import Html, in_prose
from pages.stages.heads.context import Heads, StageContext, pin_parameter
from pages.stages.heads.picture import one_head
from pages.stages.heads.words import whole_head

LONGEST = 200  # characters of the second sentence
MOST = 100  # tokens of both
NAMES = {"q": "pq", "k": "pk", "pin": "ppin"}
SIDES = ("all", "within", "between")


@dataclass(frozen=True, eq=False)
class Pair:
    """Both sentences read at once."""

    view: HeadsView
    first: int  # tokens of the first, [CLS] and its [SEP] among them

    @property
    def nbytes(self) -> int:
        return self.view.nbytes

    def blocks(self, layer: int, head: int) -> np.ndarray:
        """[2, 2]: of the rows of each sentence, how much goes to either."""
        assert self.view.weights is not None
        weights, n = self.view.weights[layer - 1, head - 1], self.first
        return np.array(
            [[part[:, :n].sum(-1).mean(), part[:, n:].sum(-1).mean()] for part in (weights[:n], weights[n:])]
        )

    @property
    def between(self) -> np.ndarray:
        """[layer, head]: the mean over all rows of what goes to the other sentence."""
        assert self.view.weights is not None
        n = self.first
        across = [self.view.weights[:, :, :n, n:].sum(-1), self.view.weights[:, :, n:, :n].sum(-1)]
        return np.concatenate(across, axis=-1).mean(-1)


def parameters(page: PageContext, view: Heads) -> Table:
    """Cheap: the pair is read only once the section is open."""
    n_both = page.model.config.positions
    return {
        "pair": words(LONGEST, None, ends="sentence"),
        "sides": choice(*SIDES, default="all"),
        "pq": index(n_both, None),
        "pk": index(n_both, None),
        "ppin": pin_parameter(n_both, n_both, "row"),
    }


@cached.shared
def pair_of(name: str, text: str, second: str) -> Pair:
    kind = cached.model(name).attentions[0]
    view = heads_view(cached.capture(name, text, only=taps(kind), pair=second), kind)
    return Pair(view, sum(token.segment == 0 for token in view.queries))


def followed_line(context: StageContext, pair: Pair) -> tuple[int, int]:
    """What is selected; else the thickest of the lines that are drawn, and of all lines the thickest between the
    sentences, from and to what was typed."""
    q, k = context.values["pq"], context.values["pk"]
    assert pair.view.weights is not None
    weights, sides = pair.view.weights[context.layer - 1, context.head - 1], context.values["sides"]
    typed = np.array([not token.special for token in pair.view.queries])
    opening = weights * mask(pair, "between" if sides == "all" else sides) * (typed[:, None] & typed)
    last = len(weights) - 1
    if k is not None:
        return min(q or 0, last), min(k, last)
    row = int(opening.max(-1).argmax()) if q is None else min(q, last)
    return row, int((opening if q is None else weights * mask(pair, sides))[row].argmax())


def second_of(context: StageContext) -> str:
    return context.values["pair"] or context.t("pair.example")


def draw(context: StageContext) -> None:
    t = context.t
    page = context.page
    if page.model.config.segments < 2:
        key = "pair.crossed" if page.translates else "pair.alone"
        return write(heading(t, "pair"), paragraph(t, key, model=page.model_name))
    write(heading(t, "pair"), paragraph(t, "pair.said"))
    if context.edits:
        write(paragraph(t, "pair.unedited"))
    controls("pair", text_box(context, "pair", t("pair.label"), LONGEST, example=t("pair.example")))
    if context.veiled:
        return write(paragraph(t, "known.veiled"))
    pair = pair_of(*context.key, second_of(context))
    if len(pair.view.queries) > MOST:
        return write(paragraph(t, "pair.long", most=MOST))
    sides = Control("sides", t("pair.sides"), [(id, t(f"pair.{id}")) for id in SIDES])
    controls("sides", *one_head(context).controls, sides)
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.lines(key="pair_lines", data=picture(context, pair).pack())
    with right:
        follow(context, followed, key="pair_followed")
        shares(context, pair)


SECTION = Section(
    draw,
    parameters,
    redraws=("pair", "sides", "layer", "head"),
    pieces={"pair_followed": ("pq", "pk")},
)


def picture(context: StageContext, pair: Pair) -> Lines:
    view = pair.view
    assert view.weights is not None
    layer, head = context.layer, context.head
    weights = view.weights[layer - 1, head - 1] * mask(pair, context.values["sides"])
    return Lines(
        id="pair_lines",
        fragment="section",
        planes={f"{layer}.{head}": four_digits(weights)},
        queries=view.tokens,
        keys=view.key_tokens,
        heads=view.heads,
        known={},
        file=f"heads-pair-{context.values['sides']}",
        names=NAMES,
        words=lines_words(context.t, context.kind),
        single=True,
        at=followed_line(context, pair),
    )


def mask(pair: Pair, sides: str) -> np.ndarray:
    """[query, key]: 1 where lines are to be seen."""
    second = np.arange(len(pair.view.queries)) >= pair.first
    same = second[:, None] == second[None, :]
    return (same if sides == "within" else ~same if sides == "between" else same | ~same).astype(np.float32)


def shares(context: StageContext, pair: Pair) -> None:
    """How much of the selected head goes where, and which heads look across most."""
    t, blocks, between = context.t, pair.blocks(context.layer, context.head), pair.between
    given, own = RunSpec(pair=second_of(context)), whole_head(pair.view.kind, context.layer - 1, context.head - 1)

    def share(kind: str, value: float, head: Cell, text: str = "") -> float:
        return measured(context, value, kind, head, text=text, given=given)

    ends = ("first", "second")
    rows = [
        [
            t(f"pair.{one}"),
            *(shaded(share(f"{one}_{other}", float(x), own)) for other, x in zip(ends, row, strict=True)),
        ]
        for one, row in zip(ends, blocks, strict=True)
    ]
    best = np.argsort(-between, axis=None, kind="stable")[:5]
    top = [(int(i) // pair.view.heads, int(i) % pair.view.heads) for i in best]
    found = [
        (at, share("across", float(between[at]), whole_head(first_kind(context.page), *at), f"{between[at]:.2f}"))
        for at in top
    ]
    said = Html(t("comma").join(f"{layer + 1}.{head + 1}: {in_prose(value)}" for (layer, head), value in found))
    facts = {"layer": context.layer, "head": context.head}
    n, m = pair.first, len(pair.view.queries) - pair.first
    even = 2 * n * m / (n + m) ** 2
    write(
        paragraph(t, "pair.shares", **facts),
        table(rows, ["", t("pair.to_first"), t("pair.to_second")]),
        paragraph(t, "pair.across", heads=said, even=float(even)),
    )


def followed(context: StageContext) -> Followed:
    t, page, second = context.t, context.page, second_of(context)
    view = cached.attention(page.address.model, page.text, context.layer, pair=second)
    q, k = followed_line(context, pair_of(*context.key, second))
    row, column = named(view.tokens, q), named(view.key_tokens, k)
    where = t("follow_where", row=row, column=column, layer=context.layer, head=context.head)
    id = f"pair/{context.layer}/{context.head}/{q}/{k}"
    return weight(context, view, context.head - 1, q, k, id, where, pair=second)
