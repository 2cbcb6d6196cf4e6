"""What lies deeper on a page, a line each; one of them is open, or none."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One section: its id in the address, its name, and what is inside."""

    id: str
    title: str
    inside: str


@dataclass(frozen=True)
class Contents:
    """Lines of which the parameter `param` chooses one."""

    param: str
    label: str
    lines: Sequence[Line]
