"""What is looked at: the sums of a sentence in the model and as switched, before dropout and after it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.edits import Edit
from core.exercises.input import Sums as Practised
from core.figures.picture import veiled
from core.views.attention import AttentionView
from core.views.input import TAPS, InputView, Moved, changes, dropped, input_view, most_moved, multiplies
from pages.shared.page import stage
from pages.shared.page.stage import Asked, PageContext
from pages.shared.pictures.pictures import window
from pages.shared.server import cached

ROWS = 12  # tokens shown at once
AROUND = 4  # dimensions before the selected one, and from it on, that stand as bars
COMPARED = ("token", "sum", "output")  # the vectors whose cosines are shown; sums may stand side by side instead
SIDES = ("own", "now", "before", "after")  # the model's own, as switched; before dropout, after it

Drop = tuple[float, int] | None  # rate and seed of dropout; None where nothing is dropped


@cached.shared
def view_of(name: str, text: str, edits: tuple[Edit, ...] = ()) -> InputView:
    return input_view(cached.capture(name, text, only=TAPS, edits=edits), cached.model(name))


def other_way(page: PageContext) -> tuple[Edit, ...]:
    """The edits that turn √d the other way round than in the model."""
    return changes(page.model, sqrt=not multiplies(page.model), positions=True)


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of one sentence, and the first layer's attention to them."""

    own: InputView  # the model's own
    now: InputView  # as switched
    shown: InputView  # beside the model's own: as switched; with no switch moved, with √d the other way round
    edits: tuple[Edit, ...]  # that make `now`
    shown_edits: tuple[Edit, ...]  # that make `shown`
    added: bool  # not side by side
    moved: bool  # whether any switch stands otherwise than in the model
    attention_own: AttentionView
    attention_now: AttentionView  # of `shown`
    most: Moved  # the weight that differs most between the two


def sums_of(page: PageContext, sqrt: bool, positions: bool, added: bool) -> Sums:
    """The sums as the switches stand."""
    edits = changes(page.model, sqrt, positions)
    moved = bool(edits) or not added
    shown_edits = edits if moved else other_way(page)
    return Sums(
        own=view_of(*page.key),
        now=view_of(*page.key, edits),
        shown=view_of(*page.key, shown_edits),
        edits=edits,
        shown_edits=shown_edits,
        added=added,
        moved=moved,
        attention_own=cached.attention(*page.key, 1),
        attention_now=cached.attention(*page.key, 1, edits=shown_edits),
        most=moved_by(*page.key, shown_edits),
    )


@cached.shared
def moved_by(name: str, text: str, edits: tuple[Edit, ...]) -> Moved:
    """The weight of the first layer that these edits move most."""
    return most_moved(*(cached.attention(name, text, 1, edits=made) for made in ((), edits)))


def opening_token(own: InputView, asked: Asked) -> int:
    """The asked token; while the question is open, the word nearest to it."""
    if asked.question is None:
        return next((i for i, special in enumerate(own.special) if not special), 0)
    row = asked.question.row
    if not asked.open:
        return row
    others = [i for i in range(len(own.tokens)) if i != row]
    return min(others, key=lambda i: (own.special[i], abs(i - row), i))


@cached.shared
def telling(name: str, text: str, token: int) -> int:
    """The dimension of a token that is looked at first: the one whose neighbours show most as bars, large, and none
    dwarfing the others. Its number is not the token's position: two numbers that look alike would be taken for one."""
    own = view_of(name, text)
    around = np.abs(np.pad(own.total[token], AROUND, mode="reflect" if own.d_model > AROUND else "edge"))
    windows = np.lib.stride_tricks.sliding_window_view(around, 2 * AROUND)[: own.d_model]
    scores = np.median(windows, axis=1) ** 2 / np.maximum(windows.max(1), 1e-12)
    scores[:AROUND] = scores[-AROUND:] = 0  # so near the ends the picture stands still
    scores[token : token + 1] = 0
    return int(scores.argmax())


def opening_pair(own: InputView) -> tuple[int, int]:
    """The last word that stands twice, and its first twin; else the first two tokens that were typed."""
    typed = [i for i, special in enumerate(own.special) if not special]
    typed = typed if len(typed) > 1 else list(range(len(own.tokens)))
    twins = [(a, b) for b in reversed(typed) for a in typed if a < b and own.ids[a] == own.ids[b]]
    return twins[0] if twins else (typed[0], typed[min(1, len(typed) - 1)])


@cached.shared
def reach_of(name: str, text: str, edits: tuple[Edit, ...], of: str) -> float:
    view = view_of(name, text, edits)
    return float(np.quantile(np.abs(view.total if of == "sum" else view.output), 0.98))


def entering(view: InputView) -> np.ndarray:
    """[1 + part, token, d_model]: what enters the first layer, and the parts it was made of."""
    return np.stack([view.output, *view.parts])


@cached.shared
def after_dropout(name: str, text: str, edits: tuple[Edit, ...], drop: tuple[float, int]) -> np.ndarray:
    return dropped(entering(view_of(name, text, edits)), *drop)


@cached.shared
def cosines_of(name: str, text: str, edits: tuple[Edit, ...], drop: Drop, kind: str) -> np.ndarray:
    view = view_of(name, text, edits)
    if drop:
        view = replace(view, output=after_dropout(name, text, edits, drop)[0], taps={})
    with np.errstate(invalid="ignore"):
        return view.cosines(kind)


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[Sums]):
    """The sums, and what of them is selected."""

    @property
    def selected(self) -> int:
        """The token that is looked at."""
        return self.values["pos"]

    @property
    def drop(self) -> Drop:
        """Rate and seed; in evaluation nothing is dropped."""
        return (self.values["rate"], self.values["seed"]) if self.values["mode"] == "training" else None

    @cached_property
    def opening(self) -> int:
        """The token the words speak of."""
        return opening_token(self.view.own, self.asked)

    @property
    def opening_dim(self) -> int:
        """The dimension the words speak of."""
        return telling(*self.key, self.opening)

    @cached_property
    def pair(self) -> tuple[int, int]:
        """Two tokens the words compare."""
        return opening_pair(self.view.own)

    @property
    def other_name(self) -> str:
        return self.t("effects.without" if multiplies(self.page.model) else "effects.with")

    def side_name(self, side: str) -> str:
        """One side in words; while no switch is moved, the other side has √d the other way round."""
        return self.other_name if side == "now" and not self.view.moved else self.t(f"looks.{side}")

    def window(self, most: int = ROWS) -> slice:
        """The tokens shown: all of a short sentence, else those around the selected one."""
        return window(len(self.view.own.tokens), self.selected, most)

    def reach(self, of: str) -> float:
        """The size at which the colour of one of `now`'s arrays is full: of the "sum" or of the "output"."""
        return reach_of(*self.key, self.view.edits, of)

    # ---- dropout

    def before_dropout(self) -> np.ndarray:
        """[1 + part, token, d_model]: what enters the first layer, and the parts it was made of."""
        return entering(self.view.now)

    def after_dropout(self, rate: float, seed: int) -> np.ndarray:
        """The same after dropout."""
        return after_dropout(*self.key, self.view.edits, (rate, seed))

    # ---- two sides compared

    def compared(self, side: str, kind: str) -> tuple[InputView, str]:
        """Whose vectors are compared on one side, and as what."""
        if side == "own":
            return self.view.own, kind
        if side == "now":
            return self.view.shown, "joined" if kind == "sum" and not self.view.added else kind
        if side == "before" or self.drop is None:
            return self.view.now, "output"
        return replace(self.view.now, output=self.after_dropout(*self.drop)[0], taps={}), "output"

    def cosines(self, side: str, kind: str) -> np.ndarray:
        """[token, token]: of the vectors of one side. NaN where nothing of a token is left."""
        edits = {"own": (), "now": self.view.shown_edits}.get(side, self.view.edits)
        drop = self.drop if side == "after" else None
        return cosines_of(*self.key, edits, drop, self.compared(side, kind)[1])

    # ---- while the question is open

    def seen(self, array: np.ndarray, *axes: int) -> np.ndarray:
        """An array as it may be shown: the asked token is not in it, along any of these axes."""
        return veiled(array, self.asked.rows, *axes)

    def unless_asked(self, value: float) -> object:
        """A number of the pair, kept back where the question is about one of the two."""
        return self.t("matrix.veiled") if set(self.pair) & set(self.asked.rows) else value

    # ---- exercises

    @property
    def practised(self) -> Practised:
        return Practised(self.view.own, self.view.now, self.view.added)
