"""Where a token stands: a row of a learned table, or the wave of a clock, which was never learned."""

import math
from collections.abc import Callable

from ...model.places import Place
from ...numbers import DIGITS, fixed, short
from ..flow import Flow
from ..origins import Index, Origin, Weight
from ..powers import MOST, read
from ..steps import Step, Vector, fetched
from .rule import Rule

BASE = 10_000.0  # Vaswani et al. 2017, 3.5


def row(flow: Flow, place: Place, index: Index) -> tuple[Weight, ...]:
    return (Weight(f"{place}.position_table.table.weight", index),)


def looked_up(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    position, dim = index
    assert position is not None and dim is not None
    return [fetched("position", entry, position=position, dim=dim)]


def nothing(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    return ()


def waved(flow: Flow, place: Place, index: Index) -> list[Step]:
    position, dim = index
    assert position is not None and dim is not None
    return list(clock(position, dim, flow.config.d_model))


def clock(position: int, dim: int, d_model: int, base: float = BASE) -> tuple[Step, ...]:
    """sin or cos of position ÷ base^(2i/d) (Vaswani et al. 2017, 3.5)."""
    pair, wave = dim // 2, math.cos if dim % 2 else math.sin
    radian = base ** (2 * pair / d_model)
    angle = position / radian
    return (
        Step("pair", pair, {"dim": dim, "pair": pair}),
        Step("radian", radian, {"base": f"{base:,.0f}", "twice": 2 * pair, "d_model": d_model}),
        Step("angle", angle, {"position": position, "radian": radian, "pair": pair}),
        Step(
            "cosine" if dim % 2 else "sine",
            wave(angle),
            {"angle": printed(angle, wave), "wavelength": 2 * math.pi * radian},
        ),
    )


def printed(angle: float, wave: Callable[[float], float]) -> str:
    """With the fewest decimals that lead to the sine or cosine as it is printed."""
    texts = (short(angle), *(fixed(angle, decimals) for decimals in range(DIGITS, MOST)))
    return next((text for text in texts if short(wave(read(text))) == short(wave(angle))), texts[-1])


POSITIONS = {"learned": Rule(row, looked_up), "sinusoidal": Rule(nothing, waved)}
