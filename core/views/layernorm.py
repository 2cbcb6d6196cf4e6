"""What the layernorm stage shows: one norm number by number, and all norms through depth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture
from ..model.places import Place, norms
from ..zoo import Model
from .norms import KINDS, RUNS, Normed

if TYPE_CHECKING:
    from torch import nn


def places(model: Model) -> tuple[Place, ...]:
    """Every norm of the model, in the order the data meet them: `embedding.norm`, `encoder.0.attention.norm` …"""
    return norms(model.tap_dims)


def summands(model: Model, place: Place) -> tuple[str, ...]:
    """The taps that add up to what this norm is given; one alone where that is handed on as it is."""
    around = replace(place, norm=False)
    if place.part != "embedding":
        before = given(model, place)
        return (around.tap("skip"), around.tap("output")) if before == around.tap("residual") else (before,)
    parts = ("scaled" if around.tap("scaled") in model.tap_dims else "token", "position", "segment")
    return tuple(tap for tap in map(around.tap, parts) if tap in model.tap_dims)


def given(model: Model, place: Place) -> str:
    """The tap in front of a norm."""
    return model.normed(place)


def taps(model: Model, place: Place) -> tuple[str, ...]:
    """The taps that `norm_view` reads, for `capture(only=...)`."""
    return (*summands(model, place), given(model, place), place.tap("*"))


@dataclass(frozen=True, eq=False)
class NormView:
    """One norm, a LayerNorm or an RMSNorm. Tokens and dimensions count from 0."""

    place: Place
    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    summands: Mapping[str, np.ndarray]  # tap -> [token, d_model]: what adds up to `captured.before`
    captured: Normed
    gamma: np.ndarray  # [d_model]
    beta: np.ndarray  # [d_model]; 0 where it learned none
    given: str = ""  # the tap of `captured.before`

    @property
    def kind(self) -> str:
        """Which of `KINDS` it is."""
        return self.captured.kind

    @property
    def epsilon(self) -> float:
        return self.captured.epsilon

    @property
    def d_model(self) -> int:
        return len(self.gamma)

    @property
    def learned(self) -> tuple[str, ...]:
        """Its parameters: an RMSNorm has no β."""
        return ("gamma",) if self.kind == "rms" else ("gamma", "beta")

    @property
    def nbytes(self) -> int:
        return self.captured.nbytes + sum(a.nbytes for a in self.summands.values())

    def ran(self, kind: str = "", factor: float = 1, shift: float = 0, epsilon: float | None = None) -> Normed:
        """One of `KINDS`, its own where none is named, with this norm's γ and β, over factor · before + shift; captured
        numbers where they are."""
        epsilon = self.epsilon if epsilon is None else epsilon
        kind = kind or self.kind
        if (kind, factor, shift, epsilon) == (self.kind, 1, 0, self.epsilon):
            return self.captured
        before = (np.float32(factor) * self.captured.before + np.float32(shift)).astype(np.float32)
        return replace(RUNS[kind](before, self.gamma, self.beta, epsilon), factor=factor, shift=shift)

    def moves(self, kind: str = "", factor: float = 10, shift: float = 5, epsilon: float | None = None) -> np.ndarray:
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
    """One of `KINDS` over one token's vector, for every (factor, shift) and every ε; captured numbers where they are.

    Each ε runs once: changed vectors stand beside each other as tokens do, or, of BatchNorm, as dimensions do.
    """
    before = view.captured.before
    given = np.stack([np.float32(factor) * before + np.float32(shift) for factor, shift in changes])
    made = np.stack([ran_together(view, kind, given, token, epsilon) for epsilon in epsilons], axis=1)
    if kind == view.kind and (1, 0) in changes and view.epsilon in epsilons:
        own = list(changes).index((1, 0)), list(epsilons).index(view.epsilon)
        made[own] = [getattr(view.captured, lane)[token] for lane in LANES]
    return Changes(made)


def ran_together(view: NormView, kind: str, given: np.ndarray, token: int, epsilon: float) -> np.ndarray:
    """One kind over changed inputs [change, token, d_model] -> [change, lane, d_model] of one token."""
    count = len(given)
    if kind != "batch":
        ran = RUNS[kind](given[:, token], view.gamma, view.beta, epsilon)
        return np.stack([getattr(ran, lane) for lane in LANES], axis=1)
    wide = np.concatenate(list(given), axis=-1)
    ran = RUNS[kind](wide, np.tile(view.gamma, count), np.tile(view.beta, count), epsilon)
    return np.stack([getattr(ran, lane)[token].reshape(count, -1) for lane in LANES], axis=1)


def norm_view(run: Capture, model: Model, place: Place) -> NormView:
    """The view of one norm of a capture that holds `taps(model, place)`."""
    norm = model.parts[str(place)]
    side = run.tokens_at(place)
    kind, epsilon = model.config.normalization, float(norm.epsilon)  # type: ignore[arg-type]
    mean = run[place.tap("mean")] if kind == "layer" else None
    spread, normalized, output = (run[place.tap(word)] for word in (SPREAD[kind], "normalized", "output"))
    captured = Normed(kind, epsilon, run[given(model, place)], mean, spread, normalized, output)
    return NormView(
        place=place,
        tokens=tuple(token.text for token in side),
        special=tuple(token.special for token in side),
        summands={tap: run[tap] for tap in summands(model, place)},
        captured=captured,
        gamma=norm.get_parameter("gamma").detach().numpy(),
        beta=beta_of(norm),
        given=given(model, place),
    )


def beta_of(norm: "nn.Module") -> np.ndarray:
    """[d_model] what a norm learned to add, 0 where it adds nothing."""
    learned = {name: parameter.detach().numpy() for name, parameter in norm.named_parameters()}
    return learned.get("beta", np.zeros_like(learned["gamma"]))


def torch_difference(view: NormView) -> float:
    """The largest difference of `torch.nn.LayerNorm`, or RMSNorm, over the captured input to the captured output."""
    import torch

    learned = {"weight": torch.tensor(view.gamma), "bias": torch.tensor(view.beta)}
    if view.kind == "rms":
        norm = torch.nn.RMSNorm(view.d_model, view.epsilon)
        del learned["bias"]
    else:
        norm = torch.nn.LayerNorm(view.d_model, view.epsilon)
    norm.load_state_dict(learned)
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
    means: np.ndarray  # [norm], the mean over tokens of what each norm took off; 0 of an RMSNorm
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


SPREAD = {"layer": "variance", "rms": "mean_square"}  # the tap of what a norm divides by the root of


def depth_taps(model: Model) -> tuple[str, ...]:
    """The taps that `depth_view` reads."""
    words = {"layer": ("mean", "variance", "output"), "rms": ("mean_square", "output")}[model.config.normalization]
    return tuple(place.tap(word) for place in places(model) for word in words)


def depth_view(run: Capture, model: Model) -> DepthView:
    """The view of a capture that holds `depth_taps`."""
    found, kind = places(model), model.config.normalization
    parameters = [model.parts[str(place)] for place in found]
    return DepthView(
        found,
        np.array([run[place.tap("mean")].mean() if kind == "layer" else 0 for place in found]),
        np.array([np.sqrt(run[place.tap(SPREAD[kind])]).mean() for place in found]),
        np.array([run[place.tap("output")].std(-1).mean() for place in found]),
        np.stack([norm.get_parameter("gamma").detach().numpy() for norm in parameters]),
        np.stack([*map(beta_of, parameters)]),
    )
