"""What a researcher asks of a run first: what each state would say, who wrote a word, what a loss wants, what a state
from another run changes. The lab "circuits" shows the same functions.

lens       every state on the way, read as the last is
attribute  a logit as a sum, by what wrote it
gradient   of a loss of one's own, by every tap
sweep      a row of every tap at a time, taken from another run: what that makes of a number of one's own

References:
    nostalgebraist 2020, interpreting GPT: the logit lens. Elhage et al. 2021, A Mathematical Framework for Transformer
    Circuits. Meng et al. 2022, Locating and Editing Factual Associations in GPT (activation patching).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from .capture import Capture, capture, suggestion
from .edits import Edit, patch
from .errors import InputError
from .model.places import split
from .ranking import largest
from .views import circuits
from .views import output as reading
from .zoo import Model

if TYPE_CHECKING:
    from torch import Tensor

MASKS = ("[MASK]", "<mask>")  # what stands for a hidden word


def model_of(run: Capture, writes: bool = False) -> Model:
    """The model of a run. Raises InputError where nobody knows it any more, or where it has no output and one is
    needed."""
    if run.by is None:
        raise InputError("no_model", model=run.model)
    if writes and "output.logits" not in run.by.tap_dims:
        raise InputError("no_output", model=run.model)
    return run.by


def place_of(run: Capture, token: int) -> int:
    """A token of the row that the output stands over, from 0; negative ones count from the end. Raises InputError."""
    n = len(run.target_in or run.tokens)
    if not -n <= token < n:
        raise InputError("cell_outside", cell=f"token {token}", shape=str(n))
    return token % n


# ---- every state, read as the last is


@dataclass(frozen=True)
class Said:
    """What the state at a tap says through the norm at the end and the table: the likeliest words, each with its
    probability, the likeliest first."""

    tap: str
    words: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        return f"{self.tap:34} " + "  ".join(f"{word!r} {share:.3f}" for word, share in self.words)


def lens(run: Capture, token: int | None = None, top: int = 5) -> tuple[Said, ...]:
    """What every state of a token, from what enters the first layer on, would say: the logit lens. Of a model that
    writes, about the next token, after the last where none is named; of one that guesses hidden words, about this one,
    at the first [MASK].

    A state means something to the layers that read it, and those are not the table: early ones say little here.
    Raises InputError for a model without an output, and for a token that is not there.
    """
    model = model_of(run)
    if model.masked_head is not None:
        hidden = (i for i, piece in enumerate(run.tokens) if piece.text in MASKS)
        return guesses(run, model, place_of(run, next(hidden, -1) if token is None else token), top)
    model, at = model_of(run, writes=True), place_of(run, -1 if token is None else token)
    if split(model.stacks["decoder"].exit)[0].norm:
        found = circuits.lens(with_taps(run, model.stream("decoder")), model, at, 0, top)
        each = zip(found.taps, found.best, found.probabilities, strict=True)
    else:
        view = reading.output_view(with_taps(run, reading.taps(model)), model)
        lines = [(depth.tap, view.shares(i, at)) for i, depth in enumerate(view.depths)]
        each = [(tap, best := largest(line, top), line[best]) for tap, line in lines]
    return tuple(in_words(model, *line) for line in each)


def guesses(run: Capture, model: Model, at: int, top: int) -> tuple[Said, ...]:
    """What the head that guesses hidden words makes of every state of a token."""
    import torch

    assert model.masked_head is not None
    depths = model.depths()
    states = with_taps(run, depths)
    with torch.no_grad():
        logits = model.masked_head(torch.tensor(np.stack([states[tap][at] for tap in depths])))
    found = []
    for tap, shares in zip(depths, logits.double().softmax(-1).numpy(), strict=True):
        best = largest(shares, top)
        found.append(in_words(model, tap, best, shares[best]))
    return tuple(found)


def in_words(model: Model, tap: str, ids: Iterable[int], shares: Iterable[float]) -> Said:
    return Said(tap, tuple((said(model, int(id)), float(share)) for id, share in zip(ids, shares, strict=True)))


def with_taps(run: Capture, names: Iterable[str]) -> Capture:
    """The run with these taps, kept or not."""
    return replace(run, arrays={**run.arrays, **run.fetch(names)})


def said(model: Model, id: int) -> str:
    """A word of the vocabulary as it is spoken."""
    return circuits.spoken(model, id) if hasattr(model.tokenizer, "decode") else model.tokenizer.names[id]


# ---- who wrote a word


@dataclass(frozen=True, eq=False)
class Attribution:
    """A logit, or the gap between two, as a sum.

    Attributes:
        word, against: what it is of.
        parts: what wrote, with what it adds, the greatest first.
        captured: the logit, or the gap, as the model had it; `total` is the sum of the parts.
    """

    word: str
    against: str | None
    parts: tuple[tuple[str, float], ...]
    captured: float

    @property
    def total(self) -> float:
        return sum(value for _, value in self.parts)

    def __str__(self) -> str:
        lines = [f"{value:12.4f}  {name}" for name, value in self.parts]
        return "\n".join([*lines, f"{self.total:12.4f}  their sum; the model has {self.captured:.4f}"])


def attribute(
    run: Capture, word: str | int | None = None, token: int = -1, against: str | int | None = None, by: str = "head"
) -> Attribution:
    """What made the logit of a word (a text or an id; the likeliest where none is named) after a token, less that of
    `against`: by "head" the embedding, every head and every feed-forward network, each its own tap, by "layer" the
    layers.

    The divisor of the norm at the end is held as it was: a part taken away would leave another sum than this less its
    term. Raises InputError for a model whose last state is no sum (one without an output, or whose norms stand behind
    the sub-layers), and for a word or token that is not there.
    """
    model = model_of(run, writes=True)
    circuits.check(model)
    if by not in ("head", "layer"):
        raise ValueError(f"by {by}: head or layer")
    at, run = place_of(run, token), with_taps(run, circuits.taps(model))
    id = int(run["output.logits"][at].argmax()) if word is None else id_of(model, word)
    other = None if against is None else id_of(model, against)
    found = circuits.contributions(run, model, at, id, other)
    sums: dict[str, float] = defaultdict(float)
    for part, value in zip(found.parts, found.values, strict=True):
        sums[part.name if by == "head" else part.stage] += float(value)
    parts = sorted(sums.items(), key=lambda part: -abs(part[1]))
    return Attribution(said(model, id), None if other is None else said(model, other), tuple(parts), found.captured)


def id_of(model: Model, word: str | int) -> int:
    """The id of a word as it stands after others. Raises InputError where there is none."""
    id = word if isinstance(word, int) else circuits.next_word(model, word)
    if id is None:
        raise InputError("not_in_vocabulary", word=str(word)[:80])
    return id


# ---- what a loss of one's own wants


@dataclass(frozen=True, eq=False)
class Gradients(Mapping[str, np.ndarray]):
    """A loss, and its gradient by every tap that it depends on: float32, of the tap's own shape."""

    loss: float
    by: Mapping[str, np.ndarray]

    def __getitem__(self, tap: str) -> np.ndarray:
        return self.by[tap]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by)

    def __len__(self) -> int:
        return len(self.by)


def gradient(run: Capture, loss: "Callable[[Mapping[str, Tensor]], Tensor]") -> Gradients:
    """The gradient, by autograd, of a loss that is given what passed the taps (tensors, named as in the run, without
    the batch dimension) and gives one number back; no shared weight is touched.

    >>> from core import load_model
    >>> run = capture(load_model("minilm"), "The cat sat.")
    >>> found = gradient(run, lambda taps: taps["encoder.5.output"].square().sum())
    >>> found["encoder.5.output"].shape == run["encoder.5.output"].shape
    True

    Raises InputError where nobody knows the model any more, ValueError for a loss that is not one number.
    """
    import torch

    from .model.taps import editing, recording

    model = model_of(run)
    with torch.enable_grad(), editing((*run.edits, Following())), recording() as tape:  # type: ignore[arg-type]
        model.network(*run.inputs)
        made = loss({name: tensor[0] for name, tensor in tape.passed.items()})
        if not isinstance(made, torch.Tensor) or made.numel() != 1:
            raise ValueError("a loss is a tensor of one number")
        names = [name for name, tensor in tape.passed.items() if tensor.requires_grad]
        found = torch.autograd.grad(made, [tape.passed[name] for name in names], allow_unused=True)
    return Gradients(
        float(made.detach()), {name: g[0].numpy() for name, g in zip(names, found, strict=True) if g is not None}
    )


class Following:
    """An edit that changes nothing: what passes a tap becomes a tensor of its own, which a gradient can be asked of."""

    pattern = "*"

    def change(self, x: "Tensor") -> "Tensor":
        return x.view_as(x) if x.requires_grad else x.detach().requires_grad_()


# ---- a row at a time from another run


@dataclass(frozen=True, eq=False)
class Sweep:
    """What becomes of a number when one row of one tap is taken from another run.

    Attributes:
        taps: the taps, in the order the data met them.
        values: float64 [tap, token] the number, with that row.
        own, other: the number of the run as it is, and of the other.
    """

    run: Capture
    source: str
    taps: tuple[str, ...]
    values: np.ndarray
    own: float
    other: float

    def at(self, tap: str, token: int) -> Capture:
        """The run behind one value, with every tap: each of its numbers can be followed."""
        return again(self.run, patch(tap, token, self.source))


def sweep(
    run: Capture,
    other: Capture,
    taps: str | Sequence[str] = "*.output",
    metric: Callable[[Capture], float] = lambda run: float(run[list(run)[-1]].max()),
    only: Sequence[str] | None = None,
) -> Sweep:
    """For every tap that the pattern names and every token that both runs have: the metric of the run in which that row
    is the other's. Each is a run of its own, so this takes as many passes as it has values; `only` says which taps the
    metric reads.

    Raises InputError for a pattern that no tap's name matches, for taps without a row for each token, and for another
    run that is more than a text of its own, read by the same model.
    """
    model = model_of(run)
    if (other.model, other.pair, other.edits, other.padding, bool(other.target_in)) != (model.id, None, (), 0, False):
        raise InputError("not_a_plain_run", model=model.id)
    patterns = (taps,) if isinstance(taps, str) else tuple(taps)
    named = [tap for tap in model.tap_dims if any(fnmatchcase(tap, pattern) for pattern in patterns)]
    if not named:
        raise InputError("unknown_pattern", pattern=patterns[0], near=suggestion(patterns[0], model.tap_dims))
    n = min(len(run.tokens), len(other.tokens))
    values = [[metric(again(run, patch(tap, token, other.text), only=only)) for token in range(n)] for tap in named]
    own, its = (metric(again(each, only=only)) for each in (run, other))
    return Sweep(run, other.text, tuple(named), np.array(values, np.float64), own, its)


def again(run: Capture, *edits: Edit, only: Sequence[str] | None = None) -> Capture:
    """The same run once more, with more edits."""
    assert run.by is not None
    target = run.text_out if run.target_in else None
    return capture(run.by, run.text, run.pair, target=target, only=only, edits=(*run.edits, *edits))
