"""A decoder alone goes on with a text: one token after the other, each drawn from what the model gives for the next.

The keys and values of what was read are kept, so that a step reads one token; without them it reads all again, and
comes to the same.
"""

import math
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
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
from .model.taps import recording
from .ranking import largest
from .zoo import Model

SHOWN = 200  # of a step's line, the likeliest first
LEAST = 1e-5  # a share on the line that is seen
BYTES = 32 * SHOWN  # about what the shares of one line take


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


@dataclass(frozen=True)
class Left:
    """What a rule leaves of the line from 0 to 1.

    Attributes:
        rule: "model", what the model itself gives; "allowed", the same without what nobody may write, where that is
            likeliest, or where no other rule is set; then "temperature", "top_k" and "top_p", those that are set.
        count: how many tokens have a share.
        shares: those of the step's `best`; 0 where one has none.
    """

    rule: str
    count: int
    shares: tuple[float, ...]


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
        best: the tokens that the model finds likeliest, not more than `SHOWN`; they keep their order under every rule.
        lines: what each rule left of the line, in their order; where a token may not be written, the first has it, too.
        weights: float32 [layer, head, key], where the last token that was read looked for it; None if not watched.
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
    best: tuple[int, ...]
    lines: tuple[Left, ...]
    weights: np.ndarray | None


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
        watched: bool = False,
        edits: "str | Edit | Iterable[str | Edit]" = (),
    ):
        """prompt: ids. `end` is the id after which nothing comes, `never` are those that nobody may write, such as
        [UNK]: they have no share of what is drawn on. There are at most `longest` tokens with the prompt,
        as many as the model has positions where it is not said. Where it is `watched`, each step keeps where it looked.

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
        self.looks = attention_taps(model) if watched else ()
        self.wanted = ("*.weights",) if watched else ()  # one pattern: each tap is asked about each
        self.nbytes = most_of(model, len(prompt), self.longest, watched)
        self._points = chances(self.sampling.seed, self.longest)

    @property
    def written(self) -> list[int]:
        """The ids written so far, an end token included."""
        return [step.id for step in self._steps]

    @property
    def made(self) -> tuple[Step, ...]:
        """The steps there are already."""
        return tuple(self._steps)

    def _advance(self) -> None:
        started = perf_counter()
        number, new = len(self._steps), self.ids[0 if self.cache is None else len(self.cache) :]
        logits, weights = self._read(new)
        own = softmax(logits)
        logits[self.never] = -np.inf
        after = lines(logits, self.sampling)
        line = [*after.values()][-1]
        point = float(self._points[number]) if self.sampling.temperature else None
        id = int(line.argmax()) if point is None else drawn(line, point)
        count = int((line > 0).sum())
        ids, best = largest(line, min(count, SHOWN)), largest(own, SHOWN)
        self.ids.append(id)
        shown = {
            "ids": tuple(ids.tolist()),
            "shares": tuple(line[ids].tolist()),
            "best": tuple(best.tolist()),
            "lines": tuple(
                Left(rule, int((shares > 0).sum()), tuple(shares[best].tolist()))
                for rule, shares in self._shown(own, after, id).items()
            ),
        }
        last = id == self.end or len(self.ids) == self.longest
        counted = {"count": count, "point": point, "read": len(new), "last": last}
        seconds = perf_counter() - started
        self._steps.append(Step(number, id, float(own[id]), **shown, **counted, seconds=seconds, weights=weights))

    def _shown(self, own: np.ndarray, after: dict[str, np.ndarray], id: int) -> dict[str, np.ndarray]:
        """The lines of a step: what the model gives; without what nobody may write, where that is seen by what was
        taken; then what each rule leaves."""
        rules = {rule: shares for rule, shares in after.items() if rule != "model"}
        greedy = not self.sampling.temperature
        seen = int(own.argmax()) != id if greedy else not rules and own[self.never].sum() > LEAST
        return {"model": own, **({"allowed": after["model"]} if seen else {}), **rules}

    @torch.inference_mode()
    def _read(self, new: Sequence[int]) -> tuple[np.ndarray, np.ndarray | None]:
        """What the model gives for the token after `new`, behind what is in the cache, [vocab]; and where the last of
        them looked."""
        ids = torch.tensor([new])
        with keeping(self.cache) if self.cache is not None else nullcontext(), recording(self.wanted) as tape:
            logits = self.network.after(ids, 0 if self.cache is None else len(self.cache)).numpy()
        seen = tape.arrays
        looked = [seen[tap][:, -1] for tap in self.looks]
        return logits, np.stack(looked) if looked else None


def attention_taps(model: Model) -> tuple[str, ...]:
    """The weights of every layer of a decoder alone."""
    return tuple(place.tap("weights") for place in model.reader.sublayers if place.kind)


def most_of(model: Model, given: int, longest: int, watched: bool) -> int:
    """About how many bytes a writing comes to hold at most: its cache, its lines, where it looked."""
    config, after = model.config, range(given, longest)
    cache = 2 * config.layers * (config.groups or config.heads) * config.d_head * longest
    looks = config.layers * config.heads * sum(after) if watched else 0
    return 4 * (cache + looks) + 4 * BYTES * len(after)


def lines(logits: np.ndarray, sampling: Sampling) -> dict[str, np.ndarray]:
    """[vocab] logits -> float64 [vocab], the shares that each token has after each rule that is set, in their order;
    first those that the model gives. The last is what is drawn by."""
    left = {"model": softmax(logits)}
    if not sampling.temperature:
        return left
    logits = tempered(logits, sampling.temperature)
    if sampling.temperature != 1:
        left["temperature"] = softmax(logits)
    if sampling.top_k is not None:
        logits = top_k(logits, sampling.top_k)
        left["top_k"] = softmax(logits)
    if sampling.top_p < 1:
        left["top_p"] = softmax(top_p(logits, sampling.top_p))
    return left
