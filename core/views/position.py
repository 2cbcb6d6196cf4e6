"""What the position stage shows: tables of positions, and what can be said of any two rows."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from ..zoo import Model

KINDS = ("sinusoidal", "learned")
MEASURES = ("distance", "dot")
FAR = 128  # positions that are compared with one another
BASE = 10_000


@dataclass(frozen=True, eq=False)
class PositionTable:
    """One vector for each position, computed or learned. Positions and dimensions count from 0."""

    kind: str
    rows: np.ndarray  # float32 [position, d_model]

    @property
    def d_model(self) -> int:
        return self.rows.shape[1]

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes

    @property
    def parameters(self) -> int:
        """How many of its numbers were trained: a learned table's are parameters, the waves are a buffer."""
        return self.rows.size if self.kind == "learned" else 0

    @cached_property
    def norms(self) -> np.ndarray:
        """[position]: the length of each row."""
        return np.linalg.norm(self.rows, axis=-1)

    @cached_property
    def steps(self) -> np.ndarray:
        """[position - 1]: how far each row is from the next."""
        return np.linalg.norm(np.diff(self.rows, axis=0), axis=-1)

    @cached_property
    def reach(self) -> float:
        """Nearly all numbers lie between -reach and reach: 1 for waves, all but a few outliers of a learned table."""
        return 1.0 if self.kind == "sinusoidal" else float(f"{np.quantile(np.abs(self.rows), 0.999):.2g}")

    @cached_property
    def pairs(self) -> dict[str, np.ndarray]:
        """Distance and dot product of the first `FAR` rows, float32 [position, position], measured on them."""
        rows = self.rows[:FAR].astype(np.float64)
        distance = [np.linalg.norm(rows - row, axis=-1) for row in rows]
        return {"distance": np.array(distance, np.float32), "dot": (rows @ rows.T).astype(np.float32)}

    def row(self, position: int) -> np.ndarray:
        """float32 [d_model]: the vector of a position. Waves go on beyond the table; what was learned ends with it.

        Raises IndexError where there is no row.
        """
        if position < len(self.rows) or self.kind == "learned":
            return self.rows[position]
        return encoded(position, self.d_model).astype(np.float32)


@lru_cache(maxsize=8)
def computed_table(length: int, d_model: int) -> PositionTable:
    """The waves of the original Transformer, as `SinusoidalPosition` makes them."""
    from torch import arange

    from ..model.position import waves

    return PositionTable("sinusoidal", waves(arange(length), d_model).float().numpy())


def own_table(model: Model) -> PositionTable:
    """The table the model itself adds, in its own memory; read-only."""
    module = model.network.get_submodule("embedding.position_table")
    kind = model.config.position
    table = module.get_submodule("table").get_parameter("weight") if kind == "learned" else module.get_buffer("table")
    rows = table.detach().numpy()
    rows.flags.writeable = False
    return PositionTable(kind, rows)


@lru_cache(maxsize=8)
def tables(model: Model) -> dict[str, PositionTable]:
    """The waves at the model's width, and what the model learned instead, if it did."""
    own = own_table(model)
    return (
        {own.kind: own} if own.kind == "sinusoidal" else {"sinusoidal": computed_table(*own.rows.shape), own.kind: own}
    )


@dataclass(frozen=True, eq=False)
class Built:
    """`SinusoidalPosition` as it is built for a longest input of `max_len` tokens."""

    table: PositionTable
    trained: int  # how many of its numbers training can change
    saved: int  # how many of them a checkpoint holds

    @property
    def nbytes(self) -> int:
        return self.table.nbytes

    def difference(self, other: PositionTable) -> float:
        """The largest difference of any number, over the rows that both tables have."""
        shared = min(len(self.table.rows), len(other.rows))
        return float(np.abs(self.table.rows[:shared] - other.rows[:shared]).max())


def built(max_len: int, d_model: int) -> Built:
    """Build the module and look at what it holds."""
    from ..model.config import Config
    from ..model.position import SinusoidalPosition

    shape = Config(vocab=1, d_model=d_model, heads=1, layers=1, d_ff=1, positions=max_len, segments=0)
    module = SinusoidalPosition(shape)
    trained, saved = (sum(x.numel() for x in held) for held in (module.parameters(), module.state_dict().values()))
    return Built(PositionTable("sinusoidal", module.table.numpy()), trained, saved)


# ---- of the waves alone: any position, any width


@lru_cache(maxsize=512)
def encoded(position: int, d_model: int, base: float = BASE) -> np.ndarray:
    """float64 [d_model]: the vector of one position, however far; read-only."""
    from torch import tensor

    from ..model.position import waves

    row = waves(tensor([position]), d_model, base)[0].numpy()
    row.flags.writeable = False
    return row


@lru_cache(maxsize=64)
def wavelengths(d_model: int, base: float = BASE) -> np.ndarray:
    """[pairs]: how many positions each clock takes for a whole turn."""
    from ..model.position import per_radian

    return 2 * np.pi * per_radian(d_model, base).numpy()


def rates(d_model: int, base: float = BASE) -> np.ndarray:
    """[pairs]: radians a position, ω."""
    return 2 * np.pi / wavelengths(d_model, base)


def apart(gap: np.ndarray | int, d_model: int) -> np.ndarray:
    """The distance of any two positions `gap` apart, from the gap alone: √Σ 2(1 - cos(gap · ω)). Even d_model."""
    angle = np.multiply.outer(np.asarray(gap, np.float64), rates(d_model))
    return np.sqrt((2 * (1 - np.cos(angle))).sum(-1))


def apart_in_pair(gap: np.ndarray | int, d_model: int, pair: int) -> np.ndarray:
    """The same in one pair of dimensions alone: |2 sin(gap · ω / 2)|."""
    return np.abs(2 * np.sin(np.asarray(gap, np.float64) * rates(d_model)[pair] / 2))


@dataclass(frozen=True)
class Moved:
    """R_k · PE(p) beside PE(p + k)."""

    start: np.ndarray  # PE(p), float64 [d_model]
    turned: np.ndarray  # R_k · PE(p), of the whole pairs
    there: np.ndarray  # PE(p + k)
    turn: np.ndarray  # [pairs, 2, 2]

    @property
    def error(self) -> float:
        """The largest difference of any number."""
        return float(np.abs(self.turned - self.there[: len(self.turned)]).max(initial=0.0))


def moved(position: int, by: int, d_model: int) -> Moved:
    """One position turned into the one `by` further on; `by` may be negative."""
    from torch import from_numpy

    from ..lessons.position import rotation, turned

    start, turn = encoded(position, d_model), rotation(by, d_model)
    return Moved(start, turned(from_numpy(start.copy()), turn).numpy(), encoded(position + by, d_model), turn.numpy())


@dataclass(frozen=True)
class Written:
    """The formula beside the way it is mostly written, over the first positions."""

    difference: float  # the largest, of any number
    at: int  # the position where it is
    refused: str  # what PyTorch says to the usual code for an odd width


@lru_cache(maxsize=8)
def by_logarithm(length: int, d_model: int) -> Written:
    """Run the usual float32 code with exp and log, at an even width and, to hear its error, at the odd one below."""
    from torch import arange

    from ..lessons.position import waves_by_logarithm
    from ..model.position import waves

    off = (waves_by_logarithm(length, d_model) - waves(arange(length), d_model)).abs()
    refused = ""
    try:
        waves_by_logarithm(length, d_model - 1)
    except RuntimeError as error:
        refused = str(error)
    return Written(float(off.max()), int(off.max(-1).values.argmax()), refused)


def refusal(model: Model, position: int) -> str:
    """What the model's own learned table says to a position; empty where it has a row for it."""
    from torch import tensor

    try:
        model.network.get_submodule("embedding.position_table.table")(tensor([position]))
    except IndexError as error:
        return str(error)
    return ""
