"""The chain of one query: what the browser is given to draw it for any query, key and head."""

import numpy as np

from core.figures.chain import Chain, ChainWords
from core.figures.picture import veiled
from core.text.token import all_named, named
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import STACK, packed
from pages.shared.words.numbers import short
from pages.stages.attention.context import StageContext

SUMS = "sums"


def draw(context: StageContext) -> None:
    write(heading(context.t, "chain"), paragraph(context.t, "chain.said"))
    components.chain(key="chain", data=packed(context.only("head"), chain))
    write(paragraph(context.t, "chain.powers"))
    piece(context, SUMS, lambda context: write(summed(context)))


def summed(context: StageContext) -> str:
    """The row's weights added up, and what the scores are not."""
    view, q = context.view, context.values["q"]
    weights = view.weights[context.head - 1, q]
    facts = {"token": named(view.tokens, q), "n": len(weights), "sum": short(float(weights.sum())), "heads": view.heads}
    return paragraph(context.t, "chain.sums", **facts)


def chain(context: StageContext) -> Chain:
    view, heads = context.view, heads_that_fit(context)
    return Chain(
        name=("kind", "layer", "head"),
        planes=[f"{context.kind}/{context.layer}/{head + 1}" for head in heads],
        queries=all_named(view.tokens),
        keys=all_named(view.key_tokens),
        d_head=view.d_head,
        d_model=view.asking.shape[1],
        causal=bool(np.isinf(view.mask).any()),
        words=words(context),
        query=[veiled(view.query[head], context.veil) for head in heads],  # with the keys it would be the weights
        key=[view.key[head] for head in heads],
        value=[view.value[head] for head in heads],
        context=[veiled(view.context[head], context.veil) for head in heads],
        inputs=as_bytes(view.asking),
    )


def heads_that_fit(context: StageContext) -> list[int]:
    """From 0."""
    view = context.view
    each = 4 * 2 * (len(view.queries) + len(view.keys)) * view.d_head
    return list(range(view.heads)) if each * view.heads <= STACK else [context.head - 1]


def as_bytes(x: np.ndarray) -> np.ndarray:
    """Vectors as bytes around 0, to be looked at: a few numbers are much larger than the rest, and are cut."""
    reach = float(np.quantile(np.abs(x), 0.98)) or 1.0
    return np.round(127.5 * (np.clip(x / reach, -1, 1) + 1)).astype(np.uint8)


def words(context: StageContext) -> ChainWords:
    """Names in braces are the browser's to fill."""
    t = context.t
    facts = {name: t(f"chain.{name}", d_head=context.view.d_head) for name in ChainWords.__dataclass_fields__
             if name not in ("veiled", "one", "two")}  # fmt: skip
    cross = context.kind == "cross"
    one, two = t(f"chain.{'cross' if cross else 'one'}"), "" if cross else t("chain.two")
    return ChainWords(**facts, veiled=t("matrix.veiled"), one=one, two=two)
