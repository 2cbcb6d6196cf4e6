"""What the layernorm stage shows: one norm number by number, all norms through depth, and the norms put elsewhere."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from core.capture import Capture
from core.errors import InputError
from core.model.places import Place, norms
from core.views.vectors import cosine
from core.zoo import Model

KINDS = ("layer", "rms", "batch", "none")
ARRANGEMENTS = ("post", "pre", "input")


def places(model: Model) -> tuple[Place, ...]:
    """Every norm of the model, in the order the data meet them: `embedding.norm`, `encoder.0.attention.norm` …"""
    return norms(model.tap_dims)


def summands(model: Model, place: Place) -> tuple[str, ...]:
    """The taps that add up to what this norm of a post-norm model is given."""
    around = replace(place, norm=False)
    if around.tap("skip") in model.tap_dims:
        return around.tap("skip"), around.tap("output")
    parts = ("scaled" if around.tap("scaled") in model.tap_dims else "token", "position", "segment")
    return tuple(tap for tap in map(around.tap, parts) if tap in model.tap_dims)


def given(model: Model, place: Place) -> str:
    """The tap in front of a norm of a post-norm model."""
    around = replace(place, norm=False)
    return next(tap for tap in map(around.tap, ("residual", "sum")) if tap in model.tap_dims)


def taps(model: Model, place: Place) -> tuple[str, ...]:
    """The taps that `norm_view` reads, for `capture(only=...)`."""
    return (*summands(model, place), given(model, place), place.tap("*"))


def written(epsilon: float) -> str:
    """An ε as code has it: 1e-5, not 1.000e-05."""
    return f"{epsilon:g}".replace("e-0", "e-")


@dataclass(frozen=True, eq=False)
class Normed:
    """What a norm was given and what it made of it.

    `mean` and `variance` are [token] for LayerNorm and [d_model] for BatchNorm; RMSNorm has its mean square in
    `variance` and no mean; where there is no norm, both are None. The rest is [token, d_model], float32.
    """

    kind: str
    epsilon: float
    before: np.ndarray
    mean: np.ndarray | None
    variance: np.ndarray | None
    normalized: np.ndarray
    after: np.ndarray
    factor: float = 1  # what somebody multiplied the input by
    shift: float = 0  # and then added to it

    @property
    def changed(self) -> bool:
        return (self.factor, self.shift) != (1, 0)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))


@dataclass(frozen=True, eq=False)
class NormView:
    """One LayerNorm of a post-norm model. Tokens and dimensions count from 0."""

    place: Place
    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    summands: Mapping[str, np.ndarray]  # tap -> [token, d_model]: what adds up to `captured.before`
    captured: Normed
    gamma: np.ndarray  # [d_model]
    beta: np.ndarray  # [d_model]

    @property
    def epsilon(self) -> float:
        return self.captured.epsilon

    @property
    def d_model(self) -> int:
        return len(self.gamma)

    @property
    def nbytes(self) -> int:
        return self.captured.nbytes + sum(a.nbytes for a in self.summands.values())

    def ran(self, kind: str = "layer", factor: float = 1, shift: float = 0, epsilon: float | None = None) -> Normed:
        """One of `KINDS`, with this norm's γ and β, over factor · before + shift; captured numbers where they are."""
        epsilon = self.epsilon if epsilon is None else epsilon
        if (kind, factor, shift, epsilon) == ("layer", 1, 0, self.epsilon):
            return self.captured
        before = (np.float32(factor) * self.captured.before + np.float32(shift)).astype(np.float32)
        return replace(RUNS[kind](before, self.gamma, self.beta, epsilon), factor=factor, shift=shift)

    def moves(
        self, kind: str = "layer", factor: float = 10, shift: float = 5, epsilon: float | None = None
    ) -> np.ndarray:
        """[token]: by how much, at most, any number of a token's output moves when its input is changed so."""
        changed, before = self.ran(kind, factor, shift, epsilon), self.ran(kind, epsilon=epsilon)
        return np.abs(changed.after - before.after).max(-1)


LANES = ("before", "normalized", "after")


@dataclass(frozen=True, eq=False)
class Changes:
    """One token before, normalised and after, under changes of its input and several ε; change 0 leaves it as it is."""

    rows: np.ndarray  # [change, epsilon, lane, d_model]

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes

    @cached_property
    def means(self) -> np.ndarray:
        """[change, epsilon, lane]"""
        return self.rows.mean(-1, dtype=np.float64)

    @cached_property
    def variances(self) -> np.ndarray:
        """[change, epsilon, lane], the biased ones."""
        return self.rows.var(-1, dtype=np.float64)

    @cached_property
    def moved(self) -> np.ndarray:
        """[change, epsilon]: by how much, at most, one of the outputs moves."""
        return np.abs(self.rows[:, :, 2] - self.rows[0, :, 2]).max(-1)


def changes_of(
    view: NormView, kind: str, token: int, changes: Sequence[tuple[float, float]], epsilons: Sequence[float]
) -> Changes:
    """One of `KINDS` over one token's vector, for every (factor, shift) and every ε."""
    made = [[view.ran(kind, factor, shift, epsilon) for epsilon in epsilons] for factor, shift in changes]
    return Changes(np.stack([[[getattr(ran, lane)[token] for lane in LANES] for ran in line] for line in made]))


def norm_view(run: Capture, model: Model, place: Place) -> NormView:
    """The view of one norm of a capture that holds `taps(model, place)`."""
    norm = model.parts[str(place)]
    side = run.target_in if place.writes else run.tokens
    mean, variance, normalized, output = (run[place.tap(word)] for word in ("mean", "variance", "normalized", "output"))
    epsilon = float(norm.epsilon)  # type: ignore[arg-type]
    captured = Normed("layer", epsilon, run[given(model, place)], mean, variance, normalized, output)
    return NormView(
        place=place,
        tokens=tuple(token.text for token in side),
        special=tuple(token.special for token in side),
        summands={tap: run[tap] for tap in summands(model, place)},
        captured=captured,
        gamma=norm.get_parameter("gamma").detach().numpy(),
        beta=norm.get_parameter("beta").detach().numpy(),
    )


# ---- the norms themselves, run on numbers at hand


def layer_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our LayerNorm, in the precision of `before` [token, d_model]."""
    import torch

    from core.model.norm import LayerNorm
    from core.model.taps import name_taps, recording

    x = torch.tensor(before)[None]
    norm = LayerNorm(len(gamma), epsilon).to(x.dtype)
    norm.load_state_dict({"gamma": torch.tensor(gamma), "beta": torch.tensor(beta)})
    name_taps(norm)
    with torch.no_grad(), recording() as tape:
        norm(x)
    mean, variance, normalized, output = (tensor.numpy() for tensor in tape.tensors.values())
    return Normed("layer", epsilon, before, mean, variance, normalized, output)


def rms_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our RMSNorm; it has no β."""
    import torch

    from core.lessons.norm import RMSNorm

    norm = RMSNorm(len(gamma), epsilon)
    norm.load_state_dict({"gamma": torch.tensor(gamma)})
    with torch.no_grad():
        normalized, output = norm(torch.tensor(before)[None])
    return Normed("rms", epsilon, before, None, np.square(before).mean(-1), normalized[0].numpy(), output[0].numpy())


def batch_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our BatchNorm over the tokens at hand."""
    import torch

    from core.lessons.norm import BatchNorm

    norm = BatchNorm(len(gamma), epsilon)
    norm.load_state_dict({"gamma": torch.tensor(gamma), "beta": torch.tensor(beta)})
    with torch.no_grad():
        normalized, output = norm(torch.tensor(before)[None])
    mean, variance = before.mean(0), before.var(0)
    return Normed("batch", epsilon, before, mean, variance, normalized[0].numpy(), output[0].numpy())


def no_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """What comes in goes out."""
    return Normed("none", epsilon, before, None, None, before, before)


RUNS = {"layer": layer_norm, "rms": rms_norm, "batch": batch_norm, "none": no_norm}


def torch_difference(view: NormView) -> float:
    """The largest difference of `torch.nn.LayerNorm` over the captured input to the captured output."""
    import torch

    norm = torch.nn.LayerNorm(view.d_model, view.epsilon)
    norm.load_state_dict({"weight": torch.tensor(view.gamma), "bias": torch.tensor(view.beta)})
    with torch.no_grad():
        theirs = norm(torch.tensor(view.captured.before)).numpy()
    return float(np.abs(theirs - view.captured.after).max())


@dataclass(frozen=True)
class Trait:
    """What one kind of norm does to the same numbers."""

    kind: str
    mean: float  # the largest mean, by size, of a token's normalised vector
    spread: tuple[float, float]  # smallest and largest standard deviation of a token's normalised vector
    times: float  # how far an output moves when the input is multiplied by 10
    plus: float  # how far it moves when 5 is added
    alone: float  # how far it moves when a token stands alone, without the others


@dataclass(frozen=True)
class Traits:
    """Every kind on the same numbers, in the order of `KINDS`."""

    kinds: tuple[Trait, ...]

    @property
    def nbytes(self) -> int:
        return 64 * len(self.kinds)


def traits(view: NormView, row: int) -> Traits:
    """Every kind on this norm's numbers; `row` is the token that is also normalised without the others."""
    found = []
    for kind in KINDS:
        ran = view.ran(kind)
        spreads = ran.normalized.std(-1)
        single = RUNS[kind](view.captured.before[row : row + 1], view.gamma, view.beta, view.epsilon)
        found.append(
            Trait(
                kind,
                float(np.abs(ran.normalized.mean(-1)).max()),
                (float(spreads.min()), float(spreads.max())),
                float(view.moves(kind, 10, 0).max()),
                float(view.moves(kind, 1, 5).max()),
                float(np.abs(single.after[0] - ran.after[row]).max()),
            )
        )
    return Traits(tuple(found))


# ---- every norm, through depth


@dataclass(frozen=True, eq=False)
class DepthView:
    """Every norm of a model over one text, in the order the data meet them; `side` is "token" or "target"."""

    places: tuple[Place, ...]
    means: np.ndarray  # [norm], the mean over tokens of what each norm took off
    spreads: np.ndarray  # [norm], the mean over tokens of the standard deviation it divided by
    after: np.ndarray  # [norm], the same of its output
    gamma: np.ndarray  # [norm, d_model]
    beta: np.ndarray  # [norm, d_model]

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))

    @cached_property
    def apart(self) -> np.ndarray:
        """[norm, d_model]: γ minus the median γ of its norm."""
        return self.gamma - np.median(self.gamma, axis=-1, keepdims=True)

    def outlier(self, top: int = 3) -> tuple[int, int]:
        """The dimension most often among the `top` farthest from their norm's median γ, and in how many norms."""
        far = np.argsort(-np.abs(self.apart), axis=-1, kind="stable")[:, :top]
        counts = np.bincount(far.ravel(), minlength=self.gamma.shape[1])
        return int(counts.argmax()), int(counts.max())


DEPTH_TAPS = ("*.norm.mean", "*.norm.variance", "*.norm.output")


def depth_view(run: Capture, model: Model) -> DepthView:
    """The view of a capture that holds `DEPTH_TAPS`."""
    found = places(model)
    parameters = [model.parts[str(place)] for place in found]
    return DepthView(
        found,
        np.array([run[place.tap("mean")].mean() for place in found]),
        np.array([np.sqrt(run[place.tap("variance")]).mean() for place in found]),
        np.array([run[place.tap("output")].std(-1).mean() for place in found]),
        np.stack([norm.get_parameter("gamma").detach().numpy() for norm in parameters]),
        np.stack([norm.get_parameter("beta").detach().numpy() for norm in parameters]),
    )


# ---- the norms elsewhere


@dataclass(frozen=True, eq=False)
class ArrangementView:
    """One arrangement of the same weights: how far each state's numbers are spread.

    `spreads`: tap -> the standard deviation of a token's numbers, averaged over the tokens.
    """

    norm: str
    layers: Mapping[str, int]  # of each stack: "encoder" and, in a translator, "decoder"
    spreads: Mapping[str, float]
    last: np.ndarray  # [token, d_model], what leaves the encoder
    text_out: str | None  # what a translator then writes

    @property
    def nbytes(self) -> int:
        return self.last.nbytes

    def outputs(self, stack: str = "encoder") -> list[float]:
        """The spread of the stream: where it enters, and after each layer."""
        entrance = "embedding.output" if stack == "encoder" else "decoder.embedding.output"
        return [self.spreads[tap] for tap in (entrance, *(f"{stack}.{i}.output" for i in range(self.layers[stack])))]

    def agreement(self, other: "ArrangementView") -> float:
        """The mean over tokens of the cosine between two arrangements' last states."""
        return float(cosine(self.last, other.last).mean())


ARRANGEMENT_TAPS = (
    "embedding.sum",
    "embedding.output",
    "encoder.*.skip",
    "encoder.*.attention.output",
    "encoder.*.feedforward.output",
    "encoder.*.residual",
    "encoder.*norm.output",
    "encoder.*.output",
    "decoder.*.skip",
    "decoder.*.residual",
    "decoder.*.output",
)


def arrangement_view(run: Capture, model: Model) -> ArrangementView:
    """The view of a capture, by a model that was `rearranged`, that holds `ARRANGEMENT_TAPS`."""
    config, norm = model.config, model.config.norm
    stacks = {"encoder": config.layers, "decoder": config.decoder_layers}
    layers = {stack: count for stack, count in stacks.items() if count}
    states = (".skip", ".residual", ".output")
    kept = [name for name in run.names() if name.endswith(states) and run.dims(name)[-1] == "d_model"]
    last = run["encoder.norm.output" if norm == "pre" else f"encoder.{config.layers - 1}.output"]
    return ArrangementView(norm, layers, {tap: float(run[tap].std(-1).mean()) for tap in kept}, last, run.text_out)


# ---- by hand

MOST = 12  # numbers in a small vector
LARGEST = 1e6  # beyond it, squares no longer tell small numbers apart


@dataclass(frozen=True, eq=False)
class ByHand:
    """A small vector, normalised with γ = 1 and β = 0 in float64, and what `torch` makes of it."""

    values: np.ndarray
    mean: float
    centred: np.ndarray
    variance: float  # the biased one: Σ(x - μ)² ÷ d
    unbiased: float | None  # Σ(x - μ)² ÷ (d - 1); one number has none
    normalized: np.ndarray
    theirs: np.ndarray

    @property
    def difference(self) -> float:
        return float(np.abs(self.normalized - self.theirs).max())


MINUS = str.maketrans("−－", "--")  # as pages write it, and as a Chinese keyboard does


def vector(entries: Sequence[str]) -> np.ndarray:
    """The numbers somebody typed. Raises InputError where they are none, too many, not numbers or too large."""
    if not 1 <= len(entries) <= MOST:
        raise InputError("vector_length", count=len(entries), limit=MOST)
    values = []
    for place, entry in enumerate(entries):
        try:
            value = float(entry.translate(MINUS))
        except ValueError:
            raise InputError("vector_entry", place=place, entry=entry[:20]) from None
        if not math.isfinite(value):
            raise InputError("vector_not_finite", place=place, entry=entry[:20])
        if abs(value) > LARGEST:
            raise InputError("vector_large", place=place, entry=entry[:20], limit=f"{LARGEST:,.0f}")
        values.append(value)
    return np.array(values)


def by_hand(values: np.ndarray, epsilon: float) -> ByHand:
    """LayerNorm of one small vector [d], ours beside `torch.nn.functional.layer_norm`."""
    import torch

    d = len(values)
    ours = layer_norm(values[None], np.ones(d), np.zeros(d), epsilon)
    theirs = torch.nn.functional.layer_norm(torch.tensor(values), (d,), eps=epsilon).numpy()
    assert ours.mean is not None and ours.variance is not None
    mean, variance = float(ours.mean[0]), float(ours.variance[0])
    unbiased = float(values.var(ddof=1)) if d > 1 else None
    return ByHand(values, mean, values - mean, variance, unbiased, ours.normalized[0], theirs)


# ---- before any training

START_FILE = Path(__file__).parents[2] / "assets/experiments/layernorm.json"


@dataclass(frozen=True)
class Start:
    """One arrangement of one depth before its first step: means over the seeds of `core.training.experiments`."""

    arrangement: str
    layers: int
    loss: float
    spreads: tuple[float, ...]  # of the stream: where it enters, and after each layer
    gradient: float  # the norm of the loss's gradient
    gradients: tuple[float, ...]  # the same by each layer's own parameters


@dataclass(frozen=True)
class Starts:
    """The committed experiment, and the command that makes it anew."""

    command: str
    settings: Mapping[str, Any]
    seconds: int
    starts: tuple[Start, ...]

    def of(self, arrangement: str) -> tuple[Start, ...]:
        """One arrangement, from shallow to deep."""
        return tuple(start for start in self.starts if start.arrangement == arrangement)

    def deepest(self, arrangement: str) -> Start:
        return self.of(arrangement)[-1]


@cache
def starts() -> Starts:
    """What the experiment gave when it was last run."""
    found = json.loads(START_FILE.read_text(encoding="utf-8"))
    made = tuple(
        Start(**{**one, "spreads": tuple(one["spreads"]), "gradients": tuple(one["gradients"])})
        for one in found["starts"]
    )
    return Starts(found["command"], found["settings"], found["seconds"], made)
