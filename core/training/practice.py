"""What the three practices come to: `python -m core.training.practice`, a minute.

The gaps of the learners' own files are filled with PyTorch's layers; the files do the rest, and what they find is
kept for the page.
"""

import importlib.util
import json
from functools import cache
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from ..files import ASSETS, EXPERIMENTS

FOUND = EXPERIMENTS / "practice.json"
NORMS, DEPTHS = ("post", "pre", "none"), (2, 6, 10)
STEPS = 200  # of the positions' training, as in the file's last test


class TorchPositions(nn.Module):
    """The first practice by `nn.Embedding`, which learners are to do without."""

    def __init__(self, longest: int, d: int) -> None:
        super().__init__()
        self.table = nn.Embedding(longest, d)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.weight[: x.shape[1]]


def normalised(self: Any, x: Tensor) -> Tensor:
    return nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.epsilon)


def arranged(self: Any, x: Tensor) -> Tensor:
    if self.arrangement == "post":
        return self.norm(x + self.sublayer(x))
    return x + self.sublayer(self.norm(x) if self.arrangement == "pre" else x)


def starter(name: str) -> ModuleType:
    """The file as a learner has it."""
    spec = importlib.util.spec_from_file_location(f"practice_{name}", ASSETS / "practice" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def norms_file() -> ModuleType:
    """The third file, its two gaps filled."""
    module = starter("layernorm")
    module.LayerNorm.forward, module.Block.forward = normalised, arranged
    return module


def positions_losses() -> list[float]:
    """The loss before each step, and after the last, of telling ten positions apart."""
    torch.manual_seed(0)
    layer, readout = TorchPositions(10, 6), nn.Linear(6, 10)
    optimizer = torch.optim.Adam([*layer.parameters(), *readout.parameters()], lr=0.05)
    losses = []
    for _ in range(STEPS + 1):
        loss = nn.functional.cross_entropy(readout(layer(torch.zeros(1, 10, 6)))[0], torch.arange(10))
        losses.append(round(float(loss.detach()), 5))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses


def norms_steps() -> dict[str, list[list[int | None]]]:
    """Of each optimiser, for each depth and norm, the steps until the loss is .1; None where it never is."""
    module = norms_file()
    return {
        optimizer: [[module.steps_until(norm, layers, optimizer) for norm in NORMS] for layers in DEPTHS]
        for optimizer in module.OPTIMIZERS
    }


@cache
def found() -> dict[str, Any]:
    """What was kept."""
    return json.loads(FOUND.read_text(encoding="utf-8"))


def main() -> None:
    torch.set_num_threads(1)
    kept = {"positions": positions_losses(), "norms": norms_steps()}
    FOUND.write_text(json.dumps(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
