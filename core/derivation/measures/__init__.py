"""What is measured of whole rows: how long one is, beside another, how alike two are and how far apart; the mean of
many of these; what a head does on average; how much a token brings along when it is looked at; and how likely words and
whole translations are. Each ends in their numbers.

A row is an `Origin` with None for its last axis: a token's state at a tap, or a row of a learned table; a head's
weights, or all tokens' rows at a tap, have None for two. The kinds stand in files by what they are of.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from ...capture import Capture, suggestion
from ...errors import InputError
from ...run_spec import RunSpec
from ..origins import Cell, Measure, Source, run_of, within
from ..reading import placed, value
from ..steps import Derivation, onward
from .kind import Kind

FILES = tuple(import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__) if file.name != "kind")
KINDS: Mapping[str, Kind] = {name: kind for file in FILES for name, kind in file.KINDS.items()}


def kind_of(what: Measure) -> Kind:
    """Its kind. Raises InputError for a kind that is none, and where it is of other numbers than the kind measures."""
    kind = KINDS.get(what.kind)
    if kind is None:
        raise InputError("unknown_measure", kind=what.kind[:80], near=suggestion(what.kind, KINDS))
    opens = kind.opens(len(what.of))
    open = tuple(of.index.count(None) for of in what.of)
    if open != opens or (kind.grouped and what.groups and sum(what.groups) != len(what.of)):
        raise InputError("measured_otherwise", kind=what.kind, opens=_counted(opens), given=_counted(open))
    return kind


def _counted(opens: tuple[int, ...]) -> str:
    return "(" + ", ".join(f"{open} × None" for open in opens) + ")"


def taps(source: Source) -> tuple[str, ...]:
    """The taps it reads, of the run at hand."""
    of = [of for of in (source.of if isinstance(source, Measure) else (source,)) if of.given is None]
    besides = kind_of(source).reads(source) if isinstance(source, Measure) else ()
    return (*(origin.name for origin in of if isinstance(origin, Cell)), *besides)


def measure(run: Capture, what: Measure) -> Derivation:
    """The steps to a measure, in float64; where the number is found in another way as well, held against that. Raises
    InputError where what is measured has no row here; of another run alone, they name the numbers of that."""
    if given := run_of(what):
        return measure(beside(run, given, what), within(what, None))
    kind, what = asked(run, what)
    with in_words(what):
        steps = kind.steps(run, what)
        captured = kind.held(run, what) if kind.held else steps[-1].value
    return Derivation(steps, captured, what.of, onward(steps))


def measured(run: Capture, what: Measure) -> float:
    """The number itself. Raises InputError for rows that are not measured so."""
    kind, what = asked(run, what)
    with in_words(what):
        return kind.value(run, what)


def asked(run: Capture, what: Measure) -> tuple[Kind, Measure]:
    """Its kind, and the same with every place counted from 0. Raises InputError where there is no such row, or it is of
    another sort."""
    kind, what = kind_of(what), replace(what, of=tuple(placed(run, of) for of in what.of))
    if not kind.fits(what):
        raise InputError("not_measured_so", kind=what.kind, of=", ".join(of.name for of in what.of)[:80])
    return kind, what


@contextmanager
def in_words(what: Measure) -> Iterator[None]:
    """Raises InputError where another run has no such row."""
    try:
        yield
    except IndexError:
        raise InputError("not_measured_so", kind=what.kind, of=", ".join(map(str, what.of))[:80]) from None


def number(run: Capture, source: Source) -> float:
    """The number that stands there, or what is measured of it."""
    if given := run_of(source):
        return number(beside(run, given, source), within(source, None))
    return measured(run, source) if isinstance(source, Measure) else value(run, source)


def beside(run: Capture, given: RunSpec, source: Source) -> Capture:
    """The other run, with what it takes to measure this."""
    return run.beside(given, taps(within(source, None)))
