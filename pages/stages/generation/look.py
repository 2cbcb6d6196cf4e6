"""What is looked at: one token that was written, how it was drawn, and where the model looked for it."""

from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import numpy as np

from core.run_spec import RunSpec
from core.views.generation import GenerationView, agreed, generation_view
from core.writing import Sampling, Step
from pages.shared.page import stage
from pages.shared.page.context import PageContext
from pages.shared.server import cached, jobs

TEMPERATURES = ("0", "0.5", "0.8", "1", "1.5", "2")
KS = ("all", "1", "5", "20", "40", "100")
PS = ("1", "0.99", "0.95", "0.9", "0.5")
SEEDS = 9999
NEWEST = -1  # the token that was written last, whichever that is


@cached.shared
def view_of(model: str, text: str, asked: bool, sampling: Sampling) -> GenerationView:
    return generation_view(cached.model(model), text, sampling, asked)


def usual(page: PageContext) -> dict[str, Any]:
    """What a page of this model opens on, where its lesson says so."""
    return {"temperature": "0", "topk": "all", "layer": 0, "head": 0, **page.opening}


def asked_of(page: PageContext, mode: str) -> bool:
    """Whether the sentence is put as a question, in the model's template."""
    return mode == "chat" and page.model.chats


def written(view: GenerationView, count: int) -> tuple[Step, ...]:
    """The first steps, as many as there can be. Each is made beside the pages, when it is this visitor's turn; where
    too many wait, only those are there that were made before."""
    made = view.writing.made
    if len(made) < count and not (made and made[-1].last):
        key = ("written", view.model.id, view.prompt, view.sampling, count)
        with suppress(jobs.Busy):
            jobs.ask(key, [partial(view.writing.__getitem__, i) for i in range(len(made), count)]).wait()
    return view.steps(count)


class Look(stage.Look[GenerationView]):
    """Written tokens count from 0; layers and heads from 1, and 0 is the mean of all."""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return written(self.view, min(self.values["n"], self.view.room))

    @property
    def practised(self) -> GenerationView:
        """With the steps that are asked for, as far as they can be had."""
        _ = self.steps
        return self.view

    @property
    def busy(self) -> bool:
        """Whether others were first, and some of what was asked for is not there."""
        return len(self.steps) < min(self.values["n"], self.view.room) and not (self.steps and self.steps[-1].last)

    @property
    def given(self) -> int:
        return len(self.view.tokens)

    @property
    def goes_on(self) -> bool:
        """Whether what is selected is the newest token, and the next may come at any moment."""
        return self.values["q"] == NEWEST

    @property
    def place(self) -> int:
        """The selected token, of those that were written."""
        last = len(self.steps) - 1
        return last if self.goes_on else min(self.values["q"], last)

    @property
    def step(self) -> Step:
        return self.steps[self.place]

    def name(self, id: int) -> str:
        return self.page.model.tokenizer.names[id]

    def word(self, step: Step) -> str:
        return self.name(step.id)

    @property
    def before(self) -> str:
        """The token that stands before the selected one."""
        return self.name(self.view.ids(self.steps)[self.given + self.place - 1])

    # ---- the run behind it: what was written, read as a text

    @cached_property
    def whole(self) -> str:
        return self.view.whole(self.steps)

    @cached_property
    def sure(self) -> int:
        """How many tokens, from the first on, are the same when the whole is read as a text."""
        again = cached.trace(self.page.address.model, self.whole).tokens
        return agreed([token.id for token in again], self.view.ids(self.steps))

    def run(self, place: int) -> RunSpec | None:
        """The run in which a written token is chosen; None where no text makes the tokens that stand before it."""
        count = self.given + place
        if count <= self.sure:
            return RunSpec(self.whole)
        text = self.view.whole(self.steps[:place])
        again = cached.trace(self.page.address.model, text).tokens
        same = agreed([token.id for token in again], self.view.ids(self.steps)) >= count
        return RunSpec(text) if same else None

    # ---- where it looked

    @property
    def layer(self) -> int:
        return self.values["layer"]

    @property
    def head(self) -> int:
        return self.values["head"]

    def weights(self, step: Step) -> np.ndarray:
        """[key] of the selected layer and head, or the mean of them all."""
        assert step.weights is not None
        layers = step.weights[self.layer - 1] if self.layer else step.weights.mean(0)
        return layers[self.head - 1] if self.head else layers.mean(0)
