"""The context of pages about one head of one attention."""

from typing import TypeVar

from pages.shared.page import stage
from pages.shared.page.stage import PageContext

V = TypeVar("V")


def first_kind(page: PageContext) -> str:
    """The attention they open on, and that their questions are about."""
    return page.model.attentions[0]


def opening(page: PageContext) -> tuple[int, int] | None:
    """Layer and head that the model's lesson opens on, from 1."""
    own = page.model.lesson.stages.get("heads", {}).get("opening")
    return (own[0], own[1]) if own else None


class StageContext(stage.StageContext[V]):
    """Layers and heads count from 1, as in the address."""

    @property
    def kind(self) -> str:
        return self.values["kind"]

    @property
    def layer(self) -> int:
        return self.values["layer"]

    @property
    def head(self) -> int:
        return self.values["head"]

    @property
    def veil(self) -> tuple[int, ...]:
        """The veiled rows: the question is about the first kind."""
        return self.asked.rows if self.kind == first_kind(self.page) else ()
