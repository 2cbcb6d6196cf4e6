"""What is looked at on this page: two tokens of the sentence, at one depth."""

from functools import cached_property

import numpy as np

from core.text.token import named
from core.views.overview import Depth, OverviewView, overview_view, strangers, taps
from pages.shared import cached, stage
from pages.shared.page import Page

LATEST_ASKED = 3  # the question is about this layer, or the last of a shallower model


def view_of(page: Page) -> OverviewView:
    name, text = page.address.model, page.text

    def make() -> OverviewView:
        return overview_view(cached.capture(name, text, only=taps(page.model)), page.model)

    return cached.remember(("overview", name, text), make)


def asked_layer(page: Page) -> int:
    return min(LATEST_ASKED, page.model.config.layers)


def asked_depth(page: Page, view: OverviewView) -> int:
    """The depth after the asked layer: from there on the question veils."""
    return len(view.depths) - page.model.config.layers + asked_layer(page) - 1


def opening_pair(page: Page, view: OverviewView) -> tuple[int, int]:
    return cached.small(("overview pair", page.address.model, page.text), view.pair)


def stranger_line(name: str) -> tuple[float, float]:
    """How alike random rows of the table are; rows in brackets ([unused5]) were never trained and do not count."""

    def found() -> tuple[float, float]:
        model = cached.model(name)
        table = model.network.get_parameter("embedding.token_table.weight").detach().numpy()
        return strangers(table[[not piece.startswith("[") for piece in model.tokenizer.pieces]])

    return cached.small(("strangers", name), found)


class Look(stage.Look[OverviewView]):
    """The selected depth, and the two tokens that are compared."""

    @property
    def depth(self) -> int:
        return self.values["depth"]

    @property
    def pair(self) -> tuple[int, int]:
        return self.values["q"], self.values["k"]

    @property
    def layers(self) -> int:
        return self.page.model.config.layers

    @cached_property
    def opening(self) -> tuple[int, int]:
        return opening_pair(self.page, self.view)

    @cached_property
    def cosines(self) -> np.ndarray:
        """[depth] of the pair."""
        return self.view.cosines(*self.pair)

    # ---- the veil: the asked pair from the asked layer on

    @property
    def veiled_from(self) -> int:
        """The first depth of which something is veiled; beyond the last where nothing is."""
        return asked_depth(self.page, self.view) if self.veiled else len(self.view.depths)

    def hidden(self, depth: int) -> bool:
        """Would the cosine at this depth answer the open question?"""
        return depth >= self.veiled_from and set(self.pair) == set(self.opening)

    def veil(self, depth: int) -> tuple[int, ...]:
        """The veiled rows at a depth."""
        return self.opening if depth >= self.veiled_from else ()

    # ---- names

    def title(self, depth: Depth) -> str:
        return self.t(f"depths.{depth.id}", number=depth.number)

    def at(self, token: int) -> str:
        """A token by its name; after a layer, the state at its place."""
        name = named(self.view.tokens, token)
        return self.t("at", token=name) if self.view.depths[self.depth].number else name
