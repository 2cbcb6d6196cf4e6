"""The small layer with numbers that somebody typed: every state of it, its gradients, and one step down them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from .by_hand import MINUS

if TYPE_CHECKING:
    from torch import Tensor

GIVEN: dict[str, tuple[tuple[float, ...], ...]] = {
    "X": ((1, 0, 1, 0), (0, 1, 0, 1)),
    "WQ": ((1, 0), (0, 1), (0, 0), (0, 0)),
    "WK": ((1, 0), (0, 1), (0, 0), (0, 0)),
    "WV": ((1, 0), (0, 1), (0, 0), (0, 0)),
    "WO": ((0.5, 0, 0, 0.5), (0, 0.5, 1, 0)),
    "W1": ((1, 0, -1, 0), (0, 1, 0, -1), (0.5, -1, 0, 0), (0, 0, 1, 1)),
    "W2": ((0.5, 0, 0, 0), (0, 0.5, 0, 0), (0, 0, 0.5, 0), (0, 0, 0, 0.5)),
    "E": ((1, 0, 1, 0), (0, 1, 0, 1), (1, 1, -1, -1)),
}
LEARNED = tuple(name for name in GIVEN if name != "X")
BACKWARD = (
    "logits", "output", "residual2", "fed", "hidden", "normed", "residual", "attended", "context", "V", "weights",
    "scores", "Q", "K",
)  # fmt: skip
LARGEST, LONGEST = 1000.0, 1800  # the size of a number; characters of all that was typed
NUDGE = 1e-6  # of a finite difference


def changes(put: str) -> dict[str, str]:
    """What was typed, by place: "WQ.0.1=2;X.1.3=-1". Raises InputError where a place is none."""
    found = {}
    for piece in filter(None, put.split(";")):
        place, _, typed = piece.partition("=")
        name, *index = place.split(".")
        at = [int(i) for i in index if i.isascii() and i.isdecimal() and len(i) < 4]
        shape = np.shape(GIVEN.get(name, ()))
        if len(at) != 2 or len(shape) != 2 or at[0] >= shape[0] or at[1] >= shape[1]:
            raise InputError("small_place", place=place[:20])
        found[f"{name}.{at[0]}.{at[1]}"] = typed.strip()
    return found


def numbers(typed: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Every given matrix with what was typed in it. Raises InputError where that is no number, or too large."""
    matrices = {name: np.array(rows, np.float64) for name, rows in GIVEN.items()}
    for place, entry in typed.items():
        name, row, column = place.split(".")
        facts = {"matrix": name, "row": int(row), "column": int(column), "entry": entry[:20]}
        try:
            value = float(entry.translate(MINUS))
        except ValueError:
            raise InputError("small_entry", **facts) from None
        if not math.isfinite(value) or abs(value) > LARGEST:
            raise InputError("small_large", **facts, limit=f"{LARGEST:,.0f}")
        matrices[name][int(row), int(column)] = value
    return matrices


def states(matrices: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Every state of the layer, in float64."""
    from ..lessons.small_layer import small_layer

    return {name: state.numpy() for name, state in small_layer(tensors(matrices)).items()}


def tensors(matrices: Mapping[str, np.ndarray]) -> "dict[str, Tensor]":
    import torch

    return {name: torch.tensor(matrix, dtype=torch.float64) for name, matrix in matrices.items()}


@dataclass(frozen=True, eq=False)
class Step:
    """One step of gradient descent: every learned matrix less `rate` times the gradient of the loss."""

    before: dict[str, np.ndarray]
    gradients: dict[str, np.ndarray]  # of the loss, by each given matrix and each state
    rate: float
    target: int
    loss: float
    difference: float  # the largest, of an autograd gradient from a finite difference

    @cached_property
    def after(self) -> dict[str, np.ndarray]:
        """The matrices after the step; X is no parameter."""
        moved = {name: self.before[name] - self.rate * self.gradients[name] for name in LEARNED}
        return {"X": self.before["X"], **moved}

    @cached_property
    def states(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Before and after."""
        return states(self.before), states(self.after)

    @cached_property
    def new_loss(self) -> float:
        return loss(self.after, self.target)


def step(matrices: Mapping[str, np.ndarray], target: int, rate: float) -> Step:
    """The gradients at these numbers, by torch.autograd.grad, and a step of this rate."""
    import torch

    from ..lessons.small_layer import loss_of, small_layer

    given = {name: tensor.requires_grad_() for name, tensor in tensors(matrices).items()}
    made = small_layer(given)
    now = loss_of(made, target)
    by = {**given, **{name: made[name] for name in BACKWARD}}
    found = torch.autograd.grad(now, list(by.values()))
    gradients = {name: gradient.numpy() for name, gradient in zip(by, found, strict=True)}
    difference = max(
        float(np.abs(gradients[name] - finite).max()) for name, finite in finite_differences(matrices, target).items()
    )
    return Step(dict(matrices), gradients, rate, target, float(now.detach()), difference)


def finite_differences(matrices: Mapping[str, np.ndarray], target: int) -> dict[str, np.ndarray]:
    """The same gradients without any derivative: each number nudged up and down, all of them at once."""
    found = {}
    for name, matrix in matrices.items():
        nudges = NUDGE * np.eye(matrix.size).reshape(-1, *matrix.shape)  # number, row, column
        up, down = (losses({**matrices, name: matrix + sign * nudges}, target) for sign in (1, -1))
        found[name] = ((up - down) / (2 * NUDGE)).reshape(matrix.shape)
    return found


def losses(matrices: Mapping[str, np.ndarray], target: int) -> np.ndarray:
    from ..lessons.small_layer import loss_of, small_layer

    return loss_of(small_layer(tensors(matrices)), target).numpy()


def loss(matrices: Mapping[str, np.ndarray], target: int) -> float:
    return float(losses(matrices, target))
