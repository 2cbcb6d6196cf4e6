"""Any number by name: what a cell, a parameter or a measure is called, of which run it is, and what it comes to."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from core.capture import Capture
from core.derivation import (
    Cell,
    Measure,
    Origin,
    Recorded,
    Source,
    Weight,
    measures,
)
from core.derivation.flow import TABLE, Flow
from core.derivation.measures import gradients
from core.derivation.measures.words import WARM, temperature_of
from core.derivation.origins import run_of, within
from core.derivation.reading import array
from core.edits import Edit, argument
from core.model.places import Place, split
from core.run_spec import AT_HAND, RunSpec
from core.text.token import named
from core.zoo import Model
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words.texts import Texts

MATRICES = {"to_query": "W^Q", "to_key": "W^K", "to_value": "W^V", "to_output": "W^O", "widen": "W₁", "narrow": "W₂"}
NORMS = {"gamma": "γ", "beta": "β"}
STATES = ("", "embedding")  # parts whose output is what the next layer reads
BRIEF = 60  # characters of a text that tells one run from another
SAID = 2  # edits that are named each
OF_WORDS = ("chance", "rest", "kept")
OF_PARTS = (
    *("adds", "adds_head", "adds_unit", "adds_end", "offers", "sought", "lens_logit", "lens"),
    *("parts", "parts_head", "parts_feedforward"),
)


@dataclass(frozen=True, eq=False)
class Names:
    """The numbers of one run, as they are spoken of: of the page's sentence, where nothing else was `given`."""

    page: PageContext
    given: RunSpec = AT_HAND

    def beside(self, given: RunSpec) -> Self:
        """Those of another run; a text, a model or an arrangement that is not named is the same."""
        text = self.text if given.text is None else given.text
        norm = given.norm or (self.given.norm if given.model in (None, self.name) else None)
        return type(self)(self.page, replace(given, text=text, model=given.model or self.name, norm=norm))

    @property
    def name(self) -> str:
        """Of the model."""
        return self.given.model or self.page.address.model

    @cached_property
    def model(self) -> Model:
        return cached.model_of(self.name, self.given.norm)

    @property
    def text(self) -> str:
        return self.page.text if self.given.text is None else self.given.text

    @cached_property
    def said(self) -> list[str]:
        """What tells this run from the page's own, in words."""
        t, given, texts = self.t, self.given, []
        if self.name != self.page.address.model:
            texts.append(t.model(self.name))
        if given.norm is not None:
            texts.append(t(f"given.norm.{given.norm}"))
        if self.text != self.page.text:
            texts.append(t("given.text", text=brief(self.text)))
        if given.pair is not None:
            texts.append(t("given.pair", text=brief(given.pair)))
        if given.target is not None:
            texts.append(t("given.target", text=brief(given.target)))
        if given.pad_to is not None:
            texts.append(t("given.pad_to", count=given.pad_to))
        if len(given.edits) > SAID:
            return [*texts, t("given.edits", count=len(given.edits), edit=self.edit(given.edits[0]))]
        return [*texts, *map(self.edit, given.edits)]

    def edit(self, edit: Edit) -> str:
        """What an edit does, in words; and where, if that is one place."""
        name, _, rest = edit.id.partition(":")
        said = [argument(word) for word in rest.split(".")]
        place = "" if "*" in edit.pattern else self.place(split(edit.pattern)[0])
        key = {"cut": "cut_one" if rest else "cut", "apart": f"apart_{said[-1]}"}.get(name, name)
        names = {"first": said[0], "middle": said[len(said) // 2], "last": said[-1]}
        return self.t(f"edit.{key}", place=place, **names)

    def text_of(self, of: Origin) -> str:
        """The sentence that a number is of."""
        return self.text if of.given is None else self.beside(of.given).text

    @property
    def plain(self) -> bool:
        """Whether it is a sentence as it is, read by itself, by a model as it is."""
        given = self.given
        return (given.pair, given.target, given.pad_to, given.edits, given.norm) == (None, None, None, (), None)

    @property
    def own(self) -> bool:
        """Whether they are of the page's own run."""
        return self.plain and (self.name, self.text) == (self.page.address.model, self.page.text)

    @cached_property
    def t(self) -> Texts:
        return Texts(self.page.address.lang, "cells", self.name)

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
        """As a path of a trail says it: q, dim 23."""
        if given := run_of(origin):
            return self.beside(given).short(within(origin, None))
        if isinstance(origin, Measure) and origin.kind.startswith(gradients.NAME):
            door = gradients.door_of(origin)
            name = self.t(f"measure.{gradients.kind_of(origin)}", of=self.short(origin.of[0]))
            return f"{name} · {self.t(f'through_door.{door}')}" if door else name
        if isinstance(origin, Measure) and WARM in origin.kind:
            kind, T = origin.kind.rpartition("_")[0], f"{temperature_of(origin):g}"
            return self.t(f"measure.{kind}", word=self.word(origin), T=T)
        if isinstance(origin, Measure):
            word = self.word(origin) if origin.kind in OF_WORDS else ""
            word = self.words_sought(origin) if origin.kind in OF_PARTS else word
            return self.t(f"measure.{origin.kind}", dim=self.dim_of(origin), word=word)
        if isinstance(origin, Recorded):
            return self.t("name.recorded")
        return self.weight_name(origin) if isinstance(origin, Weight) else self.cell_name(origin)

    def word(self, origin: Source) -> str:
        """The word of the vocabulary that a number is of."""
        if isinstance(origin, Measure):
            return self.word(next((of for of in origin.of if isinstance(of, Weight)), origin.of[0]))
        return self.piece(int(origin.index[0 if isinstance(origin, Weight) else -1] or 0))

    def words_sought(self, what: Measure) -> str:
        """The word whose logit it is of; of a gap, both."""
        rows = [of for of in what.of if of.name in (TABLE, "output.logits")]
        return " − ".join(map(self.word, rows))

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
        axes = {
            **dict.fromkeys(("centre", "plus_minus", "average"), -1),
            **dict.fromkeys(("brought", "wrote", "mapped", "mapped_part", "sought"), 0),
        }
        return what.of[-1].index[axes[what.kind]] if what.kind in axes else ""

    def weight_name(self, weight: Origin) -> str:
        letter = {**NORMS, "bias": "b"}.get(weight.name.rpartition(".")[2]) or self.matrix(weight)
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
        return words.piece_of(id) if words is not None else self.model.tokenizer.names[id]

    def place(self, place: Place) -> str:
        """Where in the model: encoder · layer 3 · self-attention."""
        t = self.t
        if place.part == "embedding":
            return t("where.decoder_embedding" if place.stack else "where.embedding")
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

    def writer(self, of: Origin) -> str:
        """A part of the model that writes into the stream, by what it wrote."""
        if isinstance(of, Weight):
            return self.part_of_weight(of)
        place, _ = split(of.name)
        dims = zip(self.flow.dims[of.name], of.index, strict=True)
        heads = [self.t("where.head", head=int(index or 0) + 1) for dim, index in dims if dim == "head"]
        return " · ".join([self.place(place), *heads])

    def part_of_weight(self, of: Weight) -> str:
        """A row of a table, a column of a matrix (torch keeps it as a row), a whole bias, or a whole matrix."""
        at, (module, _, parameter) = int(of.index[0] or 0), of.name.rpartition(".")
        if parameter in NORMS:
            return f"{self.place(split(of.name)[0])} · {NORMS[parameter]}"
        matrix = self.matrix(of)
        if None in of.index[:1] and len(of.index) > 1:
            return self.t("weight.whole", place=self.place(split(module)[0]), matrix=matrix)
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


def brief(text: str) -> str:
    """The beginning of a text, where it is long."""
    return text if len(text) <= BRIEF else f"{text[:BRIEF].rstrip()} …"


def in_range(names: Names, origin: Origin) -> bool:
    """Whether there is such a number."""
    if origin.given:
        return in_range(names.beside(origin.given), replace(origin, given=None))
    shape = names.flow.shape(origin.name) if isinstance(origin, Cell) else array(names.run(), origin).shape
    return len(shape) == len(origin.index) and all(
        i is not None and 0 <= i < size for i, size in zip(origin.index, shape, strict=True)
    )
