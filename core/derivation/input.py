"""Any cell of the input stage, step by step: the row, √d, the position, the segment, and their sum."""

import math

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.operators import direction
from core.derivation.origins import Cell, Weight
from core.derivation.rules.position import clock
from core.derivation.steps import Derivation, Step, Vector, summed
from core.views.input import InputView


def derive_cell(view: InputView, name: str, token: int, dim: int) -> Derivation:
    """One number of a part, or of the sum: every part from its own source, then the parts together."""
    made = {part: source(view, part, token, dim) for part in (view.names if name == "sum" else (name,))}
    steps = [step for part in made.values() for step in part]
    if name == "sum":
        parts = {part: steps[-1].value for part, steps in made.items()}
        steps.append(Step(f"sum_{len(parts)}", math.fsum(parts.values()), parts, tuple(parts.values())))
    return Derivation(tuple(steps), float(view.part(name)[token, dim]))


def source(view: InputView, part: str, token: int, dim: int) -> list[Step]:
    """Where one number of a part comes from."""
    return {"token": token_steps, "position": position_steps, "segment": segment_steps}[part](view, token, dim)


def token_steps(view: InputView, token: int, dim: int) -> list[Step]:
    """E[id, dim], times √d where that is on."""
    row = float(view.rows[0, token, dim])
    at = Weight(TABLE, (view.ids[token], dim))
    steps = [Step("row", row, {"id": view.ids[token]}, at=at)]
    if view.scaled:
        steps.append(Step("root", row * math.sqrt(view.d_model), {"row": row, "d_model": view.d_model}))
    return steps


def position_steps(view: InputView, token: int, dim: int) -> list[Step]:
    """A number of the trained table, or sin or cos of an angle; 0 where positions are off."""
    if not view.placed:
        return [Step("no_position", 0.0)]
    if view.learned:
        at = Weight("embedding.position_table.table.weight", (token, dim))
        return [Step("learned", float(view.rows[1, token, dim]), at=at)]
    *_, angle, wave = clock(token, dim, view.d_model)
    return [Step(f"{wave.id}_wave", wave.value, {"angle": angle.value, "pair": str(dim - dim % 2)})]


def segment_steps(view: InputView, token: int, dim: int) -> list[Step]:
    """A number of the segment's row: the same for every token of one text."""
    return [Step("segment", float(view.rows[2, token, dim]), at=Weight("embedding.segment_table.weight", (0, dim)))]


def derive_pair(view: InputView, kind: str, a: int, b: int) -> Derivation:
    """The cosine of two tokens as one of `KINDS`: the products of their parts, then their lengths."""
    x, y = (view.vectors(kind)[i].astype(np.float64) for i in (a, b))
    steps = list(products(view, kind, a, b))
    if kind != "joined":  # side by side, like meets like and nothing else
        steps.append(summed("dot", *(Vector(v, cell_of(view, kind, i)) for v, i in ((x, a), (y, b)))))
    dot = math.fsum(step.value for step in steps) if kind == "joined" else steps[-1].value
    cosine = direction("cosine", dot, length_a=Vector(x), length_b=Vector(y))
    return Derivation((*steps, cosine), view.cosine(kind, a, b))


def cell_of(view: InputView, name: str, token: int) -> Cell | None:
    """A token's row in one of the view's arrays, where that passed a tap."""
    return Cell(view.taps[name], (token, None)) if name in view.taps else None


def products(view: InputView, kind: str, a: int, b: int) -> tuple[Step, ...]:
    """What two sums have in common: every part of one with every part of the other. Side by side: like with like."""
    if kind not in ("sum", "joined"):
        return ()
    x, y = view.parts[:, a].astype(np.float64), view.parts[:, b].astype(np.float64)
    if kind == "joined":
        return tuple(
            summed(f"alike_{name}", Vector(x[i], cell_of(view, name, a)), Vector(y[i], cell_of(view, name, b)))
            for i, name in enumerate(view.names)
        )
    table = x @ y.T  # part of a, part of b
    alike = tuple(Step(f"alike_{name}", float(table[i, i])) for i, name in enumerate(view.names))
    return (*alike, Step("crossed", float(table.sum() - np.trace(table))))
