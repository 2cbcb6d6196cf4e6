"""The translator on its way: the networks after some steps of its training, and how well each writes and aligns.

`python -m core.training.snapshots` measures them on held-out sentences and writes assets/experiments/translator.json.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from .. import grammar
from ..files import EXPERIMENTS
from ..model.checkpoint import fill
from ..model.config import Config
from ..model.taps import name_taps
from ..model.transformer import Transformer
from .data import sentences
from .measure import alignment, exact_match
from .translator import FOLDER, Recipe

COMMAND = "python -m core.training.snapshots"
FILE = EXPERIMENTS / "translator.json"
LAST = Recipe.steps  # whose weights are those in use: the mean of the last looks
STEPS = (*Recipe.snapshots, LAST)
SENTENCES = 200


def network_at(folder: Path, step: int) -> Transformer:
    """The network after so many of `STEPS`; the snapshots are in half precision. Raises OSError for another step."""
    config = Config(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    network = Transformer(config)
    file = "weights" if step == LAST else f"snapshot-{step:04}"
    fill(network, {name: tensor.float() for name, tensor in load_file(folder / f"{file}.safetensors").items()})
    name_taps(network)
    return network.eval()


@cache
def measured() -> Mapping[str, Any]:
    """What the command found."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def measure(folder: Path, steps: Sequence[int], count: int) -> list[dict[str, Any]]:
    """Of each step: the share of held-out sentences translated word for word, and how each head aligns."""
    vocabulary, data = grammar.vocabulary(), sentences("snapshots", "sentence", count)
    found = []
    for step in steps:
        network = network_at(folder, step)
        exact, _ = exact_match(network, data, vocabulary)
        found.append({"step": step, "exact": round(exact, 4), **alignment(network, data, vocabulary).as_json()})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Measure the translator's snapshots.")
    parser.add_argument("--out", type=Path, default=FILE)
    out = parser.parse_args().out
    began = time.monotonic()
    torch.set_num_threads(1)
    about = {"command": COMMAND, "date": date.today().isoformat(), "sentences": SENTENCES}
    about |= {"steps": measure(FOLDER, STEPS, SENTENCES), "seconds": round(time.monotonic() - began)}
    out.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(f"{out}: {len(STEPS)} snapshots, {about['seconds']} s")


if __name__ == "__main__":
    main()
