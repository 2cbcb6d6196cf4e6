"""Small trainings that differ in one thing: a network, a task, and a log of all that happened.

Everything is decided by the `Setting`: the same one gives the same numbers on the same machine. It may be drawn by
anyone, a page included; nothing here keeps anything between two runs.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..dice import Seeded
from ..edits import Edit, cut, drop_sqrt_d, drop_sqrt_dk, silence
from ..model.config import Config
from ..model.embedding import TransformerEmbedding
from ..model.encoder import Stack
from ..model.feedforward import FeedForward
from ..model.taps import editing, name_taps
from ..model.transformer import draw_weights
from .tasks import batch, frequent, held_out, ids, longest, vocabulary

LOOK_EVERY = 10  # steps between two looks at the held-out lines
LOOK_AT = 100  # of them
MATRIX = "encoder.0.attention.sublayer.to_query.weight"  # the one that is kept at every look
POSITIONS = "embedding.position_table.table.weight"  # kept too, where it is learned
WIDE = 32  # rows and columns of it that are kept
BLOWN = 10  # a loss so many times worse than guessing, and than the first one, is not coming back
PATIENCE = 10  # steps over which that is judged


@dataclass(frozen=True)
class Setting:
    """All that decides a run."""

    task: str = "numerals"
    norm: str = "post"  # or "pre", or "none"
    layers: int = 2
    d_model: int = 32
    position: str = "sinusoidal"  # or any other that core.model knows
    tied: bool = True  # whether the output's matrix is the embedding table
    root_k: bool = True  # whether scores are divided by √d_head
    root_d: bool = True  # whether token vectors are multiplied by √d_model
    warmup: int = 40  # steps in which the learning rate rises to its height; 0: it stands there from the start
    rate: float = 0.003
    steps: int = 240
    few: int = 0  # how many different lines there are to train on; 0: fresh ones at every step
    table: float = 0.0  # the standard deviation of the table's first numbers; 0: 1/√d_model
    frequent: float = 1.0  # what the first rows of the more frequent half of the tokens are multiplied by
    seed: int = 0
    heads: int = 4
    batch: int = 16
    residual: bool = True  # whether each sub-layer's input is added to its output
    dropout: float = 0.0  # the share of numbers set to 0 while training, after the embedding and each sub-layer
    feedforward: str = "relu"  # or "linear", without its activation function; or "none", where it writes nothing

    @property
    def config(self) -> Config:
        return Config(
            vocab=len(vocabulary(self.task)),
            d_model=self.d_model,
            heads=self.heads,
            layers=self.layers,
            d_ff=4 * self.d_model,
            positions=longest(self.task),
            segments=0,
            epsilon=1e-5,
            dropout=self.dropout,
            activation="relu",
            norm=self.norm,
            position=self.position,
        )

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What is changed in the network while it runs: the same edits that other pages offer."""
        return (
            *(() if self.root_k else (drop_sqrt_dk(self.config.d_head),)),
            *(() if self.root_d else (drop_sqrt_d(),)),
            *(() if self.residual else (cut(),)),
            *(silence("encoder", i + 1, "feedforward") for i in range(self.layers) if self.feedforward == "none"),
        )

    @property
    def guessing(self) -> float:
        """The loss of giving every token of the vocabulary the same probability: ln V."""
        return math.log(len(vocabulary(self.task)))

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, from 1."""
        return self.rate * min(1.0, step / self.warmup) if self.warmup else self.rate


class Writer(nn.Module):
    """A decoder alone: each token sees those before it, and says what comes next."""

    def __init__(self, setting: Setting):
        super().__init__()
        config = setting.config
        self.embedding = TransformerEmbedding(config, nn.Embedding(config.vocab, config.d_model), "token")
        self.encoder = Stack(config)
        self.output = nn.Linear(config.d_model, config.vocab, bias=False)
        if setting.tied:
            self.output.weight = self.embedding.token_table.weight
        for module in self.modules() if setting.feedforward == "linear" else ():
            if isinstance(module, FeedForward):
                module.activation = nn.Identity()
        draw_weights(self, self.embedding, config)
        if setting.table:
            nn.init.normal_(self.embedding.token_table.weight, std=setting.table)
        if setting.frequent != 1:
            with torch.no_grad():
                self.embedding.token_table.weight[list(frequent(setting.task))] *= setting.frequent

    def forward(self, ids: Tensor) -> Tensor:
        """ids [batch, token] -> logits [batch, token, vocab]."""
        return self.output(self.encoder(self.embedding(ids), causal(ids.shape[1])))


def causal(n: int) -> Tensor:
    """[1, n, n]: 0 for a token and those before it, -inf for those after."""
    return torch.full((1, n, n), -torch.inf).triu(1)


def begin(setting: Setting) -> Writer:
    """The network before its first step; the dice of the process stay as they are."""
    with Seeded(setting.seed):
        network = Writer(setting)
    name_taps(network)
    return network


def parameters(setting: Setting) -> int:
    """How many a network learns with: where feed-forward networks write nothing, not theirs, nor those of the norms
    that belong to them."""
    idle = ".feedforward." if setting.feedforward == "none" else None
    return sum(tensor.numel() for name, tensor in begin(setting).named_parameters() if not (idle and idle in name))


def losses(logits: Tensor, rows: Tensor, asked: Tensor) -> Tensor:
    """[batch, token - 1]: −ln p of each token of an answer, from the one before it; 0 elsewhere."""
    each = functional.cross_entropy(logits[:, :-1].flatten(0, 1), rows[:, 1:].flatten(), reduction="none")
    return each.view(len(rows), -1) * asked[:, 1:]


@torch.no_grad()
def first_scores(setting: Setting) -> tuple[float, float]:
    """Before the first step, over the tokens that the first batch asks for: the mean standard deviation of the logits
    of one, and the mean of its largest probability."""
    rows, asked = tensors(batch(setting.task, setting.seed, 1, setting.batch, setting.few), setting.task)
    with editing(setting.edits):
        logits = begin(setting).eval()(rows)[:, :-1][asked[:, 1:]]  # asked, vocab
    return float(logits.std(-1).mean()), float(logits.softmax(-1).max(-1).values.mean())


def tensors(lines: Sequence, task: str) -> tuple[Tensor, Tensor]:
    rows, asked = ids(lines, task)
    return torch.tensor(rows), torch.tensor(asked)


@dataclass(eq=False)
class Log:
    """What happened so far: of every step, and at every look.

    `lines` are the sums of −ln p over each line of a step's batch; a step's loss is their sum over the tokens asked.
    """

    loss: list[float] = field(default_factory=list)
    gradient: list[float] = field(default_factory=list)
    lines: list[list[float]] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)  # the steps after which it looked
    held: list[float] = field(default_factory=list)  # the loss of the held-out lines
    right: list[float] = field(default_factory=list)  # the share of them that was answered without a fault
    matrices: list[np.ndarray] = field(default_factory=list)  # at every look
    positions: list[np.ndarray] = field(default_factory=list)  # the learned table of positions, at every look
    blown: bool = False

    @property
    def step(self) -> int:
        return len(self.loss)


def train(setting: Setting, log: Log | None = None) -> Iterator[Log]:
    """Train from the beginning; the log, which grows, after each step. It ends early where the loss is blown up."""
    log = Log() if log is None else log
    network = begin(setting)
    optimizer = torch.optim.Adam(network.parameters(), lr=setting.rate, betas=(0.9, 0.98))
    with editing(setting.edits):
        look(network, setting, log)
    while log.step < setting.steps and not log.blown:
        with editing(setting.edits):  # not around the yield: whoever reads the log has a context of his own
            step(network, optimizer, setting, log)
            if log.step % LOOK_EVERY == 0 or log.step == setting.steps or log.blown:
                look(network, setting, log)
        yield log


def step(network: Writer, optimizer: torch.optim.Optimizer, setting: Setting, log: Log) -> None:
    """One step: the loss of a batch, its gradient, and a step of Adam against it."""
    number = log.step + 1
    rows, asked = tensors(batch(setting.task, setting.seed, number, setting.batch, setting.few), setting.task)
    for group in optimizer.param_groups:
        group["lr"] = setting.rate_at(number)
    network.train()
    with dice(setting.seed, number):
        each = losses(network(rows), rows, asked)
    loss = each.sum() / asked.sum()
    optimizer.zero_grad()
    loss.backward()
    squares = [parameter.grad.square().sum() for parameter in network.parameters() if parameter.grad is not None]
    optimizer.step()
    log.loss.append(float(loss.detach()))
    log.gradient.append(float(torch.stack(squares).sum().sqrt()))
    log.lines.append(each.detach().sum(-1).tolist())
    log.blown = blown(log, setting)


@contextmanager
def dice(seed: int, step: int) -> Iterator[None]:
    """What dropout draws in one step, the same in every run; the dice of the process stay as they are."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed << 32 | step)
        yield


@torch.no_grad()
def look(network: Writer, setting: Setting, log: Log) -> None:
    """The held-out lines: loss, and how many answers are right in every token; and the matrix as it is now."""
    network.eval()
    rows, asked = tensors(held_out(setting.task, LOOK_AT), setting.task)
    logits = network(rows)
    wrong = (logits[:, :-1].argmax(-1) != rows[:, 1:]) & asked[:, 1:]
    log.looks.append(log.step)
    log.held.append(float(losses(logits, rows, asked).sum() / asked.sum()))
    log.right.append(float((~wrong.any(-1)).double().mean()))
    log.matrices.append(network.get_parameter(MATRIX)[:WIDE, :WIDE].numpy().copy())
    if setting.position == "learned":
        log.positions.append(network.get_parameter(POSITIONS).numpy().copy())


def blown(log: Log, setting: Setting) -> bool:
    """Whether the loss is no number any more, or has long been far worse than guessing and than its beginning."""
    if not math.isfinite(log.loss[-1]) or not math.isfinite(log.gradient[-1]):
        return True
    worst = BLOWN * max(setting.guessing, log.loss[0])
    return log.step >= PATIENCE and min(log.loss[-PATIENCE:]) > worst
