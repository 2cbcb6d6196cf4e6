"""The widgets themselves: each fills the figures of the site from a run, and hears what is selected in them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets

from ..capture import TOKENS, Capture
from ..derivation import Cell, Measure
from ..derivation.flow import Flow
from ..derivation.reading import check
from ..errors import InputError
from ..figures.generated import WORDS, chips, drawn
from ..figures.heads import fits, grid, in_small, lines_words, those_sent, those_shown
from ..figures.lines import Lines, four_digits
from ..figures.matrix import Axis, Matrix, MatrixWords, Thumbnail, Thumbnails
from ..figures.written import Written, WrittenWords
from ..model.places import attention_at, attentions
from ..named_heads import known
from ..text.token import Token
from ..views.generation import MOST, generation_view, special, spelt
from ..views.heads import clearest_row, heads_view
from ..words import Words
from ..writing import Sampling, Step
from ..zoo import Model
from .bundle import module
from .html import Sent, document
from .panel import Panels

STACK = 300_000  # bytes: up to this size every plane of a matrix is sent, beyond it the one that is looked at


class Widget(anywidget.AnyWidget):
    """Pictures over one selection: `state` is what it is in the pictures' own terms, `selection` in the run's."""

    components: ClassVar[tuple[str, ...]] = ()

    _esm = traitlets.Unicode().tag(sync=True)
    pictures: dict[str, Any] = traitlets.Dict().tag(sync=True)  # type: ignore[assignment]
    params: dict[str, Any] = traitlets.Dict().tag(sync=True)  # type: ignore[assignment]
    state: dict[str, Any] = traitlets.Dict().tag(sync=True)  # type: ignore[assignment]
    selection: dict[str, Any] = traitlets.Dict(read_only=True)  # type: ignore[assignment]

    def __init__(self, title: str, about: Sequence[str], language: str, slug: str, **selected: object):
        super().__init__(_esm=module(*self.components))
        self.title, self.about = title[:200], about
        self.t, self.own = Words(language, slug), Words(language, "cells")
        self.params = {name: parameter(value) for name, value in selected.items()}
        self.drawn: object = None
        self.observe(lambda _: self.look(), "state")
        self.state = dict(selected)

    def look(self) -> None:
        """What is selected has changed: the pictures are sent anew where they are of something else."""
        self.set_trait("selection", self.selected())
        if (needed := self.needed()) != self.drawn:
            self.drawn, self.pictures = needed, self.filled()

    def selected(self) -> dict[str, object]:
        raise NotImplementedError

    def needed(self) -> object:
        """What the pictures depend on, of what is selected."""
        return True

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        """The data of each picture, by the name of its component; `whole`: nobody can be asked for more."""
        raise NotImplementedError

    def answers(self) -> dict[str, Mapping[str, Sent]]:
        """What a file shows once something is pressed, by its trail."""
        return {}

    def save(self, path: str | Path) -> None:
        """Write it as one HTML file that opens without a network, as it stands."""
        given = (self.filled(whole=True), self.params, self.state, self.answers(), self.t.language)
        Path(path).write_text(document(self.title, self.about, *given), encoding="utf-8")


def about(run: Capture) -> tuple[str, list[str]]:
    """The title over the pictures of a run, and what stands below it."""
    return run.text, [run.model, *(edit.id for edit in run.edits)]


def parameter(value: object) -> dict[str, object]:
    return {"default": value, "number": isinstance(value, int)}


def kind_of(run: Capture, kind: str | None) -> str:
    """The kind of attention that is meant, the first the model has where none is. Raises ValueError for another."""
    kinds = dict.fromkeys(str(place.kind) for place in attentions(run.tap_dims))
    if kind is None and kinds:
        return next(iter(kinds))
    if kind not in kinds:
        raise ValueError(f"attention {kind}: {', '.join(kinds) or 'the model has none'}")
    return kind


def place(what: str, at: int, count: int) -> int:
    """A layer or head, counted from 0; negative ones from the end. Raises InputError where there is none."""
    if not -count <= at < count:
        raise InputError("cell_outside", cell=f"{what} {at}", shape=str(count))
    return at % count


def clearest(weights: np.ndarray, queries: Sequence[Token], kind: str) -> tuple[int, int]:
    """Row and column of the largest weight of a token that somebody typed or wrote. weights [query, key]."""
    typed = [i for i, token in enumerate(queries) if not token.special] or [0]
    row = typed[clearest_row(weights[typed], kind in ("self", "causal"))]
    return row, int(weights[row].argmax())


class Heads(Widget):
    components = ("lines", "grid")

    def __init__(self, run: Capture, layer: int | None, kind: str | None, language: str):
        self.run, kind = run, kind_of(run, kind)
        names = [
            place.tap(word) for place in attentions(run.tap_dims) if place.kind == kind for word in ("weights", "mask")
        ]
        self.view = view = heads_view(replace(run, arrays=run.fetch(names)), kind)
        assert view.weights is not None
        self.alone = layer is not None
        ranked = view.ranked("entropy") if "entropy" in view.measures else [(0, 0)]  # the most decided first
        wanted = ranked[0][0] if layer is None else place("layer", layer, view.layers)
        at, head = next((found for found in ranked if found[0] == wanted), (wanted, 0))
        row, key = clearest(view.weights[at, head], view.queries, kind)
        first = {"layer": at + 1, "head": head + 1, "q": row, "k": key}
        shown = {
            "also": "layer" if fits(view.heads, *view.weights.shape[2:]) else "alone",
            "pin": f"q{row}",
            "way": "upright",
            "sort": "layer",
            "grid": "model",
        }
        super().__init__(*about(run), language, "heads", **first, **shown)

    @property
    def shown(self) -> list[tuple[int, int]]:
        """Layers and heads, from 1, the followed one first."""
        state = self.state
        return those_shown(state["layer"], state["head"], str(state["also"]), self.view.heads)

    def selected(self) -> dict[str, object]:
        layer, head, q, k = self.state["layer"] - 1, self.state["head"] - 1, self.state["q"], self.state["k"]
        cell = Cell(attention_at(self.view.kind, layer).tap("weights"), (head, q, k))
        return {"layer": layer, "head": head, "query": q, "key": k, "cell": str(cell)}

    def needed(self) -> object:
        return those_sent(self.view, self.shown)

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        every = self.view.layers * self.view.heads
        sent = [
            place for place in those_sent(self.view, self.shown) if not self.alone or place[0] == self.state["layer"]
        ]
        weights = self.weights
        lines = Lines(
            id="lines",
            planes={f"{i}.{j}": four_digits(weights[i - 1, j - 1]) for i, j in sent},
            queries=self.view.tokens,
            keys=self.view.key_tokens,
            heads=self.view.heads,
            known=self.known,
            file=f"heads-{self.view.kind}",
            all_there=whole or len(sent) == every,
            changed=[edit.id for edit in self.run.edits],
            words=replace(lines_words(self.t, self.view.kind), caption=self.own("notebook.lines")),
        )
        if self.alone:
            return {"lines": lines.pack()}
        return {"lines": lines.pack(), "grid": grid(self.t, self.view, *self.small, self.known).pack()}

    @property
    def weights(self) -> np.ndarray:
        assert self.view.weights is not None
        return self.view.weights

    @cached_property
    def small(self) -> tuple[np.ndarray, list[list[float]]]:
        return in_small(self.weights)

    @cached_property
    def known(self) -> dict[str, str]:
        """layer.head -> what it is known for, in the model as it is."""
        named = {} if self.run.edits else known(self.run.model)
        return {f"{layer}.{head}": self.t(f"known.{name}.name") for (layer, head), name in named.items()}


class Stacked(Widget):
    """Planes [row, column] of one shape, one of which is looked at; where they are few, all of them in small."""

    components = ("matrix", "thumbnails")

    planes: np.ndarray  # plane, row, column

    def matrix(self, words: MatrixWords, rows: Axis, columns: Axis, **more: Any) -> bytes:
        sent = range(len(self.planes)) if self.fits else [self.state["head"] - 1]
        planes = {str(i + 1): self.planes[i] for i in sent}
        return Matrix("matrix", planes, rows, columns, words, name=("head",), **more).pack()

    def thumbnails(self, word: str, known: Mapping[int, str], label: str, whole: bool) -> dict[str, Sent]:
        """None where there is nothing to switch between; pooled where the browser has not got the planes."""
        if len(self.planes) == 1 or (whole and not self.fits):
            return {}
        items = [Thumbnail(i, str(i), known.get(i, "")) for i in range(1, len(self.planes) + 1)]
        header = {"of": "matrix", "param": "head", "label": label, "word": word, "items": items}
        made = Thumbnails(**header) if self.fits else Thumbnails.reduced(self.planes, None, self.t("reduced"), **header)
        return {"thumbnails": made.pack()}

    @property
    def fits(self) -> bool:
        return 4 * self.planes.size <= STACK

    def needed(self) -> object:
        return self.fits or self.state["head"]

    def matrix_words(self, label: str, caption: str) -> MatrixWords:
        t = self.t
        said = (t(f"matrix.{name}") for name in ("range", "marks", "veiled"))
        return MatrixWords(label, *said, caption=caption, help=t.help("marks"))


class Attention(Stacked):
    def __init__(self, run: Capture, layer: int, head: int, kind: str | None, language: str):
        self.run, kind = run, kind_of(run, kind)
        layers = sum(place.kind == kind for place in attentions(run.tap_dims))
        self.layer = place("layer", layer, layers)
        self.tap = attention_at(kind, self.layer).tap("weights")
        self.planes = run.fetch((self.tap,))[self.tap]
        head = place("head", head, len(self.planes))
        row, key = clearest(self.planes[head], run.side(self.tap, "query"), kind)
        super().__init__(*about(run), language, "attention", head=head + 1, q=row, k=key)

    def selected(self) -> dict[str, object]:
        head, q, k = self.state["head"] - 1, self.state["q"], self.state["k"]
        cell = str(Cell(self.tap, (head, q, k)))
        return {"layer": self.layer, "head": head, "query": q, "key": k, "cell": cell}

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        run, t = self.run, self.t
        rows, columns = (run.labels(self.tap, dim) or () for dim in ("query", "key"))
        words = self.matrix_words(t("matrix_label"), self.own("notebook.matrix"))
        axes = Axis("q", len(rows), rows), Axis("k", len(columns), columns)
        named = {} if run.edits else known(run.model)
        names = {head: t(f"heads.{name}") for (layer, head), name in named.items() if layer == self.layer + 1}
        small = self.thumbnails(t("head"), names, t("heads_title", heads=len(self.planes)), whole)
        return {"matrix": self.matrix(words, *axes, reach=1.0), **small}


class Compare(Stacked):
    def __init__(self, a: Capture, b: Capture, tap: str, language: str):
        one, other = (run.fetch((tap,))[tap] for run in (a, b))
        if one.shape != other.shape:
            shapes = " / ".join(" × ".join(map(str, array.shape)) for array in (one, other))
            raise ValueError(f"{tap} has two shapes, which have no difference: {shapes}")
        self.run, self.other, self.tap, self.shape = a, b, tap, one.shape
        rows, columns = one.shape[-2:] if one.ndim > 1 else (one.size, 1)
        with np.errstate(invalid="ignore"):
            self.planes = np.nan_to_num((one - other).reshape(-1, rows, columns))  # −∞ − −∞ under a mask
        plane, row, column = np.unravel_index(np.abs(self.planes).argmax(), self.planes.shape)
        super().__init__(*about(a), language, "attention", head=int(plane) + 1, q=int(row), k=int(column))

    def selected(self) -> dict[str, object]:
        at = self.state["head"] - 1, self.state["q"], self.state["k"]
        index = tuple(int(i) for i in np.unravel_index(np.ravel_multi_index(at, self.planes.shape), self.shape))
        return {"cell": str(Cell(self.tap, index)), "difference": float(self.planes[at])}

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        *others, rows, columns = (*self.run.dims(self.tap), "")[: max(2, len(self.shape))]
        words = self.matrix_words(self.tap, f"{self.tap}: {self.run.text} − {self.other.text}")
        axes = self.axis("q", rows, self.planes.shape[1]), self.axis("k", columns, self.planes.shape[2])
        small = self.thumbnails(" ".join(others), {}, self.tap, whole)
        return {"matrix": self.matrix(words, *axes, signed=True), **small}

    def axis(self, param: str, dim: str, count: int) -> Axis:
        """An axis of tokens says those of both runs where they differ."""
        if dim not in TOKENS:
            return Axis(param, count, word=dim)
        pairs = zip(*(run.labels(self.tap, dim) or () for run in (self.run, self.other)), strict=True)
        return Axis(param, count, [one if one == other else f"{one}/{other}" for one, other in pairs])


class Follow(Widget):
    components = ("derivation",)

    levels = 2  # of presses whose steps a saved file holds

    def __init__(self, run: Capture, cell: Cell | Measure | str, language: str):
        begin = cell if isinstance(cell, Measure) else check(Flow.of(run), cell)
        self.panels = Panels(run, begin, language)
        super().__init__(*about(run), language, "cells", trail=None)

    def selected(self) -> dict[str, object]:
        return {"cell": str(self.panels.source(self.state["trail"]))}

    def needed(self) -> object:
        return self.state["trail"] or ""

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        trail = self.state["trail"]
        if whole and (inside := self.answers().get(trail or "")):
            return dict(inside)
        return {"derivation": self.panels.panel(trail, doors=not whole).data()}

    def answers(self) -> dict[str, Mapping[str, Sent]]:
        return {trail: {"derivation": panel.data()} for trail, panel in self.panels.within(self.levels)}


class Generate(Widget):
    """What a model writes after a prompt; `text` is both, as far as it is written."""

    components = ("written",)

    def __init__(self, model: Model, prompt: str, length: int, sampling: Sampling, language: str):
        self.view = generation_view(model, prompt, sampling, most=max(length, MOST))
        super().__init__(prompt, [model.id], language, "generation", n=length, q=0)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Those that are shown; the ones that are not there yet are made now."""
        count = min(self.state["n"], self.view.room)
        if count:
            self.view.writing[count - 1]
        return self.view.steps(count)

    @property
    def text(self) -> str:
        model = self.view.model
        return "".join(spelt(model, id) for id in self.view.ids(self.steps) if not special(model, id))

    def selected(self) -> dict[str, object]:
        """The token that is looked at: where it stands among those that were written, and how likely it was."""
        if not self.steps:
            return {}
        step = self.steps[-1 if self.state["q"] < 0 else min(self.state["q"], len(self.steps) - 1)]
        name = self.view.model.tokenizer.names[step.id]
        return {"number": step.number, "id": step.id, "token": name, "probability": step.probability}

    def needed(self) -> object:
        return self.state["n"]

    def filled(self, whole: bool = False) -> dict[str, Sent]:
        view, t, steps = self.view, self.t, self.steps
        rows = [step.weights.mean((0, 1)) for step in steps if step.weights is not None]  # of every layer and head
        words = WrittenWords(count="", **{name: t(f"picture.{name}") for name in WORDS})
        more = not whole and len(steps) < view.room and not (steps and steps[-1].last)
        figure = Written(
            tokens=chips(view.model, view.ids(steps)),
            given=len(view.tokens),
            steps=[drawn(t, view.model, view.sampling, step) for step in steps],
            weights=rows,
            more=more,
            chat=view.chat,
            open=False,
            waits=False,
            busy="",
            likely="",
            looked="",
            sure=0,
            words=words,
        )
        return {"written": figure.pack()}
