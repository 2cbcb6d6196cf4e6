"""Numbers that were written down when something was trained: a way ends at the file, and at the command that makes it.

`recorded.<file>.<key>.<key>…` is an array out of one of these files: keys as they stand there, places in lists from 0.
Of the recorded trainings it is `recorded.training.<family>.<run>.<curve>` [first weights, step].
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..errors import InputError
from ..files import ASSETS
from .origins import RECORDED

FILES = {
    "beginnings": "experiments/layernorm.json",
    "lengths": "experiments/lengths.json",
    "snapshots": "experiments/translator.json",
    "translator": "models/translator/metrics.json",
    "training": "experiments/training.npz",
}
CARDS = {"training": "experiments/training.json"}  # what is said of a file, where that is another one


@dataclass(frozen=True)
class Card:
    """Of a file: where it lies, the command that makes it, and, where that was noted, how many seconds it took."""

    file: str
    command: str
    seconds: float | None


@cache
def noted(file: str) -> Mapping[str, Any]:
    return json.loads((ASSETS / file).read_text(encoding="utf-8"))


def card(name: str) -> Card:
    """Of the file in which an array of this name stands. Raises InputError for another name."""
    file = file_of(name)
    said = noted(CARDS.get(file, FILES[file]))
    minutes = said.get("minutes")
    return Card(f"assets/{FILES[file]}", said["command"], said.get("seconds") if minutes is None else 60 * minutes)


def file_of(name: str) -> str:
    first, _, rest = name.partition(".")
    file = rest.partition(".")[0]
    if first != RECORDED or file not in FILES:
        raise InputError("not_a_cell", text=name[:80])
    return file


def record(name: str) -> np.ndarray:
    """The array of this name, float; what was not noted is NaN. Raises InputError where there is none."""
    file = file_of(name)
    keys = name.split(".")[2:]
    try:
        found = curves(*keys) if file == "training" else walked(noted(FILES[file]), keys)
        return np.array(found, np.float64)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise InputError("not_a_cell", text=name[:80]) from None


def walked(found: Any, keys: list[str]) -> Any:
    for key in keys:
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def curves(family: str, run: str, curve: str) -> list[np.ndarray]:
    """One curve of a run, from each first weights."""
    from ..training import recorded

    return [seed[curve] for seed in recorded.family(family)[run].seeds]
