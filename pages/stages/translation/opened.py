"""Open it: the formula with its shapes here and the selected weight, the code, the shapes."""

import numpy as np

from core.figures.picture import veiled
from core.model.attention import MultiHeadAttention
from core.model.decoder import DecoderLayer, causal_mask
from core.model.decoding import Decoding
from core.model.places import attention_at
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.translation.look import ID, Look
from pages.stages.translation.repeat import repeat

PARTS = ("query", "key", "value", "scores", "mask", "weights", "context")
Shape = tuple[str, tuple[str, ...], tuple[int, ...]]


def opened(look: Look) -> Opened:
    config = look.page.model.config
    return Opened(
        formula=formula(look),
        code=(
            DecoderLayer.forward,
            MultiHeadAttention.forward,
            MultiHeadAttention.score,
            causal_mask,
            Decoding._advance,
            Decoding._extended,
        ),
        shapes=[*shapes(look, "cross"), *shapes(look, "self")],
        compare=lambda: (
            look.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(ID, look.text),
        ),
        table=lambda: weights(look),
        table_name=f"cross-layer-{look.layer}-head-{look.head}.csv",
        captured=not look.veiled,
        repeat=repeat,
    )


def shapes(look: Look, kind: str) -> list[Shape]:
    """The arrays of the selected layer's attention: their taps, dimensions and sizes."""
    at, seen = attention_at(kind, look.layer - 1), cached.attention(ID, look.text, look.layer, kind)
    dims = look.page.model.tap_dims
    return [(f"{at}.{part}", dims[f"{at}.{part}"], np.shape(getattr(seen, part))) for part in PARTS]


def weights(look: Look) -> str:
    """The selected head of cross-attention, as CSV."""
    rows = [f"{given} → {word}" for given, word in zip(look.given, [*look.written, ""], strict=False)]
    return csv(veiled(look.cross, look.asked.rows), rows, look.source)


def formula(look: Look) -> str:
    """Cross-attention, and under it the shapes it has here."""
    projected = r"Q = Y W^Q,\quad K = X W^K,\quad V = X W^V"
    general = projected + r",\qquad \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right) V"
    n, m, d_head = len(look.source), len(look.given), look.page.model.config.d_head
    sizes = rf"Q \in \mathbb{{R}}^{{{m} \times {d_head}}},\quad K, V \in \mathbb{{R}}^{{{n} \times {d_head}}}"
    row, column = look.values["q"], look.values["k"]
    if row in look.asked.rows:
        return rf"\begin{{aligned}} & {general} \\ & {sizes} \end{{aligned}}"
    weight = short(float(look.cross[row, column]))
    return rf"\begin{{aligned}} & {general} \\ & {sizes} \qquad \alpha_{{{row},{column}}} = {weight} \end{{aligned}}"
