"""Every head of one kind of attention as pictures: the lines between tokens, and each head in small."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..views.heads import HeadsView
from .lines import Grid, LinesWords, Tile
from .picture import pooled
from .said import Said

SENT = 640_000  # bytes of weights that are sent at once: every head, or a layer, or those that are looked at
LINES = ("label", "all", "alone", "remove", "unpin", "upright", "lying", "least", "most", "save")
GRID = ("label", "sort", "grid", "over", "sort_layer", "grid_model", "grid_layer", "said_layer", "chance", "scaled")

Place = tuple[int, int]  # layer and head, counted from 1, as people and pictures count them


def fits(heads: int, n: int, m: int) -> bool:
    """Whether so many heads may be sent at once."""
    return heads * n * m * 2 <= SENT


def those_shown(layer: int, head: int, also: str, heads: int) -> list[Place]:
    """The heads that are shown, the followed one first: `also` is "layer", "alone", or some by layer.head."""
    if also == "layer":
        others = [(layer, other) for other in range(1, heads + 1)]
    else:
        others = [] if also == "alone" else [tuple(map(int, name.split("."))) for name in also.split("-")]
    return list(dict.fromkeys([(layer, head), *others]))  # type: ignore[list-item]


def those_sent(heads: HeadsView, shown: Sequence[Place]) -> list[Place]:
    """All of them where they are small, else the layers or heads that are shown."""
    n, m = len(heads.queries), len(heads.keys)
    every = [(layer, head) for layer in range(1, heads.layers + 1) for head in range(1, heads.heads + 1)]
    if fits(len(every), n, m):
        return every
    if fits(heads.heads, n, m):
        layers = {layer for layer, _ in shown}
        return [(layer, head) for layer, head in every if layer in layers]
    return list(shown)


def lines_words(t: Said, kind: str) -> LinesWords:
    """What is written on the lines of one of `core.model.places.ATTENTIONS`."""
    side = "cross" if kind == "cross" else "one"
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


def in_small(weights: np.ndarray) -> tuple[np.ndarray, list[list[float]]]:
    """[layer, head, query, key] -> every head in small, one after the other, and low and high of each."""
    return pooled(weights.reshape(-1, *weights.shape[2:]))


def grid(
    t: Said,
    heads: HeadsView,
    small: np.ndarray,
    ranges: list[list[float]],
    known: Mapping[str, str],
    does: Mapping[str, str] | None = None,
) -> Grid:
    """Every head as a tile; `known` says of some, by layer.head, what they are known for, `does` what that says."""
    n, m = small.shape[1:]
    reduced = (n, m) != (len(heads.queries), len(heads.keys))
    words = {name: t(f"grid.{name}") for name in GRID}
    words |= {f"help_{name}": t.help(name) for name in ("sort", "grid")}
    for name in heads.measures:
        words[f"sort_{name}"] = t(f"measures.{name}", token=end_of(heads, name))
        words[f"said_{name}"] = t(f"measured.{name}", token=end_of(heads, name))
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
        does=does or {},
    )


def end_of(heads: HeadsView, measure: str) -> str:
    """The token that a measure of the first or the last one is about."""
    keys = heads.key_tokens
    return keys[0] if measure == "first" else keys[-1] if measure == "last" else ""
