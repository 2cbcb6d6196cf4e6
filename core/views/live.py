"""A live model of any size: built on PyTorch's meta device, which knows shapes and holds no numbers; then asked what it
has, what it multiplies, and what it keeps. Nothing here knows the formulas of `core.lessons.size`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils.flop_counter import FlopCounterMode

from ..lessons.size import Shape
from ..model.config import Config
from ..model.encoder import BertEncoder
from ..model.language import LanguageModel
from ..model.taps import name_taps, recording, spoken
from ..model.transformer import Transformer

LARGEST = 1 << 60  # numbers in one tensor: beyond, PyTorch cannot even name its size
PARTS = {  # word of a module's path -> part
    "token_table": "token",
    "position_table": "position",
    "segment_table": "segment",
    "norm": "norms",
    "output": "output",
    "cross_attention": "cross",
    "self_attention": "attention",
    "attention": "attention",
    "feedforward": "feedforward",
}


def config(shape: Shape, layers: int) -> Config:
    return Config(
        vocab=shape.vocab,
        d_model=shape.d_model,
        heads=shape.heads,
        layers=layers,
        d_ff=shape.d_ff,
        positions=shape.length,
        segments=2 if shape.stack == "encoder" else 0,
        norm="pre" if shape.stack in ("decoder", "llama") else "post",
        position="sinusoidal" if shape.cross else "rotary" if shape.gated else "learned",
        activation="swiglu" if shape.gated else "gelu",
        normalization="rms" if shape.gated else "layer",
        embedding="plain" if shape.gated else "scaled",
        bias=not shape.gated,
        groups=(shape.groups or shape.heads) if shape.gated else 0,
        decoder_layers=layers if shape.cross else 0,
        target_positions=shape.length if shape.cross else 0,
    )


class Unfilled(TorchFunctionMode):
    """No first weights are drawn: on the meta device there is nothing to fill."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if getattr(func, "__module__", "") == "torch.nn.init":
            return None
        return func(*args, **(kwargs or {}))


def build(shape: Shape, layers: int) -> nn.Module:
    """A network of that shape with so many layers a side, on the meta device."""
    kind = {"encoder": BertEncoder, "both": Transformer}.get(shape.stack, LanguageModel)
    with torch.device("meta"), Unfilled():
        network = kind(config(shape, layers))
        if shape.writes and not shape.tied:
            untie(network, shape)
    return network


def untie(network: nn.Module, shape: Shape) -> None:
    """A table of its own for each door."""
    network.output.project = nn.Linear(shape.d_model, shape.vocab, bias=False)  # type: ignore[union-attr]
    if shape.cross:
        network.decoder.embedding.token_table = nn.Embedding(shape.vocab, shape.d_model)  # type: ignore[union-attr]


def read(network: nn.Module, shape: Shape) -> None:
    """One pass over one sequence of L tokens; of "both", L read and L written."""
    with torch.device("meta"):
        ids = torch.zeros(1, shape.length, dtype=torch.long)
        nothing = torch.zeros(1, shape.length, dtype=torch.bool)
        more = {"encoder": (ids, nothing), "both": (nothing, ids, nothing)}.get(shape.stack, ())
        network(ids, *more)


@dataclass(frozen=True)
class Live:
    """What one pass through a live network with one layer a side showed, times the layers there are.

    Attributes:
        work: part -> multiply-adds of one sequence.
        kept: what the way back reads again -> numbers of one sequence.
        cache: keys and values of every layer that writes, of one sequence.
    """

    work: Mapping[str, int]
    kept: Mapping[str, int]
    cache: int


def countable(shape: Shape) -> bool:
    """Whether each tensor of it has a size that PyTorch can name."""
    n, d = shape.length, shape.d_model
    tensors = (shape.vocab * d, n * d, d * shape.d_ff, n * shape.d_ff, shape.heads * n * n, n * shape.vocab)
    return max(tensors) * 8 < LARGEST and shape.divides and shape.turns


def must_be_countable(shape: Shape) -> None:
    if not countable(shape):
        raise ValueError("a tensor of this would have more numbers than PyTorch can count")


@lru_cache(maxsize=256)
def held(shape: Shape) -> Mapping[str, int]:
    """Part -> parameters. Raises ValueError for what PyTorch could not name the size of."""
    must_be_countable(shape)
    return times(of_parameters(build(shape, 1)), shape)


@lru_cache(maxsize=256)
def run(shape: Shape) -> Live:
    """Build it, let it read, count. Raises ValueError for what PyTorch could not name the size of."""
    must_be_countable(shape)
    network = build(shape, 1)
    name_taps(network)
    with torch.no_grad(), recording() as tape, FlopCounterMode(display=False) as flops:
        read(network, shape)
    sizes = {name: tensor.numel() for name, tensor in tape.tensors.items()}
    return Live(of_work(flops, shape), of_kept(sizes, shape), of_cache(sizes, shape))


def of_parameters(network: nn.Module) -> list[tuple[str, bool, int]]:
    """Part, whether inside a layer, and numbers, of every parameter."""
    return [(part(spoken(name)), inside(spoken(name)), p.numel()) for name, p in network.named_parameters()]


def part(path: str) -> str:
    words = path.split(".")
    return next(PARTS[word] for word in ("norm", *PARTS) if word in words)


def inside(path: str) -> bool:
    """Whether it stands in a layer: those are numbered."""
    return any(word.isdecimal() for word in path.split("."))


def times(found: Iterable[tuple[str, bool, int]], shape: Shape) -> Mapping[str, int]:
    """Summed by part; what is in a layer as often as there are layers."""
    sums: Counter[str] = Counter()
    for name, within, count in found:
        sums[name] += count * (shape.layers if within else 1)
    return dict(sums)


def of_work(flops: FlopCounterMode, shape: Shape) -> Mapping[str, int]:
    """Multiply-adds by part: PyTorch counts two operations for each. What attention multiplies outside its four
    matrices are queries with keys, and weights with values."""
    by_path = {spoken(path): sum(ops.values()) // 2 for path, ops in flops.get_flop_counts().items()}
    found: list[tuple[str, bool, int]] = []
    for path, count in by_path.items():
        word = path.split(".")[-1]
        if word in ("attention", "self_attention", "cross_attention"):
            matrices = sum(by_path.get(f"{path}.to_{name}", 0) for name in ("query", "key", "value", "output"))
            prefix = "cross_" if word == "cross_attention" else ""
            found += [(f"{prefix}projections", True, matrices), (f"{prefix}mixing", True, count - matrices)]
        elif word in ("feedforward", "output"):
            found += [(word, inside(path), count)] * (word == "feedforward" or path.count(".") == 1)
    return times(found, shape)


def of_kept(sizes: Mapping[str, int], shape: Shape) -> Mapping[str, int]:
    """From what passed the taps: what the way back reads again."""
    found: list[tuple[str, bool, int]] = []
    for name, size in sizes.items():
        *path, word = name.split(".")
        if "norm" in path:
            continue
        place = path[-1] if path else ""
        if place.endswith("attention"):
            # The queries' source is as large as the output; so is what the norm reads.
            own = "of_attention_four" if shape.gated else "of_attention"
            shared = "of_shared" if shape.gated else own
            kind = {"weights": "of_weights", "query": own, "key": shared, "value": shared}
            kind |= {"context": own, "residual": own, "output": own}
        elif place == "feedforward":
            inner = "of_gated" if shape.gated else "of_hidden"
            kind = dict.fromkeys(("hidden", "activated", "gate", "up", "product"), inner)
            kind |= {"residual": "of_network", "output": "of_network"}
        else:
            kind = {"probabilities": "of_output"} if place == "output" else {}
        if word in kind:
            found.append((kind[word], inside(name), size))
    return times(found, shape)


def of_cache(sizes: Mapping[str, int], shape: Shape) -> int:
    """From what passed the taps: the keys and values of what writes."""
    found = (size for name, size in sizes.items() if name.startswith("decoder.") and name.endswith((".key", ".value")))
    return shape.layers * sum(found)
