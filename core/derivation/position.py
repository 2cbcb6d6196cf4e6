"""Any number of the position stage, step by step: a wave, a learned row, and two positions compared."""

import math

import numpy as np

from core.derivation.operators import distance, length, root
from core.derivation.origins import Weight
from core.derivation.rules.position import clock
from core.derivation.steps import Derivation, Step, Term, Vector, summed
from core.views.position import BASE, PositionTable, encoded, rates

LEARNED = "embedding.position_table.table.weight"


def derive_cell(table: PositionTable, position: int, dim: int) -> Derivation:
    """One number of a position's vector, as the table has it."""
    cell = float(table.rows[position, dim])
    if table.kind == "learned":
        at = Weight(LEARNED, (position, dim))
        return Derivation((Step("looked_up", cell, {"position": position, "dim": dim}, at=at),), cell)
    return Derivation(clock(position, dim, table.d_model), cell)


def derive_wave(position: int, dim: int, d_model: int, base: float = BASE) -> Derivation:
    """The same for any position, width and base, held against the code that fills the tables."""
    return Derivation(clock(position, dim, d_model, base), float(encoded(position, d_model, base)[dim]))


def derive_pair(table: PositionTable, measure: str, a: int, b: int) -> Derivation:
    """Distance or dot product of two rows: of waves from the gap alone, of learned rows from the rows."""
    x, y = (table.row(i).astype(np.float64) for i in (a, b))
    measured = float(x @ y) if measure == "dot" else float(np.linalg.norm(x - y))
    if table.kind == "sinusoidal":
        return Derivation(from_gap(measure, abs(b - a), table.d_model), measured)
    return Derivation(from_rows(measure, row(table, a), row(table, b)), measured)


def derive_norm(table: PositionTable, position: int) -> Derivation:
    """The length of a learned row."""
    return Derivation(length(row(table, position), "length"), float(table.norms[position]))


def row(table: PositionTable, position: int) -> Vector:
    """A row of the learned table."""
    return Vector(table.row(position).astype(np.float64), Weight(LEARNED, (position, None)))


def from_gap(measure: str, gap: int, d_model: int) -> tuple[Step, ...]:
    """cos a cos b + sin a sin b = cos(a - b): of each pair of dimensions only the gap is left."""
    near = np.cos(gap * rates(d_model))
    one = np.ones_like(near)
    if measure == "dot":
        return Step("gap", gap, {"gap": gap}), summed("cosines", one, near, gap=gap)
    chords = summed("chords", 2 * one, 1 - near, gap=gap)
    return Step("gap", gap, {"gap": gap}), chords, root("root", chords)


def from_rows(measure: str, x: Vector, y: Vector) -> tuple[Step, ...]:
    """The dimensions one by one."""
    if measure == "dot":
        return (summed("dot", x, y),)
    return distance(x, y, "squares", "root")


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
