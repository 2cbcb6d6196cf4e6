"""What the position stage shows: tables of positions, what can be said of any two rows, and reading without them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.capture import Capture
from core.text.token import Token
from core.views.vectors import cosine
from core.zoo import Model

if TYPE_CHECKING:
    from torch import nn

KINDS = ("sinusoidal", "learned")
MEASURES = ("distance", "dot")
READERS = ("on", "off", "recurrent")  # attention with positions, attention without, a recurrent network without
SEED = 7  # of the untrained recurrent reader
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

    from core.model.position import waves

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
    from core.model.config import Config
    from core.model.position import SinusoidalPosition

    shape = Config(vocab=1, d_model=d_model, heads=1, layers=1, d_ff=1, positions=max_len, segments=0)
    module = SinusoidalPosition(shape)
    trained, saved = (sum(x.numel() for x in held) for held in (module.parameters(), module.state_dict().values()))
    return Built(PositionTable("sinusoidal", module.table.numpy()), trained, saved)


# ---- of the waves alone: any position, any width


@lru_cache(maxsize=512)
def encoded(position: int, d_model: int, base: float = BASE) -> np.ndarray:
    """float64 [d_model]: the vector of one position, however far; read-only."""
    from torch import tensor

    from core.model.position import waves

    row = waves(tensor([position]), d_model, base)[0].numpy()
    row.flags.writeable = False
    return row


@lru_cache(maxsize=64)
def wavelengths(d_model: int, base: float = BASE) -> np.ndarray:
    """[pairs]: how many positions each clock takes for a whole turn."""
    from core.model.position import per_radian

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

    from core.lessons.position import rotation, turned

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

    from core.lessons.position import waves_by_logarithm
    from core.model.position import waves

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


# ---- why at all: two orders of the same words


@dataclass(frozen=True, eq=False)
class Reading:
    """What one reader makes of two orders; row i of both is the same word."""

    first: np.ndarray  # [token, d], the last vector of each token of the first text
    second: np.ndarray  # [token, d], of the same tokens in the second text
    written: tuple[str | None, str | None] = (None, None)  # translations, where there are any

    @property
    def difference(self) -> np.ndarray:
        """[token]: ‖first - second‖ as a share of ‖first‖."""
        return np.linalg.norm(self.first - self.second, axis=-1) / np.linalg.norm(self.first, axis=-1)

    @property
    def largest(self) -> float:
        """The largest difference of any single number."""
        return float(np.abs(self.first - self.second).max())

    @property
    def cosine(self) -> np.ndarray:
        """[token]: of first and second."""
        return cosine(self.first, self.second)


@dataclass(frozen=True, eq=False)
class OrderView:
    """The same tokens in two orders, read three ways."""

    texts: tuple[str, str]
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    special: tuple[bool, ...]  # of the first
    partner: tuple[int, ...]  # for each token of the first text, its place in the second
    readings: Mapping[str, Reading]  # by READERS

    @property
    def nbytes(self) -> int:
        return sum(r.first.nbytes + r.second.nbytes for r in self.readings.values())

    def moved(self) -> list[int]:
        """The tokens that stand elsewhere in the second text."""
        return [i for i, j in enumerate(self.partner) if i != j]


def order_taps(model: Model) -> tuple[str, ...]:
    """The taps that `order_view` reads."""
    return "embedding.token", f"encoder.{model.config.layers - 1}.output"


def order_view(model: Model, runs: Mapping[str, tuple[Capture, Capture]]) -> OrderView | None:
    """Two texts of the same tokens, captured with positions ("on") and without ("off"); None if the tokens differ."""
    (a, b), (token, last) = runs["on"], order_taps(model)
    partner = partners([t.id for t in a.tokens], [t.id for t in b.tokens])
    if partner is None:
        return None
    there = list(partner)
    readings = {
        name: Reading(first[last], second[last][there], (first.text_out, second.text_out))
        for name, (first, second) in runs.items()
    }
    readings["recurrent"] = Reading(recurrent_states(a[token]), recurrent_states(b[token])[there])
    return OrderView(
        texts=(a.text, b.text),
        tokens=(tuple(t.text for t in a.tokens), tuple(t.text for t in b.tokens)),
        special=tuple(t.special for t in a.tokens),
        partner=partner,
        readings=readings,
    )


def partners(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...] | None:
    """For each id of `first`, its place in `second`, equal ids in their order; None if they are not the same ids."""
    if sorted(first) != sorted(second):
        return None
    places: dict[int, list[int]] = {}
    for place, id in enumerate(second):
        places.setdefault(id, []).append(place)
    return tuple(places[id].pop(0) for id in first)


def word_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the words of a text begin and end, from the tokens they became."""
    words: dict[int, tuple[int, int]] = {}
    for token in tokens:
        if not token.special and token.word is not None:
            start, end = words.get(token.word, (token.start, token.end))
            words[token.word] = min(start, token.start), max(end, token.end)
    return list(words.values())


def swap(text: str, words: Sequence[tuple[int, int]]) -> str | None:
    """The text with the first and the last word that stand in it once in each other's place; None if there are none.

    `words` says where each of them begins and ends.
    """
    spans = [span for span in words if any(c.isalnum() for c in text[slice(*span)])]
    spoken = [text[slice(*span)].casefold() for span in spans]
    once = [span for span, word in zip(spans, spoken, strict=True) if spoken.count(word) == 1]
    if len(once) < 2:
        return None
    (s1, e1), (s2, e2) = sorted([once[0], once[-1]])
    return text[:s1] + text[s2:e2] + text[e1:s2] + text[s1:e1] + text[e2:]


def recurrent_states(rows: np.ndarray) -> np.ndarray:
    """[n, d] -> [n, d]: the state of an untrained GRU after each row, one step after the other."""
    from torch import from_numpy, no_grad

    with no_grad():
        states, _ = recurrent_reader(rows.shape[1])(from_numpy(rows.copy())[None])
    return states[0].numpy()


@lru_cache(maxsize=4)
def recurrent_reader(d: int) -> "nn.GRU":
    """PyTorch's own recurrent network, its weights drawn as it draws them itself, with a seed that is named: `SEED`."""
    from torch import Generator, nn

    reader, order = nn.GRU(d, d, batch_first=True), Generator().manual_seed(SEED)
    for weight in reader.parameters():
        nn.init.uniform_(weight, -(d**-0.5), d**-0.5, generator=order)
    return reader.eval()
