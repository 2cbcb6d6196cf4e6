"""The code that ran, as the page shows it."""

import inspect
import textwrap
from functools import cache


@cache
def source(function) -> str:
    return textwrap.dedent(inspect.getsource(function))


@cache
def where(function) -> str:
    module = inspect.getmodule(function)
    return f"{module.__name__.replace('.', '/')}.py · {function.__qualname__}" if module else function.__qualname__
