"""Shapes on the way from ids to the first layer, as a pipeline that runs: every step's lines, and what they made; and
the input part of some lecture notes beside a module, on ids of one's own."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Stop:
    """One step of the pipeline: the lines that ran, and the tensor they made."""

    name: str
    code: str
    array: np.ndarray

    @property
    def nbytes(self) -> int:
        return self.array.nbytes


@dataclass(frozen=True, eq=False)
class Pipeline:
    """From ids to heads, step by step, and what PyTorch refuses.

    Attributes:
        stops: the steps that ran.
        stride: of the position matrix, stretched over the batch: 0 where nothing is copied.
        failed: the lines of the step that could not run, and torch's own words; "" where all ran.
        refused: torch's own words about (batch, n, d) + (batch, d); "" where even that fits.
        wrong: the shape of that sum, where it fits: no error says that it was meant otherwise.
    """

    stops: tuple[Stop, ...]
    stride: tuple[int, ...]
    failed: tuple[str, str]
    refused: str
    wrong: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        return sum(stop.nbytes for stop in self.stops)

    def stop(self, name: str) -> Stop:
        """The step of this name. Raises StopIteration where there is none."""
        return next(stop for stop in self.stops if stop.name == name)


def pipeline(**sizes: int) -> Pipeline:
    """Run `core.lessons.input.steps` once, as far as it runs."""
    import torch

    from ..lessons.input import steps

    stops, failed, tensors = [], ("", ""), steps(**sizes)
    for name, code in written(steps):
        try:
            stops.append(Stop(name, code, next(tensors).numpy()))
        except RuntimeError as error:
            failed = code, str(error)
            break
    by_name = {stop.name: torch.from_numpy(stop.array) for stop in stops}
    stretched = by_name["position"].expand_as(by_name["scaled"])
    try:
        wrong = by_name["scaled"] + by_name["scaled"][:, 0]  # (batch, n, d) + (batch, d)
    except RuntimeError as error:
        return Pipeline(tuple(stops), stretched.stride(), failed, str(error), ())
    return Pipeline(tuple(stops), stretched.stride(), failed, "", tuple(wrong.shape))


@dataclass(frozen=True, eq=False)
class Called:
    """One input part, called twice on the same ids.

    Attributes:
        results: of both calls, [1, n, d_model] each; none where it failed.
        failed: torch's own words, else "".
        saved: name -> shape of the tensors beside the table that a file of its weights holds.
    """

    results: tuple[np.ndarray, ...]
    failed: str
    saved: Mapping[str, tuple[int, ...]]


def called(ids: Sequence[int], vocab: int, d_model: int) -> tuple[Called, Called]:
    """The function of the notes, and the module."""
    import torch

    from ..lessons.input import PositionalEncoding, TransformerInput, transformer_input

    given = torch.tensor([ids])
    module = TransformerInput(vocab, d_model, longest=max(512, len(ids))).eval()
    kept = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items() if "table" not in name}
    try:
        noted = {name: tuple(tensor.shape) for name, tensor in PositionalEncoding(d_model).state_dict().items()}
    except RuntimeError:
        noted = {}
    return twice(lambda: transformer_input(given, vocab, d_model), noted), twice(lambda: module(given), kept)


def twice(call: Callable, saved: Mapping[str, tuple[int, ...]]) -> Called:
    import torch

    try:
        with torch.no_grad():
            return Called((call().numpy(), call().numpy()), "", saved)
    except (RuntimeError, IndexError) as error:
        return Called((), str(error), saved)


def written(generator: Callable[..., Iterator]) -> Iterator[tuple[str, str]]:
    """Of a function that yields what it has made, under a name each: the name, and the lines that make it."""
    source = textwrap.dedent(inspect.getsource(generator))
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef) and ast.get_docstring(function)
    first = function.body[1].lineno
    for before, statement in zip(function.body, function.body[1:], strict=False):
        match statement:
            case ast.Expr(value=ast.Yield(value=ast.Name(id=name))):
                assert before.end_lineno
                lines = source.splitlines()[first - 1 : before.end_lineno]
                yield name, textwrap.dedent("\n".join(lines)).strip("\n")
                first = statement.lineno + 1
