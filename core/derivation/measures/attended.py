"""Of weights of attention: averaged over heads, multiplied through layers (Abnar & Zuidema 2020), and under a mask."""

import numpy as np

from ...capture import Capture
from ...model.places import attention_at, split
from ...views.rollout import RESIDUAL, rollout
from ..operators import divided, mean, number, powers, total
from ..origins import Cell, Measure, Origin
from ..reading import array
from ..steps import Named, stepped, summed
from .kind import Kind, Steps, read, refused

RECEIVED = ("received_in", "received", "received_all", "received_each")
OVER_HEADS = ("shared", "mixed", "rolled", *RECEIVED)  # the head that their cell names stands for all


def at(what: Measure, word: str = "weights") -> tuple[int, int, int]:
    """Layer, row and key. Raises InputError for what is no such cell of the encoder, whose layers are multiplied."""
    of = what.of[0]
    place, own = split(of.name)
    if own != word or not place.kind or (what.kind in OVER_HEADS and place.kind != "encoder"):
        raise refused(what)
    return int(place.layer or 0), int(of.index[1] or 0), int(of.index[2] or 0)


def tap(layer: int) -> str:
    return attention_at("encoder", layer).tap("weights")


def layers(what: Measure) -> tuple[str, ...]:
    return tuple(map(tap, range(at(what)[0])))


def cell(layer: int, q: int, k: int) -> Cell:
    """A weight of all heads."""
    return Cell(tap(layer), (0, q, k))


# ---- of all heads


def means(run: Capture, layer: int) -> np.ndarray:
    """[query, key] in float64."""
    return array(run, Cell(tap(layer), (None, None, None))).mean(0, dtype=np.float64)


def shared(run: Capture, what: Measure) -> Steps:
    at(what)
    heads = Cell(what.of[0].name, (None, *what.of[0].index[1:]))
    return mean("all_sum", Named(read(run, heads), source=heads.at))


def mixed(run: Capture, what: Measure) -> Steps:
    """½ A + ½ I"""
    _, q, k = at(what)
    own, past = number(shared(run, what), Measure("shared", what.of)), RESIDUAL * (q == k)
    return (stepped("mixed", (1 - RESIDUAL) * float(own) + past, half=1 - RESIDUAL, mean=own, past=past),)


def rolled(run: Capture, what: Measure) -> Steps:
    """What this layer takes from each token, times what that had of the source already."""
    layer, q, k = at(what)
    if not layer:
        return mixed(run, what)
    below = rollout([means(run, i) for i in range(layer)])[-1][:, k]
    own = (1 - RESIDUAL) * means(run, layer)[q] + RESIDUAL * (np.arange(len(below)) == q)
    takes = Named(own, source=lambda i: Measure("mixed", (cell(layer, q, i),)))
    had = Named(below, source=lambda i: Measure("rolled", (cell(layer - 1, i, k),)))
    return (summed("rolled_sum", takes, had),)


# ---- of all heads, by all tokens, in all layers up to the one that is named: what keys are given


def received_in(run: Capture, what: Measure) -> Steps:
    """In one layer, by each token on average."""
    layer, _, k = at(what)
    column = means(run, layer)[:, k]
    return mean("given_sum", Named(column, source=lambda q: Measure("shared", (cell(layer, q, k),))))


def received(run: Capture, what: Measure) -> Steps:
    last, _, k = at(what)
    column = np.array([means(run, layer)[:, k].mean() for layer in range(last + 1)])
    return mean("layers_sum", Named(column, source=lambda layer: Measure("received_in", (cell(layer, 0, k),))))


def by_key(run: Capture, what: Measure) -> Steps:
    """Of several keys of the run at hand. Raises InputError for those of others."""
    if any(of.given for of in what.of):
        raise refused(what)
    each = [Measure("received", (of,)) for of in what.of]
    values = np.array([received(run, one)[-1].value for one in each])
    return mean("keys_sum", Named(values, source=lambda i: each[i]))


# ---- under a mask that lets the first keys through, up to the one that is named last


def along(run: Capture, of: Origin, first: int, last: int | None) -> Named:
    """[key] some keys of the row that a cell is in."""
    row = of.index[:2]
    values = array(run, of)[row][first:last].astype(np.float64)
    return Named(values, source=lambda i: Cell(of.name, (*row, first + i), of.given))


def hidden(run: Capture, what: Measure) -> Steps:
    """What the keys behind it have of the weight."""
    return (total("habit_sum", along(run, what.of[0], at(what)[2] + 1, None)),)


def masked(run: Capture, what: Measure) -> Steps:
    """softmax of the scores up to the last key. Raises InputError where the key lies behind it, or in another row."""
    (one, last), (_, _, key) = what.of, at(what, "scores")
    if one.name != last.name or one.index[:2] != last.index[:2] or key > int(last.index[2] or 0):
        raise refused(what)
    scores = along(run, one, 0, int(last.index[2] or 0) + 1)
    most = float(scores.values.max())
    added = powers("masked_sum", scores.values, scores, most, key)
    own = number(float(scores.values[key]), one)
    part = float(np.exp(float(own) - most)) / added.value
    return added, stepped("masked_share", part, score=own, most=most, total=added.value)


# ---- of words, each several tokens


def by_word(run: Capture, what: Measure) -> Steps:
    """From one word to another: all weights from the queries of the first, a group each, to the keys of the second,
    added up and divided by the number of queries. Raises InputError for what is no weight, and without groups."""
    taps = {of.name for of in what.of}
    if not what.groups or len(taps) != 1 or split(*taps)[1] != "weights":
        raise refused(what)
    weights = Named(np.array([read(run, of) for of in what.of]), source=lambda i: what.of[i])
    added = total("habit_sum", weights, 1)
    return added, divided("habit_mean", added, rows=len(what.groups))


# ---- of scores and weights of a whole head


def peaks(run: Capture, what: Measure) -> Steps:
    """The largest weight of a row, in the mean over the rows."""
    (of,) = what.of
    at(Measure("peaks", (Cell(of.name, (0, 0, 0)),)))
    weights = read(run, of)
    most = weights.argmax(-1)
    return mean("habit_sum", Named(weights.max(-1), source=lambda q: of.at(q, int(most[q]))))


KINDS = {
    "shared": Kind((0,), shared, terms="head"),
    "mixed": Kind((0,), mixed),
    "rolled": Kind((0,), rolled, reads=layers, terms="key"),
    "received_in": Kind((0,), received_in, terms="query"),
    "received": Kind((0,), received, reads=layers, terms="layer"),
    "received_all": Kind((0,), lambda run, what: by_key(run, what)[:1], reads=layers, terms="key", grouped=True),
    "received_each": Kind((0,), by_key, reads=layers, terms="key", grouped=True),
    "hidden": Kind((0,), hidden, terms="key"),
    "masked": Kind((0, 0), masked, terms="key"),
    "by_word": Kind((0,), by_word, terms="number", grouped=True),
    "peaks": Kind((2,), peaks, terms="number"),
}
