"""What an arrangement of the norms does before any training: how far states spread, how large gradients are.

`python -m core.training.experiments` makes the networks, runs them, and writes assets/experiments/layernorm.json.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from ..dice import Seeded
from ..files import EXPERIMENTS
from ..model.config import Config
from ..model.embedding import TransformerEmbedding
from ..model.encoder import Stack, padding_mask
from ..model.taps import name_taps, recording
from ..model.transformer import draw_weights

COMMAND = "python -m core.training.experiments"
FILE = EXPERIMENTS / "layernorm.json"
ARRANGEMENTS = ("post", "pre", "input")
DEPTHS = (2, 4, 6, 8, 12, 16, 24)
SEEDS = (0, 1, 2, 3, 4)
SETTINGS = {"d_model": 128, "heads": 4, "d_ff": 512, "vocab": 1000, "tokens": 32, "sentences": 8, "epsilon": 1e-5}


class Classifier(nn.Module):
    """An encoder that has to name one class for each token: enough to have a loss."""

    def __init__(self, config: Config):
        super().__init__()
        self.embedding = TransformerEmbedding(config, nn.Embedding(config.vocab, config.d_model), "token")
        self.encoder = Stack(config)
        self.output = nn.Linear(config.d_model, config.vocab)
        draw_weights(self, self.embedding, config)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [batch, token] -> logits [batch, token, vocab]."""
        return self.output(self.encoder(self.embedding(ids), padding_mask(torch.zeros_like(ids, dtype=torch.bool))))


@dataclass(frozen=True)
class Start:
    """One network before its first step, or the mean of several."""

    arrangement: str
    layers: int
    loss: float
    spreads: list[float]  # of the stream: where it enters, and after each layer (before the last norm of pre-norm)
    gradient: float  # norm of the loss's gradient by all parameters
    gradients: list[float]  # the same by each layer's own


def start(arrangement: str, layers: int, seed: int) -> Start:
    """Draw a network and a batch of random ids and targets by `seed`; one pass forward, one back."""
    generator = torch.Generator().manual_seed(seed)
    size = (SETTINGS["sentences"], SETTINGS["tokens"])
    ids, targets = (torch.randint(int(SETTINGS["vocab"]), size, generator=generator) for _ in range(2))  # type: ignore[arg-type]
    with Seeded(seed):
        network = Classifier(config(arrangement, layers)).eval()
    name_taps(network)
    with recording(("embedding.output", "encoder.*.output")) as tape:
        loss = functional.cross_entropy(network(ids).flatten(0, 1), targets.flatten())
    passed = tape.tensors
    stream = ["embedding.output", *(f"encoder.{i}.output" for i in range(layers))]
    names, parameters = zip(*network.named_parameters(), strict=True)
    squares = [float(g.square().sum()) for g in torch.autograd.grad(loss, parameters)]
    own = [sum(s for n, s in zip(names, squares, strict=True) if n.startswith(f"encoder.{i}.")) for i in range(layers)]
    return Start(
        arrangement,
        layers,
        float(loss.detach()),
        [float(passed[tap].std(-1, correction=0).mean()) for tap in stream],
        sum(squares) ** 0.5,
        [square**0.5 for square in own],
    )


def config(arrangement: str, layers: int) -> Config:
    return Config(
        vocab=int(SETTINGS["vocab"]),
        d_model=int(SETTINGS["d_model"]),
        heads=int(SETTINGS["heads"]),
        layers=layers,
        d_ff=int(SETTINGS["d_ff"]),
        positions=int(SETTINGS["tokens"]),
        segments=0,
        epsilon=float(SETTINGS["epsilon"]),
        activation="relu",
        norm=arrangement,
        position="sinusoidal",
    )


def mean_start(arrangement: str, layers: int, seeds: Sequence[int] = SEEDS) -> Start:
    """The mean of every number over some seeds."""
    starts = [start(arrangement, layers, seed) for seed in seeds]

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)

    return Start(
        arrangement,
        layers,
        mean([s.loss for s in starts]),
        [mean(values) for values in zip(*(s.spreads for s in starts), strict=True)],
        mean([s.gradient for s in starts]),
        [mean(values) for values in zip(*(s.gradients for s in starts), strict=True)],
    )


def rounded(value):
    """Six significant digits: the last ones differ from machine to machine."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return [rounded(v) for v in value] if isinstance(value, list) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FILE)
    out = parser.parse_args().out
    began = time.monotonic()
    torch.set_num_threads(1)
    starts = [mean_start(arrangement, layers) for arrangement in ARRANGEMENTS for layers in DEPTHS]
    found = {
        "command": COMMAND,
        "settings": {**SETTINGS, "seeds": list(SEEDS)},
        "seconds": round(time.monotonic() - began),
        "starts": [{name: rounded(value) for name, value in asdict(s).items()} for s in starts],
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(f"{out}: {len(starts)} networks, {found['seconds']} s")


if __name__ == "__main__":
    main()
