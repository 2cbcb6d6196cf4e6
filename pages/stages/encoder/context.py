"""What is looked at: one token's stream in one layer, and what a sub-layer writes onto it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.capture import Capture
from core.edits import Edit
from core.model.places import Place
from core.text.token import named
from core.views.encoder import EncoderView, Sublayer, encoder_view, taps
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached

SHOWN = ("stream", "blocks")  # the picture: all layers of one token's stream, or one layer in both stacks


@cached.shared
def view_of(name: str, text: str) -> EncoderView:
    model = cached.model(name)
    return encoder_view(cached.capture(name, text, only=taps(model)), model)


def states_of(name: str, text: str, edits: tuple[Edit, ...] = ()) -> Capture:
    """A capture with the encoder's states at every depth."""
    return cached.capture(name, text, only=cached.model(name).depths(), edits=edits)


def lowest(*lines: np.ndarray) -> float:
    """Where a picture of cosines ends below: at 0, or under it where one is."""
    return min([0.0, *(float(x) for line in lines for x in line if np.isfinite(x))])


def parts_of(page: PageContext) -> list[str]:
    """Every kind of sub-layer of the model: "encoder.attention" and so on."""
    return [f"{stack.name}.{part}" for stack in page.model.stacks.values() for part in stack.parts]


def layers_of(page: PageContext) -> int:
    """Layers that every stack has."""
    return min(stack.layers for stack in page.model.stacks.values())


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[EncoderView]):
    """Tokens count from 0, layers from 1."""

    @property
    def layer(self) -> int:
        return self.values["layer"]

    @property
    def part(self) -> str:
        return self.values["part"]

    @property
    def blocks(self) -> bool:
        return self.values["shown"] == "blocks"

    @property
    def reader(self) -> str:
        """The stack that reads the text."""
        return self.page.model.reader.name

    @property
    def stack(self) -> str:
        return self.part.split(".")[0]

    @property
    def place(self) -> Place:
        stack, part = self.part.split(".")
        return Place(stack, self.layer - 1, part)

    @property
    def pos(self) -> int:
        return self.values["pos"]

    @property
    def row(self) -> int:
        """Of the target."""
        return self.values["q"]

    def token_of(self, stack: str) -> int:
        """The selected token of a stack."""
        return self.row if self.page.model.stacks[stack].target else self.pos

    @property
    def token(self) -> str:
        """The selected token of the selected stack."""
        return self.name_of(self.stack)

    def name_of(self, stack: str) -> str:
        side = self.view.given if self.page.model.stacks[stack].target else self.view.tokens
        return named([token.text for token in side], self.token_of(stack))

    @cached_property
    def here(self) -> Sublayer:
        return self.view.at(self.stack, self.layer, self.place.part)

    def hides(self, stack: str, layer: int, pos: int) -> bool:
        """While the question is open: the asked token in the asked layer."""
        if stack != self.reader or pos not in self.asked.rows or self.question is None:
            return False
        return layer == int(str(self.question.facts["layer"]))

    @property
    def hidden(self) -> bool:
        return self.hides(self.stack, self.layer, self.token_of(self.stack))
