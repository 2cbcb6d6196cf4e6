"""What pages about one head of one attention look at."""

from typing import TypeVar

from pages.shared import stage

KIND = "encoder"  # the attention they open on, and that their questions are about
OPENING = 3, 9  # layer and head where MiniLM opens, from 1: determiners find their nouns here
V = TypeVar("V")


class Look(stage.Look[V]):
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
        """The veiled rows: the question is about the encoder."""
        return self.asked.rows if self.kind == KIND else ()
