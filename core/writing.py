"""A decoder alone goes on with a text: one token after the other, each drawn from what the model gives for the next.

The keys and values of what was read are kept, so that a step reads one token; without them it reads all again, and
comes to the same.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import torch

from .capture import fitting
from .edits import Edit
from .errors import InputError
from .lessons.sampling import chances, drawn, softmax, tempered, top_k, top_p
from .model.cache import Cache, keeping
from .model.language import LanguageModel
from .model.stepwise import Stepwise
from .zoo import Model

SHOWN = 200  # of a step's line, the likeliest first


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn, in this order: temperature, top-k, top-p, then a point between 0 and 1.

    Attributes:
        temperature: what logits are divided by; at 0 the likeliest token is taken, whatever the rest says.
        top_k: how many tokens may be drawn, the likeliest; None for all.
        top_p: of these, the fewest of the likeliest that together have at least this share.
        seed: decides every point.

    Raises ValueError for what nothing can be drawn by.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float = 1.0
    seed: int = 1

    def __post_init__(self) -> None:
        if not (0 <= self.temperature < math.inf and (self.top_k is None or self.top_k >= 1) and 0 < self.top_p <= 1):
            raise ValueError(f"nothing can be drawn by {self}")


@dataclass(frozen=True, eq=False)
class Step:
    """One token that was written.

    Attributes:
        number: from 0.
        id: the token.
        probability: as the model gave it: of temperature 1, among all tokens.
        ids: what might have been drawn, the likeliest first; not more than `SHOWN`.
        shares: of the line from 0 to 1 that was drawn on, those of `ids`, one after the other.
        count: how many tokens might have been drawn.
        point: where the line was hit; None where the likeliest was taken.
        read: how many tokens the model read for it.
        seconds: how long it took.
        last: nothing comes after it: it is an end token, or there is no room for more.
    """

    number: int
    id: int
    probability: float
    ids: tuple[int, ...]
    shares: tuple[float, ...]
    count: int
    point: float | None
    read: int
    seconds: float
    last: bool


class Writing(Stepwise[Step]):
    """What a model writes after a prompt, to be walked through; each step is computed once.

    `writing[3]` is the fourth token that was written; iterating goes from the first to the last.
    """

    def __init__(
        self,
        model: Model,
        prompt: Sequence[int],
        sampling: Sampling | None = None,
        *,
        end: int | None = None,
        never: Sequence[int] = (),
        longest: int | None = None,
        cached: bool = True,
        edits: "str | Edit | Iterable[str | Edit]" = (),
    ):
        """prompt: ids. `end` is the id after which nothing comes, `never` are those that nobody may write, such as
        [UNK]: they have no share of what is drawn on. There are at most `longest` tokens with the prompt,
        as many as the model has positions where it is not said.

        Raises InputError where the model does not write, where the prompt is empty or leaves no room, and for edits as
        `capture` does.
        """
        if not isinstance(model.network, LanguageModel):
            raise InputError("goes_on_with_nothing", model=model.id)
        self.longest = min(longest or model.config.positions, model.config.positions)
        if not 0 < len(prompt) < self.longest:
            raise InputError("no_room_to_write", tokens=len(prompt), limit=self.longest)
        super().__init__(fitting(model, edits))
        self.network, self.sampling = model.network, sampling or Sampling()
        self.end, self.never = end, [*never]
        self.ids = [*prompt]
        self.cache = Cache() if cached else None
        self._points = chances(self.sampling.seed, self.longest)

    @property
    def written(self) -> list[int]:
        """The ids written so far, an end token included."""
        return [step.id for step in self._steps]

    def _advance(self) -> None:
        started = perf_counter()
        number, new = len(self._steps), self.ids[0 if self.cache is None else len(self.cache) :]
        logits = self._logits(new)
        own = softmax(logits)
        logits[self.never] = -np.inf
        line = shares(logits, self.sampling) if self.sampling.temperature else softmax(logits)
        point = float(self._points[number]) if self.sampling.temperature else None
        id = int(line.argmax()) if point is None else drawn(line, point)
        count = int((line > 0).sum())
        ids = likeliest(line, min(count, SHOWN))
        self.ids.append(id)
        last = id == self.end or len(self.ids) == self.longest
        shown = tuple(ids.tolist()), tuple(line[ids].tolist())
        seconds = perf_counter() - started
        self._steps.append(Step(number, id, float(own[id]), *shown, count, point, len(new), seconds, last))

    @torch.inference_mode()
    def _logits(self, new: Sequence[int]) -> np.ndarray:
        """[vocab] what the model gives for the token after `new`, and after what is in the cache."""
        ids = torch.tensor([new])
        if self.cache is None:
            return self.network.after(ids).numpy()
        with keeping(self.cache):
            return self.network.after(ids, len(self.cache)).numpy()


def shares(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """[vocab] logits -> float64 [vocab], what each token is drawn by; 0 where it cannot be."""
    return softmax(top_p(top_k(tempered(logits, sampling.temperature), sampling.top_k), sampling.top_p))


def likeliest(line: np.ndarray, count: int) -> np.ndarray:
    """The ids of the largest `count` shares, the largest first; of equals the first."""
    if not count:
        return np.array([], int)
    least = np.partition(line, -count)[-count]
    among = np.flatnonzero(line >= least)
    return among[np.argsort(-line[among], kind="stable")][:count]
