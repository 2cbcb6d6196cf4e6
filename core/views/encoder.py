"""What the encoder stage shows: the stream of each token through the layers, and what each sub-layer writes onto it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture
from ..edits import Edit, cut
from ..model.places import Place
from ..text.token import Token
from ..zoo import Model
from .vectors import TINY, cosine, cosines

if TYPE_CHECKING:
    from torch import Tensor

LIKELY = "output.probabilities"
WORDS = ("skip", "output", "residual")  # of a sub-layer: what passes it by, what it writes, their sum


@dataclass(frozen=True, eq=False)
class Sublayer:
    """One sub-layer, and of each token: how long its stream is before, what is written onto it, what stays of it."""

    place: Place
    before: np.ndarray  # [token] ‖x‖
    written: np.ndarray  # [token] ‖Δ‖
    added: np.ndarray  # [token] ‖x + Δ‖
    after: np.ndarray  # [token] ‖LayerNorm(x + Δ)‖
    kept: np.ndarray  # [token] the cosine of x with what leaves

    @property
    def share(self) -> np.ndarray:
        """[token] ‖Δ‖ ÷ ‖x‖."""
        return self.written / np.maximum(self.before, TINY)


@dataclass(frozen=True)
class Said:
    """The token that the output gives for a row, and its probability."""

    text: str
    id: int
    probability: float


@dataclass(frozen=True, eq=False)
class EncoderView:
    """A sentence in all layers. Rows of the decoder, where there is one, are the target's."""

    tokens: tuple[Token, ...]
    given: tuple[Token, ...]  # to the decoder; none where there is none
    sublayers: tuple[Sublayer, ...]
    alike: np.ndarray  # [depth] the mean cosine of two tokens of the encoder; NaN of one token
    moved: np.ndarray  # [depth, token] the cosine of each with itself where it entered the encoder
    entering: tuple[np.ndarray, ...]  # [token] ‖x‖ before the first layer, of the encoder, then of the decoder
    leaving: np.ndarray  # [token] ‖x‖ of the encoder's last states
    written: "tuple[Said, ...]" = ()  # of each row that the output reads

    @property
    def nbytes(self) -> int:
        return self.moved.nbytes * (1 + 5 * len(self.sublayers))

    def at(self, stack: str, layer: int, part: str) -> Sublayer:
        """Layers from 1."""
        place = Place(stack, layer - 1, part)
        return next(one for one in self.sublayers if one.place == place)

    @property
    def reader(self) -> str:
        """The stack that reads the text: the first."""
        return self.sublayers[0].place.stack

    @property
    def layers(self) -> int:
        return len(self.alike) - 1


def places(model: Model) -> tuple[Place, ...]:
    """Every sub-layer, in the order the data meets them."""
    return tuple(place for stack in model.stacks.values() for place in stack.sublayers)


def taps(model: Model) -> tuple[str, ...]:
    """The taps that `encoder_view` reads."""
    own = (place.tap(word) for place in places(model) for word in WORDS)
    leaving = map(model.leaving, places(model))
    entrances = (stack.entrance for stack in model.stacks.values())
    said = () if model.objective == "compare" else (LIKELY,)
    return (*own, *leaving, *model.depths(), *entrances, *said)


def encoder_view(run: Capture, model: Model) -> EncoderView:
    """The view of a capture that holds `taps(model)`."""
    states = [run[tap] for tap in model.depths()]
    ends = [run[stack.entrance] for stack in model.stacks.values()]
    return EncoderView(
        tokens=run.tokens,
        given=run.target_in if model.translates else (),
        sublayers=tuple(sublayer(run, model, place) for place in places(model)),
        alike=np.array([mean_cosine(state) for state in states]),
        moved=np.stack([cosine(states[0], state) for state in states]),
        entering=tuple(np.linalg.norm(state, axis=-1) for state in ends),
        leaving=np.linalg.norm(states[-1], axis=-1),
        written=said(run, model),
    )


def said(run: Capture, model: Model) -> tuple[Said, ...]:
    """What is written at each row: the target's own tokens, or, of a model that goes on, the likeliest."""
    if model.objective == "compare":
        return ()
    likely = run[LIKELY]
    ids = [token.id for token in run.target_out] if model.translates else likely.argmax(-1).tolist()
    pieces = model.tokenizer.names
    return tuple(Said(pieces[id], id, float(row[id])) for id, row in zip(ids, likely, strict=True))


def sublayer(run: Capture, model: Model, place: Place) -> Sublayer:
    x, delta, total = (run[place.tap(word)] for word in WORDS)
    leaving = run[model.leaving(place)]
    size = partial(np.linalg.norm, axis=-1)
    return Sublayer(place, size(x), size(delta), size(total), size(leaving), cosine(x, leaving))


def mean_cosine(rows: np.ndarray) -> float:
    """Of every two different rows; NaN of one."""
    n = len(rows)
    return float(cosines(rows)[np.triu_indices(n, 1)].mean()) if n > 1 else float("nan")


# ---- without the residual


def without(model: Model, stack: str = "") -> tuple[Edit, ...]:
    """The edits that carry nothing past any sub-layer of a stack, the reader where none is named, so that only what it
    wrote goes on."""
    own = model.stacks[stack] if stack else model.reader
    return tuple(cut(own.name, int(place.layer or 0) + 1, place.part) for place in own.sublayers)


def alike_without(run: Capture, model: Model) -> np.ndarray:
    """[depth] as `EncoderView.alike`, of a capture with edits."""
    return np.array([mean_cosine(run[tap]) for tap in model.depths()])


@dataclass(eq=False)
class Kept:
    """A change of nothing, which remembers the tensors that passed one tap: what a gradient is asked of."""

    pattern: str
    seen: "list[Tensor]" = field(default_factory=list)

    def change(self, x: "Tensor") -> "Tensor":
        self.seen.append(x)
        return x


def gradients(model: Model, run: Capture, toward: np.ndarray | None, edits: Sequence[Edit] = ()) -> np.ndarray:
    """[depth] the norm of the loss's gradient at the encoder's state at each depth: at the first, what training hears
    below the first layer.

    The loss of a model that writes is the mean cross-entropy of the run's own target, or of each next token of the text
    itself. That of a model that compares sentences
    is 1 − the cosine of the sentence's mean vector with `toward` [d_model]. Nothing is kept in the shared weights.
    """
    import torch

    from ..model.taps import editing

    kept = [Kept(tap) for tap in model.depths()]
    with torch.enable_grad(), editing((*edits, *kept)):
        made = model.network(*run.inputs)
        loss = apart(made, toward) if model.objective == "compare" else written_loss(made[0], run)
        found = torch.autograd.grad(loss, [one.seen[0] for one in kept])
    return np.array([float(gradient.norm()) for gradient in found])


def written_loss(logits: "Tensor", run: Capture) -> "Tensor":
    import torch

    wanted = torch.tensor([token.id for token in run.target_out or run.tokens[1:]])
    return torch.nn.functional.cross_entropy(logits[0, : len(wanted)], wanted)


def apart(states: "Tensor", toward: np.ndarray | None) -> "Tensor":
    import torch

    other = torch.ones(states.shape[-1]) if toward is None else torch.tensor(toward)
    return 1 - torch.nn.functional.cosine_similarity(states[0].mean(0), other, dim=0)


def sentence_vector(run: Capture, model: Model) -> np.ndarray:
    """[d_model]: the mean of the last states, as MiniLM's users take it."""
    return run[model.depths()[-1]].mean(0)


# ---- the feed-forward network


@dataclass(frozen=True, eq=False)
class Units:
    """The hidden units of one feed-forward network."""

    activated: np.ndarray  # float32 [token, d_ff]
    shown: np.ndarray  # [unit] the ids of those that fire most in some token, by the token where each fires most

    @property
    def nbytes(self) -> int:
        return self.activated.nbytes

    def best(self, token: int, count: int = 3) -> list[int]:
        """The units that fire most in a token."""
        return np.argsort(-self.activated[token], kind="stable")[:count].tolist()

    def firing(self, threshold: float = 0.0) -> np.ndarray:
        """[token] how many of the units are above the threshold."""
        return (self.activated > threshold).sum(-1)


def units(run: Capture, place: Place, count: int = 20) -> Units:
    """The units of the network at `place`; those shown are the best of each token, then the second best of each, and
    so on, as long as they fire; the best of each even where they are more."""
    activated = run[place.tap("activated")]
    best = np.argsort(-activated, axis=-1, kind="stable")[:, :count]  # token, rank
    fires = np.take_along_axis(activated, best, -1) > 0
    firing = best.T[fires.T].tolist() or best[:, 0].tolist()
    chosen = list(dict.fromkeys(firing))[: max(count, len(set(best[:, 0].tolist())))]
    where = activated[:, chosen].argmax(0)
    order = np.lexsort((-activated[where, chosen], where))
    return Units(activated, np.array(chosen)[order])


def permuted(run: Capture, model: Model, place: Place, order: Sequence[int]) -> np.ndarray:
    """[2, token, d_model]: the network's outputs, put in this order, and its outputs for the inputs put in that order:
    the same where each token goes through the same network alone."""
    import torch

    network = model.parts[str(place)]
    x = torch.tensor(run[model.given(place)])[None]
    with torch.no_grad():
        first, second = network(x)[:, list(order)], network(x[:, list(order)])
    return torch.cat([first, second]).numpy()


def bent(run: Capture, model: Model, place: Place) -> float:
    """How far the network is from linear, on the vectors it reads: of neighbouring tokens a and b, how long
    f(a + b) + f(0) − f(a) − f(b) is, as a share of f(a) + f(b), on average. 0 of anything linear, biases and all."""
    import torch

    network = model.parts[str(place)]
    x = torch.tensor(run[model.given(place)])
    a, b = x[:-1], x[1:]
    with torch.no_grad():
        of_a, of_b, of_sum, of_none = (network(rows[None])[0] for rows in (a, b, a + b, torch.zeros_like(a)))
    apart, size = (of_sum + of_none - of_a - of_b).norm(dim=-1), (of_a + of_b).norm(dim=-1)
    return float((apart / size.clamp_min(TINY)).mean())


def written_by(model: Model, place: Place) -> tuple[str, str]:
    """The taps of what the units of a network write by, and of its output."""
    return place.tap("product" if model.config.activation == "swiglu" else "activated"), place.tap("output")


def narrowed(run: Capture, model: Model, place: Place) -> float:
    """How far the output is off with as many units as d_model and no more, those that write most over all tokens: the
    length of what the others wrote as a share of the output's, on average over the tokens."""
    units, output = (run[tap].astype(np.float64) for tap in written_by(model, place))  # token, d_ff; token, d_model
    rows = model.parts[str(place)].get_parameter("narrow.weight").detach().double().numpy().T  # d_ff, d_model
    by = np.abs(units).mean(0) * np.linalg.norm(rows, axis=-1)
    others = np.argsort(-by, kind="stable")[model.config.d_model :]
    lost = np.linalg.norm(units[:, others] @ rows[others], axis=-1)
    return float((lost / np.maximum(np.linalg.norm(output, axis=-1), TINY)).mean())


# ---- one token in two sentences


@dataclass(frozen=True, eq=False)
class Parting:
    """The same token in two sentences, and every other pair of tokens from the two, at each depth."""

    first: int
    second: int
    cosines: np.ndarray  # [depth] of the pair
    others: np.ndarray  # [depth] the mean over pairs of unlike tokens, one of each sentence
    spread: np.ndarray  # [depth] how far these lie from their mean, as a standard deviation


def shared(first: Sequence[Token], second: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Tokens that somebody typed into both: their places, in the order of the first; in the second the same place, or
    else where it first stands."""
    known = {token.id: i for i, token in reversed(list(enumerate(second))) if not token.special}
    for i, token in enumerate(first):
        if not token.special and token.id in known:
            yield i, i if i < len(second) and second[i].id == token.id else known[token.id]


def parting(one: Capture, other: Capture, model: Model, a: int, b: int) -> Parting:
    """Token `a` of one sentence and `b` of the other through all depths."""
    unlike = np.array([[x.id != y.id and not (x.special or y.special) for y in other.tokens] for x in one.tokens])
    pair, means, spreads = [], [], []
    for tap in model.depths():
        x, y = one[tap].astype(np.float64), other[tap].astype(np.float64)
        pair.append(float(cosine(x[a], y[b])))
        across = cosine(x[:, None], y[None])[unlike]
        means.append(float(across.mean()) if across.size else float("nan"))
        spreads.append(float(across.std()) if across.size else float("nan"))
    return Parting(a, b, np.array(pair), np.array(means), np.array(spreads))


# ---- how many parameters


def counted(model: Model, layer: int = 1) -> dict[str, int]:
    """What of a layer of the reading stack learned how many numbers: its matrices with their biases, its norms."""
    prefix = f"{model.reader.name}.{layer - 1}"
    sizes = {name: module for name, module in model.parts.items() if name.startswith(prefix)}

    def size(name: str) -> int:
        return sum(parameter.numel() for parameter in sizes[f"{prefix}.{name}"].parameters())

    made = {name: size(f"attention.{name}") for name in ("to_query", "to_key", "to_value", "to_output")}
    network = (name for name in ("widen", "to_gate", "to_up", "narrow") if f"{prefix}.feedforward.{name}" in sizes)
    made |= {name: size(f"feedforward.{name}") for name in network}
    return made | {"norms": size("attention.norm") + size("feedforward.norm")}
