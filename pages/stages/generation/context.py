"""What is looked at: one token that was written, how it was drawn, and where the model looked for it."""

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from core.run_spec import RunSpec
from core.views.generation import MOST, GenerationView, agreed, generation_view
from core.writing import Sampling, Step
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached, jobs
from pages.shared.server.jobs import Job

TEMPERATURES = ("0", "0.5", "0.8", "1", "1.5", "2")
KS = ("all", "1", "5", "20", "40", "100")
PS = ("1", "0.99", "0.95", "0.9", "0.5")
SEEDS = 9999
PATIENCE = 1.0  # seconds that a page waits for what is made beside it
PATIENT = 10  # moments that a section waits
FEW = 4  # steps that take but a moment
NEWEST = -1  # the token that was written last, whichever that is


@cached.shared
def view_of(model: str, text: str, asked: bool, sampling: Sampling, most: int = MOST) -> GenerationView:
    """It takes as much room in the shared cache as it comes to at most."""
    return generation_view(cached.model(model), text, sampling, asked, most)


def usual(page: PageContext) -> dict[str, Any]:
    """What a page of this model opens on, where its lesson says so."""
    return {"temperature": "0", "topk": "all", "layer": 0, "head": 0, **page.opening}


def asked_of(page: PageContext, mode: str) -> bool:
    """Whether the sentence is put as a question, in the model's template."""
    return mode == "chat" and page.model.chats


def written(view: GenerationView, count: int) -> tuple[Step, ...]:
    """The first steps, as many as there are soon: each time that it takes a moment, it is waited for once more."""
    key = ("written", view.model.id, view.text, view.chat, view.sampling, view.room)
    for _ in range(PATIENT):
        if beside(key, view.writing.made, count, view.writing.__getitem__) is None:
            break
    return view.steps(count)


def beside(key: tuple[Hashable, ...], made: Sequence[Step], count: int, make: Callable[[int], object]) -> Job | None:
    """Steps that are not there yet, each made beside the pages when it is this visitor's turn. Who asks waits a moment
    for them; then the job says how far it is. None where it is over, or where too many wait."""
    if len(made) >= count or (made and made[-1].last):
        return None
    try:
        steps = [partial(make, i) for i in range(len(made), count)]
        job = jobs.ask((*key, count), steps, brief=len(steps) <= FEW)
        job.wait(PATIENCE)
    except jobs.Busy:
        return None
    return None if job.over else job


class StageContext(stage.StageContext[GenerationView]):
    """Written tokens count from 0; layers and heads from 1, and 0 is the mean of all."""

    @property
    def identity(self) -> tuple[object, ...]:
        """An address may be read before all that it asks for is there."""
        return *super().identity, len(self.steps), self.job is None

    @cached_property
    def wanted(self) -> int:
        return min(self.values["n"], self.view.room)

    @cached_property
    def job(self) -> Job | None:
        """What is still making some of the steps, a moment after they were asked for. Whoever wants no more lets go."""
        if self.values["timed"] is None and len(self.view.writing.made) >= self.wanted:
            jobs.leave()
        key = ("written", *self.key, self.view.chat, self.view.sampling, self.view.room)
        return beside(key, self.view.writing.made, self.wanted, self.view.writing.__getitem__)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """As many as there are."""
        _ = self.job
        return self.view.steps(self.wanted)

    @property
    def practised(self) -> GenerationView:
        """With the steps that are asked for, as far as they can be had."""
        _ = self.steps
        return self.view

    @property
    def busy(self) -> bool:
        """Whether others were first, and some of what was asked for is not there."""
        short = len(self.steps) < self.wanted and not (self.steps and self.steps[-1].last)
        return short and self.job is None

    @property
    def given(self) -> int:
        return len(self.view.tokens)

    @property
    def goes_on(self) -> bool:
        """Whether the next token may come at any moment."""
        return self.values["q"] == NEWEST or self.job is not None

    @property
    def place(self) -> int:
        """The selected token, of those that were written."""
        last = len(self.steps) - 1
        return last if self.values["q"] == NEWEST else min(self.values["q"], last)

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
