"""What the size lab shows: a model's shape, what it costs, the models people speak of, and where one part overtakes
another as it grows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from core.lessons.size import (
    MATRICES,
    MIXING,
    TRAIN,
    Count,
    Shape,
    longer,
    memory,
    parameters,
    share,
    total,
    wider,
    work,
)
from core.model.config import Config

Show = Literal["parameters", "work", "memory"]
SHOWN: tuple[Show, ...] = ("parameters", "work", "memory")
STEPS = 160  # points of a curve


@dataclass(frozen=True)
class Known:
    """A model people speak of. `said` is the number of parameters its authors give, where they do."""

    shape: Shape
    source: str
    said: str = ""


def known(minilm: Config, translator: Config) -> dict[str, Known]:
    """The models to choose from; the two that run here as they were loaded."""
    return {
        "minilm": Known(of_config(minilm), "sentence-transformers/all-MiniLM-L6-v2, config.json"),
        "bert_tiny": Known(Shape("encoder", 30522, 128, 2, 2, 512, 512), "Turc et al. 2019, table 1", "4.4 M"),
        "bert_base": Known(Shape("encoder", 30522, 768, 12, 12, 3072, 512), "Devlin et al. 2019, 3", "110 M"),
        "bert_large": Known(Shape("encoder", 30522, 1024, 16, 24, 4096, 512), "Devlin et al. 2019, 3", "340 M"),
        "gpt2": Known(Shape("decoder", 50257, 768, 12, 12, 3072, 1024), "Radford et al. 2019, table 2", "117 M"),
        "opt": Known(Shape("decoder", 50272, 2048, 32, 24, 8192, 2048), "Zhang et al. 2022, table 1", "1.3 B"),
        "gpt3": Known(Shape("decoder", 50257, 12288, 96, 96, 49152, 2048), "Brown et al. 2020, table 2.1", "175.0 B"),
        "base": Known(Shape("both", 37000, 512, 8, 6, 2048, 256), "Vaswani et al. 2017, table 3", "65 M"),
        "big": Known(Shape("both", 37000, 1024, 16, 6, 4096, 256), "Vaswani et al. 2017, table 3", "213 M"),
        "translator": Known(of_config(translator), "assets/models/translator/config.json"),
    }


def of_config(config: Config) -> Shape:
    """The shape of a model that runs here."""
    both = config.decoder_layers > 0
    length = config.target_positions if both else config.positions
    stack = "both" if both else "encoder"
    return Shape(stack, config.vocab, config.d_model, config.heads, config.layers, config.d_ff, length)


@dataclass(frozen=True)
class SizeView:
    """One shape and what it costs."""

    preset: str
    base: Shape  # of the preset, before anything was changed
    shape: Shape
    precision: str

    @property
    def changed(self) -> bool:
        return self.shape != self.base

    @cached_property
    def counts(self) -> dict[Show, tuple[Count, ...]]:
        return {
            "parameters": parameters(self.shape),
            "work": work(self.shape),
            "memory": memory(self.shape, self.precision),
        }

    def of(self, show: Show, id: str) -> int:
        return next((count.value for count in self.counts[show] if count.id == id), 0)


def heads_that_fit(d_model: int, heads: int) -> int:
    """The most heads, no more than these, that d divides into."""
    return next(h for h in range(min(heads, d_model), 0, -1) if d_model % h == 0)


# ---- growing

Along = Literal["n", "d"]
Counted = Callable[[Shape], int]


def table_of(shape: Shape) -> int:
    return share(parameters(shape), ("token", "position", "segment", "output"))


def layers_of(shape: Shape) -> int:
    return share(parameters(shape), ("attention", "cross", "feedforward", "norms"))


def positions_of(shape: Shape) -> int:
    return share(parameters(shape), ("position",))


def others_of(shape: Shape) -> int:
    return total(parameters(shape)) - positions_of(shape)


def matrices_of(shape: Shape) -> int:
    return share(work(shape), MATRICES)


def mixing_of(shape: Shape) -> int:
    return share(work(shape), MIXING)


def held_of(precision: str) -> Counted:
    """Bytes that do not depend on what is read: weights, gradients, what Adam keeps."""
    return lambda shape: share(memory(shape, precision), TRAIN[:3])


def read_of(precision: str) -> Counted:
    """Bytes that do: activations; of int8, which is not trained, the cache."""
    return lambda shape: share(memory(shape, precision), ("activations",) if precision != "int8" else ("cache",))


@dataclass(frozen=True, eq=False)
class Growth:
    """Two parts over L or d, and the first size at which the second is at least the first, or the first the second."""

    along: Along
    at: np.ndarray  # [STEPS] sizes
    ids: tuple[str, str]
    values: tuple[np.ndarray, np.ndarray]
    crossing: int | None
    height: float  # of both, there


def growth(view: SizeView, show: Show, along: Along) -> Growth:
    """Every other number stays as it is; d_ff keeps its ratio to d. A d that is reached divides into the heads."""
    pairs: dict[tuple[Show, Along], tuple[tuple[str, str], Counted, Counted]] = {
        ("parameters", "d"): (("layers", "tables"), layers_of, table_of),
        ("parameters", "n"): (("others", "positions"), others_of, positions_of),
        ("work", "d"): (("matrices", "mixing"), matrices_of, mixing_of),
        ("work", "n"): (("matrices", "mixing"), matrices_of, mixing_of),
        ("memory", "d"): (("held", "read"), held_of(view.precision), read_of(view.precision)),
        ("memory", "n"): (("held", "read"), held_of(view.precision), read_of(view.precision)),
    }
    ids, first, second = pairs[show, along]
    shape, base = view.shape, view.base
    unit = 1 if along == "n" else shape.heads
    grown = longer if along == "n" else wider
    now, was = (shape.length, base.length) if along == "n" else (shape.d_model, base.d_model)

    def ahead(size: int) -> bool:
        one = grown(shape, size)
        return first(one) >= second(one)

    crossing = overtakes(ahead, 64 * max(now, was, 64))
    reach = max(1.25 * now, 1.5 * was, 1.6 * crossing if crossing and crossing < 12 * max(now, was) else 0)
    step = unit * rounded(-(-int(reach) // (STEPS * unit)))
    at = step * np.arange(1, STEPS + 1)
    shapes = [grown(shape, int(size)) for size in at]
    values = tuple(np.array([float(count(one)) for one in shapes]) for count in (first, second))
    inside = crossing is not None and step <= crossing <= at[-1]
    height = float(first(grown(shape, crossing))) if inside and crossing else 0.0
    return Growth(along, at, ids, values, crossing if inside else None, height)  # type: ignore[arg-type]


def rounded(n: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50 …, for round numbers along an axis."""
    power = 10 ** (len(str(max(1, n))) - 1)
    return next(times * power for times in (1, 2, 5, 10) if times * power >= n)


def overtakes(ahead: Callable[[int], bool], most: int) -> int | None:
    """The first size at which it is the other one that is ahead; None where that does not change up to `most`."""
    low, high = 1, most
    if ahead(low) == ahead(high):
        return None
    start = ahead(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if ahead(middle) == start else (low, middle)
    return high


def doubled(view: SizeView, show: Show) -> Sequence[tuple[str, float | None, float | None]]:
    """Of each part, how many times as large it is when L is doubled, and when d is; None of what is nothing."""
    shape = view.shape

    def counts(one: Shape) -> tuple[Count, ...]:
        return replace(view, shape=one).counts[show]

    rows = []
    longer_, wider_ = counts(longer(shape, 2 * shape.length)), counts(wider(shape, 2 * shape.d_model))
    for now, by_length, by_width in zip(counts(shape), longer_, wider_, strict=True):
        times = [float(grown.value / now.value) if now.value else None for grown in (by_length, by_width)]
        rows.append((now.id, *times))
    return rows
