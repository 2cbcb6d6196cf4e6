"""A query or a key turned by where its token stands, dimension c together with c + d_head/2 (Su et al. 2021, 3.2)."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Axis, Cell, Index
from ..steps import Step, Vector, stepped
from .rule import Rule


def partner(flow: Flow, dim: Axis) -> Axis:
    """The dimension that one is turned together with."""
    d = flow.config.d_head
    return None if dim is None else (dim + d // 2) % d


def rotation(name: str) -> Rule:
    """Of queries or of keys."""

    def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
        head, token, dim = index
        tap = place.tap(name)
        return Cell(tap, index), Cell(tap, (head, token, partner(flow, dim)))

    return Rule(reads, steps, products=lambda flow, place: 2)


def steps(flow: Flow, place: Place, index: Index, x: Vector, other: Vector) -> list[Step]:
    _, position, dim = index
    assert position is not None and dim is not None
    d, base = flow.config.d_head, flow.config.rotary_base
    pair = dim % (d // 2)
    radian = base ** (2 * pair / d)
    angle = position / radian
    cos, sin = math.cos(angle), math.sin(angle) if dim >= d // 2 else -math.sin(angle)
    return [
        Step("rotary_radian", radian, {"base": f"{base:,.0f}", "twice": 2 * pair, "d_head": d}),
        Step("rotary_angle", angle, {"position": position, "radian": radian}),
        stepped("rotated", float(x) * cos + float(other) * sin, x=x, cos=cos, other=other, sin=sin),
    ]


ROTATIONS = {f"rotated_{name}": rotation(name) for name in ("query", "key")}
