"""Train the model that fills gaps: `python -m core.training.masked`, ten to twenty-five minutes on one core.

Its lines are those of the translator's grammar, Chinese and English. It learns two things at once, as BERT did: what
stood at [MASK]; and from the state of [CLS] whether two neighbours of the line have been exchanged. No counting of
words can tell that: both lines hold the same ones.
"""

import json
import platform
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from .. import grammar
from ..files import MODELS
from ..model.config import Config
from ..model.masked import MaskedLanguageModel
from ..model.taps import name_taps
from ..text.gaps import CLS, MASK, PAD, SEP, pieces
from .data import padded, sentences

COMMAND = "python -m core.training.masked"
FOLDER = MODELS / "masked"
LANGS = ("zh", "en")
Line = tuple[int, ...]  # ids, without [CLS] and [SEP]


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the numbers, besides the machine."""

    seed: int = 1
    sentences: int = 60_000  # to train on, each in both languages
    held_out: int = 2_000  # to judge by
    steps: int = 9_000
    batch: int = 128  # lines: half with gaps, half in order or not
    rate: float = 2e-3
    warmup: int = 200
    share: float = 0.15  # of tokens that become [MASK], at least one a line


def config() -> Config:
    return Config(
        vocab=len(rows()),
        d_model=64,
        heads=4,
        layers=3,
        d_ff=256,
        positions=64,
        segments=0,
        epsilon=1e-5,
        dropout=0.0,
        activation="gelu",
        norm="pre",
        position="sinusoidal",
    )


@cache
def rows() -> tuple[str, ...]:
    """The pieces, in the order of their ids."""
    return pieces(grammar.vocabulary())


@cache
def ids() -> dict[str, int]:
    return {piece: id for id, piece in enumerate(rows())}


# ---- lines


def lines(which: str, seed: int, count: int) -> dict[str, list[Line]]:
    """Of so many sentences: the characters of the Chinese, the words of the English."""
    found = sentences(seed, which, count)  # type: ignore[arg-type]
    return {
        "zh": [tuple(ids()[character] for character in sentence.zh) for sentence in found],
        "en": [tuple(ids()[word] for word in sentence.words) for sentence in found],
    }


def with_gaps(line: Line, random: Random, share: float) -> tuple[Line, tuple[int, ...]]:
    """A line with [MASK] in some places, and these places."""
    places = [i for i in range(len(line)) if random.random() < share] or [random.randrange(len(line))]
    return tuple(MASK if i in places else id for i, id in enumerate(line)), tuple(places)


def exchanged(line: Line, random: Random) -> Line:
    """Two neighbours that differ have changed places."""
    at = random.choice([i for i in range(len(line) - 1) if line[i] != line[i + 1]])
    return (*line[:at], line[at + 1], line[at], *line[at + 2 :])


def framed(found: Sequence[Line]) -> Tensor:
    """[line, longest]: [CLS] before each, [SEP] behind, [PAD] to one length."""
    return padded([[CLS, *line, SEP] for line in found])


# ---- training


def begin(recipe: Recipe) -> MaskedLanguageModel:
    torch.manual_seed(recipe.seed)
    network = MaskedLanguageModel(config())
    name_taps(network)
    return network


def losses(
    network: MaskedLanguageModel, batch: Sequence[Line], random: Random, recipe: Recipe
) -> tuple[Tensor, Tensor]:
    """The cross-entropy at the gaps of the first half, and of what [CLS] says of the second."""
    half = len(batch) // 2
    gaps = [with_gaps(line, random, recipe.share) for line in batch[:half]]
    orders = [exchanged(line, random) if i % 2 else line for i, line in enumerate(batch[half:])]
    given = framed([*(line for line, _ in gaps), *orders])
    states = network(given, given == PAD)
    where = [(row, place) for row, (_, places) in enumerate(gaps) for place in places]
    at = torch.tensor([(row, place + 1) for row, place in where])
    wanted = torch.tensor([batch[row][place] for row, place in where])
    filled = functional.cross_entropy(network.words(states[at[:, 0], at[:, 1]]), wanted)
    judged = functional.cross_entropy(network.verdict(states[half:]), torch.arange(len(orders)) % 2)
    return filled, judged


def train(recipe: Recipe, found: Sequence[Line], network: MaskedLanguageModel) -> Iterator[tuple[float, float]]:
    """The two losses of each step, before it; the learning rate rises, then falls to 0 in a straight line."""
    random = Random(recipe.seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, betas=(0.9, 0.98))
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            left = (recipe.steps - step) / (recipe.steps - recipe.warmup)
            group["lr"] = recipe.rate * min(step / recipe.warmup, left)
        filled, judged = losses(network, random.choices(found, k=recipe.batch), random, recipe)
        optimizer.zero_grad()
        (filled + judged).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        yield filled.item(), judged.item()


# ---- measured


def one_gap_each(found: Sequence[Line], seed: int = 0) -> list[tuple[Line, int]]:
    """Of each line, one place drawn."""
    random = Random(seed)
    return [(line, random.randrange(len(line))) for line in found]


@torch.no_grad()
def filled_right(network: MaskedLanguageModel, asked: Sequence[tuple[Line, int]]) -> float:
    """The share of single gaps whose token comes first."""
    given = framed([(*line[:at], MASK, *line[at + 1 :]) for line, at in asked])
    places = torch.tensor([at + 1 for _, at in asked])
    states = network(given, given == PAD)[torch.arange(len(given)), places]
    wanted = torch.tensor([line[at] for line, at in asked])
    return (network.words(states).argmax(-1) == wanted).double().mean().item()


@torch.no_grad()
def ordered_right(network: MaskedLanguageModel, found: Sequence[Line], seed: int = 0) -> float:
    """The share of right verdicts where every line comes twice, in order and not."""
    random = Random(seed)
    right = []
    for wanted, asked in enumerate((found, [exchanged(line, random) for line in found])):
        given = framed(asked)
        right.append(network.verdict(network(given, given == PAD)).argmax(-1) == wanted)
    return torch.cat(right).double().mean().item()


class Neighbours:
    """What fills a gap most often between the same two neighbours; where they were never seen, behind the left one;
    where that was never seen, what fills most gaps."""

    def __init__(self, found: Sequence[Line]):
        self.between: dict[tuple[int, int], Counter[int]] = {}
        self.behind: dict[int, Counter[int]] = {}
        self.all = Counter(id for line in found for id in line)
        for line in found:
            whole = (CLS, *line, SEP)
            for left, middle, right in zip(whole, whole[1:], whole[2:], strict=False):
                self.between.setdefault((left, right), Counter())[middle] += 1
                self.behind.setdefault(left, Counter())[middle] += 1

    def guess(self, line: Line, at: int) -> int:
        whole = (CLS, *line, SEP)
        seen = self.between.get((whole[at], whole[at + 2])) or self.behind.get(whole[at]) or self.all
        return max(seen, key=lambda id: (seen[id], -id))

    def right(self, asked: Sequence[tuple[Line, int]]) -> float:
        return sum(self.guess(line, at) == line[at] for line, at in asked) / len(asked)


def most_frequent_right(found: Sequence[Line], asked: Sequence[tuple[Line, int]]) -> float:
    """The share of gaps that the most frequent token of all fills."""
    (best, _), *_ = Counter(id for line in found for id in line).most_common(1)
    return sum(line[at] == best for line, at in asked) / len(asked)


def measured(
    network: MaskedLanguageModel, trained: dict[str, list[Line]], held: dict[str, list[Line]]
) -> dict[str, Any]:
    """Of each language, the share of held-out gaps and orders that are right, and of gaps for who knows less."""
    network.eval()
    found = {}
    for lang in LANGS:
        asked = one_gap_each(held[lang])
        found[lang] = {
            "gaps": filled_right(network, asked),
            "neighbours": Neighbours(trained[lang]).right(asked),
            "most_frequent": most_frequent_right(trained[lang], asked),
            "order": ordered_right(network, held[lang]),
        }
    return found


# ---- kept


def save(network: MaskedLanguageModel, facts: dict[str, Any], folder: Path = FOLDER) -> None:
    """The weights in half precision, and the card that names their checksum."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "weights.safetensors"
    save_file({name: tensor.half().contiguous() for name, tensor in network.state_dict().items()}, path)
    card = {"command": COMMAND, "sha256": sha256(path.read_bytes()).hexdigest(), **facts}
    (folder / "metrics.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


@cache
def card() -> dict[str, Any]:
    """How it was trained, and what it got right."""
    return json.loads((FOLDER / "metrics.json").read_text(encoding="utf-8"))


@cache
def load() -> MaskedLanguageModel:
    """The trained network. Raises OSError where its file is missing."""
    network = MaskedLanguageModel(config())
    name_taps(network)
    network.load_state_dict(
        {name: tensor.float() for name, tensor in load_file(FOLDER / "weights.safetensors").items()}
    )
    return network.eval().requires_grad_(False)


def main() -> None:
    torch.set_num_threads(1)
    recipe, started = Recipe(), time.perf_counter()
    trained = lines("train", recipe.seed, recipe.sentences)
    held = lines("sentence", recipe.seed + 1, recipe.held_out)
    network, curves = begin(recipe), []
    for step, pair in enumerate(train(recipe, [*trained["zh"], *trained["en"]], network), 1):
        if step % 250 == 0:
            curves.append([step, *(round(loss, 4) for loss in pair)])
            print(*curves[-1], f"{time.perf_counter() - started:.0f} s", flush=True)
    # Judged as it is kept, in half precision.
    network.load_state_dict({name: tensor.half().float() for name, tensor in network.state_dict().items()})
    facts = {
        "recipe": asdict(recipe),
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "seconds": round(time.perf_counter() - started),
        "machine": f"{platform.machine()}, one thread, torch {torch.__version__}",
        "held_out": measured(network, trained, held),
        "losses": curves,
    }
    save(network, facts)
    print(json.dumps(facts["held_out"], indent=1))


if __name__ == "__main__":
    main()
