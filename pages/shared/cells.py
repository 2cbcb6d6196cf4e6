"""Any number by name: what a cell or a parameter is called, and its panel in words."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from core.capture import Capture
from core.derivation import (
    Cell,
    Derivation,
    Measure,
    Origin,
    Recorded,
    Source,
    Step,
    Weight,
    depth,
    derive,
    measures,
    products,
)
from core.derivation.derive import array, taps
from core.derivation.flow import TABLE, Flow
from core.derivation.measures import attended, gradients, measure
from core.derivation.origins import run_of, within
from core.derivation.recorded import card
from core.figures.followed import Line, Traced
from core.given import AT_HAND, Given
from core.model.places import Place, split
from core.text.token import named
from core.zoo import Model
from pages.shared import cached, lines
from pages.shared.numbers import exact, grouped, short
from pages.shared.page import Page
from pages.shared.texts import Texts

MATRICES = {"to_query": "W^Q", "to_key": "W^K", "to_value": "W^V", "to_output": "W^O", "widen": "W₁", "narrow": "W₂"}
STATES = ("", "embedding")  # parts whose output is what the next layer reads
SAID = 2  # edits that are named each
SUMS = ("sum", "residual")  # steps that only add
COMPARED = ("cosine", "middles", "distance", "apart", "far", "aside", "unlike", "spread")
BETWEEN_ROWS = dict.fromkeys(COMPARED, "{} ↔ {}")
RATIOS = dict.fromkeys(("ratio", "likelier"), "{} ÷ {}")
SUM = {"dot": "{} · {}", "sum_alike": "{} − {} + {} ↔ {}"}
BESIDE = {"length": "{}", **RATIOS, **SUM, **BETWEEN_ROWS}  # measures that are called by what they are of
THROUGH = ("dot", "chance")  # of a state and a row of the table
OF_WORDS = ("chance", "rest", "kept")


@dataclass(frozen=True, eq=False)
class Cells:
    """The numbers of one run, as they are spoken of: of the page's sentence, where nothing else was `given`."""

    page: Page
    given: Given = AT_HAND

    def beside(self, given: Given) -> "Cells":
        """Those of another run; a text or a model that is not named is the same."""
        text = self.text if given.text is None else given.text
        return Cells(self.page, replace(given, text=text, model=given.model or self.name))

    @property
    def name(self) -> str:
        """Of the model."""
        return self.given.model or self.page.address.model

    @cached_property
    def model(self) -> Model:
        return cached.model(self.name)

    @property
    def text(self) -> str:
        return self.page.text if self.given.text is None else self.given.text

    @cached_property
    def said(self) -> list[str]:
        """What tells this run from the page's own, in words."""
        t, given, texts = self.t, self.given, []
        if self.name != self.page.address.model:
            texts.append(t(f"models.{self.name}"))
        if self.text != self.page.text:
            texts.append(t("given.text", text=self.text))
        if given.pair is not None:
            texts.append(t("given.pair", text=given.pair))
        if given.target is not None:
            texts.append(t("given.target", text=given.target))
        if given.pad_to is not None:
            texts.append(t("given.pad_to", count=given.pad_to))
        if len(given.edits) > SAID:
            return [*texts, t("given.edits", count=len(given.edits), edit=given.edits[0].id)]
        return [*texts, *(t("given.edit", edit=edit.id) for edit in given.edits)]

    @property
    def plain(self) -> bool:
        """Whether it is a sentence as it is, read by itself."""
        given = self.given
        return (given.pair, given.target, given.pad_to, given.edits) == (None, None, None, ())

    @property
    def own(self) -> bool:
        """Whether they are of the page's own run."""
        return self.plain and (self.name, self.text) == (self.page.address.model, self.page.text)

    @cached_property
    def t(self) -> Texts:
        return Texts(self.page.address.lang, "cells")

    @cached_property
    def flow(self) -> Flow:
        return Flow.of(self.run())

    def run(self, *names: str) -> Capture:
        """The sentence as it went through the model, with these taps."""
        others = lambda given, names: self.beside(given).run(*names)  # noqa: E731
        return replace(cached.traced(self.name, replace(self.given, text=self.text), names), others=others)

    def value(self, origin: Source) -> float:
        return measures.number(self.run(*measures.taps(origin)), origin)

    # ---- names

    def short(self, origin: Source) -> str:
        """As a crumb of a trail says it: q, dim 23."""
        if given := run_of(origin):
            return self.beside(given).short(within(origin, None))
        if isinstance(origin, Measure) and origin.kind.startswith(gradients.NAME):
            return self.t(f"measure.{gradients.kind_of(origin)}", of=self.short(origin.of[0]))
        if isinstance(origin, Measure):
            word = self.word(origin) if origin.kind in OF_WORDS else ""
            return self.t(f"measure.{origin.kind}", dim=self.dim_of(origin), word=word)
        if isinstance(origin, Recorded):
            return self.t("name.recorded")
        return self.weight_name(origin) if isinstance(origin, Weight) else self.cell_name(origin)

    def word(self, origin: Source) -> str:
        """The word of the vocabulary that a number is of."""
        if isinstance(origin, Measure):
            return self.word(origin.of[-1 if origin.kind in THROUGH else 0])
        return self.piece(int(origin.index[0 if isinstance(origin, Weight) else -1] or 0))

    def cell_name(self, cell: Origin) -> str:
        place, word = split(cell.name)
        at = self.along(cell)
        if word == "output":
            word = "state" if place.norm or place.part in STATES else "written"
        if word in ("logits", "probabilities"):
            return self.t(f"name.{word}", word=self.piece(at["vocab"]))
        return self.t(f"name.{word}", dim=next((at[dim] for dim in ("d_head", "d_model", "d_ff") if dim in at), ""))

    def dim_of(self, what: Measure) -> object:
        """Which dimension a measure is of, where it is of one."""
        axes = {"centre": -1, "plus_minus": -1, **dict.fromkeys(("brought", "wrote", "mapped", "mapped_part"), 0)}
        return what.of[-1].index[axes[what.kind]] if what.kind in axes else ""

    def weight_name(self, weight: Origin) -> str:
        letter = {"gamma": "γ", "beta": "β", "bias": "b"}.get(weight.name.rpartition(".")[2]) or self.matrix(weight)
        return f"{letter}[{', '.join(map(str, self.row_and_column(weight)))}]"

    def matrix(self, weight: Origin) -> str:
        for part, letter in ((TABLE, "E"), ("position_table.table.weight", "P"), ("segment_table.weight", "S")):
            if weight.name.endswith(part):
                return letter
        return MATRICES[weight.name.split(".")[-2]]

    def row_and_column(self, weight: Origin) -> tuple[int, ...]:
        """Of a matrix as x · W has it; torch keeps it the other way round."""
        index = tuple(int(i or 0) for i in weight.index)
        module, parameter = weight.name.split(".")[-2:]
        return index[::-1] if parameter == "weight" and module in MATRICES else index

    def along(self, cell: Origin) -> dict[str, int]:
        """Dimension -> where along it the cell stands."""
        return {dim: int(i or 0) for dim, i in zip(self.flow.dims[cell.name], cell.index, strict=True)}

    def token(self, tap: str, dim: str, index: int) -> str:
        return named([token.text for token in self.run().side(tap, dim)], index)

    def piece(self, id: int) -> str:
        """A row of the vocabulary."""
        words = self.model.words
        return words.piece_of(id) if words is not None else self.model.tokenizer.pieces[id]

    def place(self, place: Place) -> str:
        """Where in the model: encoder · layer 3 · self-attention."""
        t = self.t
        if place.part == "embedding":
            return t("where.decoder_embedding" if place.writes else "where.embedding")
        names = [t(f"where.{place.stack}")] if place.stack else []
        names += [t("where.layer", layer=place.layer + 1)] if place.layer is not None else []
        names += [t(f"where.{place.part}")] if place.part else []
        return " · ".join([*names, *([t("where.norm")] if place.norm else [])])

    def where(self, cell: Origin) -> str:
        """All there is to say of where a cell stands."""
        place, _ = split(cell.name)
        names = [*self.said, self.place(place)]
        for dim, index in self.along(cell).items():
            if dim == "head":
                names.append(self.t("where.head", head=index + 1))
            elif self.run().side(cell.name, dim):
                token = self.token(cell.name, dim, index)
                square = "query" in self.flow.dims[cell.name]
                names.append(self.t("where.key", token=token) if dim == "key" and square else token)
        return " · ".join([*names, self.short(cell)])

    def part(self, of: Origin) -> str:
        """A whole row, or more: of which tap, head and token, or of which table."""
        if of.given:
            other = self.beside(of.given)
            return " · ".join([*other.said, other.part(replace(of, given=None))])
        if isinstance(of, Weight):
            return self.part_of_weight(of)
        place, word = split(of.name)
        if word == "output" and not place.norm and place.part not in STATES:
            word = "written"
        what = [self.t(f"summand.{word}")] if f"summand.{word}" in self.t else []
        return " · ".join([self.place(place), *self.places(of), *what])

    def part_of_weight(self, of: Weight) -> str:
        """A row of a table, a column of a matrix (torch keeps it as a row), a whole bias."""
        matrix, at, (module, _, parameter) = self.matrix(of), int(of.index[0] or 0), of.name.rpartition(".")
        tables = {"E": "table_row", "P": "positions_row", "S": "segments_row"}
        kind = "bias_row" if parameter == "bias" else tables.get(matrix, "matrix_column")
        word = self.piece(at) if kind == "table_row" else ""
        return self.t(f"weight.{kind}", row=at, word=word, place=self.place(split(module)[0]), matrix=matrix)

    def places(self, of: Origin) -> list[str]:
        """The head and the tokens that the index of a cell names."""
        if of.given:
            return self.beside(of.given).places(replace(of, given=None))
        there = [
            (dim, index) for dim, index in zip(self.flow.dims[of.name], of.index, strict=True) if index is not None
        ]
        return [
            self.t("where.head", head=index + 1) if dim == "head" else self.token(of.name, dim, index)
            for dim, index in there
            if dim == "head" or self.run().side(of.name, dim)
        ]

    def of_weight(self, weight: Origin) -> str:
        """A parameter's place in its table or matrix."""
        t, (row, *rest) = self.t, self.row_and_column(weight)
        module, _, parameter = weight.name.rpartition(".")
        tables = {"E": "table", "P": "positions", "S": "segments"}
        kind = tables.get(self.matrix(weight), "matrix") if parameter == "weight" else parameter
        return t(
            f"weight.{kind}",
            row=row,
            column=rest[0] if rest else "",
            word=self.piece(row) if kind == "table" else "",
            place=self.place(split(weight.name if kind in ("gamma", "beta") else module)[0]),
            matrix=MATRICES.get(module.rpartition(".")[2], ""),
        )

    # ---- panels

    def panel(self, cell: Cell) -> Traced:
        """A cell's own steps."""
        run = self.run(*taps(self.flow, cell))
        made = derive(run, cell)
        steps = self.steps(cell, made)
        said = () if made.origins else (self.t("of_places"),)
        number = made.captured
        title = self.t("follow")
        return Traced(
            str(cell), title, self.where(cell), short(number), exact(number), steps, end=said, behind=made.onward
        )

    def measure(self, what: Measure) -> Traced:
        """What was measured of whole rows."""
        made = self.derived(what)
        held = self.t("recomputed", difference=short(abs(made.difference)))
        checks = [*("" for _ in made.steps[1:]), held]  # of the last
        steps = [
            lines.line(self.t, self.by_way(step), {"labels": self.labels(what, step)}, check)
            for step, check in zip(made.steps, checks, strict=True)
        ]
        number, title = made.captured, self.t("follow")
        return Traced(str(what), title, self.of(what), short(number), exact(number), steps, behind=made.onward)

    def by_way(self, step: Step) -> Step:
        """A step back along a way says in words which."""
        if "way" not in step.parts:
            return step
        place, word = split(str(step.parts["way"]))
        word = "written" if word == "output" and not place.norm and place.part not in STATES else word
        return replace(step, parts={**step.parts, "way": f"{self.place(place)} · {self.t(f'way.{word}')}"})

    def made(self, of: Origin) -> str:
        """One of many numbers: of which head and token, and what it is."""
        places = self.places(of) if isinstance(of, Cell) else []
        return " · ".join([*places, self.short(of)])

    def number_of(self, cell: Cell) -> str:
        """One number of a whole tap or head: which two tokens, or which token and dimension."""
        dims = self.flow.dims[cell.name]
        names = self.places(replace(cell, index=(None,) * ("head" in dims) + cell.index[-2:]))
        return " → ".join(names) if len(names) > 1 else " · ".join([*names, self.t("name.dim", dim=cell.index[-1])])

    def derived(self, what: Measure) -> Derivation:
        return measure(self.run(*measures.taps(what)), what)

    def of(self, what: Measure) -> str:
        """All there is to say of what was measured."""
        if what.kind.startswith(gradients.NAME):
            return " · ".join([*self.said, self.short(what), *self.by(what)])
        said = self.said if any(of.given is None for of in what.of) else []
        if what.kind in BESIDE:
            return " · ".join([*said, BESIDE[what.kind].format(*map(self.part, what.of))])
        others = () if what.kind == "joins" else what.of[1:]  # where a head's part is one of the same token's whole
        first = what.of[0]
        if what.kind in attended.OVER_HEADS:
            first = replace(first, index=(None, *first.index[1:]))
        parts = [
            *said,
            self.part(first),
            *(name for of in others if of.name in self.flow.dims for name in self.places(of)[-1:]),
        ]
        return " · ".join([*dict.fromkeys(parts), self.short(what)])

    def by(self, what: Measure) -> list[str]:
        """Of a gradient: by which number, or by all of what, and of which loss."""
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
        return [by, self.t("loss.toward" if toward else "loss.own", text=text)]

    def labels(self, what: Measure, step: Step) -> Callable[[int], str]:
        """What an index of its sum is called: a dimension, or the tokens that the number is of."""
        named = {term.index: term.left_of for term in step.largest}

        terms = measures.KINDS[what.kind].terms

        def label(i: int) -> str:
            origin = named.get(i)
            if terms == "number" and isinstance(origin, Cell):
                return self.number_of(origin)
            if terms == "rows" and isinstance(origin, Measure):
                return " ↔ ".join(dict.fromkeys(self.places(of)[-1] for of in origin.of))
            if terms == "head":
                return self.t("where.head", head=i + 1)
            if terms == "key" and isinstance(origin, Measure):
                return self.places(origin.of[0])[-1]
            if terms == "made" and isinstance(origin, Measure):
                return self.made(origin.of[0])
            of_word = isinstance(origin, Cell) and self.flow.dims[origin.name][-1] == "vocab"
            if origin is not None and (terms == "word" or of_word):
                return self.word(origin)
            if terms in ("made", "key") and isinstance(origin, Cell):
                return self.places(origin)[-1]
            return self.t("name.dim", dim=i)

        return label

    def end(self, origin: Weight | Recorded) -> Traced:
        """Where a way ends: in what was learned, or in a file."""
        return self.of_file(origin) if isinstance(origin, Recorded) else self.of_table(origin)

    def of_file(self, recorded: Recorded) -> Traced:
        number, t, made = self.value(recorded), self.t, card(recorded.name)
        place = f"{recorded.name.partition('.')[2]}[{', '.join(map(str, recorded.index))}]"
        took = () if made.seconds is None else (t("recorded.took", minutes=max(1, round(made.seconds / 60))),)
        said = (t("recorded.file", file=made.file, place=place), t("recorded.made", command=made.command), *took)
        return Traced(str(recorded), t("follow"), t("name.recorded"), short(number), exact(number), end=said)

    def of_table(self, weight: Weight) -> Traced:
        number, t = self.value(weight), self.t
        said = (t("learned", where=self.of_weight(weight)), t(f"training.{self.name}"))
        return Traced(str(weight), t("follow"), self.short(weight), short(number), exact(number), end=said)

    def under(self, cell: Cell) -> str:
        """How much lies under the number one began with."""
        run = self.run()
        count = grouped(products(run, cell))
        return self.t("under", value=self.value(cell), products=count, depth=depth(run, cell))

    def steps(self, cell: Cell, made: Derivation) -> list[Line]:
        *before, last = made.steps
        held = self.t("recomputed", difference=short(abs(made.difference)))
        return [*(self.line(cell, step) for step in before), self.line(cell, last, held)]

    def line(self, cell: Cell, step: Step, check: str = "") -> Line:
        names = {"names": self.summands(step), "labels": self.label(cell, step)}
        line = lines.line(self.t, step, names, check)
        others = step.count - len(step.largest)
        if not step.largest or not others:
            return line
        said = [*line.lines, self.t("rest", others=grouped(others), rest=step.rest)]
        if hidden := step.parts.get("masked"):
            said.append(self.t("masked", masked=hidden))
        return replace(line, lines=said)

    def summands(self, step: Step) -> str:
        """What the summands are called."""
        if step.id not in SUMS:
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


def in_range(cells: Cells, origin: Origin) -> bool:
    """Whether there is such a number."""
    if origin.given:
        return in_range(cells.beside(origin.given), replace(origin, given=None))
    shape = cells.flow.shape(origin.name) if isinstance(origin, Cell) else array(cells.run(), origin).shape
    return len(shape) == len(origin.index) and all(
        i is not None and 0 <= i < size for i, size in zip(origin.index, shape, strict=True)
    )
