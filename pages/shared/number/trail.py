"""A trail: from the number a page follows, back through what it was made of. It stands in the address.

`trail=<where it began>~<path>~<path>`: it begins with the id of what the page follows, or with a cell or a parameter
by its full name, or with what is measured of rows (cell_path.py); the first path after an id is a full name, too, the
others are the last word of one, and its index; or rest.<n>: the terms that the panel's n-th sum does not write out.
Where a page follows several numbers, the id begins with the piece that the number stands in. A number in a sentence or
a table begins a trail of its own (doors.py), and it may be of another run than the page's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from core.derivation import Cell, Measure, Origin, Source, Weight
from core.derivation.origins import run_of, within
from core.derivation.reading import reads
from core.derivation.steps import onward
from core.figures.followed import Door, Followed, Line, Traced, Words, panel_words
from pages.shared.address import visit
from pages.shared.address.address import LONGEST_VALUE
from pages.shared.number import shown_where
from pages.shared.number.cell_path import BETWEEN, found, free, path_of
from pages.shared.number.number_names import in_range
from pages.shared.number.number_panel import Cells
from pages.shared.page.stage import FOLLOWED, StageContext
from pages.shared.words.number_marks import Behind, Marked, Others
from pages.shared.words.texts import Texts

REST = "rest"  # a path: terms that are not written out


def along(context: StageContext, shown: Followed, key: str = FOLLOWED) -> Followed:
    """What a piece of the page follows, or what the trail in the address has come to; every number in it that comes
    from somewhere is a door, unless a question is open: then nothing leads behind its veil."""
    asked = context.values["trail"]
    own = asked is not None and piece_of(context, asked) == key
    if context.veiled:
        words = panel_words(Texts(context.t.language, "cells"))
        return replace(shut(left(context, shown, "veiled") if own else shown), words=words)
    cells, start = cells_of(context, shown), begun(shown, key)
    if asked is None or not own:
        return opened(cells, shown, start, full=True)
    trail = taken(cells, shown, start, asked)
    if trail is None:  # it begins elsewhere: something else was selected since, or the link is wrong
        return opened(cells, left(context, shown, "lost"), start, full=True)
    if trail.written != asked:
        shown = left(context, shown, "cut", trail.written, at=len(trail.at) + 1)
    if not trail.at:
        return opened(cells, shown, start, full=True)
    return stop(shown, trail)


def cells_of(context: StageContext, shown: Followed) -> Cells:
    """The numbers of the very run that a followed number is from."""
    return Cells(context.page, shown.given) if isinstance(shown, Traced) else Cells(context.page)


def piece_of(context: StageContext, asked: str) -> str:
    """In which piece of the page a trail begins."""
    return context.page.stage.followed_in(context.values, asked)


@dataclass(frozen=True, eq=False)
class Step:
    """A number that was pressed, and the run it is of."""

    cells: Cells
    source: Behind

    @classmethod
    def to(cls, cells: Cells, source: Behind) -> Self:
        """From a run to a number, which may be of another, or first of all of another: then that is at hand."""
        if isinstance(source, Others):
            return cls(cells, source)
        if given := run_of(source):
            return cls(cells.beside(given), within(source, None))
        if isinstance(source, Measure) and (given := source.of[0].given):
            first, *others = source.of
            if all(of.given and of.given.named_from(given) for of in others):
                return cls(cells.beside(given), replace(source, of=(within(first, None), *others)))
        return cls(cells, source)

    @property
    def number(self) -> float:
        return self.source.value if isinstance(self.source, Others) else self.cells.value(self.source)

    @property
    def name(self) -> str:
        return self.source.name if isinstance(self.source, Others) else self.cells.short(self.source)

    @property
    def made_of(self) -> tuple[Source, ...]:
        if isinstance(self.source, Others):
            return tuple(origins(self.panel))
        if isinstance(self.source, Measure):
            return *self.source.of, *self.cells.derived(self.source).origins
        return reads(self.cells.flow, self.source) if isinstance(self.source, Cell) else ()

    @property
    def panel(self) -> Traced:
        if isinstance(self.source, Others):
            return written_out(self.cells, self.source)
        return self.cells.panel(self.source)

    @property
    def in_full(self) -> bool:
        """Whether what lies behind it needs its full name: two rows may be of two places."""
        return isinstance(self.source, (Measure, Others))


@dataclass(frozen=True)
class Trail:
    """Where it began, and what was pressed since, one after the other."""

    paths: tuple[str, ...]  # as they stand in the address, the beginning first
    at: tuple[Step, ...]  # what they stand for; of a beginning that is the page's own number, nothing

    @property
    def written(self) -> str:
        return BETWEEN.join(self.paths)

    @property
    def own(self) -> bool:
        """Whether it began with the number of the page."""
        return len(self.paths) > len(self.at)

    def upto(self, count: int) -> str:
        """The trail to the first so many of what was pressed."""
        return BETWEEN.join(self.paths[: count + self.own])


def begun(shown: Followed, key: str = FOLLOWED) -> str:
    """How a trail begins at the number a piece of the page follows."""
    return re.sub(r"[^\w.-]+", ".", shown.id if key == FOLLOWED else f"{key}.{shown.id}")


def taken(cells: Cells, shown: Followed, start: str, asked: str) -> Trail | None:
    """The trail of an address, as far as it leads; None where it does not begin here."""
    first, *rest = asked.split(BETWEEN)
    paths, rows, full = [first], tuple(origins(shown)), True
    at: list[Step] = []
    if first != start:
        source = free(cells, first)
        if source is None:
            return None
        at.append(Step.to(cells, source))
    for path in rest:
        if at:
            cells, rows, full = at[-1].cells, at[-1].made_of, at[-1].in_full
        source = sum_in(at[-1].panel if at else shown, path) or found(cells, path, rows, full)
        if source is None:
            break
        paths.append(path)
        at.append(Step.to(cells, source))
    return Trail(tuple(paths), tuple(at))


# ---- what is shown


def stop(shown: Followed, trail: Trail) -> Followed:
    """The panel of what the trail has come to, under the way there."""
    last, first = trail.at[-1], next((step for step in trail.at if isinstance(step.source, Cell)), None)
    panel = last.panel
    ends = panel.behind is None
    cells, start = (first.cells, first.source) if first else (last.cells, None)
    if trail.own and isinstance(shown, Traced) and shown.source:
        cells, start = last.cells.beside(shown.given), shown.source
    end = (*panel.end, *([cells.under(start)] if ends and isinstance(start, Cell) else []))
    steps = [Door(step.name, trail.upto(i)) for i, step in enumerate(trail.at, 1)]
    way = [Door(shown.value, None), *steps]
    see = shown_where.of(last.cells, last.source) if isinstance(last.source, Origin) else None
    panel = replace(panel, end=end, trail=way, note=shown.note, see=see)
    return opened(last.cells, panel, trail.written, full=last.in_full)


def opened(cells: Cells, shown: Followed, trail: str, full: bool) -> Followed:
    """The same with its numbers as doors that lead on from `trail`."""

    sums = sums_of(shown)

    def to(behind: Behind) -> str:
        is_sum = isinstance(behind, Others)
        path = f"{REST}.{sums.index(behind) + 1}" if is_sum else path_of(cells.model, behind, full)
        return BETWEEN.join([trail, path])

    def words(text: Words) -> Words:
        return pieces(text, lambda number, origin: door(cells, number, origin, to(origin)))

    steps = [through(line, words) for line in shown.steps]
    behind = behind_of(shown)
    onward = to(behind) if behind and there(cells, behind) else None
    drawn = shown_where.drawn(cells, shown.source) if isinstance(shown, Traced) else None
    return replace(shown, steps=steps, onward=onward, words=panel_words(cells.t), drawn=drawn)


def door(cells: Cells, number: str, behind: Behind, to: str) -> Door | str:
    """A number that leads on; the number alone where this model has no such place."""
    is_sum = isinstance(behind, Others)
    if not (is_sum or there(cells, behind)) or len(to) > LONGEST_VALUE:
        return number
    name = behind.name if is_sum else cells.short(behind)
    return Door(number, to, cells.t("door", name=f"{number}, {name}"))


def there(cells: Cells, origin: Source) -> bool:
    """Whether it is a number of this very model: a page may show another's table, too."""
    if isinstance(origin, Measure):
        return True
    if origin.given:
        return there(cells.beside(origin.given), replace(origin, given=None))
    if isinstance(origin, Cell):
        return origin.name in cells.flow.dims and in_range(cells, origin)
    module, _, parameter = origin.name.rpartition(".")
    if isinstance(origin, Weight) and not hasattr(cells.model.parts.get(module), parameter):
        return False
    return in_range(cells, origin)


def shut(shown: Followed) -> Followed:
    """The same without doors."""
    steps = [through(line, lambda text: text if isinstance(text, str) else "") for line in shown.steps]
    return replace(shown, steps=steps)


def through(line: Line, words) -> Line:
    """A line, every text in it as `words` has it."""
    return replace(
        line, operation=words(line.operation), value=words(line.value), lines=[words(text) for text in line.lines]
    )


def pieces(text: Words, door) -> Words:
    """A text cut where its doors begin and end."""
    if not isinstance(text, Marked) or not text.doors:
        return text
    cut, at = [], 0
    for start, end, origin in text.doors:
        cut += [text[at:start], door(text[start:end], origin)]
        at = end
    return [piece for piece in (*cut, text[at:]) if piece]


def behind_doors(shown: Followed) -> Iterator[Behind]:
    """Everything that is a door in a panel."""
    for line in shown.steps:
        for text in (line.operation, line.value, *line.lines):
            if isinstance(text, Marked):
                yield from (behind for _, _, behind in text.doors)


def origins(shown: Followed) -> Iterator[Source]:
    """The numbers behind its doors, and behind the largest term."""
    yield from (behind for behind in behind_doors(shown) if not isinstance(behind, Others))
    if behind := behind_of(shown):
        yield behind


def sums_of(shown: Followed) -> list[Others]:
    """Of its sums, the terms that are not written out."""
    return [behind for behind in behind_doors(shown) if isinstance(behind, Others)]


def sum_in(shown: Followed, path: str) -> Others | None:
    """Those of the sum that a path names by its place."""
    name, _, place = path.partition(".")
    sums = sums_of(shown) if name == REST else []
    return dict(zip(map(str, range(1, len(sums) + 1)), sums, strict=True)).get(place)


def written_out(cells: Cells, others: Others) -> Traced:
    """The panel of the terms that were not written out."""
    step, line = others.step, others.line
    id = f"{REST}.{step.id}.{step.count}.{others.value!r}"
    behind = onward((step,))
    return Traced(id, cells.t("follow"), others.where, str(line.value), line.exact, [line], behind=behind)


def behind_of(shown: Followed) -> Source | None:
    """Where the largest term is from."""
    return shown.behind if isinstance(shown, Traced) else None


def left(context: StageContext, shown: Followed, why: str, kept: str | None = None, **values: object) -> Followed:
    """The address without a trail that leads nowhere, or with what of it leads somewhere; and a sentence, unless
    something else was selected meanwhile."""
    address = context.page.address
    address.drop("trail") if kept is None else address.set("trail", kept)
    moved = why == "lost" and visit.browser().page is not None
    visit.write(address, context.page.slug)
    return shown if moved else replace(shown, note=Cells(context.page).t(why, **values))
