"""What is looked at: one token in front of one norm, and what is done to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.derivation.layernorm import PARTS
from core.exercises.layernorm import Norm
from core.model.places import Place
from core.text.token import named
from core.views import layernorm as views
from core.views.layernorm import Changes, NormView
from core.views.norms import Normed
from pages.shared.page import stage
from pages.shared.server import cached
from pages.shared.words.texts import Texts

GIVEN = {"as_is": (1, 0), "times": (10, 0), "plus": (1, 5), "both": (10, 5)}  # what is done to the vector before
RAISED = ("1e-5", "1e-3", "0.1")  # ε beside the model's own
EPSILONS = ("own", *RAISED)


@cached.shared
def places_of(name: str) -> tuple[Place, ...]:
    """Every norm of the model."""
    return views.places(cached.model(name))


@cached.shared
def view_of(name: str, text: str, place: Place) -> NormView:
    model = cached.model(name)
    return views.norm_view(cached.capture(name, text, only=views.taps(model, place)), model, place)


def opening_norm(name: str) -> int:
    """The norm on which the page opens and about which it asks, from 1: the first, or where its lesson knows one that
    changes more."""
    return cached.model(name).lesson.stages.get("layernorm", {}).get("opening", 1)


def opening_view(name: str, text: str) -> NormView:
    return view_of(name, text, places_of(name)[opening_norm(name) - 1])


@cached.shared
def changes_of(name: str, text: str, place: Place, row: int, method: str) -> Changes:
    """A token under every choice of the controls."""
    view = view_of(name, text, place)
    every = tuple(epsilon(view, id) for id in EPSILONS)
    return views.changes_of(view, method, row, tuple(GIVEN.values()), every)


def epsilon(view: NormView, id: str) -> float:
    return view.epsilon if id == "own" else float(id)


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[NormView]):
    """One token in front of one norm."""

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every norm of the model."""
        return places_of(self.page.address.model)

    @property
    def row(self) -> int:
        """The selected token; a target can be shorter than the source."""
        return min(self.values["pos"], len(self.view.tokens) - 1)

    @property
    def token(self) -> str:
        return named(self.view.tokens, self.row)

    @property
    def given(self) -> str:
        return self.values["given"]

    @property
    def method(self) -> str:
        return self.values["method"]

    @property
    def part(self) -> str:
        """What is followed; not every kind of norm has every part."""
        return self.values["part"] if self.values["part"] in PARTS[self.method] else "after"

    def lane(self, part: str) -> str:
        """What a part is called: not every kind of norm does all that LayerNorm does."""
        own = f"lanes_of.{self.method}.{part}"
        return self.t(own if own in self.t else f"lanes.{part}")

    @property
    def as_captured(self) -> bool:
        """Nothing changed: the numbers are those of the model's own run."""
        return (self.given, self.values["eps"], self.method) == ("as_is", "own", self.view.kind)

    @cached_property
    def ran(self) -> Normed:
        """What the norm chosen makes of the vectors as they were changed."""
        return self.view.ran(self.method, *GIVEN[self.given], self.epsilon(self.values["eps"]))

    def epsilon(self, id: str) -> float:
        return epsilon(self.view, id)

    def changes(self, method: str) -> Changes:
        """The token under every choice of the controls."""
        return changes_of(*self.key, self.view.place, self.row, method)

    def hides(self, given: str, part: str) -> bool:
        """While the question is open: what the norm makes of a changed vector."""
        return self.veiled and given != "as_is" and part in ("normalized", "after")

    @property
    def practised(self) -> Norm:
        return Norm(self.view, self.row, GIVEN, self.epsilon(self.values["eps"]))


# ---- names


def two_stacks(places: Sequence[Place]) -> bool:
    return len({place.stack for place in places if place.stack}) > 1


def name_of(context: StageContext, place: Place) -> str:
    """A norm as people call it: where it stands, layers from 1."""
    t = context.t
    if place.layer is None:
        return t("place.embedding" if place.part == "embedding" else "place.last")
    of = "of_stack" if two_stacks(context.places) else "of_one"
    where = t(f"place.{of}", stack=t(f"place.{place.stack}"), layer=place.layer + 1)
    side = "before" if context.page.model.config.norm == "pre" else "after"
    return t(f"place.{side}", where=where, part=t(f"place.{place.part}"))


def short_name(t: Texts, places: Sequence[Place], place: Place) -> str:
    """The same, where there is little room."""
    if place.layer is None:
        return t("place.embedding_short" if place.part == "embedding" else "place.last_short")
    before = "D" if two_stacks(places) and place.stack == "decoder" else ""
    return f"{before}{place.layer + 1} {t(f'place.{place.part}_short')}"
