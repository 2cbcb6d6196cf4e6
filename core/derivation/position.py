"""What only the position stage asks, step by step: a wave of any width and base, waves by their gap alone, a turn."""

import math

import numpy as np

from ..views.position import BASE, PositionTable, encoded, rates
from .operators import root
from .origins import Weight
from .rules.position import clock
from .steps import Derivation, Step, Term, Vector, fetched, summed

LEARNED = "embedding.position_table.table.weight"


def derive_cell(table: PositionTable, position: int, dim: int) -> Derivation:
    """One number of a position's vector, as the table has it."""
    cell = float(table.rows[position, dim])
    if table.kind == "learned":
        entry = Vector.read(table.rows, Weight(LEARNED, (position, dim)))
        return Derivation((fetched("position", entry, position=position, dim=dim),), cell)
    return Derivation(clock(position, dim, table.d_model), cell)


def derive_wave(position: int, dim: int, d_model: int, base: float = BASE) -> Derivation:
    """The same for any position, width and base, held against the code that fills the tables."""
    return Derivation(clock(position, dim, d_model, base), float(encoded(position, d_model, base)[dim]))


def derive_gap(table: PositionTable, measure: str, a: int, b: int) -> Derivation:
    """Distance or dot product of two waves: cos a cos b + sin a sin b = cos(a - b), so of each pair of dimensions only
    the gap is left."""
    x, y = (table.row(i).astype(np.float64) for i in (a, b))
    measured = float(x @ y) if measure == "dot" else float(np.linalg.norm(x - y))
    gap = abs(b - a)
    near = np.cos(gap * rates(table.d_model))
    one, first = np.ones_like(near), Step("gap", gap, {"gap": gap})
    if measure == "dot":
        return Derivation((first, summed("gap_cosines", one, near, gap=gap)), measured)
    chords = summed("chords", 2 * one, 1 - near, gap=gap)
    return Derivation((first, chords, root("gap_length", chords)), measured)


def derive_moved(position: int, by: int, dim: int, d_model: int) -> Derivation:
    """One number of R_by · PE(position), held against PE(position + by). `dim` belongs to a whole pair."""
    pair = dim // 2
    sine, cosine = encoded(position, d_model)[2 * pair : 2 * pair + 2]
    radian = BASE ** (2 * pair / d_model)
    turn = by / radian
    row = (-math.sin(turn), math.cos(turn)) if dim % 2 else (math.cos(turn), math.sin(turn))
    terms = tuple(Term(2 * pair + i, row[i], float(x)) for i, x in enumerate((sine, cosine)))
    parts = {"first": 2 * pair, "second": 2 * pair + 1}
    mixed = Step("turned", terms[0].value + terms[1].value, parts, largest=terms)
    there = float(encoded(position + by, d_model)[dim])
    return Derivation((Step("turn", turn, {"by": by, "radian": radian, "pair": pair}), mixed), there)
