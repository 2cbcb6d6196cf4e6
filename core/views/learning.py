"""How the translator's table was learned: its rows at several steps of training, and the rows one gradient touches."""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..capture import given, network_input
from ..edits import Edit
from ..text.token import Token
from ..zoo import Model

if TYPE_CHECKING:
    from torch import Tensor, nn

TABLE = "embedding.token_table.weight"
STEPS = (0, 250, 500, 1000)  # of training, where a snapshot was kept


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The embedding table after so many steps."""

    step: int
    table: np.ndarray  # [vocab, d_model]

    @property
    def nbytes(self) -> int:
        return self.table.nbytes


def snapshot(model: Model, step: int) -> Snapshot:
    """A snapshot of `STEPS` (half precision), or, for any other step, the weights in use."""
    from safetensors import safe_open

    file = f"snapshot-{step:04}.safetensors" if step in STEPS else "weights.safetensors"
    with safe_open(model.folder / file, framework="numpy") as weights:
        return Snapshot(step, weights.get_tensor(TABLE).astype(np.float32))


@dataclass(frozen=True, eq=False)
class Gradient:
    """One loss's gradient on the table: all of it, and the part that came through the lookups."""

    loss: float
    whole: np.ndarray  # [vocab]: the length of each row's gradient
    lookup: np.ndarray  # [vocab]: of what reached the row because a token fetched it
    fetched: tuple[int, ...]  # the ids that were looked up, each once
    tokens: tuple[Token, ...]
    target: tuple[Token, ...]

    @property
    def nbytes(self) -> int:
        return self.whole.nbytes + self.lookup.nbytes


def gradient(model: Model, text: str, target: str) -> Gradient:
    """The cross-entropy of writing `target` for `text`, and its gradient on the table by `torch.autograd.grad`.

    The table stands at three doors. Through the lookups only the rows that were fetched get anything; through the
    output, where every row is scored, all of them do.
    """
    import torch
    from torch.nn.functional import cross_entropy

    from ..model.taps import editing

    assert model.words is not None
    trace, output = model.tokenizer.trace(text, max_tokens=model.config.positions), given(model.words, target)
    inputs = network_input(model, trace, output)
    rows: list[torch.Tensor] = []
    keep = Edit("keep", "*embedding.token", lambda x: rows.append(x) or x)
    weight = model.network.get_submodule("embedding.token_table").get_parameter("weight")
    with torch.enable_grad(), editing((keep,)):
        logits, _ = model.network(*inputs)
        wanted = torch.tensor([token.id for token in output.row[1:]])
        loss = cross_entropy(logits[0], wanted)
        whole, *grads = torch.autograd.grad(loss, [weight, *rows])
    ids = torch.cat([inputs[0][0], inputs[2][0]])
    lookup = torch.zeros_like(whole).index_add_(0, ids, torch.cat([grad[0] for grad in grads]))
    fetched = tuple(dict.fromkeys(ids.tolist()))
    return Gradient(
        loss.item(), whole.norm(dim=1).numpy(), lookup.norm(dim=1).numpy(), fetched, trace.tokens, output.row
    )


def pulled_in(model: Model, text: str, target: str, ids: Sequence[int], smoothing: float) -> float:
    """Of all pairs of a place where a word of `target` is written and a row of `ids`, none of them written there: the
    share whose gradient pulls the row towards the state.

    The loss gives row i of the output the gradient (p_i − q_i) · state, where q_i is what label smoothing wants of a
    word that is not written: `smoothing` over the size of the vocabulary. Less than that is pulled in.
    """
    import torch

    assert model.words is not None
    trace, output = model.tokenizer.trace(text, max_tokens=model.config.positions), given(model.words, target)
    with torch.no_grad():
        logits, _ = model.network(*network_input(model, trace, output))
        chances = logits[0].softmax(-1)
    return float((chances[:, list(ids)] < smoothing / chances.shape[-1]).float().mean())


@dataclass(frozen=True, eq=False)
class PairGradient:
    """The gradient of one sentence's own vector on the table of a model that only reads."""

    rows: np.ndarray  # [vocab]: the length of each row's gradient
    fetched: tuple[int, ...]
    tokens: tuple[Token, ...]

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes


def pair_gradient(model: Model, text: str, other: str) -> PairGradient:
    """Of the cosine of two sentences: what MiniLM was trained to raise or to lower."""
    import torch
    from torch.nn.functional import cosine_similarity

    from ..model.taps import editing

    last: list[torch.Tensor] = []
    keep = Edit("keep", model.depths()[-1], lambda x: last.append(x) or x)
    traces = [model.tokenizer.trace(t, max_tokens=model.config.positions) for t in (text, other)]
    weight = model.network.get_submodule("embedding.token_table").get_parameter("weight")
    with torch.enable_grad(), editing((keep,)):
        for trace in traces:
            model.network(*network_input(model, trace))
        similarity = cosine_similarity(last[0].mean(1), last[1].mean(1)).sum()
        (grad,) = torch.autograd.grad(similarity, [weight])
    tokens = tuple(token for trace in traces for token in trace.tokens)
    return PairGradient(grad.norm(dim=1).numpy(), tuple(dict.fromkeys(token.id for token in tokens)), tokens)


# ---- one real step, and all of them


@dataclass(frozen=True)
class Step:
    """A step of plain gradient descent on the table alone: row ← row − rate · gradient."""

    before: float  # what was to be made smaller
    after: float
    rows: int  # that are another now


def written_steps(model: Model, text: str, target: str, rates: Sequence[float]) -> tuple[Step, ...]:
    """Of the cross-entropy of writing `target` for `text`; one step from the same place for each rate."""
    import torch
    from torch.nn.functional import cross_entropy

    assert model.words is not None
    output = given(model.words, target)
    inputs = network_input(model, model.tokenizer.trace(text, max_tokens=model.config.positions), output)
    wanted = torch.tensor([token.id for token in output.row[1:]])
    return steps(model, rates, lambda network: cross_entropy(network(*inputs)[0][0], wanted))


def read_steps(model: Model, text: str, other: str, rates: Sequence[float]) -> tuple[Step, ...]:
    """Of 1 − the cosine of two sentences' vectors, so that they come nearer."""
    from torch.nn.functional import cosine_similarity

    from ..model.taps import editing

    limit = model.config.positions
    inputs = [network_input(model, model.tokenizer.trace(each, max_tokens=limit)) for each in (text, other)]
    keep = Edit("keep", model.depths()[-1], lambda x: last.append(x) or x)
    last: list[Tensor] = []

    def loss_of(network: "nn.Module") -> "Tensor":
        last.clear()
        with editing((keep,)):
            for each in inputs:
                network(*each)
        return 1 - cosine_similarity(last[0].mean(1), last[1].mean(1)).sum()

    return steps(model, rates, loss_of)


def steps(model: Model, rates: Sequence[float], loss_of: "Callable[[nn.Module], Tensor]") -> tuple[Step, ...]:
    """`loss_of` is given a network. The model keeps its table: steps are taken by a copy, which shares the rest."""
    import torch

    weight = model.network.get_parameter(TABLE)
    with torch.enable_grad():
        loss = loss_of(model.network)
        (gradient,) = torch.autograd.grad(loss, [weight])
    shared = {id(each): each for each in model.network.parameters() if each is not weight}
    other = deepcopy(model.network, shared)  # type: ignore[arg-type]
    table = other.get_parameter(TABLE)
    made: list[Step] = []
    with torch.no_grad():
        for rate in rates:
            table.copy_(weight - rate * gradient)
            made.append(Step(loss.item(), loss_of(other).item(), int((table != weight).any(1).sum())))
    return tuple(made)


def losses(model: Model) -> tuple[tuple[int, float], ...]:
    """(steps made, loss) along the translator's training, as it was written down: the loss before each step."""
    curves = json.loads((model.folder / "metrics.json").read_text(encoding="utf-8"))["curves"]
    return tuple((step - 1 if step == 1 else step, loss) for step, loss in curves["loss"])
