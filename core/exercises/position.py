"""A wave that has come round; the first that outlasts the sentence."""

from dataclasses import dataclass

import numpy as np

from ..views.position import PositionTable, wavelengths
from .exercise import Exercise, Patch, Values, Verdict

NEAR = 0.05  # that a number may be off and still be back
AWAY = 0.75  # of a turn that must have passed


@dataclass(frozen=True, eq=False)
class Waves:
    """The table of waves, and how many tokens the sentence has."""

    table: PositionTable
    tokens: int

    @property
    def lengths(self) -> np.ndarray:
        """[pair]: positions a whole turn takes."""
        return wavelengths(self.table.d_model)

    def first_longer(self) -> int | None:
        """The first pair of dimensions whose turn takes more positions than the sentence has tokens."""
        longer = np.flatnonzero(self.lengths > self.tokens)
        return int(longer[0]) if len(longer) else None


def came_round(waves: Waves, values: Values) -> Verdict:
    """Is the selected number, a turn or more away from position 0, nearly what it is there?"""
    if values["kind"] != "sinusoidal":
        return Verdict(False, said="kind")
    rows, pos, dim = waves.table.rows, values["pos"], values["dim"]
    length = float(waves.lengths[dim // 2])
    start, value = float(rows[0, dim]), float(rows[pos, dim])
    facts = {"pos": pos, "dim": dim, "start": start, "value": value, "length": length}
    if pos < AWAY * length:
        return Verdict(False, facts, "early")
    if abs(value - start) > NEAR:
        return Verdict(False, facts)
    return Verdict(True, facts) if same_side(rows, dim)[pos] else Verdict(False, facts, "half")


def same_side(rows: np.ndarray, dim: int) -> np.ndarray:
    """[position]: whether the other number of the pair is nearer to what it is at position 0 than to its opposite."""
    return np.abs(rows[:, dim ^ 1] - rows[0, dim ^ 1]) < 1


def a_turn_later(waves: Waves, values: Values) -> Patch | None:
    """Of this dimension, or else of another, the first position at which it is so."""
    rows, lengths = waves.table.rows, waves.lengths
    for dim in dict.fromkeys((values["dim"], *range(waves.table.d_model))):
        back = (np.abs(rows[:, dim] - rows[0, dim]) <= NEAR) & same_side(rows, dim)
        back[: int(np.ceil(AWAY * lengths[dim // 2]))] = False
        if back.any():
            return {"kind": "sinusoidal", "pos": int(back.argmax()), "dim": dim}
    return None


def outlasts(waves: Waves, values: Values) -> Verdict:
    """Is a dimension of the first wave selected that is longer than the sentence?"""
    pair, first = values["dim"] // 2, waves.first_longer()
    length = float(waves.lengths[pair])
    facts = {"dim": values["dim"], "length": length, "tokens": waves.tokens}
    if pair == first == 0:
        return Verdict(True, facts, "right_first")
    if first is None or pair == first:
        return Verdict(pair == first, {**facts, "before": float(waves.lengths[max(0, pair - 1)])})
    return Verdict(False, facts, "short" if pair < first else "long")


def the_first_longer(waves: Waves, values: Values) -> Patch | None:
    first = waves.first_longer()
    return None if first is None else {"dim": 2 * first}


EXERCISES = (Exercise("turn", came_round, a_turn_later), Exercise("longer", outlasts, the_first_longer))
