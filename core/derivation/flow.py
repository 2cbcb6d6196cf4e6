"""What stands in front of what: how numbers flow from tap to tap, as the model's Config has it arranged."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..capture import Capture
from ..errors import InputError
from ..model.config import Config
from ..model.places import Place, Stack, split
from ..text.token import Token
from ..zoo import Model

if TYPE_CHECKING:
    from torch import Tensor

TABLE = "embedding.token_table.weight"  # of a translator: both its sides and its output have this one
ROWS = (TABLE, "output.project.weight")  # what a logit may be scored by: see `Model.rows`


@dataclass(frozen=True, eq=False)
class Flow:
    """The way of one run's numbers through its model: taps by name, and what they are made of."""

    run: Capture
    config: Config
    dims: Mapping[str, tuple[str, ...]]  # of every tap of the model
    unedited: "dict[tuple[int, str], Tensor]" = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, run: Capture) -> "Flow":
        if run.by is None:
            raise InputError("no_model", model=run.model)
        return cls(run, run.by.config, run.by.tap_dims)

    def before_edit(self, number: int, tap: str) -> "Tensor":
        """What passes a tap before one of the run's edits: see `Capture.before_edit`. Asked once."""
        if (number, tap) not in self.unedited:
            self.unedited[number, tap] = self.run.before_edit(number, tap)
        return self.unedited[number, tap]

    @property
    def model(self) -> Model:
        assert self.run.by is not None  # `of` refuses a run without one
        return self.run.by

    @property
    def stacks(self) -> Mapping[str, Stack]:
        return self.model.stacks

    # ---- between layers

    def entering(self, place: Place) -> str:
        """What enters a sub-layer."""
        return self.model.entering(place)

    def reading(self, place: Place) -> str:
        """What a sub-layer itself is given; where no norm comes first, that is what enters."""
        return self.model.given(place) if self.config.norm == "pre" else self.entering(place)

    def answering(self, place: Place) -> str:
        """What an attention's keys and values are made of."""
        return self.top("encoder") if place.kind == "cross" else self.reading(place)

    def top(self, stack: str) -> str:
        """What a stack hands on."""
        return self.stacks[stack].exit

    def normed(self, place: Place) -> str:
        """What a norm is given."""
        return self.model.normed(place)

    def carried(self, tap: str) -> str | None:
        """The tap whose numbers pass this one as they are, where that is so."""
        place, word = split(tap)
        if word == "skip":
            return self.entering(place)
        if word != "output" or place.norm or place.part not in ("", "embedding"):
            return None
        if place.part == "embedding":
            made = replace(place, norm=True).tap("output"), place.tap("sum"), place.tap("token")
            return next(tap for tap in made if tap in self.dims)
        return self.model.leaving(replace(place, part="feedforward"))

    # ---- heads

    def group(self, head: int | None) -> int | None:
        """Whose keys and values a head shares: a group's, or its own."""
        config = self.config
        return head if head is None or not config.groups else head * config.groups // config.heads

    # ---- tokens

    def tokens(self, place: Place) -> tuple[Token, ...]:
        return self.run.tokens_at(place)

    def shape(self, tap: str) -> tuple[int, ...]:
        """Of a tap, whether or not it was kept."""
        return tuple(self.sizes.get(dim) or len(self.run.side(tap, dim)) for dim in self.dims[tap])

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Of the dimensions that are the model's, not the sentence's."""
        config = self.config
        made = {"d_model": config.d_model, "head": config.heads, "group": config.groups, "d_head": config.d_head}
        return {**made, "d_ff": config.d_ff, "vocab": config.vocab}
