"""What the input stage shows: vectors that add up, and what √d, positions, concatenation and dropout do to them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import edits
from ..capture import Capture
from ..edits import Edit
from ..zoo import Model
from .attention import AttentionView
from .embedding import table
from .vectors import cosine, cosines

TAPS = ("embedding.*",)
KINDS = ("token", "sum", "joined", "output")  # the vectors that tokens can be compared by


@dataclass(frozen=True, eq=False)
class InputView:
    """What enters the first layer for one sentence, under some edits. Tokens and dimensions count from 0."""

    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    ids: tuple[int, ...]
    names: tuple[str, ...]  # of the parts: token, position and, in BERT, segment
    parts: np.ndarray  # [part, token, d_model], as they were added
    rows: np.ndarray  # [part, token, d_model], the tables' own rows, before anything was done to them
    total: np.ndarray  # [token, d_model], the captured sum
    output: np.ndarray  # [token, d_model], what the first layer reads
    scaled: bool  # whether √d multiplied the rows
    learned: bool  # whether the positions are a trained table
    placed: bool  # whether positions were added at all
    text_out: str | None  # the translation, where the model writes one
    taps: Mapping[str, str]  # of a part, the sum and the output, the tap
    edits: tuple[Edit, ...] = ()  # of the run these are from

    @property
    def d_model(self) -> int:
        return self.total.shape[1]

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.parts, self.rows, self.total, self.output))

    def part(self, name: str) -> np.ndarray:
        """[token, d_model] of a part, or of the sum."""
        return self.total if name == "sum" else self.parts[self.names.index(name)]

    def joined(self) -> np.ndarray:
        """[token, parts · d_model]: the parts side by side instead of added."""
        return np.concatenate(self.parts, axis=-1)

    def vectors(self, kind: str) -> np.ndarray:
        """The vectors of one of `KINDS`, one a token."""
        if kind == "joined":
            return self.joined()
        return self.output if kind == "output" else self.part(kind)

    def cosines(self, kind: str) -> np.ndarray:
        """[token, token]: how alike the tokens are as one of `KINDS`."""
        return cosines(self.vectors(kind))

    def cosine(self, kind: str, a: int, b: int) -> float:
        """How alike two tokens are as one of `KINDS`."""
        return float(cosine(*self.vectors(kind)[[a, b]]))

    def norms(self, name: str) -> np.ndarray:
        """[token]: ‖·‖ of a part, of the sum, or of the parts side by side."""
        return np.linalg.norm(self.joined() if name == "joined" else self.part(name), axis=-1)

    def shares(self) -> np.ndarray:
        """[token]: the position's share, ‖p‖² / (‖p‖² + ‖e‖²)."""
        token, position = self.norms("token") ** 2, self.norms("position") ** 2
        return position / (position + token)

    def common(self) -> float:
        """How much of all positions' squared norms is one vector, the mean that they share: n‖p̄‖² / Σ‖p‖²; NaN where
        there is none."""
        position = self.part("position").astype(np.float64)
        whole = float((position**2).sum())
        return float(len(position) * (position.mean(0) ** 2).sum()) / whole if whole else math.nan

    def bare_share(self) -> float:
        """The position's share without that common vector, which tells no position from another."""
        bare, token = float((self.norms("position") ** 2).sum()), float((self.norms("token") ** 2).sum())
        bare *= 1 - self.common() if bare else 0
        return bare / (bare + token) if bare + token else math.nan

    def share(self, tokens: Sequence[int] | None = None) -> float:
        """The position's share of all these tokens together: Σ‖p‖² / Σ(‖p‖² + ‖e‖²); NaN where all are zero."""
        chosen = list(range(len(self.tokens))) if tokens is None else list(tokens)
        token, position = (float((self.norms(name)[chosen] ** 2).sum()) for name in ("token", "position"))
        return position / (position + token) if position + token else math.nan


def input_view(run: Capture, model: Model) -> InputView:
    """The view of a capture, edited or not, that holds `TAPS`."""
    scales, changed = "embedding.scaled" in run, {edit.id for edit in run.edits}
    taps = {"token": "scaled" if scales else "token", "position": "position", "segment": "segment"}
    names = tuple(name for name, tap in taps.items() if f"embedding.{tap}" in run)
    return InputView(
        tokens=tuple(token.text for token in run.tokens),
        special=tuple(token.special for token in run.tokens),
        ids=tuple(token.id for token in run.tokens),
        names=names,
        parts=np.stack([run[f"embedding.{taps[name]}"] for name in names]),
        rows=np.stack([source(run, model, name) for name in names]),
        total=run["embedding.sum"],
        output=run["embedding.output"],
        scaled="drop_sqrt_d" not in changed if scales else "apply_sqrt_d" in changed,
        learned=model.config.position == "learned",
        placed="zero" not in changed,
        text_out=run.text_out,
        taps={name: f"embedding.{tap}" for name, tap in {**taps, "sum": "sum", "output": "output"}.items()},
        edits=run.edits,
    )


def source(run: Capture, model: Model, name: str) -> np.ndarray:
    """[token, d_model]: the rows of the table that a part comes from."""
    embedding = model.network.get_submodule("embedding")
    if name == "token":
        return table(model)[[token.id for token in run.tokens]]
    if name == "segment":
        weight = embedding.get_parameter("segment_table.weight").detach().numpy()
        return weight[[token.segment for token in run.tokens]]
    return embedding.get_submodule("position_table")(len(run.tokens)).detach().numpy()[0]


def multiplies(model: Model) -> bool:
    """Whether this model multiplies its token vectors by √d by itself."""
    return "embedding.scaled" in model.tap_dims


def changes(model: Model, sqrt: bool, positions: bool) -> tuple[Edit, ...]:
    """The edits that turn √d and positions on or off in this model; none where that is how it is."""
    made = []
    if sqrt != multiplies(model):
        made.append(edits.apply_sqrt_d() if sqrt else edits.drop_sqrt_d())
    if not positions:
        made.append(edits.zero_positions())
    return tuple(made)


# ---- downstream


@dataclass(frozen=True)
class Moved:
    """The attention weight that a change moved most. Head, row (query) and column (key) count from 0."""

    head: int
    row: int
    column: int
    before: float
    after: float
    mean: float  # of |after - before|, over every head and cell

    nbytes = 48


def most_moved(before: AttentionView, after: AttentionView) -> Moved:
    """Of two captures of one layer; the first of several cells that moved equally far."""
    moved = np.abs(after.weights - before.weights)
    head, row, column = (int(i) for i in np.unravel_index(int(moved.argmax()), moved.shape))
    was, now = (float(view.weights[head, row, column]) for view in (before, after))
    return Moved(head, row, column, was, now, float(moved.mean()))


@dataclass(frozen=True)
class Apart:
    """What a change does to the cosines of all pairs of different tokens, and to the pair it moves most."""

    pairs: int
    before: float  # mean cosine
    after: float
    a: int
    b: int
    was: float
    now: float


def apart(before: np.ndarray, after: np.ndarray) -> Apart | None:
    """Of two matrices [token, token]; what is NaN in either is left out. None where no pair is left."""
    rows, columns = np.triu_indices(len(before), 1)
    known = ~np.isnan(before[rows, columns] + after[rows, columns])
    rows, columns = rows[known], columns[known]
    if not len(rows):
        return None
    was, now = before[rows, columns], after[rows, columns]
    most = int(np.abs(now - was).argmax())
    pair = int(rows[most]), int(columns[most])
    return Apart(len(rows), float(was.mean()), float(now.mean()), *pair, float(was[most]), float(now[most]))


# ---- adding as a special concatenation


@dataclass(frozen=True, eq=False)
class OneMap:
    """W(e + p) four ways, for one token, in double precision. W is W^Q of the first layer; bias left out."""

    of_sum: np.ndarray  # [out], W (e + p + …)
    summed: np.ndarray  # [out], W e + W p + …
    of_joined: np.ndarray  # [out], [W W …] [e; p; …]
    each: np.ndarray  # [part, out], W e, W p, …
    shape: tuple[int, int]  # of W
    wide: tuple[int, int]  # of [W W …]

    @property
    def nbytes(self) -> int:
        return self.each.nbytes + 3 * self.of_sum.nbytes

    @property
    def difference(self) -> float:
        """The largest difference of any two of the three ways."""
        ways = (self.of_sum, self.summed, self.of_joined)
        return max(float(np.abs(a - b).max()) for a in ways for b in ways)


def one_map(view: InputView, model: Model, token: int) -> OneMap:
    """The first layer's query projection of a token's parts: of their sum, one by one, and side by side."""
    weight = first_projection(model).astype(np.float64)  # out, in
    parts = view.parts[:, token].astype(np.float64)
    each = parts @ weight.T
    wide = np.concatenate([weight] * len(parts), axis=1)  # [W W]: tied, so nothing new to learn
    return OneMap(
        weight @ parts.sum(0), each.sum(0), wide @ np.concatenate(parts), each, weight.shape, wide.shape
    )  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """Of how many tokens a sum still tells what was added: whose own vector has the highest cosine with it."""

    tokens: int  # among all rows of the token table
    places: int | None  # among the positions of the text; None where none were added

    nbytes = 16


def kept(view: InputView, model: Model) -> Kept:
    """Each sum compared with all that might have been added to it."""
    rows = table(model)
    nearest = nearest_rows(view.total, rows)
    tokens = int((rows[nearest] == rows[list(view.ids)]).all(-1).sum())
    if not view.placed:
        return Kept(tokens, None)
    own = np.arange(len(view.tokens))
    return Kept(tokens, int((nearest_rows(view.total, view.part("position")) == own).sum()))


def nearest_rows(vectors: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """[vector]: the row with the highest cosine."""
    lengths = np.linalg.norm(rows, axis=-1)
    return (vectors @ rows.T / np.where(lengths, lengths, np.inf)).argmax(-1)


def first_projection(model: Model) -> np.ndarray:
    """W^Q of the first layer, [out, in], in the model's own memory."""
    attention = model.parts[f"{model.reader.name}.0.attention.to_query"]
    return attention.get_parameter("weight").detach().numpy()


# ---- dropout


def dropped(x: np.ndarray, rate: float, seed: int) -> np.ndarray:
    """Each number is set to 0 with probability `rate`, the others grow by 1 / (1 - rate) (Srivastava et al. 2014).

    `x` is [..., token, d_model], or one row: the same cells fall in every matrix of a stack.
    """
    kept = np.random.default_rng(seed).random(x.shape[-2:]) >= rate
    return np.where(kept, x / (1 - rate if rate < 1 else 1), 0).astype(x.dtype)


# ---- why √d


@dataclass(frozen=True)
class Start:
    """A table as training finds it: `vocab` rows drawn with standard deviation 1 / √d, and what √d makes of them.

    "plain" is without √d, "scaled" with it. Scores are e · e' / √d of different rows, as one head of width d gives
    them. `logits` is the spread of h · e for states h of variance 1; `logits_large` that of a table which is large
    enough (standard deviation 1) to need no √d.
    """

    d_model: int
    token: float  # mean ‖e‖
    position: float  # mean ‖p‖ of the sinusoids
    share_plain: float
    share_scaled: float
    scores_plain: float
    scores_scaled: float
    logits: float
    logits_large: float
    sure_small: float  # mean largest probability of softmax over h · e
    sure_large: float

    nbytes = 88

    @property
    def sure(self) -> dict[str, float]:
        """How certain softmax is before any training, with either table."""
        return {"sure_small": self.sure_small, "sure_large": self.sure_large}


def at_start(d_model: int, vocab: int = 1000, positions: int = 50, seed: int = 0) -> Start:
    """Measured on one draw, seed named."""
    from torch import arange

    from ..model.position import waves

    draw = np.random.default_rng(seed)
    rows = draw.normal(0, d_model**-0.5, (vocab, d_model))
    states = draw.normal(0, 1, (positions, d_model))
    places = waves(arange(positions), d_model).numpy()
    scaled, energy = rows * math.sqrt(d_model), (places**2).sum(-1).mean()
    return Start(
        d_model=d_model,
        token=float(np.linalg.norm(rows, axis=-1).mean()),
        position=float(np.linalg.norm(places, axis=-1).mean()),
        share_plain=float(energy / (energy + (rows**2).sum(-1).mean())),
        share_scaled=float(energy / (energy + (scaled**2).sum(-1).mean())),
        scores_plain=spread_of_scores(rows),
        scores_scaled=spread_of_scores(scaled),
        logits=float((states @ rows.T).std()),
        logits_large=float((states @ scaled.T).std()),
        sure_small=sureness(states @ rows.T),
        sure_large=sureness(states @ scaled.T),
    )


def sureness(logits: np.ndarray) -> float:
    """The mean largest probability that softmax makes of each row."""
    return float((1 / np.exp(logits - logits.max(-1, keepdims=True)).sum(-1)).mean())


def spread_of_scores(rows: np.ndarray) -> float:
    """The standard deviation of e · e' / √d, each row of one half with each of the other."""
    half = len(rows) // 2
    return float((rows[:half] @ rows[half:].T / math.sqrt(rows.shape[1])).std())
