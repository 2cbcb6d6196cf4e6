"""What is looked at on this page: a shape, what of it is counted, and one part of that."""

from collections.abc import Mapping, Sequence

from core.lessons.size import TRAIN, USE, Count, Shape
from core.views.size import Known, Show, SizeView, known
from core.zoo import SOURCES
from pages.shared.page import stage
from pages.shared.server import cached
from pages.shared.words.texts import Texts

SIZES = ("d", "n", "layers", "vocab", "h", "ff", "batch")
LIMITS = {
    "d": (1, 10_000_000),
    "n": (1, 1_000_000_000),
    "layers": (1, 1_000_000),
    "vocab": (1, 1_000_000_000),
    "h": (1, 1_000_000),
    "ff": (1, 100_000_000),
    "batch": (1, 1_000_000_000),
}
TOTALS = {"parameters": ("all",), "work": ("all",), "memory": ("use", "train")}
PARTS = (
    *("token", "segment", "position", "attention", "cross", "feedforward", "norms", "output"),
    *("lookup", "projections", "mixing", "cross_projections", "cross_mixing"),
    *("weights", "cache", "gradients", "adam", "activations"),
    *("all", "use", "train"),
)


def known_models() -> dict[str, Known]:
    return models_beside(tuple(SOURCES))


@cached.once
def models_beside(ours: tuple[str, ...]) -> dict[str, Known]:
    return known({id: cached.model(id) for id in ours})


def name_of(t: Texts, model: str) -> str:
    """A model, as people call it."""
    return t.model(model) if model in SOURCES else t(f"known.{model}")


class StageContext(stage.StageContext[SizeView]):
    @property
    def shape(self) -> Shape:
        return self.view.shape

    @property
    def show(self) -> Show:
        return self.values["show"]

    @property
    def counts(self) -> tuple[Count, ...]:
        return self.view.counts[self.show]

    @property
    def totals(self) -> Mapping[str, Sequence[Count]]:
        """What is added up, by name: everything; of memory, what is held in use, and in training."""
        if self.show != "memory":
            return {"all": self.counts}
        sums = {"use": [c for c in self.counts if c.id in USE]}
        return sums if self.view.precision == "int8" else {**sums, "train": [c for c in self.counts if c.id in TRAIN]}

    @property
    def first(self) -> str:
        """The part that is followed while none is chosen: the largest."""
        return max(self.counts, key=lambda count: count.value).id

    @property
    def part(self) -> str:
        known = {*(count.id for count in self.counts), *self.totals}
        return self.values["part"] if self.values["part"] in known else self.first

    @property
    def name(self) -> str:
        """The model, as people call it; one that was changed is said to be."""
        t = self.t
        name = name_of(t, self.view.preset)
        return t("changed", name=name) if self.view.changed else name
