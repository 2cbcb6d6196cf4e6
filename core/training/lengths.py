"""What each way of telling positions does beyond the length it was trained on: small language models, really trained.

`python -m core.training.lengths` trains one for each kind on the grammar's English, 32 words at a time, lets it read up
to 8 times as many, and writes assets/experiments/lengths.json: what came out, with the seed, the date, the command.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from random import Random

import torch
from torch import Tensor
from torch.nn import functional

from .. import grammar
from ..files import EXPERIMENTS
from ..model.config import Config
from ..model.language import LanguageModel
from ..model.position import RELATIVE
from ..model.relative import T5Attention, buckets
from ..model.residual import PreNorm

COMMAND = "python -m core.training.lengths"
FILE = EXPERIMENTS / "lengths.json"
KINDS = ("none", "learned", "sinusoidal", *RELATIVE)
SEED = 0
LENGTH = 32  # words in training
TIMES = (1, 2, 3, 4, 5, 6, 7, 8)  # so many times as many when it is measured
SETTINGS = {
    "d_model": 64, "heads": 4, "layers": 2, "d_ff": 256, "dropout": 0.0, "norm": "pre",
    "steps": 400, "batch": 32, "rate": 3e-3, "warm_up": 40, "held_out": 64,
}  # fmt: skip
END = "."  # what stands between sentences


def words(seed: str) -> Iterator[str]:
    """English sentences of the grammar, one after the other, for ever."""
    random = Random(seed)
    while True:
        said = grammar.sample(random).en.rstrip(".?").split()
        yield from (*(word.lower() for word in said), END)


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """The words of a long stretch; what is rarer is the last id."""
    stream = words(f"vocabulary {SEED}")
    known = sorted({next(stream) for _ in range(100_000)})
    return {word: i for i, word in enumerate(known)}


def ids(stream: Iterator[str], known: dict[str, int], rows: int, length: int) -> Tensor:
    """[rows, length] the next words of a stream."""
    return torch.tensor([[known.get(next(stream), len(known)) for _ in range(length)] for _ in range(rows)])


def config(kind: str, vocab: int) -> Config:
    """A table that is learned has as many rows as training has words; waves are computed as far as is measured."""
    own = {name: SETTINGS[name] for name in ("d_model", "heads", "layers", "d_ff", "dropout", "norm")}
    positions = LENGTH if kind == "learned" else LENGTH * max(TIMES)
    return Config(vocab=vocab, positions=positions, segments=0, epsilon=1e-5, position=kind, **own)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def batches(steps: int) -> tuple[Tensor, ...]:
    """What every kind is trained on, in this order: [batch, LENGTH + 1] each."""
    stream, known = words(f"train {SEED}"), vocabulary()
    return tuple(ids(stream, known, int(SETTINGS["batch"]), LENGTH + 1) for _ in range(steps))


def train(kind: str, vocab: int, steps: int) -> tuple[LanguageModel, float]:
    """A network of this kind, and its mean loss over the last tenth of its steps."""
    torch.manual_seed(SEED)
    network = LanguageModel(config(kind, vocab)).train()
    optimizer = torch.optim.Adam(network.parameters(), lr=1.0, betas=(0.9, 0.98))
    losses = []
    for step, batch in enumerate(batches(steps)):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps)
        loss = loss_of(network(batch[:, :-1])[0], batch[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
    last = losses[-max(1, steps // 10) :]
    return network.eval(), sum(last) / len(last)


def rate(step: int, steps: int) -> float:
    """The learning rate: up in a line, down in half a cosine."""
    warm = int(SETTINGS["warm_up"])
    down = 0.5 * (1 + math.cos(math.pi * step / steps))
    return float(SETTINGS["rate"]) * min(1.0, (step + 1) / warm) * down


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean cross-entropy a word, in nats."""
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


@torch.no_grad()
def at_length(network: LanguageModel, rows: Tensor, times: int) -> float | None:
    """The loss of the last `LENGTH` words of each row, given the last times · LENGTH before each row's end.

    At 1 the text is truncated to what training saw; None where the network has no position for so many.
    """
    given = rows[:, -(times * LENGTH + 1) :]
    try:
        logits, _ = network(given[:, :-1])
    except IndexError:
        return None
    return float(loss_of(logits[:, -LENGTH:], given[:, -LENGTH:]))


@torch.no_grad()
def with_memory(network: LanguageModel, rows: Tensor) -> float:
    """The loss of the same words, read `LENGTH` at a time, each layer also looking at what it was given for the segment
    before (Dai et al. 2019, 3.2). Positions that are added begin anew in each segment."""
    memory: list[Tensor | None] = [None] * int(SETTINGS["layers"])
    logits = torch.empty(0)
    for start in range(0, rows.shape[1] - 1, LENGTH):
        x = network.embedding(rows[:, start : start + LENGTH])
        for i, layer in enumerate(network.decoder):
            around = layer.attention
            assert isinstance(around, PreNorm)
            normed = around.norm(x)
            before = memory[i]
            source = normed if before is None else torch.cat([before, normed], dim=1)
            x = layer.feedforward(x + around.sublayer(normed, source, mask(LENGTH, source.shape[1])))
            memory[i] = normed
        logits, _ = network.output(network.decoder.norm(x))
    return float(loss_of(logits, rows[:, -LENGTH:]))


def mask(queries: int, keys: int) -> Tensor:
    """[1, query, key] -inf on what comes later; the queries are the last of the keys."""
    return torch.full((1, queries, keys), -torch.inf).triu(1 + keys - queries)


def measured(kind: str, known: dict[str, int], steps: int) -> dict[str, object]:
    """One kind, trained and measured."""
    began = time.monotonic()
    network, loss = train(kind, len(known) + 1, steps)
    rows = ids(words(f"held out {SEED}"), known, int(SETTINGS["held_out"]), LENGTH * max(TIMES) + 1)
    found: dict[str, object] = {
        "kind": kind,
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "trained": rounded(loss),
        "losses": [rounded(at_length(network, rows, times)) for times in TIMES],
        "memory": rounded(with_memory(network, rows)),
        "seconds": round(time.monotonic() - began),
    }
    if kind == "t5":
        found["table"] = [[[rounded(float(x)) for x in row] for row in table] for table in tables(network)]
        found["as_met"] = rounded(as_met(network, rows))
    return found


def tables(network: LanguageModel) -> list[Tensor]:
    """What T5's model learned: [bucket, head] of each layer."""
    attentions = [layer.attention.sublayer for layer in network.decoder]
    return [attention.get_submodule("table").get_parameter("weight").detach() for attention in attentions]


def as_met(network: LanguageModel, rows: Tensor) -> float | None:
    """The loss of T5's model at the greatest length, once every bucket that training never met adds what the farthest
    it met adds: how much of what is lost is theirs."""
    last = int(buckets(torch.tensor(1 - LENGTH)))
    unmet = range(last + 1, T5Attention.BUCKETS // 2)
    kept = [table.clone() for table in tables(network)]
    for table in tables(network):
        table[list(unmet)] = table[last].clone()
    loss = at_length(network, rows, max(TIMES))
    for table, before in zip(tables(network), kept, strict=True):
        table.copy_(before)
    return loss


def rounded(value: float | None) -> float | None:
    """Five significant digits: the last ones differ from machine to machine."""
    return None if value is None else float(f"{value:.5g}")


def run(kinds: Sequence[str] = KINDS, steps: int | None = None) -> dict[str, object]:
    torch.set_num_threads(1)
    known = vocabulary()
    results = []
    for kind in kinds:
        results.append(measured(kind, known, steps or int(SETTINGS["steps"])))
        print(results[-1] | {"table": ...}, flush=True)
    settings = {**SETTINGS, "steps": steps or SETTINGS["steps"], "vocab": len(known) + 1, "length": LENGTH}
    made = {"command": COMMAND, "date": datetime.now(UTC).date().isoformat(), "seed": SEED, "settings": settings}
    return {**made, "times": list(TIMES), "kinds": results}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FILE)
    out = parser.parse_args().out
    found = run()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
