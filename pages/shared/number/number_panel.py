"""Any number in words: its panel, with the steps that make it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.derivation import (
    Cell,
    Derivation,
    Measure,
    Origin,
    Recorded,
    Source,
    Step,
    depth,
    derive,
    measures,
    products,
)
from core.derivation.measures import attended, gradients, measure
from core.derivation.reading import taps
from core.derivation.recorded import card
from core.edits import parse
from core.figures.followed import Line, Traced
from core.model.places import split
from pages.shared.number import step_lines
from pages.shared.number.number_names import STATES, Names, brief
from pages.shared.words.numbers import exact, grouped, short

REST = "rest_"  # one row: its words are terms
GROUPS = ("among", "between", "parting")
COMPARED = ("cosine", "middles", "unlike_means", "distance", "apart", "far", "aside", "unlike", "spread")
BETWEEN_ROWS = dict.fromkeys(COMPARED, "{} ↔ {}")
RATIOS = dict.fromkeys(("ratio", "likelier"), "{} ÷ {}")
SUM = {"dot": "{} · {}", "sum_alike": "{} − {} + {} ↔ {}"}
BESIDE = {"length": "{}", **RATIOS, **SUM, **BETWEEN_ROWS}  # measures that are called by what they are of


@dataclass(frozen=True, eq=False)
class Cells(Names):
    """The numbers of one run, each with its panel."""

    def panel(self, source: Source, *before: Cell | Measure) -> Traced:
        """A number's own steps; those to some of what it is made of may come before them, several of these in brief:
        each leads to a panel of its own. What was learned or recorded has none."""
        if not isinstance(source, Cell | Measure):
            return self.of_file(source) if isinstance(source, Recorded) else self.of_table(source)
        made, held = self.derived(source), self.held(source)
        brief = len(before) > 1  # one alone is the way to the number, and goes on from here
        first = [line for each in before for line in self.lines(each, self.derived(each), brief)]
        *own, last = self.lines(source, made)
        last = replace(last, check=self.t(held, difference=short(abs(made.difference))))
        end = (self.t("of_places"),) if isinstance(source, Cell) and not made.origins else ()
        where = self.where(source) if isinstance(source, Cell) else self.of(source)
        number, title, steps = made.captured, self.t("follow"), [*first, *own, last]
        return Traced(
            str(source), title, where, short(number), exact(number), steps, end=end, source=source, behind=made.onward
        )

    def held(self, source: Cell | Measure) -> str:
        """What is said of what the last step was held against."""
        own = isinstance(source, Measure) and not measures.KINDS[source.kind].held
        return "computed_here" if own else "recomputed"

    def lines(self, source: Cell | Measure, made: Derivation, brief: bool = False) -> list[Line]:
        """The steps in words."""
        if isinstance(source, Cell):
            return [self.line(source, step, brief) for step in made.steps]
        return [
            step_lines.line(self.t, self.worded(step), {"labels": self.labels(source, step)}, brief=brief)
            for step in made.steps
        ]

    def worded(self, step: Step) -> Step:
        """Where a step names a way back or an edit, that in words."""
        parts = dict(step.parts)
        if "way" in parts:
            place, word = split(str(parts["way"]))
            word = "written" if word == "output" and not place.norm and place.part not in STATES else word
            parts["way"] = f"{self.place(place)} · {self.t(f'way.{word}')}"
        if "edit" in parts:
            parts["edit"] = self.edit(parse(str(parts["edit"])))
        return replace(step, parts=parts) if parts != step.parts else step

    def made(self, of: Origin) -> str:
        """One of many numbers: of which head and token, and what it is."""
        places = self.places(of) if isinstance(of, Cell) else []
        return " · ".join([*places, self.short(of)])

    def number_of(self, cell: Cell) -> str:
        """One number of a whole tap or head: which two tokens, or which token and dimension."""
        dims = self.flow.dims[cell.name]
        names = self.places(replace(cell, index=(None,) * ("head" in dims) + cell.index[-2:]))
        return " → ".join(names) if len(names) > 1 else " · ".join([*names, self.t("name.dim", dim=cell.index[-1])])

    def derived(self, source: Cell | Measure) -> Derivation:
        if isinstance(source, Cell):
            return derive(self.run(*taps(self.flow, source)), source)
        return measure(self.run(*measures.taps(source)), source)

    def of(self, what: Measure) -> str:
        """All there is to say of what was measured."""
        if what.kind.startswith(gradients.NAME):
            return " · ".join([*self.said, self.short(what), *self.by(what)])
        said = self.said if any(of.given is None for of in what.of) else []
        if what.groups and what.kind not in attended.RECEIVED and not what.kind.startswith(REST):
            return self.of_groups(what)
        if what.kind in BESIDE:
            return " · ".join([*said, BESIDE[what.kind].format(*map(self.part, what.of))])
        others = () if what.kind == "joins" else what.of[1:]  # where a head's part is one of the same token's whole
        first = what.of[0]
        if what.kind in attended.OVER_HEADS:
            gone = 1 + (what.kind in attended.RECEIVED)  # and those who look
            first = replace(first, index=(*(None,) * gone, *first.index[gone:]))
        parts = [
            *said,
            self.part(first),
            *(name for of in others if of.name in self.flow.dims for name in self.places(of)[-1:]),
        ]
        return " · ".join([*dict.fromkeys(parts), self.short(what)])

    def of_groups(self, what: Measure) -> str:
        """Of a word in many sentences, or of the means of a few rows."""
        if what.kind in GROUPS:
            first = replace(what.of[0], given=None)
            there = self.beside(what.of[0].given) if what.of[0].given else self
            return " · ".join([there.part(first), self.t("in_sentences", count=len(what.of)), self.short(what)])
        said = self.said if any(of.given is None for of in what.of) else []
        means = (" + ".join(map(self.part, group)) for group in what.grouped(what.of))
        return " · ".join([*said, " ↔ ".join(means), self.short(what)])

    def by(self, what: Measure) -> list[str]:
        """Of a gradient: by which number, or by all of what, and of which loss."""
        if what.groups:  # of all that are added up
            each = (self.by(Measure(what.kind, tuple(group))) for group in what.grouped(what.of))
            return list(dict.fromkeys(name for names in each for name in names))
        of, *toward = what.of
        if of.given:
            other = self.beside(of.given)
            here = replace(what, of=(replace(of, given=None), *toward))
            return [*other.said, *other.by(here)]
        if isinstance(of, Cell):
            by = self.where(of) if None not in of.index else self.part(of)
        elif None not in of.index or self.matrix(of) == "E":
            by = self.of_weight(of) if None not in of.index else self.part(of)
        else:
            module = of.name.rpartition(".")[0]
            by = self.t("weight.whole", place=self.place(split(module)[0]), matrix=self.matrix(of))
        text = toward[0].given.text if toward and toward[0].given else ""
        return [by, self.t("loss.toward" if toward else "loss.own", text=brief(text or ""))]

    def labels(self, what: Measure, step: Step) -> Callable[[int], str]:
        """What an index of its sum is called: a dimension, or the tokens that the number is of."""
        terms = measures.KINDS[what.kind].terms

        def label(i: int) -> str:
            origin = step.sum and step.sum.left.origin(i)
            if terms == "number" and isinstance(origin, Cell):
                return self.number_of(origin)
            if terms == "rows" and isinstance(origin, Measure):
                return " ↔ ".join(dict.fromkeys(self.places(of)[-1] for of in origin.of))
            if terms == "texts" and isinstance(origin, Measure):
                return " ↔ ".join(brief(self.text_of(of)) for of in origin.of)
            if terms == "head":
                return self.t("where.head", head=i + 1)
            if terms == "layer" and isinstance(origin, Measure):
                return self.place(split(origin.of[0].name)[0])
            if terms == "part" and isinstance(origin, Measure):
                return self.writer(origin.of[0])
            if terms == "query" and isinstance(origin, Measure):
                return self.places(origin.of[0])[-2]
            if terms == "key" and isinstance(origin, Measure):
                return self.places(origin.of[0])[-1]
            if terms == "made" and isinstance(origin, Measure):
                return self.made(origin.of[0])
            of_word = isinstance(origin, Cell) and self.flow.dims[origin.name][-1] == "vocab"
            if origin is not None and (terms == "word" or of_word):
                return self.word(origin)
            if terms == "each" and origin is not None:
                return self.part(origin.of[0] if isinstance(origin, Measure) else origin)
            if terms in ("made", "key") and isinstance(origin, Cell):
                return self.places(origin)[-1]
            return self.t("name.dim", dim=i)

        return label

    def of_file(self, recorded: Recorded) -> Traced:
        number, t, made = self.value(recorded), self.t, card(recorded.name)
        place = f"{recorded.name.partition('.')[2]}[{', '.join(map(str, recorded.index))}]"
        took = () if made.seconds is None else (t("recorded.took", minutes=max(1, round(made.seconds / 60))),)
        said = (t("recorded.file", file=made.file, place=place), t("recorded.made", command=made.command), *took)
        return Traced(str(recorded), t("follow"), t("name.recorded"), short(number), exact(number), end=said)

    def of_table(self, weight: Origin) -> Traced:
        number, t = self.value(weight), self.t
        said = (t("learned", where=self.of_weight(weight)), t("training"))
        return Traced(str(weight), t("follow"), self.short(weight), short(number), exact(number), end=said)

    def under(self, cell: Cell) -> str:
        """How much lies under the number one began with."""
        run = self.run()
        count = grouped(products(run, cell))
        return self.t("under", value=self.value(cell), products=count, depth=depth(run, cell))

    def line(self, cell: Cell, step: Step, brief: bool = False) -> Line:
        names = {"names": self.summands(step), "labels": self.label(cell, step)}
        line = step_lines.line(self.t, self.worded(step), names, brief=brief)
        hidden = step.parts.get("masked")
        return replace(line, lines=[*line.lines, self.t("masked", masked=hidden)]) if hidden else line

    def summands(self, step: Step) -> str:
        """What the summands are called."""
        if step.id != "sum":  # a step that only adds
            return ""
        words = ("written" if name == "output" else name for name in step.parts)
        return " + ".join(self.t(f"summand.{word}") for word in words)

    def label(self, cell: Cell, step: Step) -> Callable[[int], str]:
        """What an index of a step's sum is called: a dimension, a token, a head's dimension, a word."""
        place, word = split(cell.name)
        config, t = self.flow.config, self.t
        if step.id in ("mixture", "total", "shifted"):
            if word == "probabilities":
                return self.piece
            return lambda i: self.token(place.tap("weights"), "key", i)
        if place.kind and word == "output":
            return lambda i: t("name.head_dim", head=i // config.d_head + 1, dim=i % config.d_head)
        if place.part == "feedforward" and word == "output":
            return lambda i: t("name.unit", dim=i)
        return lambda i: t("name.dim", dim=i)
