"""The parts every derivation is made of."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..ranking import largest
from .origins import Cell, Measure, Origin, Source, Weight

READ = 3  # terms of a sum that are written out
READ_OF_OTHERS = 24  # of those that are not, where they are asked for
DRAWN = 512  # terms of a sum that are drawn; of a longer one those of the greatest size


@dataclass(frozen=True, eq=False)
class Vector:
    """Numbers in float64, and where they are from: `of` names an array and has a None for each axis of `values`."""

    values: np.ndarray
    of: Origin | None = None

    @classmethod
    def read(cls, array: np.ndarray, of: Origin) -> "Vector":
        """What `of` names, out of the whole array."""
        return cls(array[of.slices].astype(np.float64), of)

    def __float__(self) -> float:
        return float(self.values)

    def __len__(self) -> int:
        return self.values.size

    @property
    def flat(self) -> np.ndarray:
        return self.values.reshape(-1)

    def origin(self, i: int) -> Source | None:
        """Of the i-th number, counted through all axes."""
        if self.of is None or self.values.ndim == 1:
            return self.of and self.of.at(i)
        return self.of.at(*(int(place) for place in np.unravel_index(i, self.values.shape)))


@dataclass(frozen=True, eq=False)
class Named(Vector):
    """Numbers from here and there: `source` says of each where it is from."""

    source: Callable[[int], Source | None] | None = None

    def origin(self, i: int) -> Source | None:
        return self.source and self.source(i)


Numbers = Vector | Sequence[float] | np.ndarray


def vector(numbers: Numbers) -> Vector:
    """Numbers that may say where they are from."""
    return numbers if isinstance(numbers, Vector) else Vector(np.asarray(numbers, np.float64))


@dataclass(frozen=True)
class Term:
    """One summand, at an index of the dimension that is summed over: left · right, unless it is `made` of the two in
    another way; and where the two are from."""

    index: int
    left: float
    right: float
    left_of: Source | None = None
    right_of: Source | None = None
    made: float | None = None

    @property
    def value(self) -> float:
        """What it adds to the sum."""
        return self.left * self.right if self.made is None else self.made


@dataclass(frozen=True, eq=False)
class Sum:
    """All terms of a sum, and the two numbers that each was made of: left · right, unless `made` in another way. The
    `skip` greatest have been read. Of a `maximum` none is added to another: the greatest is what the step gives."""

    terms: np.ndarray
    left: Vector
    right: Vector
    made: bool = True
    skip: int = 0
    maximum: bool = False

    def term(self, i: int) -> Term:
        left, right = float(self.left.flat[i]), float(self.right.flat[i])
        made = float(self.terms[i]) if self.made else None
        return Term(i, left, right, self.left.origin(i), self.right.origin(i), made)


@dataclass(frozen=True)
class Step:
    """One line of a derivation: `parts` are the numbers in the operation, `value` what it gives.

    `terms` are the summands in their order, drawn as bars; `largest` those of the greatest size, to be read;
    `focus` is the one bar that is meant, where it is one. There were `count` summands, more than are drawn where they
    are very many, and all but the `largest` of them add up to `rest`; of a maximum, `rest` is the greatest of them.
    `of` says of parts where they are from: of those alone that are, digit for digit, a number there; `at` says it of
    the value, where that was only fetched. `sum` has every term, where `others` may be asked for.
    """

    id: str
    value: float
    parts: Mapping[str, float | str] = field(default_factory=dict)
    terms: tuple[float, ...] = ()
    largest: tuple[Term, ...] = ()
    focus: int | None = None
    of: Mapping[str, Source] = field(default_factory=dict)
    at: Source | None = None
    count: int = 0
    rest: float = 0.0
    sum: Sum | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", self.count or len(self.terms) or len(self.largest))

    def numbers(self) -> Iterator[tuple[float, Source]]:
        """Every number in it that has an origin: the parts first, then the largest terms, then the value."""
        for name, origin in self.of.items():
            yield float(self.parts[name]), origin
        for term in self.largest:
            for value, origin in ((term.left, term.left_of), (term.right, term.right_of)):
                if origin is not None:
                    yield value, origin
        if self.at is not None:
            yield self.value, self.at


WRITTEN_OUT = ("terms", "largest", "focus", "count", "rest")


class SumStep(Step):
    """The step of a sum. Its terms are written out when they are first asked for: whoever wants no more than the value
    of a number does not wait for them."""

    meant: int | None

    @cached_property
    def written(self) -> Step:
        assert self.sum is not None
        return read_out(Step(self.id, self.value), self.sum, READ, self.meant)

    terms = cached_property(lambda self: self.written.terms)  # type: ignore[assignment]
    largest = cached_property(lambda self: self.written.largest)  # type: ignore[assignment]
    focus = cached_property(lambda self: self.written.focus)  # type: ignore[assignment]
    count = cached_property(lambda self: self.written.count)  # type: ignore[assignment]
    rest = cached_property(lambda self: self.written.rest)  # type: ignore[assignment]


@dataclass(frozen=True)
class Derivation:
    """The steps to a number, and the captured number they are held against.

    `reads` is everything it was made of, whole rows too; `origins` what of that stands in a step as a number.
    `onward` is the one of these that matters most: along it a way back goes on. `cell` is the number itself, where it
    passed a tap; `edits` are the ids of those of its run that changed this very number there, in their order.
    """

    steps: tuple[Step, ...]
    captured: float
    reads: tuple[Origin, ...] = ()
    onward: Source | None = None
    cell: Origin | None = None
    edits: tuple[str, ...] = ()

    @property
    def value(self) -> float:
        """What the last step gives."""
        return self.steps[-1].value

    def _repr_html_(self) -> str:
        """The steps, in a notebook."""
        from .worded import as_html

        return as_html(self)

    @property
    def difference(self) -> float:
        """Recomputed (float64) minus captured (float32)."""
        return self.value - self.captured

    @property
    def origins(self) -> tuple[Source, ...]:
        """Where the numbers in its steps are from, in their order, each once."""
        return tuple(dict.fromkeys(origin for step in self.steps for _, origin in step.numbers()))


def stepped(id: str, value: float, /, **parts: object) -> Step:
    """A step whose parts may be single numbers that say where they are from."""
    plain = {name: float(part) if isinstance(part, Vector) else part for name, part in parts.items()}
    of = {name: part.of for name, part in parts.items() if isinstance(part, Vector) and part.of is not None}
    return Step(id, float(value), plain, of=of)  # type: ignore[arg-type]


def fetched(id: str, entry: Vector, /, **parts: float | str) -> Step:
    """A step that only reads a number where it stands."""
    return Step(id, float(entry), parts, at=entry.of)


def lengths(**rows: Vector) -> tuple[dict[str, float], dict[str, Source]]:
    """How long rows are, and where that is from: of a row that has a name, the length has one, too."""
    values = {name: math.sqrt(float(row.flat @ row.flat)) for name, row in rows.items()}
    return values, {name: Measure("length", (row.of,)) for name, row in rows.items() if row.of is not None}


def summed(id: str, left: Numbers, right: Numbers, **parts: float | str) -> Step:
    """The step Σ left · right, with its three largest terms."""
    left, right = vector(left), vector(right)
    products = left.flat * right.flat
    total = float(products.sum())
    return with_terms(Step(id, total, parts), products, left, right, made=False)


def with_terms(
    step: Step,
    terms: np.ndarray,
    left: Vector,
    right: Vector,
    *,
    made: bool = True,
    focus: int | None = None,
    maximum: bool = False,
) -> Step:
    """A step with the summands that were made of `left` and `right`; the largest say where the two are from. What was
    made into 0 (e^x under a mask) is nothing to be read, unless all was."""
    own = {name: value for name, value in vars(step).items() if name not in WRITTEN_OUT}
    lazy = object.__new__(SumStep)
    vars(lazy).update(own, sum=Sum(terms, left, right, made, maximum=maximum), meant=focus)
    return lazy


def beyond(step: Step) -> str:
    """Which words tell of the terms that are not written out: they are added, or the greatest is the result."""
    return "beyond_maximum" if step.sum is not None and step.sum.maximum else "beyond"


def has_others(step: Step) -> bool:
    """Whether there are terms that are not written out, and to be read."""
    unread = step.sum is not None and step.count > len(step.largest) > 0
    return unread and (not step.sum.made or step.rest != 0 or not step.sum.terms.any())  # type: ignore[union-attr]


def others(step: Step) -> Step | None:
    """The terms of a sum that are not among its largest, as a sum of their own: the greatest of these to be read, and
    so on. None where there are none to be read."""
    if not has_others(step):
        return None
    assert step.sum is not None
    beyond = replace(step.sum, skip=step.sum.skip + len(step.largest))
    return read_out(Step(step.id, step.rest), beyond, READ_OF_OTHERS)


def read_out(step: Step, sum: Sum, most: int, focus: int | None = None) -> Step:
    """A step with the terms of a sum that are unread: as many as `most` of them are written out."""
    terms, order = sum.terms, leading(sum.terms, sum.skip + most)
    all_to_read = not sum.made or not terms.any()
    read = [i for i in order[sum.skip :] if all_to_read or terms[i] != 0]
    unread = np.delete(terms, order[: sum.skip])
    drawn, focus = bars(unread, focus)
    left = np.delete(terms, [*order[: sum.skip], *read])
    rest = float(left.max(initial=0.0) if sum.maximum else left.sum())
    shown = tuple(map(sum.term, read))
    return replace(step, terms=drawn, largest=shown, focus=focus, count=len(unread), rest=rest, sum=sum)


def leading(terms: np.ndarray, most: int = READ) -> list[int]:
    """Where the terms of the greatest size stand, the greatest first."""
    return largest(np.abs(terms), most).tolist()


def bars(terms: np.ndarray, focus: int | None = None) -> tuple[tuple[float, ...], int | None]:
    """The terms that are drawn, in their order, and which of these is meant; none of many where but one is not 0."""
    if len(terms) <= DRAWN:
        return tuple(float(term) for term in terms), focus
    if np.count_nonzero(terms) <= 1:
        return (), None
    kept = sorted({*leading(terms, DRAWN), *(() if focus is None else (focus,))})
    return tuple(float(terms[i]) for i in kept), None if focus is None else kept.index(focus)


def onward(steps: Sequence[Step]) -> Source | None:
    """The origin that matters most: of the last step that names a cell, or else a measure, or a parameter, the largest
    term's or the first; of numbers simply added up, the largest one's."""
    for kind in (Cell, Measure, Weight):
        for step in reversed(steps):
            found = [(value, origin) for value, origin in main(step) if isinstance(origin, kind)]
            if found:
                return max(found, key=lambda pair: abs(pair[0]))[1] if adds(step) else found[0][1]
    return None


def adds(step: Step) -> bool:
    """Whether its parts themselves are what is added up."""
    return bool(step.terms) and not step.largest


def main(step: Step) -> list[tuple[float, Source]]:
    """The numbers of a step that may lead on, what matters most first: of a product the right factor, which a weight
    of attention only carries."""
    numbers = [(float(step.parts[name]), origin) for name, origin in step.of.items()]
    for term in step.largest[:1]:
        factors = ((term.right, term.right_of), (term.left, term.left_of))
        numbers = [(value, origin) for value, origin in factors if origin is not None] + numbers
    return numbers if step.at is None else [*numbers, (step.value, step.at)]
