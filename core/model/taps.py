"""Observation points: identity modules that name the tensor passing through them.

A tap writes to a tape held in a `ContextVar`, so two visitors who share one model, each in a thread of their
own, never see each other's numbers. A second one holds their edits: "what if" changes to what passes a tap. Without
tape and edits a tap does nothing at all, and it adds nothing to `state_dict`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fnmatch import fnmatchcase
from typing import Protocol

import numpy as np
from torch import Tensor, nn


class Enough(Exception):
    """Everything that a tape was to keep has passed: the rest of the pass would be thrown away."""


class Tape:
    """What one forward pass left behind: tap name -> tensor, in the order the data met the taps. With `brief`, `only`
    are names and no patterns, and the pass ends with `Enough` behind the last of them."""

    def __init__(self, only: tuple[str, ...] | None = None, brief: bool = False):
        self.only, self.brief = only, brief
        self.names = frozenset(only or ())
        self.passed: dict[str, Tensor] = {}  # with the batch: a chat model passes 847 taps, and each operation counts

    def wants(self, name: str) -> bool:
        """Whether a tap of this name is to be kept."""
        if self.only is None:
            return True
        if self.brief:
            return name in self.names
        return any(fnmatchcase(name, pattern) for pattern in self.only)

    def record(self, name: str, tensor: Tensor) -> None:
        """Keep a tensor [1, ...]."""
        if self.wants(name):
            self.passed[name] = tensor
            if self.brief and len(self.passed) == len(self.names):
                raise Enough

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What passed, without its batch dimension of one."""
        return {name: tensor.detach()[0] for name, tensor in self.passed.items()}

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The same as arrays that share the tensors' memory; of a pass without gradients."""
        return {name: tensor.numpy()[0] for name, tensor in self.passed.items()}


_tape: ContextVar[Tape | None] = ContextVar("tape", default=None)


@contextmanager
def recording(only: tuple[str, ...] | None = None, brief: bool = False) -> Iterator[Tape]:
    """A tape that every tap met inside this block, in this thread, writes to."""
    tape = Tape(only, brief)
    token = _tape.set(tape)
    try:
        yield tape
    finally:
        _tape.reset(token)


class Change(Protocol):
    """What an edit is to a tap: where the name matches, the tensor goes through `change` before it goes on."""

    @property
    def pattern(self) -> str: ...

    @property
    def change(self) -> Callable[[Tensor], Tensor]: ...


_edits: ContextVar[tuple[Change, ...]] = ContextVar("edits", default=())


@contextmanager
def editing(edits: Sequence[Change]) -> Iterator[None]:
    """Every tap met inside this block, in this thread, applies these edits, one after the other."""
    token = _edits.set(tuple(edits))
    try:
        yield
    finally:
        _edits.reset(token)


SILENT = ("sublayer", "layers")  # parts of a module path that a tap's name leaves out


class Tap(nn.Module):
    """The identity (unless somebody edits here), with a name and the names of its dimensions (the batch left out).

    The name is the tap's place in the model and is set by `name_taps`.
    """

    def __init__(self, *dims: str):
        super().__init__()
        self.dims = dims
        self.name = ""

    def forward(self, x: Tensor) -> Tensor:
        """x, with its batch dimension -> x, or what the edits that match make of it; of the same shape."""
        for edit in _edits.get():
            if fnmatchcase(self.name, edit.pattern):
                x = edit.change(x)
        tape = _tape.get()
        if tape is not None:
            tape.record(self.name, x)
        return x

    def extra_repr(self) -> str:
        return ", ".join(self.dims)


def name_taps(model: nn.Module) -> dict[str, tuple[str, ...]]:
    """Give every tap of `model` its name; returns name -> dimension names."""
    dims = {}
    for path, module in model.named_modules():
        if isinstance(module, Tap):
            module.name = spoken(path)
            dims[module.name] = module.dims
    return dims


def spoken(path: str) -> str:
    """A module's path as taps and places name it.

    `sublayer` is left out of it: a residual wrapper and what it wraps are one thing to a reader; so is `layers`: a
    decoder's layers are simply numbered.

    >>> spoken("decoder.layers.1.cross_attention.sublayer.weights")
    'decoder.1.cross_attention.weights'
    """
    return ".".join(part for part in path.split(".") if part not in SILENT)


def named_parts(model: nn.Module) -> dict[str, nn.Module]:
    """Name -> module, named as taps are; of a wrapper and what it wraps, what it wraps."""
    return {spoken(path): module for path, module in model.named_modules()}
