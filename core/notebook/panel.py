"""The panels of a number that is followed: its steps in words, every number in them a door to its own."""

from collections.abc import Iterator

from ..capture import Capture
from ..derivation import Cell, Measure, Source, Term, derive
from ..derivation.reading import value
from ..derivation.worded import Piece, Sentence, Worded, worded
from ..figures.followed import Door, Followed, Line, Words, panel_words
from ..numbers import exact, short
from ..words import Words as Texts

BETWEEN = "~"  # names of a trail: what was pressed, one after the other


class Panels:
    """The panels that can be come to from one number of a run, each by the trail there; None is the beginning."""

    def __init__(self, run: Capture, begin: Source, language: str = "en"):
        self.run, self.begin, self.t = run, begin, Texts(language, "cells")
        self.known: dict[str, Source] = {}  # what a door leads to, by its name

    def source(self, trail: str | None) -> Source:
        """The number that a trail has come to."""
        return self.known[trail.rpartition(BETWEEN)[2]] if trail else self.begin

    def panel(self, trail: str | None = None, doors: bool = True) -> Followed:
        """What a trail has come to. Without doors, the file that it stands in knows no further."""
        names, source = trail.split(BETWEEN) if trail else [], self.source(trail)
        way = [Door(short(self.number(self.begin)), None)] if names else []
        way += [Door(name, BETWEEN.join(names[:i])) for i, name in enumerate(names, 1)]
        shared = {"id": str(source), "title": self.t("follow"), "where": str(source), "trail": way}
        if not isinstance(source, Cell | Measure):
            number = self.number(source)
            end = (self.t("learned", where=str(source)),)
            return Followed(value=short(number), exact=exact(number), end=end, words=panel_words(self.t), **shared)
        made = derive(self.run, source)

        def leading(sentence: Sentence) -> Words:
            return [self.door(piece, names) if doors and piece.of else piece.text for piece in sentence]

        *before, last = [worded(self.t, step, self.label) for step in made.steps]
        held = self.t("recomputed", difference=short(abs(made.difference)))
        checks = [*("" for _ in before), held]
        steps = [
            line(said, step.value, step.terms, leading, check)
            for said, step, check in zip([*before, last], made.steps, checks, strict=True)
        ]
        onward = self.lead(names, made.onward) if doors and made.onward else None
        return Followed(
            value=short(made.captured),
            exact=exact(made.captured),
            steps=steps,
            note="" if doors or not made.origins else self.t("needs_notebook"),
            end=() if made.origins else (self.t("of_places"),),
            onward=onward,
            words=panel_words(self.t),
            **shared,
        )

    def within(self, levels: int, trail: str | None = None) -> Iterator[tuple[str, Followed]]:
        """Every panel that so many presses lead to, by its trail; "" is the beginning."""
        found = self.panel(trail, doors=levels > 0)
        yield trail or "", found
        if levels:
            for to in dict.fromkeys(doors_of(found)):
                yield from self.within(levels - 1, to)

    def number(self, source: Source) -> float:
        return derive(self.run, source).captured if isinstance(source, Measure) else value(self.run, source)

    def lead(self, names: list[str], source: Source) -> str:
        """The trail one number further."""
        self.known[str(source)] = source
        return BETWEEN.join([*names, str(source)])

    def door(self, piece: Piece, names: list[str]) -> Door:
        assert piece.of is not None
        return Door(piece.text, self.lead(names, piece.of), self.t("door", name=f"{piece.text}, {piece.of}"))

    def label(self, term: Term) -> object:
        """What the index of a term is called: a token where the sum runs over tokens."""
        of = term.left_of
        if not isinstance(of, Cell) or of.given is not None:
            return term.index
        labels = self.run.labels(of.tap, self.run.dims(of.tap)[-1])
        return labels[of.index[-1] or 0] if labels else term.index


def line(said: Worded, number: float, terms: tuple[float, ...], leading, check: str) -> Line:
    return Line(
        operation=leading(said.operation),
        value=leading(said.value),
        exact=exact(number),
        bars=[float(f"{term:.4g}") for term in terms],
        lines=[leading(term) for term in said.terms],
        reason=said.reason,
        check=check,
    )


def doors_of(panel: Followed) -> Iterator[str]:
    for step in panel.steps:
        for words in (step.operation, step.value, *step.lines):
            yield from (piece.to for piece in words if isinstance(piece, Door) and piece.to)
    if panel.onward:
        yield panel.onward
