"""Of weights of attention: averaged over heads, multiplied through layers (Abnar & Zuidema 2020), and under a mask."""

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.many import mean_steps
from core.derivation.origins import Cell, Measure, Origin
from core.derivation.steps import Named, Step, Vector, summed, with_terms
from core.errors import InputError
from core.model.places import attention_at, split
from core.views.rollout import RESIDUAL, rollout

RECEIVED = ("received_in", "received", "received_all", "received_each")
OVER_HEADS = ("shared", "mixed", "rolled", *RECEIVED)  # the head that their cell names stands for all


def at(what: Measure, word: str = "weights") -> tuple[int, int, int]:
    """Layer, row and key. Raises InputError for what is no such cell of the encoder, whose layers are multiplied."""
    of = what.of[0]
    place, own = split(of.name)
    if own != word or not place.kind or (what.kind in OVER_HEADS and place.kind != "encoder"):
        raise InputError("not_a_cell", text=str(what)[:80])
    return int(place.layer or 0), int(of.index[1] or 0), int(of.index[2] or 0)


def tap(layer: int) -> str:
    return attention_at("encoder", layer).tap("weights")


def layers(what: Measure) -> tuple[str, ...]:
    return tuple(map(tap, range(at(what)[0])))


def cell(of: Origin, *index: int) -> Cell:
    return Cell(of.name, index, of.given)


# ---- of all heads


def means(run: Capture, layer: int) -> np.ndarray:
    """[query, key] in float64."""
    return array(run, Cell(tap(layer), (None, None, None))).mean(0, dtype=np.float64)


def shared(run: Capture, what: Measure) -> float:
    layer, q, k = at(what)
    return float(means(run, layer)[q, k])


def shared_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    _, q, k = at(what)
    each = array(run, what.of[0])[:, q, k].astype(np.float64)
    return mean_steps("all_sum", Named(each, source=lambda head: cell(what.of[0], head, q, k)))


def mixed(run: Capture, what: Measure) -> float:
    """½ A + ½ I"""
    _, q, k = at(what)
    return (1 - RESIDUAL) * shared(run, what) + RESIDUAL * (q == k)


def mixed_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    _, q, k = at(what)
    mean = Measure("shared", what.of)
    parts = {"half": 1 - RESIDUAL, "mean": shared(run, mean), "past": RESIDUAL * (q == k)}
    return (Step("mixed", mixed(run, what), parts, of={"mean": mean}),)


def rolled(run: Capture, what: Measure) -> float:
    layer, q, k = at(what)
    return float(rollout([means(run, i) for i in range(layer + 1)])[-1, q, k])


def rolled_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """What this layer takes from each token, times what that had of the source already."""
    layer, q, k = at(what)
    if not layer:
        return mixed_steps(run, Measure("mixed", what.of))
    below = rollout([means(run, i) for i in range(layer)])[-1][:, k]
    own = (1 - RESIDUAL) * means(run, layer)[q] + RESIDUAL * (np.arange(len(below)) == q)
    takes = Named(own, source=lambda i: Measure("mixed", (Cell(tap(layer), (0, q, i)),)))
    had = Named(below, source=lambda i: Measure("rolled", (Cell(tap(layer - 1), (0, i, k)),)))
    return (summed("rolled_sum", takes, had),)


# ---- of all heads, by all tokens, in all layers up to the one that is named: what keys are given


def received_in(run: Capture, what: Measure) -> float:
    """In one layer, by each token on average."""
    layer, _, k = at(what)
    return float(means(run, layer)[:, k].mean())


def received_in_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    layer, _, k = at(what)
    return mean_steps(
        "given_sum", Named(means(run, layer)[:, k], source=lambda q: Measure("shared", (key(layer, k, q),)))
    )


def key(layer: int, k: int, query: int = 0) -> Cell:
    return Cell(tap(layer), (0, query, k))


def received(run: Capture, what: Measure) -> float:
    return float(in_layers(run, what).values.mean())


def in_layers(run: Capture, what: Measure) -> Named:
    last, _, k = at(what)
    each = [Measure("received_in", (key(layer, k),)) for layer in range(last + 1)]
    return Named(np.array([received_in(run, one) for one in each]), source=lambda layer: each[layer])


def received_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("layers_sum", in_layers(run, what))


def by_key(run: Capture, what: Measure) -> Named:
    """Of several keys of the run at hand. Raises InputError for those of others."""
    if any(of.given for of in what.of):
        raise InputError("not_a_cell", text=str(what)[:80])
    each = [Measure("received", (of,)) for of in what.of]
    return Named(np.array([received(run, one) for one in each]), source=lambda i: each[i])


def received_all(run: Capture, what: Measure) -> float:
    return float(by_key(run, what).values.sum())


def received_all_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("keys_sum", by_key(run, what))[:1]


def received_each(run: Capture, what: Measure) -> float:
    return float(by_key(run, what).values.mean())


def received_each_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("keys_sum", by_key(run, what))


# ---- under a mask that lets the first keys through, up to the one that is named last


def hidden(run: Capture, what: Measure) -> float:
    """What the keys behind it have of the weight."""
    _, q, last = at(what)
    return float(array(run, what.of[0])[what.of[0].index[0], q, last + 1 :].sum())


def hidden_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of, (_, q, last) = what.of[0], at(what)
    head = int(of.index[0] or 0)
    row = array(run, of)[head, q, last + 1 :].astype(np.float64)
    each = Named(row, source=lambda i: cell(of, head, q, last + 1 + i))
    return (with_terms(Step("habit_sum", float(row.sum())), row, each, each),)


def masked(run: Capture, what: Measure) -> float:
    """softmax of the scores up to the last key. Raises InputError where the key lies behind it, or in another row."""
    (one, last), (_, q, key) = what.of, at(what, "scores")
    if one.name != last.name or one.index[:2] != last.index[:2] or key > int(last.index[2] or 0):
        raise InputError("not_a_cell", text=str(what)[:80])
    scores = array(run, one)[one.index[0], q, : int(last.index[2] or 0) + 1].astype(np.float64)
    powers = np.exp(scores - scores.max())
    return float(powers[key] / powers.sum())


def masked_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (one, last), (_, q, key) = what.of, at(what, "scores")
    head = int(one.index[0] or 0)
    scores = array(run, one)[head, q, : int(last.index[2] or 0) + 1].astype(np.float64)
    powers = np.exp(scores - scores.max())
    each, total = Named(scores, source=lambda i: cell(one, head, q, i)), float(powers.sum())
    added = with_terms(Step("masked_sum", total), powers, each, Vector(np.full(len(scores), scores.max())), focus=key)
    parts = {"score": float(scores[key]), "most": float(scores.max()), "total": total}
    return added, Step("masked_share", float(powers[key]) / total, parts, of={"score": one})


# ---- of scores and weights of a whole head


def peaks(run: Capture, what: Measure) -> float:
    """The largest weight of a row, in the mean over the rows."""
    at(Measure("peaks", (Cell(what.of[0].name, (0, 0, 0)),)))
    return float(read(run, what.of[0]).max(-1).mean(dtype=np.float64))


def peaks_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    weights, of = read(run, what.of[0]).astype(np.float64), what.of[0]
    most = weights.argmax(-1)
    each = Named(weights.max(-1), source=lambda q: cell(of, int(of.index[0] or 0), q, int(most[q])))
    return mean_steps("habit_sum", each)


KINDS = {
    "shared": Kind((0,), shared, shared_steps, terms="head"),
    "mixed": Kind((0,), mixed, mixed_steps),
    "rolled": Kind((0,), rolled, rolled_steps, reads=layers, terms="key"),
    "received_in": Kind((0,), received_in, received_in_steps, terms="query"),
    "received": Kind((0,), received, received_steps, reads=layers, terms="layer"),
    "received_all": Kind((0,), received_all, received_all_steps, reads=layers, terms="key", grouped=True),
    "received_each": Kind((0,), received_each, received_each_steps, reads=layers, terms="key", grouped=True),
    "hidden": Kind((0,), hidden, hidden_steps, terms="key"),
    "masked": Kind((0, 0), masked, masked_steps, terms="key"),
    "peaks": Kind((2,), peaks, peaks_steps, terms="number"),
}
