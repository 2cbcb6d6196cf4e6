"""The lines between tokens, the controls above them, and every head in small."""

from collections.abc import Sequence

import numpy as np

from core.edits import Edit
from core.figures.controls import Control, Controls, numbered
from core.figures.dots import Dots, DotsWords
from core.figures.lines import Grid, Lines, LinesWords, Tile, four_digits
from core.figures.picture import veiled
from core.heads import known
from core.text.token import named
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.heads.context import WAYS, StageContext, heads_of

SENT = 640_000  # bytes of weights that are sent at once: every head, or a layer, or those that are looked at
LINES = ("label", "all", "alone", "remove", "unpin", "upright", "lying", "least", "most", "save")
GRID = ("label", "sort", "grid", "over", "sort_layer", "grid_model", "grid_layer", "said_layer", "chance")


def fits(heads: int, n: int, m: int) -> bool:
    """Whether so many heads may be sent at once."""
    return heads * n * m * 2 <= SENT


def controls(context: StageContext) -> Controls:
    t, heads = context.t, context.heads
    rest = {"q": None, "k": None, "pin": None}
    layers = Control("layer", t("layer"), numbered(heads.layers), also={"also": "layer"})
    ways = Control("way", t("way"), [(way, t(f"ways.{way}")) for way in WAYS])
    if len(context.page.model.attentions) == 1:
        return Controls([layers, ways])
    kinds = Control(
        "kind",
        t("kind"),
        [(kind, t(f"kinds.{kind}")) for kind in context.page.model.attentions],
        also=rest,
        stepper=True,
    )
    return Controls([kinds, layers, ways])


def picture(context: StageContext) -> None:
    """One query in every head of a layer, as dots; or the lines of any heads."""
    if context.values["way"] == "dots":
        components.dots(key="dots", data=dots(context).pack())
    else:
        components.lines(key="lines", data=lines(context).pack())


def dots(context: StageContext) -> Dots:
    heads = context.heads
    n, m = len(heads.queries), len(heads.keys)
    layers = range(1, heads.layers + 1) if fits(2 * heads.layers * heads.heads, n, m) else [context.layer]
    return Dots(
        planes={
            f"{layer}.{head}": veiled(context.weights(layer, head), context.veil)
            for layer in layers
            for head in range(1, heads.heads + 1)
        },
        queries=[named(heads.tokens, i) for i in range(n)],
        keys=heads.key_tokens,
        heads=heads.heads,
        known=known_heads(context),
        words=dots_words(context),
    )


def dots_words(context: StageContext) -> DotsWords:
    facts = {name: context.t(f"dots.{name}") for name in DotsWords.__dataclass_fields__ if name != "veiled"}
    return DotsWords(**facts, veiled=context.t("matrix.veiled"))


def lines(context: StageContext) -> Lines:
    heads, sent = context.heads, those_sent(context)
    return Lines(
        id="lines",
        planes=planes(context, sent),
        queries=heads.tokens,
        keys=heads.key_tokens,
        heads=heads.heads,
        known=known_heads(context),
        file=context.file,
        all_there=len(sent) == heads.layers * heads.heads,
        changed=[change_said(context, id) for id in context.changed],
        words=lines_words(context),
    )


def planes(context: StageContext, sent: Sequence[tuple[int, int]]) -> dict[str, np.ndarray]:
    """layer.head -> its weights as they are sent. Of a short text all are written once and kept."""
    if context.heads.weights is None:
        return {f"{i}.{j}": four_digits(veiled(context.weights(i, j), context.veil)) for i, j in sent}
    every = sent_of(*context.key, context.kind, context.edits, context.veil)
    return {f"{i}.{j}": every[i - 1, j - 1] for i, j in sent}


@cached.shared
def sent_of(name: str, text: str, kind: str, edits: tuple[Edit, ...], veil: tuple[int, ...]) -> np.ndarray:
    weights = heads_of(name, text, kind, edits).view.weights
    assert weights is not None
    return four_digits(veiled(weights, veil, 2))


def lines_words(context: StageContext) -> LinesWords:
    t = context.t
    side = "cross" if context.kind == "cross" else "one"
    return LinesWords(
        asks=t(f"lines.asks_{side}"),
        answers=t(f"lines.answers_{side}"),
        head=t("lines.head", layer="{layer}", head="{head}"),
        caption=t("lines.caption"),
        veiled=t("matrix.veiled"),
        mixed=t("whatif.changed"),
        **{name: t(f"lines.{name}") for name in LINES},
        **{f"help_{name}": t.help(name) for name in ("over", "way", "unpin")},
    )


def those_sent(context: StageContext) -> list[tuple[int, int]]:
    """Layers and heads, counted from 1: all of them where they are small, else the layers or heads that are shown."""
    heads, (n, m) = context.heads, (len(context.heads.queries), len(context.heads.keys))
    every = [(layer, head) for layer in range(1, heads.layers + 1) for head in range(1, heads.heads + 1)]
    if fits(len(every), n, m):
        return every
    if fits(heads.heads, n, m):
        layers = {layer for layer, _ in context.shown}
        return [(layer, head) for layer, head in every if layer in layers]
    return context.shown


def grid(context: StageContext) -> Grid:
    t, heads = context.t, context.heads
    small, ranges = context.view.thumbnails(context.veil)
    n, m = small.shape[1:]
    known = known_heads(context)
    reduced = (n, m) != (len(heads.queries), len(heads.keys))
    words = {name: t(f"grid.{name}") for name in GRID}
    words |= {f"help_{name}": t.help(name) for name in ("sort", "grid")}
    for name in heads.measures:
        words[f"sort_{name}"] = t(f"measures.{name}", token=end_of(context, name))
        words[f"said_{name}"] = t(f"measured.{name}", token=end_of(context, name))
    words |= {"head": t("lines.head"), "reduced": t("grid.reduced", n=n, m=m) if reduced else ""}
    tiles = [
        Tile(layer, head, known.get(f"{layer}.{head}", ""))
        for layer in range(1, heads.layers + 1)
        for head in range(1, heads.heads + 1)
    ]
    return Grid(
        tiles=tiles,
        rows=n,
        columns=m,
        ranges=ranges,
        measures={name: [float(v) for v in values.ravel()] for name, values in heads.measures.items()},
        chance=heads.chance,
        heads=heads.heads,
        words=words,
        small=small,
    )


def end_of(context: StageContext, measure: str) -> str:
    """The token that a measure of the first or the last one is about."""
    keys = context.heads.key_tokens
    return keys[0] if measure == "first" else keys[-1] if measure == "last" else ""


def known_heads(context: StageContext) -> dict[str, str]:
    """layer.head -> what it is known for; not said while the question is open, nor of a changed model."""
    if context.veil or context.edits:
        return {}
    return {
        f"{layer}.{head}": context.t(f"known.{name}.name")
        for (layer, head), name in known(context.page.address.model).items()
    }


def change_said(context: StageContext, id: str) -> str:
    """One edit in words."""
    name, _, place = id.partition(":")
    kind, layer, head = place.split(".") if name == "mute" else ("", "", "")
    key = f"whatif.changes.{name}"
    return (
        context.t(key, layer=layer, head=head, kind=context.t(f"kinds.{kind}") if kind else "")
        if key in context.t
        else id
    )
