"""What the size lab shows: a model's shape, what it costs, the models people speak of, and where one part overtakes
another as it grows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from ..lessons.size import (
    MATRICES,
    MIXING,
    TRAIN,
    Count,
    Shape,
    Stack,
    longer,
    memory,
    parameters,
    share,
    wider,
    work,
)
from ..zoo import Model

Show = Literal["parameters", "work", "memory"]
SHOWN: tuple[Show, ...] = ("parameters", "work", "memory")
STEPS = 40  # points of a curve


@dataclass(frozen=True)
class Known:
    """A model people speak of. `said` is the number of parameters its authors give, where they do."""

    shape: Shape
    source: str
    said: str = ""


def known(ours: Mapping[str, Model]) -> dict[str, Known]:
    """The models to choose from; those that run here first, as they were loaded."""
    return {
        **{id: Known(of_model(model), "config.json") for id, model in ours.items()},
        "bert_tiny": Known(Shape("encoder", 30522, 128, 2, 2, 512, 512), "Turc et al. 2019, table 1", "4.4 M"),
        "bert_base": Known(Shape("encoder", 30522, 768, 12, 12, 3072, 512), "Devlin et al. 2019", "110 M"),
        "bert_large": Known(Shape("encoder", 30522, 1024, 16, 24, 4096, 512), "Devlin et al. 2019", "340 M"),
        "gpt2": Known(Shape("decoder", 50257, 768, 12, 12, 3072, 1024), "Radford et al. 2019, table 2", "117 M"),
        "opt": Known(Shape("decoder", 50272, 2048, 32, 24, 8192, 2048), "Zhang et al. 2022, table 1", "1.3 B"),
        "gpt3": Known(Shape("decoder", 50257, 12288, 96, 96, 49152, 2048), "Brown et al. 2020, table 2.1", "175.0 B"),
        "llama_8b": Known(llama(4096, 32, 32, 14336), "Grattafiori et al. 2024, table 3", "8 B"),
        "llama_70b": Known(llama(8192, 64, 80, 28672), "Grattafiori et al. 2024, table 3", "70 B"),
        "llama_405b": Known(llama(16384, 128, 126, 53248), "Grattafiori et al. 2024, table 3", "405 B"),
        "base": Known(Shape("both", 37000, 512, 8, 6, 2048, 256), "Vaswani et al. 2017, table 3", "65 M"),
        "big": Known(Shape("both", 37000, 1024, 16, 6, 4096, 256), "Vaswani et al. 2017, table 3", "213 M"),
    }


def llama(d_model: int, heads: int, layers: int, d_ff: int) -> Shape:
    """Llama 3.1: eight groups of heads share their keys and values; the output has a table of its own. Of its window of
    128 K tokens as many are counted as of GPT-3's."""
    return Shape("llama", 128_256, d_model, heads, layers, d_ff, 2048, tied=False, groups=8)


def of_model(model: Model) -> Shape:
    """The shape of a model that runs here."""
    config = model.config
    length = config.target_positions if model.translates else config.positions
    alone: Stack = "llama" if config.position == "rotary" else "decoder"
    stack: Stack = "both" if model.translates else alone if "decoder" in model.stacks else "encoder"
    sizes = (config.vocab, config.d_model, config.heads, config.layers, config.d_ff, length)
    return Shape(stack, *sizes, groups=config.groups)


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
        return {show: counted(self.shape, show, self.precision) for show in SHOWN}

    def of(self, show: Show, id: str) -> int:
        return next((count.value for count in self.counts[show] if count.id == id), 0)


def counted(shape: Shape, show: Show, precision: str) -> tuple[Count, ...]:
    if show == "memory":
        return memory(shape, precision)
    return parameters(shape) if show == "parameters" else work(shape)


def heads_that_fit(d_model: int, heads: int) -> int:
    """The most heads, no more than these, that d divides into."""
    return next(h for h in range(min(heads, d_model), 0, -1) if d_model % h == 0)


def groups_that_fit(heads: int, base: Shape) -> int:
    """As many heads share keys and values as in `base`, if so many heads can."""
    shared = base.heads // (base.groups or base.heads)
    return heads if heads % shared else heads // shared


# ---- growing

Along = Literal["n", "d"]


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
    shape, base = view.shape, view.base
    now, was = (shape.length, base.length) if along == "n" else (shape.d_model, base.d_model)
    start = longer(shape, was) if along == "n" else shape  # where on the curve one stands does not change it
    found = grown(start, was, view.precision, show, along, 0)
    return found if now <= found.at[-1] else grown(start, was, view.precision, show, along, now)


LAYERS = ("attention", "cross", "feedforward", "norms")
TABLES = ("token", "position", "segment", "output")
PARTS: dict[str, tuple[str, ...]] = {
    "layers": LAYERS,
    "tables": TABLES,
    "others": tuple(part for part in (*LAYERS, *TABLES) if part != "position"),
    "positions": ("position",),
    "matrices": MATRICES,
    "mixing": MIXING,
    "held": TRAIN[:3],  # does not depend on what is read
    "read": ("activations",),
    "cached": ("cache",),  # what is read leaves where nothing is trained: int8
}
PAIRS: dict[tuple[Show, Along], tuple[str, str]] = {
    ("parameters", "d"): ("layers", "tables"),
    ("parameters", "n"): ("others", "positions"),
    ("work", "d"): ("matrices", "mixing"),
    ("work", "n"): ("matrices", "mixing"),
    ("memory", "d"): ("held", "read"),
    ("memory", "n"): ("held", "read"),
}


def counting(show: Show, ids: tuple[str, str], precision: str) -> Callable[[Shape], tuple[int, int]]:
    """What counts the two parts of a shape."""
    first, second = (PARTS["cached" if id == "read" and precision == "int8" else id] for id in ids)

    def both(shape: Shape) -> tuple[int, int]:
        counts = counted(shape, show, precision)
        return share(counts, first), share(counts, second)

    return both


@lru_cache(maxsize=512)
def grown(shape: Shape, was: int, precision: str, show: Show, along: Along, reach: int) -> Growth:
    """The curves, at least as far as `reach`, and as far as half beyond `was` or a crossing that is not too far off."""
    ids = PAIRS[show, along]
    both = counting(show, ids, precision)
    unit, larger = (1, longer) if along == "n" else (shape.heads, wider)

    def ahead(size: int) -> bool:
        first, second = both(larger(shape, size))
        return first >= second

    crossing = overtakes(ahead, 64 * max(was, reach, 64))
    near = crossing is not None and crossing < 12 * max(was, reach)
    far = max(1.25 * reach, 1.5 * was, 1.6 * crossing if near and crossing else 0)
    step = unit * rounded(-(-int(far) // (STEPS * unit)))
    at = step * np.arange(1, STEPS + 1)
    first, second = np.array([both(larger(shape, int(size))) for size in at], float).T
    inside = crossing is not None and step <= crossing <= at[-1]
    height = float(both(larger(shape, crossing))[0]) if inside and crossing else 0.0
    return Growth(along, at, ids, (first, second), crossing if inside else None, height)


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


def doubled(view: SizeView, show: Show) -> Sequence[tuple[str, Sequence[float | None]]]:
    """Of each part, how many times as large it is when L, d, V or N is doubled; None of what is nothing."""
    shape = view.shape
    twice = (
        longer(shape, 2 * shape.length),
        wider(shape, 2 * shape.d_model),
        replace(shape, vocab=2 * shape.vocab),
        replace(shape, layers=2 * shape.layers),
    )
    now, *grown = (counted(one, show, view.precision) for one in (shape, *twice))
    return [
        (part.id, [float(one.value / part.value) if part.value else None for one in larger])
        for part, *larger in zip(now, *grown, strict=True)
    ]
