"""Edits as steps: what an edit made of a number. Most edits of `core.edits` multiply and move: out = factor · in, from
somewhere. A mean, or an edit of one's own, is asked again what it makes of what was there before it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import isinf

import numpy as np

from ..edits import Edit
from ..run_spec import RunSpec
from .flow import Flow
from .origins import Cell
from .steps import Step


@dataclass(frozen=True)
class Changed:
    """What one edit does to one number: it becomes `factor` times the number at `source`; with a factor of
    −∞ it is shut, whatever it was."""

    edit: Edit
    factor: float
    source: Cell

    def step(self, value: float, cell: Cell) -> Step:
        if isinf(self.factor):
            return Step("shut", self.factor, {"edit": self.edit.id})
        made = 0.0 if self.factor == 0 else value if self.factor == 1 else self.factor * value
        parts = {"edit": self.edit.id, "before": value, "factor": self.factor, "from": str(self.source)}
        return Step("moved" if self.source != cell else "edited", made, parts)


@dataclass(frozen=True)
class Replaced:
    """What an edit of one's own made of one number, or what one took from another run: this, whatever it was. `source`
    is where it stood, too."""

    edit: Edit
    made: float
    source: Cell
    factor: float = math.nan

    def step(self, value: float, cell: Cell) -> Step:
        if self.edit.other is not None:
            there = replace(cell, given=RunSpec(self.edit.other[0]))
            return Step("taken_state", self.made, {"edit": self.edit.id, "before": value}, at=there)
        return Step("replaced", self.made, {"edit": self.edit.id, "before": value})


Change = Changed | Replaced


def changes(flow: Flow, cell: Cell) -> tuple[tuple[Change, ...], Cell]:
    """What the run's edits made of this number, in their order, and the cell it was before them all."""
    found: list[Change] = []
    for number, edit in reversed([*enumerate(flow.run.edits)]):
        if not fnmatchcase(cell.tap, edit.pattern):
            continue
        if edit.other is not None or not edit.known or not edit.moves:
            found[:0] = replaced(flow, number, cell)
            continue
        change = changed(flow, edit, cell)
        if (change.factor, change.source) != (1, cell):  # another head's edit leaves this one alone
            found.insert(0, change)
        cell = change.source
    return tuple(found), cell


def replaced(flow: Flow, number: int, cell: Cell) -> tuple[Replaced, ...]:
    """What an edit of one's own, by its number, made of this one; nothing where it left it as it was."""
    before = flow.before_edit(number, cell.tap)
    after = flow.run.edits[number].change(before.clone())
    was, made = (float(x[0][cell.index]) for x in (before, after))
    return () if was == made else (Replaced(flow.run.edits[number], made, cell),)


def changed(flow: Flow, edit: Edit, cell: Cell) -> Changed:
    """One edit, asked what it does to a tensor of ones, and to one where every number says where it stands."""
    import torch

    shape = flow.shape(cell.tap)
    places = torch.arange(1, torch.Size(shape).numel() + 1, dtype=torch.float64).reshape(1, *shape)
    factor = float(edit.change(torch.ones_like(places))[0][cell.index])
    if factor == 0 or isinf(factor):
        return Changed(edit, factor, cell)
    place = round(float(edit.change(places)[0][cell.index]) / factor) - 1
    return Changed(edit, factor, Cell(cell.tap, tuple(int(i) for i in np.unravel_index(place, shape))))


def with_changes(changes: Sequence[Change], steps: Sequence[Step], cell: Cell) -> list[Step]:
    """The steps to what a number was, and a step for each edit."""
    whole = list(steps)
    for i, change in enumerate(changes):
        became = changes[i + 1].source if i + 1 < len(changes) else cell
        whole.append(change.step(whole[-1].value, became))
    return whole
