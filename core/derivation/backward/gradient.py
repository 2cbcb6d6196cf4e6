"""The gradients of one run's loss, by autograd: the numbers that the steps back are held against, and made of."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...capture import Capture
from ...errors import InputError
from ...model.places import split
from ...run_spec import RunSpec
from ..flow import Flow
from ..origins import Cell, Measure, Origin, Weight, within
from ..reading import array
from ..steps import Named, Vector

if TYPE_CHECKING:
    from torch import Tensor

MOST = 128  # tokens: the way back through every weight keeps all that went forth
SHORT = 32  # tokens: up to here the gradients by all taps are kept together
ASIDE = ("mask", "probabilities")  # no gradient passes these: the loss is made of the logits


@dataclass(eq=False)
class Kept:
    """A change of nothing, which remembers what passed a tap: what a gradient is asked of."""

    pattern: str
    seen: "list[Tensor]" = field(default_factory=list)

    def change(self, x: "Tensor") -> "Tensor":
        own = x.view_as(x) if x.requires_grad else x.detach().requires_grad_()  # what went past here, not what came
        self.seen.append(own)
        return own


@dataclass(frozen=True, eq=False)
class Backward:
    """The way back through one run; `toward` names the last states of the other sentence, where the run only reads.

    Raises InputError for what has no loss or no gradient here: a run that was padded or is too long, one with edits
    other than cut residuals.
    """

    run: Capture
    toward: Cell | None
    given: RunSpec | None = None  # of which run it is, where that is not the one at hand

    def __post_init__(self) -> None:
        writes = bool(self.run.target_in)
        known = all(edit.known and edit.pattern.endswith("skip") for edit in self.run.edits)
        if writes == (self.toward is not None) or not known or self.run.padding or len(self.run.tokens) > MOST:
            raise InputError("no_gradient", tokens=len(self.run.tokens), limit=MOST)

    @property
    def flow(self) -> Flow:
        return Flow.of(self.run)

    # ---- the numbers themselves

    def of(self, origin: Origin) -> np.ndarray:
        """The whole gradient of the loss by a tap or a parameter, float32, by torch.autograd.grad. Those of taps are
        kept with the run; of parameters, which may be large, none is."""
        if isinstance(origin, Weight):
            (found,) = self.found((), (origin.name,))
            return found
        self.ask((origin.name,))
        return self.run.later[self.key(origin.name)]

    def key(self, name: str) -> str:
        """Under which a gradient is kept with the run."""
        return f"gradient of {name} toward {self.toward}"

    def ask(self, taps: Iterable[str]) -> None:
        """All of these in one pass; of a short sentence those of every tap, for who takes a step back takes another."""
        missing = [tap for tap in dict.fromkeys(taps) if self.key(tap) not in self.run.later]
        if missing and max(len(self.run.tokens), len(self.run.target_in)) <= SHORT:
            missing = [tap for tap in self.flow.dims if split(tap)[1] not in ASIDE]
        if missing:
            found = self.found(missing, ())
            self.run.later.update(zip(map(self.key, missing), found, strict=True))

    def found(self, taps: Sequence[str], parameters: Sequence[str]) -> list[np.ndarray]:
        """By taps, then by parameters. Nothing is left in the shared weights."""
        import torch

        from ...model.taps import editing

        run, model = self.run, self.run.by
        assert model is not None
        kept = [Kept(tap) for tap in taps]
        with torch.enable_grad(), editing((*run.edits, *kept)):  # type: ignore[arg-type]
            loss = self.loss(model.network(*run.inputs))
            passed = [one.seen[0] for one in kept]
            gradients = torch.autograd.grad(loss, [*passed, *(parameter(run, name) for name in parameters)])
        of_taps, of_parameters = gradients[: len(taps)], gradients[len(taps) :]
        return [*(each[0].numpy() for each in of_taps), *(each.numpy() for each in of_parameters)]  # a batch of one

    def loss(self, made: "Tensor | tuple[Tensor, Tensor]") -> "Tensor":
        import torch
        from torch.nn.functional import cosine_similarity, cross_entropy

        if isinstance(made, tuple):
            return cross_entropy(made[0][0], torch.tensor([token.id for token in self.run.target_out]))
        return 1 - cosine_similarity(made[0].mean(0), torch.tensor(self.other), dim=0)

    @property
    def other(self) -> np.ndarray:
        """[d_model] the other sentence's vector."""
        assert self.toward is not None
        return array(self.run, self.toward).mean(0)

    # ---- what a step is made of

    def slope(self, of: Origin) -> Vector:
        """The gradients of all that this names, each a measure of its own."""
        return each_number(self.of(of)[of.slices].astype(np.float64), of, self.measure)

    def one(self, of: Origin) -> Vector:
        """The gradient of one number."""
        return Vector(self.of(of)[of.slices].astype(np.float64), self.measure(of))  # type: ignore[arg-type]

    def measure(self, of: Origin) -> Measure:
        own = within(of, self.given)
        return Measure("gradient", (own,)) if self.toward is None else Measure("gradient_toward", (own, self.toward))

    def read(self, of: Origin) -> Vector:
        return Vector(array(self.run, of)[of.slices].astype(np.float64), of if of.given else within(of, self.given))


def each_number(values: np.ndarray, of: Origin, measure: Callable[[Origin], Measure]) -> Named:
    """What was measured of each number that this names: its axes that stand open are those of the values."""
    return Named(values, source=lambda i: measure(of.at(*(int(at) for at in np.unravel_index(i, values.shape)))))


def parameter(run: Capture, name: str) -> "Tensor":
    assert run.by is not None
    module, _, word = name.rpartition(".")
    return run.by.parts[module].get_parameter(word)
