"""What is looked at: the heads of one kind of attention, as the model is or with something changed in it."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.derivation import RunSpec
from core.edits import Edit
from core.figures.heads import in_small, those_shown
from core.figures.picture import veiled
from core.views.attention import AttentionView
from core.views.heads import HeadsView, heads_view, taps
from pages.shared.address.address import Parameter
from pages.shared.number.number_links import attended
from pages.shared.page import one_head
from pages.shared.page.one_head import first_kind, opening
from pages.shared.page.stage import PageContext
from pages.shared.server import cached

KEPT = cached.WHOLE  # up to this many tokens the weights of all heads are kept; beyond, those that are looked at
WAYS = ("dots", "upright", "lying")  # of drawing the heads: as dots, or as lines between the tokens
DOTTED = 64  # tokens at most that the page opens on as dots


@dataclass(frozen=True, eq=False)
class Heads:
    """All heads, and each of them in small."""

    view: HeadsView
    small: np.ndarray  # uint8 [layer · head, row, column]
    ranges: list[list[float]]
    edits: tuple[Edit, ...]

    @property
    def nbytes(self) -> int:
        return self.view.nbytes + self.small.nbytes

    def thumbnails(self, rows: tuple[int, ...]) -> tuple[np.ndarray, list[list[float]]]:
        """Each head in small, without these rows."""
        if not rows or self.view.weights is None:
            return self.small, self.ranges
        return in_small(veiled(self.view.weights, rows, 2))


@cached.shared
def heads_of(name: str, text: str, kind: str, edits: tuple[Edit, ...] = ()) -> Heads:
    view = heads_view(cached.capture(name, text, only=taps(kind), edits=edits), kind)
    assert view.weights is not None
    small, ranges = in_small(view.weights)
    if max(len(view.queries), len(view.keys)) > KEPT:
        view = replace(view, weights=None)
    return Heads(view, small, ranges, edits)


# ---- parameters


def also_parameter(layers: int, heads: int, default: str) -> Parameter:
    """Which heads are laid over the one that is followed: "layer", "alone", or some by layer.head."""

    def read(raw: str) -> str | None:
        if raw in ("layer", "alone"):
            return raw
        names = [name for name in raw.split("-") if re.fullmatch(r"[0-9]{1,4}\.[0-9]{1,4}", name)]
        kept = [n for n in names if 1 <= int(n.split(".")[0]) <= layers and 1 <= int(n.split(".")[1]) <= heads]
        return "-".join(dict.fromkeys(kept[:12])) or None

    return Parameter(read, default, "layer, alone, 1.3-2.9", usual=True)


def pin_parameter(queries: int, keys: int, default: str) -> Parameter:
    """Tokens whose lines stay: of those who look, and of those who are looked at; "row" is the one that is followed."""

    def read(raw: str) -> str | None:
        if raw in ("none", "row"):
            return raw
        pins = re.findall(r"([qk])([0-9]{1,4})(?:-|$)", raw)
        kept = [f"{side}{i}" for side, i in pins if int(i) < (queries if side == "q" else keys)]
        return "-".join(dict.fromkeys(kept[:40])) or None

    return Parameter(read, default, "none, row, q3, q3-k1", "sentence", usual=True)


def opening_head(page: PageContext) -> tuple[int, int]:
    """Layer and head to open on: the model's own, else those that look most decidedly at this sentence."""
    if own := opening(page):
        return own
    view = heads_of(*page.key, first_kind(page)).view
    layer, head = view.ranked("entropy")[0] if "entropy" in view.measures else (0, 0)
    return layer + 1, head + 1


class StageContext(one_head.StageContext[Heads]):
    """The selected weight of the selected head. Layers and heads count from 1, as in the address."""

    @property
    def heads(self) -> HeadsView:
        return self.view.view

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.view.edits

    @property
    def changed(self) -> tuple[str, ...]:
        """What was changed, as the address has it."""
        return tuple(edit.id for edit in self.edits)

    @property
    def file(self) -> str:
        """What a file is called: heads-encoder, and what was changed."""
        edited = "".join(f"-{re.sub('[:.]', '-', id)}" for id in self.changed)
        return f"heads-{self.kind}{edited}"[:120]

    @property
    def cell(self) -> tuple[int, int]:
        return self.values["q"], self.values["k"]

    @property
    def shown(self) -> list[tuple[int, int]]:
        """The heads that are shown, the followed one first."""
        return those_shown(self.layer, self.head, self.values["also"], self.heads.heads)

    def attention(self, layer: int | None = None) -> AttentionView:
        return cached.attention(self.page.address.model, self.page.text, layer or self.layer, self.kind, self.edits)

    def at(self, name: str, *index: int) -> float:
        """A number of the selected head that can be pressed, by the name of its array in `attention()`."""
        return attended(self, self.attention(), name, self.head - 1, *index, given=self.given)

    @property
    def given(self) -> RunSpec | None:
        """The run that is looked at, where something was changed in it."""
        return RunSpec(edits=self.edits) if self.edits else None

    def weights(self, layer: int, head: int) -> np.ndarray:
        """[query, key] of one head, counted from 1."""
        if self.heads.weights is not None:
            return self.heads.weights[layer - 1, head - 1]
        return self.attention(layer).weights[head - 1]

    @cached_property
    def row(self) -> np.ndarray:
        """[key]: the row that is looked at."""
        return self.weights(self.layer, self.head)[self.cell[0]]

    @property
    def practised(self) -> HeadsView:
        return self.heads
