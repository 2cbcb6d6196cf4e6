"""A pair of sentences: within each, and between the two."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.figures.controls import Control
from core.figures.followed import Followed
from core.figures.heads import lines_words
from core.figures.lines import Lines, four_digits
from core.text.token import all_named, named
from core.views.heads import HeadsView, heads_view, taps
from core.zoo import able, model_for
from pages.shared.address.address import Table, choice, index, words
from pages.shared.number.follow import follow, weight
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, shaded, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.numbers import Html, in_prose
from pages.stages.heads.context import Heads, StageContext, pin_parameter
from pages.stages.heads.picture import one_head
from pages.stages.heads.words import whole_head

LONGEST = 200  # characters of the second sentence
MOST = 100  # tokens of both
NAMES = {"q": "pq", "k": "pk", "pin": "ppin"}
SIDES = ("all", "within", "between")
READER = able("tell segments apart")


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


@dataclass(frozen=True)
class Reading:
    """What is read, by which model, and the head of it that is looked at, from 1."""

    model: str
    text: str
    second: str
    layer: int
    head: int
    given: RunSpec

    @property
    def pair(self) -> Pair:
        return pair_of(self.model, self.text, self.second)


def reading(context: StageContext) -> Reading:
    """By the page's own model; where that has no segments, by one that has, of its own example or of a sentence that
    it would read anyway."""
    typed = context.values["pair"] or ""
    second = typed if typed.strip() else context.t("pair.example")
    if own(context):
        return Reading(*context.key, second, context.layer, context.head, RunSpec(pair=second))
    text = context.page.text if model_for(context.page.text) == READER else samples.example("en")
    layer, head = cached.model(READER).lesson.stages["heads"]["opening"]
    return Reading(READER, text, second, layer, head, RunSpec(text, second, model=READER))


def own(context: StageContext) -> bool:
    return context.page.model.config.segments > 1


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


def followed_line(context: StageContext, read: Reading) -> tuple[int, int]:
    """What is selected; else the thickest of the lines that are drawn, and of all lines the thickest between the
    sentences, from and to what was typed."""
    q, k, pair = context.values["pq"], context.values["pk"], read.pair
    assert pair.view.weights is not None
    weights, sides = pair.view.weights[read.layer - 1, read.head - 1], context.values["sides"]
    typed = np.array([not token.special for token in pair.view.queries])
    opening = weights * mask(pair, "between" if sides == "all" else sides) * (typed[:, None] & typed)
    last = len(weights) - 1
    if k is not None:
        return min(q or 0, last), min(k, last)
    row = int(opening.max(-1).argmax()) if q is None else min(q, last)
    return row, int((opening if q is None else weights * mask(pair, sides))[row].argmax())


def draw(context: StageContext) -> None:
    t, read = context.t, reading(context)
    write(heading(t, "pair"), paragraph(t, "pair.said"), *instead(context, read))
    if context.edits and own(context):
        write(paragraph(t, "pair.unedited"))
    controls("pair", text_box(context, "pair", t("pair.label"), LONGEST, example=t("pair.example")))
    if context.veiled and own(context):
        return write(paragraph(t, "known.veiled"))
    if len(read.pair.view.queries) > MOST:
        return write(paragraph(t, "pair.long", most=MOST))
    sides = Control("sides", t("pair.sides"), [(id, t(f"pair.{id}")) for id in SIDES])
    controls("sides", *(one_head(context).controls if own(context) else ()), sides)
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.lines(key="pair_lines", data=picture(context, read).pack())
    with right:
        follow(context, followed, key="pair_followed")
        shares(context, read)


def instead(context: StageContext, read: Reading) -> list[str]:
    """Why another model reads here, and what."""
    if own(context):
        return []
    t, page = context.t, context.page
    facts = {"model": page.model_name, "reader": t.model(read.model), "text": read.text}
    key = "pair.crossed" if page.translates else "pair.alone"
    return [paragraph(t, key, layer=read.layer, head=read.head, **facts)]


SECTION = Section(
    draw,
    parameters,
    redraws=("pair", "sides", "layer", "head"),
    pieces={"pair_followed": ("pq", "pk")},
)


def picture(context: StageContext, read: Reading) -> Lines:
    pair, view = read.pair, read.pair.view
    assert view.weights is not None
    layer, head = read.layer, read.head
    weights = view.weights[layer - 1, head - 1] * mask(pair, context.values["sides"])
    words = replace(lines_words(context.t, view.kind), head=context.t("lines.head", layer=layer, head=head))
    return Lines(
        id="pair_lines",
        fragment="section",
        planes={f"{context.layer}.{context.head}": four_digits(weights)},  # the address may name another model's head
        queries=all_named(view.tokens),
        keys=all_named(view.key_tokens),
        heads=view.heads,
        known={},
        file=f"heads-pair-{context.values['sides']}",
        names=NAMES,
        words=words,
        single=True,
        at=followed_line(context, read),
    )


def mask(pair: Pair, sides: str) -> np.ndarray:
    """[query, key]: 1 where lines are to be seen."""
    second = np.arange(len(pair.view.queries)) >= pair.first
    same = second[:, None] == second[None, :]
    return (same if sides == "within" else ~same if sides == "between" else same | ~same).astype(np.float32)


def shares(context: StageContext, read: Reading) -> None:
    """How much of the selected head goes where, and which heads look across most."""
    t, pair = context.t, read.pair
    blocks, between, of_kind = pair.blocks(read.layer, read.head), pair.between, pair.view.kind
    selected = whole_head(of_kind, read.layer - 1, read.head - 1)

    def share(kind: str, value: float, head: Cell, text: str = "") -> float:
        return measured(context, value, kind, head, text=text, given=read.given)

    ends = ("first", "second")
    rows = [
        [
            t(f"pair.{one}"),
            *(shaded(share(f"{one}_{other}", float(x), selected)) for other, x in zip(ends, row, strict=True)),
        ]
        for one, row in zip(ends, blocks, strict=True)
    ]
    best = np.argsort(-between, axis=None, kind="stable")[:5]
    top = [(int(i) // pair.view.heads, int(i) % pair.view.heads) for i in best]
    found = [(at, share("across", float(between[at]), whole_head(of_kind, *at), f"{between[at]:.2f}")) for at in top]
    said = Html(t("comma").join(f"{layer + 1}.{head + 1}: {in_prose(value)}" for (layer, head), value in found))
    facts = {"layer": read.layer, "head": read.head}
    n, m = pair.first, len(pair.view.queries) - pair.first
    even = 2 * n * m / (n + m) ** 2
    write(
        paragraph(t, "pair.shares", **facts),
        table(rows, ["", t("pair.to_first"), t("pair.to_second")]),
        paragraph(t, "pair.across", heads=said, even=float(even)),
    )


def followed(context: StageContext) -> Followed:
    t, read = context.t, reading(context)
    view, seen = cached.attention(read.model, read.text, read.layer, pair=read.second), read.pair.view
    q, k = followed_line(context, read)
    row, column = named(seen.tokens, q), named(seen.key_tokens, k)
    where = t("follow_where", row=row, column=column, layer=read.layer, head=read.head)
    id = f"pair/{read.layer}/{read.head}/{q}/{k}"
    given = {"text": read.given.text, "model": read.given.model}
    return weight(context, view, read.head - 1, q, k, id, where, pair=read.second, **given)
