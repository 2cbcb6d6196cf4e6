"""One forward pass with the tape running: a text goes in, every number the model made comes out.

torch is imported on first use: a page that only wants the table of contents must not wait for it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from .edits import Edit, read
from .errors import InputError, UnknownTap
from .model.places import Place, split
from .run_spec import RunSpec
from .text.token import Token
from .text.trace import Trace
from .text.words import Words, places, written
from .zoo import Model, load_model, rearranged

if TYPE_CHECKING:
    from torch import Tensor
    from xarray import DataArray

    from .model.decoding import Decoding


SHOWN = 64  # tokens of a run, in a notebook
TOKENS = ("token", "source", "target", "query", "key")  # the axes that are made of tokens


@dataclass(frozen=True, eq=False, repr=False)
class Capture:
    """Every tensor that passed a tap, as read-only float32 arrays, and the tokens they belong to.

    `run["encoder.0.attention.weights"]` is an array; `run.dims(name)` says what its axes are.

    Of a translator also what the decoder was given, `target_in`, and what is wanted of it, `target_out`: the same row,
    one to the left. `text_out` is that row as a sentence; `cut` says that there was no room for more of it.
    """

    model: str
    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    truncated: int  # how many tokens were cut off
    arrays: Mapping[str, np.ndarray]
    tap_dims: Mapping[str, tuple[str, ...]]
    target_in: tuple[Token, ...] = ()  # begins with the start token
    target_out: tuple[Token, ...] = ()  # ends with the end token, unless it was cut
    text_out: str | None = None
    cut: bool = False
    edits: tuple[Edit, ...] = ()
    by: Model | None = field(default=None, repr=False)
    padding: int = 0  # how many padding tokens stand at the end of `tokens`
    inputs: "tuple[Tensor, ...]" = field(default=(), repr=False)  # what the network was given
    later: dict[str, np.ndarray] = field(default_factory=dict, repr=False)  # what was asked for after it was made
    others: "Callable[[RunSpec, tuple[str, ...]], Capture] | None" = field(default=None, repr=False)  # other runs
    more: "Callable[[tuple[str, ...]], Mapping[str, np.ndarray]] | None" = field(default=None, repr=False)  # its taps

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a tap. Raises UnknownTap, which is a KeyError, where there is none of this name."""
        if name in self.arrays:
            return self.arrays[name]
        if name in self.tap_dims:
            raise UnknownTap("tap_not_kept", tap=name)
        raise UnknownTap("unknown_tap", tap=name, near=suggestion(name, self.tap_dims))

    def __repr__(self) -> str:
        """One short line: the arrays themselves would be hundreds of thousands of characters."""
        text = self.text if len(self.text) <= 40 else f"{self.text[:39]}…"
        edits = f", edits: {', '.join(edit.id for edit in self.edits)}" if self.edits else ""
        counted = f"{len(self.tokens)} tokens, {len(self.arrays)} arrays"
        return f"<Capture of {text!r} by {self.model}: {counted}, {self.nbytes:,} bytes{edits}>"

    def _repr_html_(self) -> str:
        """In a notebook: the tokens, and the taps, those of all layers in one line."""
        shapes: dict[tuple[str, ...], int] = defaultdict(int)
        for name, array in self.arrays.items():
            line = re.sub(r"\.\d+\.", ".*.", name), ", ".join(self.dims(name)), " × ".join(map(str, array.shape))
            shapes[line] += 1
        rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in (*line, n))}</tr>" for line, n in shapes.items())
        tokens = " ".join(f"<code>{escape(token.text)}</code>" for token in self.tokens[:SHOWN])
        more = " …" * (len(self.tokens) > SHOWN)
        head = "<tr><th>tap</th><th>dims</th><th>shape</th><th>taps</th></tr>"
        return f"<p>{escape(repr(self))}</p><p>{tokens}{more}</p><table>{head}{rows}</table>"

    def __getstate__(self) -> dict[str, object]:
        """Into a pickle: the numbers, without the model that made them."""
        return {**self.__dict__, "by": None, "inputs": (), "others": None, "more": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Out of a pickle: read-only, as it went in."""
        self.__dict__.update(state)
        for array in (*self.arrays.values(), *self.later.values()):
            array.flags.writeable = False

    def __contains__(self, name: object) -> bool:
        return name in self.arrays

    def __iter__(self) -> Iterator[str]:
        """The names, as of a mapping: `dict(run)` has every array that was kept."""
        return iter(self.arrays)

    def __len__(self) -> int:
        """How many arrays were kept."""
        return len(self.arrays)

    def __bool__(self) -> bool:
        """A run is a run, whatever was kept of it."""
        return True

    def keys(self) -> KeysView[str]:
        """The names of what was kept."""
        return self.arrays.keys()

    def names(self) -> tuple[str, ...]:
        """Every tap that was kept, in the order the data met them."""
        return tuple(self.arrays)

    def taps(self, pattern: str = "*") -> tuple[str, ...]:
        """Every tap of the model that a pattern names, kept or not: "encoder.*.weights".

        Raises InputError where it names none.
        """
        found = tuple(name for name in self.tap_dims if fnmatchcase(name, pattern))
        if not found:
            raise InputError("unknown_pattern", pattern=pattern, near=suggestion(pattern, self.tap_dims))
        return found

    def argmax(self, name: str) -> str:
        """The cell of a tap's largest number, written as `derive` and `follow` take it; of several the first."""
        array = self.fetch((name,))[name]
        places = np.unravel_index(np.nanargmax(array), array.shape)
        return f"{name}[{','.join(map(str, places))}]"

    def to_xarray(self, name: str) -> "DataArray":
        """A tap with its dimensions by name, its tokens as their coordinates. Raises ImportError without xarray."""
        from xarray import DataArray

        named = ((dim, self.labels(name, dim)) for dim in self.dims(name))
        coords = {dim: list(labels) for dim, labels in named if labels}
        return DataArray(self.fetch((name,))[name], coords, self.dims(name), name)

    def dims(self, name: str) -> tuple[str, ...]:
        """The names of a tap's axes, for example ("head", "query", "key")."""
        if name not in self.tap_dims:
            raise UnknownTap("unknown_tap", tap=name, near=suggestion(name, self.tap_dims))
        return self.tap_dims[name]

    def labels(self, name: str, dim: str) -> tuple[str, ...] | None:
        """The tokens along one axis of a tap; None where the axis is not made of tokens."""
        if dim not in self.dims(name):
            raise KeyError(f"{name} has no dimension {dim}")
        side = self.side(name, dim)
        return tuple(token.text for token in side) if side else None

    def side(self, name: str, dim: str) -> tuple[Token, ...]:
        """The tokens, of source or target, along one axis of a tap; none where the axis is not made of tokens."""
        if dim == "target":
            return self.target_in
        if dim not in TOKENS:
            return ()
        kind = split(name)[0].kind
        return self.target_in if kind == "self" or (kind == "cross" and dim == "query") else self.tokens

    def tokens_at(self, place: Place) -> tuple[Token, ...]:
        """The tokens, of source or target, that pass a place."""
        taps = (tap for tap in self.tap_dims if tap.startswith(f"{place}."))
        return self.target_in if any("target" in self.tap_dims[tap] for tap in taps) else self.tokens

    def fetch(self, names: Iterable[str]) -> Mapping[str, np.ndarray]:
        """These taps, kept or not: those that were not come from whoever keeps them, else another pass is made over the
        same input, once.

        Raises InputError where nobody knows any more which model it was, UnknownTap for a name that is none.
        """
        names = tuple(names)
        for name in names:
            self.dims(name)
        missing = tuple(name for name in names if name not in self.arrays and name not in self.later)
        found: Mapping[str, np.ndarray] = self.later
        if missing and self.more:  # they are kept there, not here as well
            found = {**self.later, **self.more(missing)}
        elif missing:
            if self.by is None:
                raise InputError("no_model", model=self.model)
            self.later.update(taped(self.by, self.inputs, missing, self.edits))
        return {name: self.arrays[name] if name in self.arrays else found[name] for name in names}

    def before_edit(self, number: int, tap: str) -> "Tensor":
        """What passes a tap just before one of the run's edits, by its number, changes it: [1, ...], of a pass made for
        this. Raises InputError where nobody knows any more which model it was."""
        if self.by is None:
            raise InputError("no_model", model=self.model)
        seen: list[Tensor] = []

        def keep(x: "Tensor") -> "Tensor":
            seen.append(x.clone())
            return x

        edits = (*self.edits[:number], Edit("before", tap, keep), *self.edits[number:])
        taped(self.by, self.inputs, (tap,), edits)
        return seen[0]

    def beside(self, given: RunSpec, names: tuple[str, ...]) -> "Capture":
        """The run that was given this, with these taps: from whoever keeps such runs, or captured anew.

        Raises InputError where nobody knows any more which model this run was of, and as `capture` does.
        """
        if self.others:
            return self.others(given, names)
        if self.by is None:
            raise InputError("no_model", model=self.model)
        model = self.by if given.model in (None, self.model) else load_model(given.model)
        if given.norm not in (None, model.config.norm):  # as it was loaded it has the γ and β of all its norms
            model = rearranged(load_model(model.id), given.norm or "")
        text = self.text if given.text is None else given.text
        return capture(model, text, given.pair, given.pad_to, given.target, names, given.edits)

    @property
    def nbytes(self) -> int:
        """Memory the arrays hold; a tensor that passed two taps is counted once."""
        return sum({a.__array_interface__["data"][0]: a.nbytes for a in self.arrays.values()}.values())


def capture(
    model: Model,
    text: str,
    pair: str | None = None,
    pad_to: int | None = None,
    target: str | None = None,
    only: Sequence[str] | None = None,
    edits: "str | Edit | Iterable[str | Edit]" = (),
) -> Capture:
    """Run `text` (and `pair`, as a second segment) through `model` and keep what passes the taps.

    Too long a text is cut at the model's last position; `Capture.truncated` says by how many tokens.
    `pad_to` fills up to that many tokens. `only` is a tap-name pattern ("encoder.2.*") or several.
    A translator writes the translation greedily, then reads both once more with the tape running; `target` is a
    translation to read instead. `edits`, or their ids ("mute:encoder.3.9"), act while it writes, too.
    Raises InputError where there is no token, where `pad_to` is beyond the model's positions, for a pair where the
    model reads one text, for a target where it writes none, for a pattern that no tap's name matches, and for an edit
    that is none or that names a place the model does not have.
    """
    edits = fitting(model, edits)
    patterns = None if only is None else (only,) if isinstance(only, str) else tuple(only)
    for pattern in patterns or ():
        if not named_by(model, (pattern,)):
            raise InputError("unknown_pattern", pattern=pattern, near=suggestion(pattern, model.tap_dims))
    limit = model.config.positions
    if pad_to is not None and not 1 <= pad_to <= limit:
        raise InputError("pad_to_out_of_range", pad_to=pad_to, limit=limit)
    if model.words is None and target is not None:
        raise InputError("writes_nothing", model=model.id)
    if model.words is not None and pair is not None:
        raise InputError("reads_no_pair", model=model.id)
    trace = model.tokenizer.trace(text, pair, pad_to=pad_to, max_tokens=limit)
    if len(trace.tokens) == trace.padding:  # it adds nothing of its own, and nothing was typed
        raise InputError("no_tokens", model=model.id)
    output = None
    if model.words is not None:
        output = given(model.words, target) if target is not None else translated(model, text, edits)
    inputs = network_input(model, trace, output)
    run = Capture(
        model.id,
        text,
        pair,
        trace.tokens,
        trace.truncated,
        taped(model, inputs, patterns, edits),
        model.tap_dims,
        edits=edits,
        by=model,
        padding=trace.padding,
        inputs=inputs,
    )
    if output is None:
        return run
    return replace(run, target_in=output.row[:-1], target_out=output.row[1:], text_out=output.text, cut=output.cut)


def taped(
    model: Model, inputs: "tuple[Tensor, ...]", only: tuple[str, ...] | None, edits: Sequence[Edit]
) -> dict[str, np.ndarray]:
    """One pass: what went by the taps that `only` names, read-only. Where it names none, no pass is made; where it
    has names and no patterns, the pass ends behind the last of them: an early layer of a long text costs little. An
    edit that takes of another text may find that there is no such token, and it looks in every layer.
    """
    if only == ():
        return {}
    import torch

    from .model.taps import Enough, editing, recording

    brief = only is not None and set(only) <= set(model.tap_dims) and not any(edit.other for edit in edits)
    with torch.no_grad(), recording(only, brief) as tape, editing(edits), suppress(Enough):
        model.network(*inputs)
    arrays = tape.arrays
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def named_by(model: Model, patterns: Sequence[str]) -> tuple[str, ...]:
    """Those of the patterns that match some tap of this model."""
    return tuple(p for p in patterns if any(fnmatchcase(name, p) for name in model.tap_dims))


def fitting(model: Model, edits: "str | Edit | Iterable[str | Edit]") -> tuple[Edit, ...]:
    """These edits, or the edits with these ids, bound to the runs that they take from. Raises InputError for one that
    would change nothing in this model."""
    found = read(edits)
    for edit in found:
        edit.check(model.id, model.tap_dims, model.config)
    return tuple(bound(edit, model) for edit in found)


def bound(edit: Edit, model: Model) -> Edit:
    """An edit that puts in what the run of another text has there; any other as it is. Raises InputError where either
    run has no such token, or where no axis of the tap is made of tokens."""
    if edit.other is None:
        return edit
    text, token = edit.other
    dims = model.tap_dims[edit.pattern]
    axis = next((axis for axis, dim in enumerate(dims) if dim in TOKENS), None)
    if axis is None or set(dims[axis + 1 :]) & set(TOKENS):  # scores and weights are as long as their texts
        raise InputError("tap_without_rows", tap=edit.pattern, dims=", ".join(dims))
    there = capture(model, text, only=(edit.pattern,))[edit.pattern]

    def change(x: "Tensor") -> "Tensor":  # 1, …, token, …
        for count in (there.shape[axis], x.shape[axis + 1]):
            if token >= count:
                raise InputError("cell_outside", cell=f"{edit.pattern}[{token}]", shape=str(count))
        changed = x.clone()
        changed.select(axis + 1, token).copy_(changed.new_tensor(there.take(token, axis)))
        return changed

    return replace(edit, change=change)


def suggestion(name: object, known: Iterable[str]) -> str:
    """The few known names that look most like this one."""
    return ", ".join(get_close_matches(str(name), known, n=3, cutoff=0))


def network_input(model: Model, trace: Trace, output: "Translation | None" = None) -> "tuple[Tensor, ...]":
    """What a model's network asks for, each [1, n], of a traced text and, where it has a decoder for one, a target."""
    return network_rows(model, trace.tokens, trace.padding, output.row[:-1] if output else ())


def network_rows(
    model: Model, tokens: Sequence[Token], padding: int = 0, target: Sequence[Token] = ()
) -> "tuple[Tensor, ...]":
    """What a model's network asks for, each [1, n], of a row of tokens, so many of them padding at its end, and, where
    it has a decoder for one, of what that is given."""
    from torch import tensor

    real = len(tokens) - padding
    rows: dict[str, list] = {
        "ids": [token.id for token in tokens],
        "segments": [token.segment for token in tokens],
        "padding": [i >= real for i in range(len(tokens))],
        "target": [token.id for token in target],
        "target_padding": [False] * len(target),
    }
    return tuple(tensor([rows[name]]) for name in model.network.inputs)  # type: ignore[union-attr]


@dataclass(frozen=True)
class Translation:
    """A translation: as a sentence, as tokens from start to end, and whether it was cut."""

    text: str
    row: tuple[Token, ...]
    cut: bool


def given(words: Words, target: str) -> Translation:
    """A translation that somebody typed."""
    trace = words.trace(target)
    return Translation(target, trace.tokens, trace.truncated > 0)


def translated(model: Model, text: str, edits: Sequence[Edit] = ()) -> Translation:
    """The model's own translation, greedily."""
    last = decode(model, text, edits=edits).last
    return translation_of(model, last.best.ids, last.cut)


def translation_of(model: Model, ids: Sequence[int], cut: bool = False) -> Translation:
    """Ids as the decoder wrote them, the end token included where it got there, as sentence and tokens."""
    assert model.words is not None
    words = [id for id in ids if id != model.words.eos_id]
    pieces = [model.words.piece_of(id) for id in words]
    middle = (
        Token(piece, id, start, end, special=False, segment=0, word=index)
        for index, (piece, id, (start, end)) in enumerate(zip(pieces, words, places(pieces), strict=True))
    )
    row = (*model.words.added(model.words.front), *middle, *model.words.added(() if cut else model.words.back))
    return Translation(written(pieces), row, cut)


def decode(model: Model, text: str, width: int = 1, edits: "str | Edit | Iterable[str | Edit]" = ()) -> "Decoding":
    """The writing of a translation, to be walked through step by step: greedily, or keeping the best `width`.

    Raises InputError where the model writes nothing, and for edits as `capture` does.
    """
    from torch import tensor

    from .model.decoding import Decoding
    from .model.transformer import Transformer

    if model.words is None or not isinstance(model.network, Transformer):
        raise InputError("writes_nothing", model=model.id)
    trace = model.tokenizer.trace(text, max_tokens=model.config.positions)
    return Decoding(
        model.network,
        tensor([[token.id for token in trace.tokens]]),
        start=model.words.bos_id,
        end=model.words.eos_id,
        longest=model.words.longest - 1,
        width=width,
        edits=fitting(model, edits),
    )
