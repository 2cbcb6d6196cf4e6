"""The code that ran, as the page shows it."""

import inspect
import textwrap
from collections.abc import Callable
from functools import cache

from torch import nn

from core.model.relative import RotaryAttention, turn

ATTENTION = ("forward", "score", "turned", "shared", "mix", "split", "join")  # what an attention may be written as


@cache
def source(function) -> str:
    return textwrap.dedent(inspect.getsource(function))


@cache
def where(function) -> str:
    module = inspect.getmodule(function)
    return f"{module.__name__.replace('.', '/')}.py · {function.__qualname__}" if module else function.__qualname__


def attended(attention: nn.Module) -> tuple[Callable[..., object], ...]:
    """The functions that ran in an attention of this kind."""
    own = [getattr(type(attention), name) for name in ATTENTION if hasattr(attention, name)]
    return *own, *([turn] if isinstance(attention, RotaryAttention) else [])
