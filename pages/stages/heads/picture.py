"""The lines between tokens, the controls above them, and every head in small."""

from collections.abc import Sequence

import numpy as np

from core.edits import Edit
from core.figures.controls import Control, Controls, numbered
from core.figures.lines import Grid, Lines, LinesWords, Tile, four_digits
from core.figures.picture import veiled
from core.heads import known
from pages.shared.server import cached
from pages.stages.heads.look import Look, heads_of

SENT = 640_000  # bytes of weights that are sent at once: every head, or a layer, or those that are looked at
LINES = ("label", "all", "alone", "remove", "unpin", "upright", "lying", "least", "most", "save")
GRID = ("label", "sort", "grid", "over", "sort_layer", "grid_model", "grid_layer", "said_layer", "chance")


def fits(heads: int, n: int, m: int) -> bool:
    """Whether so many heads may be sent at once."""
    return heads * n * m * 2 <= SENT


def controls(look: Look) -> Controls:
    t, heads = look.t, look.heads
    rest = {"q": None, "k": None, "pin": None}
    layers = Control("layer", t("layer"), numbered(heads.layers), also={"also": "layer"})
    if len(look.page.model.attentions) == 1:
        return Controls([layers])
    kinds = Control(
        "kind", t("kind"), [(kind, t(f"kinds.{kind}")) for kind in look.page.model.attentions], also=rest, stepper=True
    )
    return Controls([kinds, layers])


def lines(look: Look) -> Lines:
    heads, sent = look.heads, those_sent(look)
    return Lines(
        id="lines",
        planes=planes(look, sent),
        queries=heads.tokens,
        keys=heads.key_tokens,
        heads=heads.heads,
        known=known_heads(look),
        file=look.file,
        all_there=len(sent) == heads.layers * heads.heads,
        changed=[change_said(look, id) for id in look.changed],
        words=lines_words(look),
    )


def planes(look: Look, sent: Sequence[tuple[int, int]]) -> dict[str, np.ndarray]:
    """layer.head -> its weights as they are sent. Of a short text all are written once and kept."""
    if look.heads.weights is None:
        return {f"{i}.{j}": four_digits(veiled(look.weights(i, j), look.veil)) for i, j in sent}
    every = sent_of(*look.key, look.kind, look.edits, look.veil)
    return {f"{i}.{j}": every[i - 1, j - 1] for i, j in sent}


@cached.shared
def sent_of(name: str, text: str, kind: str, edits: tuple[Edit, ...], veil: tuple[int, ...]) -> np.ndarray:
    weights = heads_of(name, text, kind, edits).view.weights
    assert weights is not None
    return four_digits(veiled(weights, veil, 2))


def lines_words(look: Look) -> LinesWords:
    t = look.t
    side = "cross" if look.kind == "cross" else "one"
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


def those_sent(look: Look) -> list[tuple[int, int]]:
    """Layers and heads, counted from 1: all of them where they are small, else the layers or heads that are shown."""
    heads, (n, m) = look.heads, (len(look.heads.queries), len(look.heads.keys))
    every = [(layer, head) for layer in range(1, heads.layers + 1) for head in range(1, heads.heads + 1)]
    if fits(len(every), n, m):
        return every
    if fits(heads.heads, n, m):
        layers = {layer for layer, _ in look.shown}
        return [(layer, head) for layer, head in every if layer in layers]
    return look.shown


def grid(look: Look) -> Grid:
    t, heads = look.t, look.heads
    small, ranges = look.view.thumbnails(look.veil)
    n, m = small.shape[1:]
    known = known_heads(look)
    reduced = (n, m) != (len(heads.queries), len(heads.keys))
    words = {name: t(f"grid.{name}") for name in GRID}
    words |= {f"help_{name}": t.help(name) for name in ("sort", "grid")}
    for name in heads.measures:
        words[f"sort_{name}"] = t(f"measures.{name}", token=end_of(look, name))
        words[f"said_{name}"] = t(f"measured.{name}", token=end_of(look, name))
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


def end_of(look: Look, measure: str) -> str:
    """The token that a measure of the first or the last one is about."""
    keys = look.heads.key_tokens
    return keys[0] if measure == "first" else keys[-1] if measure == "last" else ""


def known_heads(look: Look) -> dict[str, str]:
    """layer.head -> what it is known for; not said while the question is open, nor of a changed model."""
    if look.veil or look.edits:
        return {}
    return {
        f"{layer}.{head}": look.t(f"known.{name}.name")
        for (layer, head), name in known(look.page.address.model).items()
    }


def change_said(look: Look, id: str) -> str:
    """One edit in words."""
    name, _, place = id.partition(":")
    kind, layer, head = place.split(".") if name == "mute" else ("", "", "")
    key = f"whatif.changes.{name}"
    return look.t(key, layer=layer, head=head, kind=look.t(f"kinds.{kind}") if kind else "") if key in look.t else id
