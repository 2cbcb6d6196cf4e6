"""Train the translator: python -m core.training.translator

One command makes everything in `assets/models/translator`. Stopped, it goes on where it was; done, it does nothing
but say so, unless asked to begin again.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from .. import grammar
from ..files import MODELS
from ..model.checkpoint import fill, saved
from ..model.config import Config
from ..model.taps import name_taps
from ..model.transformer import Transformer
from ..text.shared import SharedVocabulary
from .card import write_cards
from .data import HELD_OUT_PAIRS, HELD_OUT_SENTENCES, PAD, Batch, Rows, sentences
from .measure import alignment, exact_match

FOLDER = MODELS / "translator"
FILES = ("config.json", "vocabulary.json", "weights.safetensors")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the numbers, besides the machine."""

    seed: int = 1
    steps: int = 6000
    batch: int = 128
    sentences: int = 150_000  # to train on; all different
    warmup: int = 800
    factor: float = 0.5  # of the paper's learning rate
    smoothing: float = 0.1
    snapshots: tuple[int, ...] = (0, 250, 500, 1000)
    look_every: int = 250  # steps between looks at the development sentences
    averaged: int = 5  # the weights at the last so many looks, averaged, are the result (6.1)
    look_at: int = 500  # how many of those there are, of either share
    tested: int = 2000  # sentences of either share in the final measure, none of them looked at before


def config(vocabulary: SharedVocabulary) -> Config:
    return Config(
        vocab=len(vocabulary.pieces),
        d_model=128,
        heads=4,
        layers=2,
        d_ff=512,
        positions=200,
        segments=0,
        epsilon=1e-12,
        dropout=0.1,
        activation="relu",
        norm="post",
        position="sinusoidal",
        decoder_layers=2,
        target_positions=64,
    )


def learning_rate(step: int, d_model: int, warmup: int, factor: float) -> float:
    """Up in a straight line for `warmup` steps, then down with the root of the step (Vaswani et al. 2017, 5.3)."""
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def loss_of(logits: Tensor, batch: Batch, smoothing: float) -> Tensor:
    """Cross-entropy a word, [PAD] left out; `smoothing` of the target is spread over all words (5.4)."""
    flat, wanted = logits.flatten(0, 1), batch.target_out.flatten()
    return functional.cross_entropy(flat, wanted, ignore_index=PAD, label_smoothing=smoothing)


@dataclass(eq=False)
class Training:
    """A network on its way, and all that is needed to go on with it."""

    recipe: Recipe
    network: Transformer
    optimizer: torch.optim.Adam
    step: int = 0
    seconds: float = 0.0
    recent: list[dict[str, Tensor]] = field(default_factory=list)  # the weights at the last looks
    curves: dict[str, list[list[float]]] = field(default_factory=lambda: {"loss": [], "sentence": [], "pair": []})

    @classmethod
    def begin(cls, recipe: Recipe, vocabulary: SharedVocabulary) -> "Training":
        torch.manual_seed(recipe.seed)
        network = Transformer(config(vocabulary))
        name_taps(network)
        optimizer = torch.optim.Adam(network.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
        return cls(recipe, network, optimizer)

    def run(self, batch: Batch) -> float:
        """One step; the loss before it."""
        started = time.perf_counter()
        self.network.train()
        self.step += 1
        recipe = self.recipe
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(
                self.step, self.network.embedding.token_table.embedding_dim, recipe.warmup, recipe.factor
            )
        logits, _ = self.network(batch.source, batch.source_padding, batch.target_in, batch.target_padding)
        loss = loss_of(logits, batch, recipe.smoothing)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.seconds += time.perf_counter() - started
        return loss.item()

    def remember(self) -> None:
        """Keep the weights as they are now for the average."""
        now = {name: tensor.clone() for name, tensor in saved(self.network).items()}
        self.recent = [*self.recent, now][-self.recipe.averaged :]

    def average(self) -> None:
        """Put the mean of the weights that were kept in the place of the last ones (Vaswani et al. 2017, 6.1)."""
        means = {name: torch.stack([kept[name] for kept in self.recent]).mean(0) for name in self.recent[0]}
        fill(self.network, means)

    def save(self, path: Path) -> None:
        """Weights, now and at the last looks, Adam's two moments and the state of the dice, in one safetensors file."""
        tensors = {f"weight.{name}": tensor for name, tensor in saved(self.network).items()}
        for name, parameter in self.network.named_parameters():
            state = self.optimizer.state.get(parameter, {})
            tensors |= {f"adam.{key}.{name}": value.clone() for key, value in state.items()}
        for number, kept in enumerate(self.recent):
            tensors |= {f"recent.{number}.{name}": tensor for name, tensor in kept.items()}
        tensors["dice"] = torch.get_rng_state()
        progress = {"recipe": asdict(self.recipe), "step": self.step, "seconds": self.seconds, "curves": self.curves}
        write(tensors, path, {"progress": json.dumps(progress)})

    @classmethod
    def resume(cls, path: Path, recipe: Recipe, vocabulary: SharedVocabulary) -> "Training":
        """Go on from a file.

        Raises:
            ValueError: it was made by another recipe.
        """
        training = cls.begin(recipe, vocabulary)
        progress = json.loads(metadata(path)["progress"])
        asked = json.loads(json.dumps(asdict(recipe)))
        if {**progress["recipe"], "steps": recipe.steps} != asked:  # it may go on for longer than was planned
            raise ValueError(f"{path} was made by another recipe; --afresh begins again")
        tensors = load_file(path)
        fill(training.network, below("weight.", tensors))
        training.recent = [kept for n in range(recipe.averaged) if (kept := below(f"recent.{n}.", tensors))]
        for name, parameter in training.network.named_parameters():
            keys = ("step", "exp_avg", "exp_avg_sq")
            training.optimizer.state[parameter] = {key: tensors[f"adam.{key}.{name}"] for key in keys}
        torch.set_rng_state(tensors["dice"])
        training.step, training.seconds, training.curves = progress["step"], progress["seconds"], progress["curves"]
        return training


def below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with `prefix`, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def write(tensors: dict[str, Tensor], path: Path, about: dict[str, str] | None = None) -> None:
    """A safetensors file that everyone may read: whole, or not there at all."""
    new = path.with_suffix(".new")
    save_file(tensors, new, about)
    new.chmod(0o644)
    new.replace(path)


def metadata(path: Path) -> dict[str, str]:
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        return file.metadata()


def batches(rows: Rows, recipe: Recipe, step: int) -> Iterator[Batch]:
    """Batches for ever, beginning with the one of `step` (from 0)."""
    per_epoch = -(-len(rows) // recipe.batch)
    epoch, skip = divmod(step, per_epoch)
    while True:
        for number, batch in enumerate(rows.epoch(f"{recipe.seed} epoch {epoch}", recipe.batch)):
            if number >= skip:
                yield batch
        epoch, skip = epoch + 1, 0


def train(recipe: Recipe, folder: Path, quiet: bool = False) -> dict:
    """Train, measure, and write everything into `folder`; returns the metrics."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = grammar.vocabulary()
    vocabulary.write(folder / "vocabulary.json")
    checkpoint = folder / "checkpoint.safetensors"
    training = (
        Training.resume(checkpoint, recipe, vocabulary) if checkpoint.exists() else Training.begin(recipe, vocabulary)
    )
    say(f"{recipe.sentences:,} sentences …", quiet)
    rows = Rows(sentences(f"{recipe.seed} train", "train", recipe.sentences), vocabulary)
    looks = {which: sentences(f"{recipe.seed} look", which, recipe.look_at) for which in ("sentence", "pair")}
    source = batches(rows, recipe, training.step)
    if training.step == 0:
        snapshot(training, folder)
    while training.step < recipe.steps:
        loss = training.run(next(source))
        if training.step % 25 == 0 or training.step == 1:
            training.curves["loss"].append([training.step, round(loss, 4)])
        bar(training, loss, quiet)
        if training.step in recipe.snapshots:
            snapshot(training, folder)
        if training.step % recipe.look_every == 0 or training.step == recipe.steps:
            started = time.perf_counter()
            for which, data in looks.items():
                share, _ = exact_match(training.network, data, vocabulary)
                training.curves[which].append([training.step, round(share, 4)])
            training.seconds += time.perf_counter() - started
            training.remember()
            training.save(checkpoint)
            seen = ", ".join(f"{which} {training.curves[which][-1][1]:.1%}" for which in looks)
            say(f"\rstep {training.step:5}  loss {loss:.3f}  exact match: {seen}" + " " * 30, quiet)
    training.average()
    metrics = finish(training, folder, vocabulary, {s.zh for data in looks.values() for s in data}, quiet)
    checkpoint.unlink(missing_ok=True)
    return metrics


def finish(training: Training, folder: Path, vocabulary: SharedVocabulary, looked_at: set[str], quiet: bool) -> dict:
    """Measure on sentences never looked at before; write weights, metrics and cards."""
    recipe, network = training.recipe, training.network
    started = time.perf_counter()
    say("measuring …", quiet)
    exact, fresh = {}, []
    for which in ("sentence", "pair"):
        drawn = sentences(f"{recipe.seed} test", which, recipe.tested + len(looked_at))
        data = [sentence for sentence in drawn if sentence.zh not in looked_at][: recipe.tested]
        fresh += data[: recipe.look_at]
        exact[which], wrong = exact_match(network, data, vocabulary)
        for sentence, written in wrong[:10]:
            say(f"  {sentence.zh} | {' '.join(sentence.words)} | {written}", quiet)
    aligned = alignment(network, fresh, vocabulary).as_json()
    write(saved(network), folder / "weights.safetensors")
    shape = asdict(config(vocabulary))
    (folder / "config.json").write_text(json.dumps(shape, indent=1) + "\n", encoding="utf-8")
    seconds = training.seconds + time.perf_counter() - started
    metrics: dict[str, Any] = {
        "command": "python -m core.training.translator" + changed(recipe),
        "recipe": asdict(recipe),
        "seed": recipe.seed,
        "steps": training.step,
        "minutes": round(seconds / 60, 1),
        "threads": torch.get_num_threads(),
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "vocabulary": {"source": len(vocabulary.source), "target": len(vocabulary.target)},
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "held_out": {"sentences": f"1 in {HELD_OUT_SENTENCES}", "pairs": f"1 in {HELD_OUT_PAIRS}"},
        "exact_match": {"tested": recipe.tested, **{which: round(share, 4) for which, share in exact.items()}},
        "alignment": aligned,
        "sha256": {file: sha256((folder / file).read_bytes()).hexdigest() for file in FILES},
        "curves": training.curves,
    }
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    write_cards(folder, metrics)
    say(
        f"held-out sentences {exact['sentence']:.2%}, held-out pairs {exact['pair']:.2%}, {seconds / 60:.1f} min", quiet
    )
    return metrics


def snapshot(training: Training, folder: Path) -> None:
    """The weights as they are now, in half precision."""
    halved = {name: tensor.half() for name, tensor in saved(training.network).items()}
    write(halved, folder / f"snapshot-{training.step:04}.safetensors")


def changed(recipe: Recipe) -> str:
    """The arguments that make a recipe of the usual one."""
    usual = asdict(Recipe())
    parts = [f" --{name} {value}" for name, value in asdict(recipe).items() if value != usual[name]]
    return "".join(part for part in parts if part.split()[0] in ("--seed", "--steps"))


def bar(training: Training, loss: float, quiet: bool) -> None:
    if quiet or not sys.stdout.isatty():
        return
    step, steps = training.step, training.recipe.steps
    left = training.seconds / step * (steps - step) / 60
    full = round(30 * step / steps)
    print(
        f"\r{'█' * full}{'░' * (30 - full)} {step}/{steps}  loss {loss:.3f}  {left:.0f} min left ", end="", flush=True
    )


def say(text: str, quiet: bool) -> None:
    if not quiet:
        print(text, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m core.training.translator", description="Train the Chinese-English translator."
    )
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    parser.add_argument("--steps", type=int, default=Recipe.steps)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--afresh", action="store_true", help="forget an unfinished training, or train once more")
    chosen = parser.parse_args(arguments)
    checkpoint = chosen.folder / "checkpoint.safetensors"
    if chosen.afresh:
        checkpoint.unlink(missing_ok=True)
    elif (chosen.folder / "weights.safetensors").exists() and not checkpoint.exists():
        print(f"{chosen.folder} holds a trained translator already; --afresh trains it again")
        return 0
    torch.set_num_threads(chosen.threads)
    try:
        train(Recipe(seed=chosen.seed, steps=chosen.steps), chosen.folder)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from the last look at the development sentences")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
