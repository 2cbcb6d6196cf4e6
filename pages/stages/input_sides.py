"""The sums of a sentence on two sides: in the model and as switched, before dropout and after it; and their cosines."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.edits import Edit
from core.views.input import InputView, apart, dropped, multiplies
from pages.shared import cached, components, state
from pages.shared.numbers import grouped
from pages.shared.page import Page
from pages.shared.state import Parameter
from pages.stages.input_pieces import paragraph

ROWS = 12  # tokens shown at once
SQUARE = 128  # tokens whose cosines are shown at once
COMPARED = ("token", "sum", "output")  # the vectors whose cosines are shown; sums may stand side by side instead
SIDES = ("own", "now", "before", "after")  # the model's own, as switched; before dropout, after it

Drop = tuple[float, int] | None  # rate and seed of dropout; None where nothing is dropped


@dataclass(frozen=True)
class Sums:
    """The sums of one sentence in one run of the page: as the model has them, as switched, and what is covered."""

    page: Page
    table: Mapping[str, Parameter]  # what a click on a picture may set
    own: InputView  # the model's own
    now: InputView  # as switched
    shown: InputView  # beside the model's own: as switched; with no switch moved, with √d the other way round
    edits: tuple[Edit, ...]  # that make `now`
    shown_edits: tuple[Edit, ...]  # that make `shown`
    added: bool  # not side by side
    moved: bool  # whether any switch stands otherwise than in the model
    veil: list[int]  # tokens the open question asks about
    selected: int  # the token that is looked at
    opening: int  # the token the words speak of
    pair: tuple[int, int]  # two tokens the words compare

    @property
    def other_name(self) -> str:
        return self.page.t("effects.without" if multiplies(self.page.model) else "effects.with")

    def side_name(self, side: str) -> str:
        """One side in words; while no switch is moved, the other side has √d the other way round."""
        return self.other_name if side == "now" and not self.moved else self.page.t(f"looks.{side}")

    def window(self, most: int = ROWS) -> slice:
        """The tokens shown: all of a short sentence, else those around the selected one."""
        n = len(self.own.tokens)
        first = max(0, min(n - most, self.selected - most // 2))
        return slice(first, min(n, first + most))

    def before_dropout(self) -> np.ndarray:
        """[1 + part, token, d_model]: what enters the first layer, and the parts it was made of."""
        return np.stack([self.now.output, *self.now.parts])

    def after_dropout(self, rate: float, seed: int) -> np.ndarray:
        """The same after dropout."""
        key = "input dropped", self.page.address.model, self.page.text, rate, seed, *(edit.id for edit in self.edits)
        return cached.remember(key, lambda: dropped(self.before_dropout(), rate, seed))

    def compared(self, side: str, kind: str, drop: Drop = None) -> tuple[InputView, str]:
        """Whose vectors are compared on one side, and as what."""
        if side == "own":
            return self.own, kind
        if side == "now":
            return self.shown, "joined" if kind == "sum" and not self.added else kind
        if side == "before" or drop is None:
            return self.now, "output"
        return replace(self.now, output=self.after_dropout(*drop)[0]), "output"

    def cosines(self, side: str, kind: str, drop: Drop = None) -> np.ndarray:
        """[token, token]: of the vectors of one side. NaN where nothing of a token is left."""
        view, kind = self.compared(side, kind, drop)
        edits = {"own": (), "now": self.shown_edits}.get(side, self.edits)
        made_by = *(edit.id for edit in edits), *(drop if side == "after" and drop else ())
        key = "input cosines", self.page.address.model, self.page.text, *made_by, kind
        with np.errstate(invalid="ignore"):
            return cached.remember(key, lambda: view.cosines(kind))

    # ---- while the question is open

    @property
    def veiled(self) -> bool:
        return bool(self.veil)

    def seen(self, array: np.ndarray, *axes: int) -> np.ndarray:
        """An array as it may be shown: the asked token is not in it, along any of these axes."""
        if not self.veil:
            return array
        array = array.astype(np.float32)
        for axis in axes:
            np.moveaxis(array, axis, 0)[self.veil] = np.nan
        return array

    def veil_or(self, value: float) -> object:
        return self.page.t("matrix.veiled") if self.veil else value

    def unless_asked(self, value: float) -> object:
        """A number of the pair, kept back where the question is about one of the two."""
        return self.page.t("matrix.veiled") if set(self.pair) & set(self.veil) else float(value)


# ---- two sides compared


def pairs_said(sums: Sums, key: str, first: str, second: str, drop: Drop = None) -> list[str]:
    """What lies between two matrices of cosines: of the sums, or of what takes their place."""
    found = apart(*(sums.seen(sums.cosines(side, "sum", drop), 0, 1) for side in (first, second)))
    if found is None:
        return []
    name = sums.page.name
    names = {"a": name(found.a), "b": name(found.b), "which": sums.side_name(second)}
    means = {"pairs": grouped(found.pairs), "before": found.before, "after": found.after}
    return [paragraph(sums.page.t, key, was=found.was, now=found.now, **means, **names)]


def beside(table: Mapping[str, Parameter], first: str, left: bytes, second: str, right: bytes) -> None:
    """Two matrices of the same tokens, side by side."""
    for place, key, data in zip(st.columns(2, gap="large"), (first, second), (left, right), strict=True):
        with place:
            components.matrix(key=key, data=data, on_selection_change=state.selecting(key, table))


def cosine_matrix(sums: Sums, side: str, drop: Drop = None) -> bytes:
    """How alike the tokens are on one side; both sides have one colour scale."""
    page, part, by_dropout = sums.page, sums.window(SQUARE), side in ("before", "after")
    kinds = ("output",) if by_dropout else COMPARED
    name = sums.side_name(side)
    name = name[:1].upper() + name[1:]
    n, count = len(sums.own.tokens), part.stop - part.start
    cut = page.t("caption_window", count=count, n=n) if n > count else ""
    captions = {kind: f"{name}{page.t('cosines.colon')}{kind_said(sums, side, kind)}{cut}" for kind in COMPARED}
    axis = {"labels": page.tokens[part], "count": count, "from": part.start, "word": ""}
    none = {} if sums.veil else {"veiled": page.t("cosines.none")}
    header = {
        "name": [] if by_dropout else ["of"],
        "planes": [""] if by_dropout else kinds,
        "rows": {**axis, "param": "pos"},
        "columns": {**axis, "param": "k"},
        "reachBy": "of",
        "reach": 1,
        "signed": True,
        "tall": 300,
        "also": {"look": None, "side": side},
        "words": matrix_words(page, "cosines_label", captions=captions) | none,
    }
    return components.pack(header, *[sums.seen(sums.cosines(side, kind, drop), 0, 1)[part, part] for kind in kinds])


def kind_said(sums: Sums, side: str, kind: str) -> str:
    """What a matrix of cosines compares."""
    t = sums.page.t
    if side in ("before", "after"):
        return t(f"cosines.{side}")
    if side == "now" and not sums.added and kind != "token":
        return t("cosines.joined" if kind == "sum" else "cosines.not_joined")
    return t(f"cosines.{kind}")


def matrix_words(page: Page, label: str, **more: object) -> dict:
    shared = {name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    return {"label": page.t(label), **shared, **more}
