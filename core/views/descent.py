"""Training on one number: a weight of a small network, its gradient, a small step against it, the loss before and
after; then again.

The network is the one whose recorded runs stand on the training page (`Setting()`), before its first step, in float64.
The weight belongs to the end mark's row of the tied table. That row acts as the output's alone, since nothing that is
asked for comes after an end mark; so its gradient is Σ (p − q) · h ÷ T, which a reader can follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..training.runs import Setting, Writer, begin, causal, losses, tensors
from ..training.tasks import END, batch, vocabulary

TABLE = "embedding.token_table.weight"
RATES = (0.1, 1.0, 10.0)
STEPS = 12  # of the one weight
POINTS = 121  # of the curve
BEYOND = 1.0  # how far it reaches beyond what was visited,
REACH = 3.0  # ... and at least to either side of the first: the same way for every small step
NUDGES = (1.0, 0.1, 0.01, 0.001)
ROUNDS = 60  # steps of all weights together


@dataclass(frozen=True, eq=False)
class Descent:
    """One weight on its way down, all others as they were drawn.

    Attributes:
        row, dim: where it stands in the table.
        rate: the learning rate η.
        weights, losses, gradients: before the first step and after each, one more than are shown [STEPS + 2].
        along, curve: the weight at even distances and the loss there [POINTS].
        chances, wanted, states: for each token asked for, at each of these weights [STEPS + 2, T]: p of the end mark,
            whether the end mark was right (q), and the state's number h in this dimension.
        parameters: how many weights the network has.
    """

    row: int
    dim: int
    rate: float
    weights: np.ndarray
    losses: np.ndarray
    gradients: np.ndarray
    along: np.ndarray
    curve: np.ndarray
    chances: np.ndarray
    wanted: np.ndarray
    states: np.ndarray
    parameters: int

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in (self.curve, self.along, self.chances, self.wanted, self.states))


class Lesson:
    """The network and the one batch that it is asked again and again."""

    def __init__(self) -> None:
        setting = Setting()
        self.network: Writer = begin(setting).double().eval()
        self.rows, self.asked = tensors(batch(setting.task, setting.seed, 1, setting.batch), setting.task)
        self.row = vocabulary(setting.task).index(END)
        self.table = self.network.get_parameter(TABLE)
        self.dim = int(self.gradient([self.table])[0][self.row].abs().argmax())  # where a step does most

    def loss(self) -> Tensor:
        return losses(self.network(self.rows), self.rows, self.asked).sum() / self.asked.sum()

    def gradient(self, of: Sequence[Tensor]) -> Sequence[Tensor]:
        with torch.enable_grad():
            return torch.autograd.grad(self.loss(), of)

    @torch.no_grad()
    def loss_at(self, weight: float) -> float:
        """The loss with this one weight, which stays as it was."""
        before = self.table[self.row, self.dim].item()
        self.table[self.row, self.dim] = weight
        loss = self.loss().item()
        self.table[self.row, self.dim] = before
        return loss

    @torch.no_grad()
    def seen(self) -> np.ndarray:
        """[3, T], of every token asked for: p of the end mark, whether it was right, and h in this dimension."""
        states = self.network.encoder(self.network.embedding(self.rows), causal(self.rows.shape[1]))
        chances = self.network.output(states).softmax(-1)[..., self.row]
        asked = self.asked[:, 1:]
        right = self.rows[:, 1:] == self.row
        return torch.stack([x[asked].double() for x in (chances[:, :-1], right, states[:, :-1, self.dim])]).numpy()


def descend(rate: float) -> Descent:
    """STEPS steps of plain gradient descent on the one weight, by PyTorch's own optimizer."""
    lesson = Lesson()
    weight = torch.nn.Parameter(lesson.table[lesson.row, lesson.dim].detach().clone())
    optimizer = torch.optim.SGD([weight], lr=rate)
    weights, found, gradients, seen = [], [], [], []
    for _ in range(STEPS + 2):
        with torch.no_grad():
            lesson.table[lesson.row, lesson.dim] = weight
        weights.append(weight.item())
        found.append(lesson.loss().item())
        weight.grad = lesson.gradient([lesson.table])[0][lesson.row, lesson.dim]
        gradients.append(weight.grad.item())
        seen.append(lesson.seen())
        optimizer.step()
    reach = max(REACH, BEYOND + max(abs(w - weights[0]) for w in weights[:-1]))
    along = np.linspace(weights[0] - reach, weights[0] + reach, POINTS)
    curve = np.array([lesson.loss_at(float(w)) for w in along])
    chances, wanted, states = np.stack(seen, 1)
    parameters = sum(parameter.numel() for parameter in lesson.network.parameters())
    return Descent(
        lesson.row,
        lesson.dim,
        rate,
        *map(np.array, (weights, found, gradients)),
        along=along,
        curve=curve,
        chances=chances,
        wanted=wanted,
        states=states,
        parameters=parameters,
    )


@dataclass(frozen=True, eq=False)
class Nudge:
    """The weight moved by h up and down: what that did to the loss, over 2h."""

    h: float
    down: float
    up: float

    @property
    def slope(self) -> float:
        return (self.up - self.down) / (2 * self.h)


def nudges() -> tuple[Nudge, ...]:
    """The first gradient, without any rule: by trying."""
    lesson = Lesson()
    weight = lesson.table[lesson.row, lesson.dim].item()
    return tuple(Nudge(h, lesson.loss_at(weight - h), lesson.loss_at(weight + h)) for h in NUDGES)


def together(rate: float) -> np.ndarray:
    """The loss [ROUNDS + 1] when every weight takes its step, always on the same lines; NaN once it is no number."""
    lesson = Lesson()
    parameters = list(lesson.network.parameters())
    found = []
    for _ in range(ROUNDS + 1):
        with torch.enable_grad():
            loss = lesson.loss()
            gradients = torch.autograd.grad(loss, parameters)
        found.append(loss.item())
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter -= rate * gradient
    return np.array(found)
