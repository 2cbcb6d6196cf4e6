"""Train the poet: python -m core.training.poet

A decoder alone learns which character of a classical quatrain is next. One command makes everything in
`assets/models/poet`; it needs npm and the package `opencc`. Stopped, it goes on where it was; with fewer `--steps` than
it has gone, it ends at once with what it has.
"""

import argparse
import json
import math
import platform
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from ..files import MODELS
from ..model.checkpoint import fill, saved
from ..model.config import Config
from ..model.decoder import causal_mask
from ..model.language import LanguageModel
from ..model.taps import name_taps
from ..text.shared import SharedVocabulary
from . import quatrains
from .quatrains import LONGEST, PAD
from .translator import below, metadata, say, write

FOLDER = MODELS / "poet"
FILES = ("config.json", "vocabulary.json", "weights.safetensors")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the numbers, besides the machine."""

    seed: int = 1
    steps: int = 4000
    batch: int = 128
    warmup: int = 300
    peak: float = 2e-3  # the highest learning rate
    least: float = 0.05  # of it, at the end
    decay: float = 0.1  # of weights, not of γ, β and biases
    clip: float = 1.0  # the longest gradient
    snapshots: tuple[int, ...] = (100, 500, 2000)
    look_every: int = 200  # steps between looks at the poems held out


def config(vocabulary: SharedVocabulary) -> Config:
    return Config(
        vocab=len(vocabulary.pieces),
        d_model=192,
        heads=6,
        layers=5,
        d_ff=768,
        positions=LONGEST,
        segments=0,
        epsilon=1e-5,
        dropout=0.1,
        activation="gelu",
        norm="pre",
        position="learned",
    )


def learning_rate(step: int, recipe: Recipe) -> float:
    """Up in a straight line for `warmup` steps, then down along half a cosine (Loshchilov & Hutter 2017)."""
    if step < recipe.warmup:
        return recipe.peak * step / recipe.warmup
    done = min(1.0, (step - recipe.warmup) / max(1, recipe.steps - recipe.warmup))
    return recipe.peak * (recipe.least + (1 - recipe.least) * (1 + math.cos(math.pi * done)) / 2)


def loss_of(network: LanguageModel, rows: Tensor) -> Tensor:
    """Cross-entropy in nats a character, of what follows each; [PAD] is left out. rows [poem, n] ids.

    The probabilities of the output are not needed, so they are not computed.
    """
    given, wanted = rows[:, :-1], rows[:, 1:]
    states = network.decoder(network.embedding(given), causal_mask(given.shape[1]))  # poem, n, d_model
    logits = network.output.project(states).float()  # poem, n, vocab
    return functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD)


@torch.no_grad()
def held_out_loss(network: LanguageModel, rows: Tensor, size: int = 250) -> float:
    """The loss a character over all rows."""
    network.eval()
    parts = [(loss_of(network, part).item(), int((part[:, 1:] != PAD).sum())) for part in rows.split(size)]
    return sum(loss * count for loss, count in parts) / sum(count for _, count in parts)


def guesses(train: Tensor, held: Tensor, vocab: int) -> dict[str, float]:
    """The losses a character, on the rows held out, of who knows less: nothing; how often each character is; which
    character it follows.

    The last is a bigram with interpolated Kneser–Ney smoothing (Chen & Goodman 1999): from each count the discount
    D = n₁ / (n₁ + 2 n₂) is taken, and what that frees goes to the characters that follow many different ones.
    """
    pairs = [(rows[:, :-1].numpy(), rows[:, 1:].numpy()) for rows in (train, held)]
    (before, after), (given, wanted) = ((first[second != PAD], second[second != PAD]) for first, second in pairs)
    count = np.bincount(before * vocab + after, minlength=vocab * vocab).reshape(vocab, vocab)
    once, twice = (count == 1).sum(), (count == 2).sum()
    discount = once / max(1, once + 2 * twice)
    follows = (count > 0).sum(0) + 1  # how many different characters it follows; 1 more, so that none is impossible
    seen, kinds = np.maximum(count.sum(1), 1), np.maximum((count > 0).sum(1), 1)  # at least 1: never divided by 0
    freed = discount * kinds[given] / seen[given] * follows[wanted] / follows.sum()
    bigram = np.maximum(count[given, wanted] - discount, 0) / seen[given] + freed
    unigram = (np.bincount(after, minlength=vocab) + 1) / (len(after) + vocab)
    found = {"uniform": math.log(vocab), "unigram": -np.log(unigram[wanted]).mean(), "bigram": -np.log(bigram).mean()}
    return {name: round(float(loss), 4) for name, loss in found.items()}


@dataclass(eq=False)
class Training:
    """A network on its way, and all that is needed to go on with it."""

    recipe: Recipe
    network: LanguageModel
    optimizer: torch.optim.AdamW
    step: int = 0
    seconds: float = 0.0
    plans: list[list[int]] = field(default_factory=list)  # from which step on how many were planned in all
    curves: dict[str, list[list[float]]] = field(default_factory=lambda: {"loss": [], "held_out": []})

    @classmethod
    def begin(cls, recipe: Recipe, vocabulary: SharedVocabulary) -> "Training":
        torch.manual_seed(recipe.seed)
        network = LanguageModel(config(vocabulary))
        name_taps(network)
        matrices = [parameter for parameter in network.parameters() if parameter.dim() > 1]
        vectors = [parameter for parameter in network.parameters() if parameter.dim() == 1]
        groups = [{"params": matrices, "weight_decay": recipe.decay}, {"params": vectors, "weight_decay": 0.0}]
        return cls(recipe, network, torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-9))

    def run(self, rows: Tensor) -> float:
        """One step; the loss before it. Products are made in bfloat16: three times as fast where a processor can."""
        started = time.perf_counter()
        self.network.train()
        self.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.step, self.recipe)
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(self.network, rows)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.seconds += time.perf_counter() - started
        return loss.item()

    def save(self, path: Path) -> None:
        """Weights, Adam's two moments and the state of the dice, in one safetensors file."""
        tensors = {f"weight.{name}": tensor for name, tensor in saved(self.network).items()}
        for name, parameter in self.network.named_parameters():
            state = self.optimizer.state.get(parameter, {})
            tensors |= {f"adam.{key}.{name}": value.clone() for key, value in state.items()}
        tensors["dice"] = torch.get_rng_state()
        done = {"step": self.step, "seconds": self.seconds, "plans": self.plans, "curves": self.curves}
        write(tensors, path, {"progress": json.dumps({"recipe": asdict(self.recipe), **done})})

    @classmethod
    def resume(cls, path: Path, recipe: Recipe, vocabulary: SharedVocabulary) -> "Training":
        """Go on from a file. Raises ValueError where it was made by another recipe."""
        training = cls.begin(recipe, vocabulary)
        progress = json.loads(metadata(path)["progress"])
        asked = json.loads(json.dumps(asdict(recipe)))
        if {**progress["recipe"], "steps": recipe.steps} != asked:  # it may go on for longer than was planned, or less
            raise ValueError(f"{path} was made by another recipe; --afresh begins again")
        tensors = load_file(path)
        fill(training.network, below("weight.", tensors))
        for name, parameter in training.network.named_parameters():
            keys = ("step", "exp_avg", "exp_avg_sq")
            training.optimizer.state[parameter] = {key: tensors[f"adam.{key}.{name}"] for key in keys}
        torch.set_rng_state(tensors["dice"])
        for name in ("step", "seconds", "plans", "curves"):
            setattr(training, name, progress[name])
        return training


def batch(rows: Tensor, recipe: Recipe, step: int) -> Tensor:
    """The rows of a step (from 0): every row once an epoch, in an order that seed and epoch decide."""
    epoch, number = divmod(step, len(rows) // recipe.batch)
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(1000 * recipe.seed + epoch))
    return rows[order[number * recipe.batch : (number + 1) * recipe.batch]]


def train(recipe: Recipe, poems: Sequence[str], folder: Path, quiet: bool = False) -> dict[str, Any]:
    """Train, measure, and write everything into `folder`; returns the metrics."""
    folder.mkdir(parents=True, exist_ok=True)
    known = [poem for poem in poems if not quatrains.held_out(poem)]
    vocabulary = quatrains.vocabulary(known)
    vocabulary.write(folder / "vocabulary.json")
    rows = quatrains.rows(known, vocabulary)
    held = quatrains.rows([poem for poem in poems if quatrains.held_out(poem)], vocabulary)
    say(f"{len(rows):,} poems, {len(held):,} held out, {len(vocabulary.pieces):,} pieces", quiet)
    checkpoint = folder / "checkpoint.safetensors"
    go_on = checkpoint.exists()
    training = Training.resume(checkpoint, recipe, vocabulary) if go_on else Training.begin(recipe, vocabulary)
    if training.step < recipe.steps and (not training.plans or training.plans[-1][1] != recipe.steps):
        training.plans.append([training.step, recipe.steps])
    while training.step < recipe.steps:
        loss = training.run(batch(rows, recipe, training.step))
        if training.step % 25 == 0 or training.step == 1:
            training.curves["loss"].append([training.step, round(loss, 4)])
        if training.step in recipe.snapshots:
            halved(training.network, folder / f"snapshot-{training.step:04}.safetensors")
        if training.step % recipe.look_every == 0 or training.step == recipe.steps:
            look(training, held)
            training.save(checkpoint)
            now = training.curves["held_out"][-1][1]
            say(f"step {training.step:5}  loss {loss:.3f}  held out {now:.3f}  {training.seconds:.0f} s", quiet)
    metrics = finish(training, folder, vocabulary, rows, held)
    checkpoint.unlink(missing_ok=True)
    return metrics


def look(training: Training, held: Tensor) -> None:
    """Measure on the poems held out, and note it."""
    started = time.perf_counter()
    training.curves["held_out"].append([training.step, round(held_out_loss(training.network, held), 4)])
    training.seconds += time.perf_counter() - started


def halved(network: LanguageModel, path: Path) -> None:
    """The weights as they are now, in half precision."""
    write({name: tensor.half() for name, tensor in saved(network).items()}, path)


def finish(training: Training, folder: Path, vocabulary: SharedVocabulary, rows: Tensor, held: Tensor) -> dict:
    """Write weights and metrics, measured on the weights as they are written."""
    network = training.network
    halved(network, folder / "weights.safetensors")
    fill(network, {name: tensor.half().float() for name, tensor in saved(network).items()})
    shape = asdict(config(vocabulary))
    (folder / "config.json").write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")
    metrics: dict[str, Any] = {
        "command": f"python -m core.training.poet --steps {training.step}",
        "recipe": asdict(training.recipe),
        "steps": training.step,
        "plans": training.plans,
        "minutes": round(training.seconds / 60, 1),
        "threads": torch.get_num_threads(),
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "vocabulary": len(vocabulary.pieces),
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "corpus": {
            "package": quatrains.PACKAGE,
            "sha256": quatrains.SHA256,
            "poems": len(rows) + len(held),
            "held_out": len(held),
            "characters": int((rows != PAD).sum()) - 2 * len(rows),
        },
        "loss": {"held_out": round(held_out_loss(network, held), 4), **guesses(rows, held, len(vocabulary.pieces))},
        "sha256": {file: sha256((folder / file).read_bytes()).hexdigest() for file in FILES},
        "curves": training.curves,
    }
    write_metrics(folder, metrics)
    return metrics


def write_metrics(folder: Path, metrics: Mapping[str, Any]) -> None:
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m core.training.poet", description="Train the poet.")
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    parser.add_argument("--steps", type=int, default=Recipe.steps)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--corpus", type=Path, help="where the package's archive is kept")
    parser.add_argument("--afresh", action="store_true", help="forget an unfinished training, or train once more")
    chosen = parser.parse_args(arguments)
    checkpoint = chosen.folder / "checkpoint.safetensors"
    if chosen.afresh:
        checkpoint.unlink(missing_ok=True)
    elif (chosen.folder / "weights.safetensors").exists() and not checkpoint.exists():
        print(f"{chosen.folder} holds a trained poet already; --afresh trains it again")
        return 0
    torch.set_num_threads(chosen.threads)
    with tempfile.TemporaryDirectory() as temporary:
        poems = quatrains.quatrains(quatrains.fetch(chosen.corpus or Path(temporary)))
    try:
        train(Recipe(seed=chosen.seed, steps=chosen.steps), poems, chosen.folder)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from the last look at the poems held out")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
