"""Shapes on the way from ids to the first layer, as a pipeline that runs: every step's lines, and what they made."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
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
    """(32, 5) to (32, 5, 768), step by step, and what broadcasting refuses."""

    stops: tuple[Stop, ...]
    stride: tuple[int, ...]  # of the position matrix, stretched over the batch: 0 where nothing is copied
    refused: str  # torch's own words about shapes that do not fit

    @property
    def nbytes(self) -> int:
        return sum(stop.nbytes for stop in self.stops)

    def stop(self, name: str) -> Stop:
        """The step of this name. Raises StopIteration where there is none."""
        return next(stop for stop in self.stops if stop.name == name)


def pipeline() -> Pipeline:
    """Run `core.lessons.input.steps` once."""
    import torch

    from ..lessons.input import steps

    stops = [Stop(name, code, tensor.numpy()) for (name, code), tensor in zip(written(steps), steps(), strict=True)]
    by_name = {stop.name: torch.from_numpy(stop.array) for stop in stops}
    stretched = by_name["position"].expand_as(by_name["scaled"])
    try:
        torch.add(by_name["scaled"], by_name["scaled"][:, 0])  # (32, 5, 768) + (32, 768)
    except RuntimeError as error:
        return Pipeline(tuple(stops), stretched.stride(), str(error))
    raise AssertionError("these shapes do not broadcast")


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
