"""Open it: the formula with its shapes here and the selected weight, the code, the shapes."""

import numpy as np

from core.figures.picture import veiled
from core.model.attention import MultiHeadAttention
from core.model.decoder import DecoderLayer, causal_mask
from core.model.decoding import Decoding
from core.model.places import attention_at
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.translation.context import ID, StageContext
from pages.stages.translation.repeat import repeat

PARTS = ("query", "key", "value", "scores", "mask", "weights", "context")
Shape = tuple[str, tuple[str, ...], tuple[int, ...]]


def opened(context: StageContext) -> Opened:
    config = context.page.model.config
    return Opened(
        formula=formula(context),
        code=(
            DecoderLayer.forward,
            MultiHeadAttention.forward,
            MultiHeadAttention.score,
            causal_mask,
            Decoding._advance,
            Decoding._extended,
        ),
        shapes=[*shapes(context, "cross"), *shapes(context, "self")],
        compare=lambda: (
            context.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(ID, context.text),
        ),
        table=lambda: weights(context),
        table_name=f"cross-layer-{context.layer}-head-{context.head}.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def shapes(context: StageContext, kind: str) -> list[Shape]:
    """The arrays of the selected layer's attention: their taps, dimensions and sizes."""
    at, seen = attention_at(kind, context.layer - 1), cached.attention(ID, context.text, context.layer, kind)
    dims = context.page.model.tap_dims
    return [(f"{at}.{part}", dims[f"{at}.{part}"], np.shape(getattr(seen, part))) for part in PARTS]


def weights(context: StageContext) -> str:
    """The selected head of cross-attention, as CSV."""
    rows = [f"{given} → {word}" for given, word in zip(context.given, [*context.written, ""], strict=False)]
    return csv(veiled(context.cross, context.asked.rows), rows, context.source)


def formula(context: StageContext) -> str:
    """Cross-attention, and under it the shapes it has here."""
    projected = r"Q = Y W^Q,\quad K = X W^K,\quad V = X W^V"
    general = projected + r",\qquad \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right) V"
    n, m, d_head = len(context.source), len(context.given), context.page.model.config.d_head
    sizes = rf"Q \in \mathbb{{R}}^{{{m} \times {d_head}}},\quad K, V \in \mathbb{{R}}^{{{n} \times {d_head}}}"
    row, column = context.values["q"], context.values["k"]
    if row in context.asked.rows:
        return rf"\begin{{aligned}} & {general} \\ & {sizes} \end{{aligned}}"
    weight = short(float(context.cross[row, column]))
    return rf"\begin{{aligned}} & {general} \\ & {sizes} \qquad \alpha_{{{row},{column}}} = {weight} \end{{aligned}}"
