"""What the output stage shows: a state held against every row of the table its words came in by; how a word is picked.

Row q of the target is given `given[q]` and writes `written[q]`, as in the translation. Of a model that goes on with
what it reads, `given` are the tokens of the text, and `written` what it thinks comes after each.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture, decode, translation_of
from ..edits import Edit, mute
from ..lessons.sampling import chances, drawn, softmax, tempered, top_k, top_p
from ..model.places import split
from ..text.token import Token
from ..zoo import Model
from .embedding import table
from .vectors import unit

if TYPE_CHECKING:
    from torch import Tensor

START = "start"  # the depth before the first layer


@dataclass(frozen=True)
class Depth:
    """A place whose state can be held against the table: what enters the decoder, or what a sub-layer leaves."""

    id: str  # "start", "1.self_attention", …, and of a whole layer "1"
    layer: int  # from 1; 0 before the first
    part: str  # the sub-layer; "" for what enters
    tap: str


@dataclass(frozen=True, eq=False)
class OutputView:
    """One translation, or one text that is gone on with, and what each of its states says through the table."""

    given: tuple[Token, ...]
    written: tuple[Token, ...]
    depths: tuple[Depth, ...]
    states: np.ndarray  # float32 [depth, target, d_model]
    table: np.ndarray  # float32 [vocab, d_model], the model's own
    last: np.ndarray  # float32 [target, vocab], the captured logits
    likely: np.ndarray  # float32 [target, vocab], the captured probabilities
    names: Sequence[str] = ()  # what the rows of the table are called

    @property
    def nbytes(self) -> int:
        return self.states.nbytes + self.last.nbytes + self.likely.nbytes  # the table is the model's

    @property
    def whole(self) -> tuple[Depth, ...]:
        """What enters, and what each whole layer leaves."""
        ends = {depth.layer: depth for depth in self.depths}
        return tuple(ends[layer] for layer in sorted(ends))

    def at(self, layer: int) -> int:
        """Which depth is the end of a layer (from 1; 0 before the first)."""
        return self.depths.index(self.whole[layer])

    def logits(self, depth: int, row: int) -> np.ndarray:
        """float32 [vocab]: the state of a row at a depth · every row of the table."""
        if depth == len(self.depths) - 1:
            return self.last[row]
        return self.table @ self.states[depth, row]

    def shares(self, depth: int, row: int, temperature: float = 1.0) -> np.ndarray:
        """float32 [vocab]: the softmax of these logits ÷ T; at the end and with T = 1 as captured."""
        if depth == len(self.depths) - 1 and temperature == 1:
            return self.likely[row]
        warm = self.logits(depth, row) / np.float32(temperature)
        powers = np.exp(warm - warm.max())
        return powers / powers.sum()

    def best(self, depth: int, row: int) -> int:
        """The id of the row with the largest dot product."""
        return int(self.logits(depth, row).argmax())

    def rank(self, depth: int, row: int, id: int) -> int:
        """How many rows have a larger dot product, and one."""
        logits = self.logits(depth, row)
        return int((logits > logits[id]).sum()) + 1


def depths(model: Model) -> tuple[Depth, ...]:
    """Every place where the state can be read as it stands, in the order the data meets them. With the norm behind each
    sub-layer every one of these states but the first has been normalised already, as the last has. Where a norm stands
    at the end of the stack, only what that makes can be read: the states before it are another size."""
    stack = model.stacks["decoder"]
    start, *rest = model.stream("decoder")
    if split(stack.exit)[0].norm:
        return (Depth("end", stack.layers, "", stack.exit),)
    left = zip(stack.sublayers, rest, strict=True)
    return (
        Depth(START, 0, "", start),
        *(Depth(f"{(at.layer or 0) + 1}.{at.part}", (at.layer or 0) + 1, at.part, tap) for at, tap in left),
    )


def taps(model: Model) -> tuple[str, ...]:
    """The taps that `output_view` reads."""
    return (*(depth.tap for depth in depths(model)), "output.logits", "output.probabilities")


def output_view(run: Capture, model: Model) -> OutputView:
    """The view of a capture that holds `taps(model)`."""
    at = depths(model)
    states = np.stack([run[depth.tap] for depth in at])
    logits, likely = (run[f"output.{word}"] for word in ("logits", "probabilities"))
    sides = (run.target_in, run.target_out) if model.translates else (run.tokens, likeliest(model, likely))
    return OutputView(*sides, at, states, table(model), logits, likely, model.tokenizer.names)


def likeliest(model: Model, likely: np.ndarray) -> tuple[Token, ...]:
    """[token, vocab] what a model that goes on thinks comes next, after each token."""
    ids = likely.argmax(-1).tolist()
    return tuple(Token(model.tokenizer.names[id], id, 0, 0, special=False, segment=0, word=None) for id in ids)


# ---- how a word is picked


@dataclass(frozen=True)
class Rules:
    """How a word is picked by chance."""

    temperature: float = 1.0
    k: int | None = None
    p: float = 1.0


@dataclass(frozen=True, eq=False)
class Picked:
    """One draw, step by step: the logits as they came, divided by T, cut by top-k, then by top-p; and the word."""

    stages: tuple[np.ndarray, ...]  # shares of 1 [vocab] at T = 1, at this T, after top-k, after top-p
    u: float
    id: int


def picked(logits: np.ndarray, rules: Rules, u: float) -> Picked:
    """What becomes of these logits, and which word stands at u."""
    warm = tempered(logits, rules.temperature)
    few = top_k(warm, rules.k)
    fewer = top_p(few, rules.p)
    stages = tuple(softmax(values) for values in (logits, warm, few, fewer))
    return Picked(stages, u, drawn(stages[-1], u))


@dataclass(frozen=True)
class Sampled:
    """A translation whose every word was drawn, with the seed that drew it."""

    seed: int
    text: str
    log_probability: float  # in the model itself, at T = 1
    cut: bool
    ids: tuple[int, ...]  # as they were drawn, the end token included where it got there


def sampled(
    model: Model, source: Sequence[int], rules: Rules, seeds: Sequence[int], longest: int = 24
) -> list[Sampled]:
    """A translation for each seed, written side by side."""
    import torch

    words, network = model.words, model.network
    assert words is not None
    n = len(seeds)
    sources = torch.tensor([list(source)] * n)
    nothing = torch.zeros_like(sources, dtype=torch.bool)
    target = torch.full((n, 1), words.bos_id)
    u = np.stack([chances(seed, longest) for seed in seeds])
    sure, ended = np.zeros(n), np.zeros(n, dtype=bool)
    with torch.no_grad():
        memory = network.read(sources, nothing)  # type: ignore[operator]
        for step in range(longest):
            blank = torch.zeros_like(target, dtype=torch.bool)
            logits = network.write(target, blank, memory, nothing)[0][:, -1].numpy()  # type: ignore[operator]
            made = [picked(row, rules, u[i, step]) for i, row in enumerate(logits)]
            ids = [words.eos_id if ended[i] else one.id for i, one in enumerate(made)]
            sure += [0.0 if ended[i] else np.log(one.stages[0][one.id]) for i, one in enumerate(made)]
            ended |= np.array(ids) == words.eos_id
            target = torch.cat([target, torch.tensor(ids)[:, None]], dim=1)
            if ended.all():
                break
    return [
        Sampled(seed, written_of(model, row), float(log), not done, ended_at(model, row))
        for seed, row, log, done in zip(seeds, target[:, 1:].tolist(), sure, ended, strict=True)
    ]


def ended_at(model: Model, ids: Sequence[int]) -> tuple[int, ...]:
    """What was written, the end token included where it got there."""
    assert model.words is not None
    end = model.words.eos_id
    return tuple(ids[: list(ids).index(end) + 1] if end in ids else ids)


def written_of(model: Model, ids: Sequence[int]) -> str:
    """The same as a sentence."""
    return translation_of(model, ended_at(model, ids)).text


def forced(model: Model, text: str, ids: Sequence[int]) -> tuple[float, ...]:
    """The probability of each of these words where the ones before it are given."""
    import torch

    assert model.words is not None
    source = torch.tensor([[token.id for token in model.tokenizer.trace(text).tokens]])
    given = torch.tensor([[model.words.bos_id, *ids[:-1]]])
    with torch.no_grad():
        _, shares = model.network(source, torch.zeros_like(source).bool(), given, torch.zeros_like(given).bool())
    return tuple(float(shares[0, i, id]) for i, id in enumerate(ids))


# ---- one matrix, two ends


@dataclass(frozen=True, eq=False)
class Ends:
    """The loss's gradient at the one table, and what reaches it from each door."""

    names: tuple[str, ...]  # "source", "target", "output"
    each: tuple[np.ndarray, ...]  # float32 [vocab, d_model], of three tables that are equal and not tied
    tied: np.ndarray  # float32 [vocab, d_model], of the model's own
    loss: float

    @property
    def nbytes(self) -> int:
        return self.tied.nbytes * (1 + len(self.each))

    def touched(self, i: int) -> np.ndarray:
        """The ids whose rows get a gradient through one door."""
        return np.flatnonzero(np.abs(self.each[i]).max(-1))

    @property
    def difference(self) -> float:
        """The largest difference between the tied table's gradient and the sum of the three."""
        return float(np.abs(np.sum(self.each, axis=0, dtype=np.float64) - self.tied).max())


def ends(model: Model, run: Capture) -> Ends:
    """The gradients of this run's own cross-entropy. The shared weights keep nothing: the tied ones are asked by
    `torch.autograd.grad`, the three others belong to a copy whose doors were parted."""
    import torch

    if not model.translates:
        return ends_of_text(model, run)
    tied = model.network
    parted = deepcopy(tied)
    table = parted.embedding.token_table.weight  # type: ignore[union-attr]
    parted.decoder.embedding.token_table = deepcopy(parted.embedding.token_table)  # type: ignore[union-attr]
    parted.output.project.weight = torch.nn.Parameter(table.detach().clone())  # type: ignore[union-attr, arg-type]
    tables = (table, parted.decoder.embedding.token_table.weight, parted.output.project.weight)  # type: ignore
    with torch.enable_grad():
        each = torch.autograd.grad(loss_of(parted, run), tables)  # type: ignore[arg-type]
        loss = loss_of(tied, run)
        (own,) = torch.autograd.grad(loss, [model.parts["embedding.token_table"].get_parameter("weight")])
    return Ends(("source", "target", "output"), tuple(g.numpy() for g in each), own.numpy(), float(loss.detach()))


def ends_of_text(model: Model, run: Capture) -> Ends:
    """The same of a decoder alone: its table is looked up in and answers."""
    import torch
    from torch.func import functional_call

    ids = torch.tensor([[token.id for token in run.tokens]])
    tied = model.parts["embedding.token_table"].get_parameter("weight")
    doors = ("embedding.token_table.weight", "output.project.weight")

    def loss(*tables: "Tensor") -> "Tensor":
        swapped: dict[str, Tensor] = dict(zip(doors, tables, strict=True))
        logits = functional_call(model.network, swapped, (ids,), tie_weights=False)[0]
        return torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:])

    with torch.enable_grad():
        copies = [tied.detach().clone().requires_grad_() for _ in doors]
        each = torch.autograd.grad(loss(*copies), copies)
        one = tied.detach().clone().requires_grad_()
        whole = loss(one, one)
        (own,) = torch.autograd.grad(whole, [one])
    return Ends(("source", "output"), tuple(g.numpy() for g in each), own.numpy(), float(whole.detach()))


def loss_of(network, run: Capture) -> "Tensor":
    """The mean cross-entropy of a run's own target."""
    import torch

    source, given, written = (
        torch.tensor([[token.id for token in side]]) for side in (run.tokens, run.target_in, run.target_out)
    )
    nothing = [torch.zeros_like(ids, dtype=torch.bool) for ids in (source, given)]
    logits, _ = network(source, nothing[0], given, nothing[1])
    return torch.nn.functional.cross_entropy(logits[0, : written.shape[1]], written[0])


def parameters(vocab: int, d_model: int) -> tuple[int, int]:
    """How many numbers table and output layer take, apart and tied: 2Vd + V and Vd + V, with a bias of V."""
    return 2 * vocab * d_model + vocab, vocab * d_model + vocab


# ---- without an output, without a source


@dataclass(frozen=True, eq=False)
class Nearest:
    """Of a model without an output: each token's last vector and the rows nearest to it by cosine."""

    tokens: tuple[Token, ...]
    ids: np.ndarray  # [token, 3], the nearest first
    cosines: np.ndarray  # [token, 3]
    own: np.ndarray  # [token], the cosine with the token's own row
    rank: np.ndarray  # [token], the place of that among all rows, from 1

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.cosines.nbytes + self.own.nbytes + self.rank.nbytes


def nearest(run: Capture, model: Model, tap: str, count: int = 3) -> Nearest:
    """Rows nearest to each token's state at `tap`."""
    alike = unit(run[tap]) @ unit(table(model)).T  # token, vocab
    best = np.sort(np.argpartition(-alike, count, axis=-1)[:, :count], axis=-1)
    order = np.take_along_axis(best, np.argsort(-np.take_along_axis(alike, best, -1), axis=-1, kind="stable"), -1)
    own = alike[np.arange(len(alike)), [token.id for token in run.tokens]]
    rank = (alike > own[:, None]).sum(-1) + 1
    return Nearest(run.tokens, order, np.take_along_axis(alike, order, -1), own, rank)


def deaf(model: Model) -> tuple[Edit, ...]:
    """The edits by which the decoder hears nothing of the source: every head of cross-attention says nothing."""
    config = model.config
    every = ((i + 1, h + 1) for i in range(config.decoder_layers) for h in range(config.heads))
    return tuple(mute("cross", layer, head) for layer, head in every)


def alone(model: Model, text: str) -> tuple[str, bool]:
    """What the decoder writes of this text when it hears nothing of it, and whether it had to be cut."""
    last = decode(model, text, edits=deaf(model)).last
    return translation_of(model, last.best.ids, last.cut).text, last.cut
