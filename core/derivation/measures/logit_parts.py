"""What a part of the model adds to a logit, or to the gap between two (core.views.circuits); and a state on the way,
read as if it were the last.

A state x is read through the norm at the end and a row of the table: Σ x · r ÷ √(spread + ε), where r = γ · E[word],
less γ · E[against] where two words are compared, and where the norm takes off a mean, less the mean of all that. The
spread is the last state's own: it is held, whatever the part.
"""

import math
from dataclasses import replace

import numpy as np

from ...capture import Capture
from ...model.places import split
from ...views.circuits import END, Part, contributions, taps
from ...zoo import Model
from ..flow import ROWS, Flow
from ..operators import divided, number, total
from ..origins import Cell, Measure, Origin, Weight
from ..reading import array
from ..rules import norm
from ..rules.softmax import made
from ..steps import Named, Step, Vector, stepped, summed
from .kind import Kind, Steps, read, refused

SEVERAL = ("head", "feedforward")  # kinds of parts of which there are many
SPREADS = {"rms": "mean_square", "layer": "variance"}
GAMMA, BETA = f"{END}.gamma", f"{END}.beta"


def of_part(model: Model, part: Part, token: int, word: int, against: int | None = None) -> Measure:
    """What a part adds after a token, as a measure."""
    ids = (word,) if against is None else (word, against)
    spread = Cell(END.tap(SPREADS[model.config.normalization]), (token,))
    rows = (spread, *(Weight(model.rows, (id, None)) for id in ids))
    stack = model.stacks[END.stack]
    if part.kind == "embedding":
        return Measure("adds", (Cell(stack.entrance, (token, None)), *rows))
    if part.layer is None:
        return Measure("adds_end", (Weight(BETA, (None,)), *rows[1:]))
    places = [place for place in stack.sublayers if place.layer == part.layer]
    place = next(place for place in places if (place.part == "feedforward") == (part.kind == "feedforward"))
    if part.kind == "head":
        return Measure("adds_head", (Cell(place.tap("weights"), (part.head, token, None)), *rows))
    if part.kind == "bias":
        return Measure("adds", (Weight(f"{place}.to_output.bias", (None,)), *rows))
    return Measure("adds", (Cell(place.tap("output"), (token, None)), *rows))


# ---- the row a state is read by


def of_table(rows: tuple[Origin, ...]) -> bool:
    return all(isinstance(row, Weight) and row.name in ROWS for row in rows)


def gap(rows: list[Vector]) -> np.ndarray:
    return rows[0].values - (rows[1].values if len(rows) > 1 else 0)


def sought(run: Capture, rows: tuple[Origin, ...]) -> Named:
    """[d_model] r: each number of it is a measure, too."""
    gamma = Weight(GAMMA, (None,))
    scaled = read(run, gamma) * gap([Vector(read(run, row), row) for row in rows])
    if Flow.of(run).config.normalization == "layer":
        scaled = scaled - scaled.mean()
    return Named(scaled, source=lambda i: Measure("sought", (gamma.at(i), *(row.at(i) for row in rows))))


def one_sought(run: Capture, what: Measure) -> Steps:
    """One number of r."""
    gamma, *rows = what.of
    scale, words = number(float(read(run, gamma)), gamma), [Vector(read(run, row), row) for row in rows]
    steps, row = [], words[0]
    if len(words) == 2:
        steps = [between(*words)]
        row = number(steps[0].value, None)
    if Flow.of(run).config.normalization == "rms":
        return *steps, stepped("sought", float(scale) * float(row), gamma=scale, row=row)
    whole = tuple(replace(row, index=(row.index[0], None)) for row in rows)
    gammas = Vector(read(run, replace(gamma, index=(None,))), replace(gamma, index=(None,)))
    each = Vector(gap([Vector(read(run, row)) for row in whole]), whole[0] if len(whole) == 1 else None)
    added = total("sought_sum", gammas, each, terms=gammas.values * each.values)
    mean = divided("mean_of", added, n=len(each))
    value = float(scale) * float(row) - mean.value
    return *steps, added, mean, stepped("sought_centred", value, gamma=scale, row=row, mean=mean.value)


def between(one: Vector, other: Vector) -> Step:
    return stepped("gap_between", float(one) - float(other), one=one, other=other)


# ---- what a part adds


def well_formed(what: Measure) -> bool:
    """A state, a bias or a column; the spread; one word of the table or two."""
    _, spread, *rows = what.of
    named = isinstance(spread, Cell) and split(spread.name)[0] == END
    return named and len(rows) in (1, 2) and of_table(tuple(rows))


def divisor(run: Capture, spread: Origin) -> float:
    return math.sqrt(float(read(run, spread)) + Flow.of(run).config.epsilon)


def adds(run: Capture, what: Measure) -> Steps:
    x, spread, *rows = what.of
    return through_end(run, Vector(read(run, x), x), spread, tuple(rows))


def through_end(run: Capture, x: Vector, spread: Origin, rows: tuple[Origin, ...]) -> Steps:
    r = sought(run, rows)
    if len(x) != len(r):
        raise refused(Measure("adds", (x.of or spread,)))
    added = summed("adds_sum", x, r)
    under = number(float(read(run, spread)), spread)
    epsilon = norm.written(Flow.of(run).config.epsilon)
    value = added.value / divisor(run, spread)
    return added, stepped("adds", value, sum=added.value, spread=under, epsilon=epsilon)


def column(run: Capture, of: Origin) -> Vector:
    """[d_model] what one number of a head's context is written as: the index names it last."""
    place = int(of.index[1] or 0)
    values = array(run, of)[:, place].astype(np.float64)
    return Named(values, source=lambda i: Weight(of.name, (i, place)))


def adds_unit(run: Capture, what: Measure) -> Steps:
    """What one number of a head's context would add if it were 1."""
    line, spread, *rows = what.of
    if not line.name.endswith("to_output.weight"):
        raise refused(line)
    return through_end(run, column(run, line), spread, tuple(rows))


def offers(run: Capture, what: Measure) -> Steps:
    """What a head would add if it looked at one key alone: v · W^O, read so."""
    head, spread, *rows = what.of
    _, values, worth = offered(run, head, spread, tuple(rows))
    key = int(head.index[2] or 0)
    v = replace(values, index=(values.index[0], key, None))
    return (summed("offers_sum", Vector(read(run, v), v), worth),)


def offered(run: Capture, head: Origin, spread: Origin, rows: tuple[Origin, ...]) -> tuple[np.ndarray, Cell, Named]:
    """[key] what each key offers; the tap of their values; [d_head] what each number of a value is worth."""
    place, word = split(head.name)
    if word != "weights" or not place.kind:
        raise refused(head)
    flow, at = Flow.of(run), int(head.index[0] or 0)
    values = Cell(place.tap("value"), (flow.group(at), None, None))
    x, d_head = read(run, values), flow.config.d_head
    matrix, first = f"{place}.to_output.weight", at * flow.config.d_head
    block = array(run, Weight(matrix, (None, None)))[:, first : first + d_head].astype(np.float64)
    worth = block.T @ sought(run, rows).values / divisor(run, spread)

    def source(i: int) -> Measure:
        return Measure("adds_unit", (Weight(matrix, (0, first + i)), spread, *rows))

    return x @ worth, values, Named(worth, source=source)


def adds_head(run: Capture, what: Measure) -> Steps:
    """Σ weight · what the key offers."""
    head, spread, *rows = what.of
    each, _, _ = offered(run, head, spread, tuple(rows))
    keys = Named(each, source=lambda key: Measure("offers", (head.at(key), spread, *rows)))
    return (summed("adds_keys", Vector(read(run, head), head), keys),)


def at_end(what: Measure) -> bool:
    beta, *rows = what.of
    return beta.name == BETA and len(rows) in (1, 2) and of_table(tuple(rows))


def adds_end(run: Capture, what: Measure) -> Steps:
    """What the norm at the end adds by itself: β · E[word]."""
    beta, *rows = what.of
    words = [Vector(read(run, row), row) for row in rows]
    each = (
        words[0]
        if len(words) == 1
        else Named(gap(words), source=lambda i: Measure("gap", tuple(r.at(i) for r in rows)))
    )
    return (summed("adds_end", Vector(read(run, beta), beta), each),)


# ---- all of them, and the gap itself


def of_logits(what: Measure) -> bool:
    return len(what.of) in (1, 2) and all(of.name == "output.logits" for of in what.of)


def all_parts(run: Capture, what: Measure) -> Steps:
    """Every part's, added up; or those of one kind."""
    _, _, kind = what.kind.partition("_")
    ids = [int(of.index[1] or 0) for of in what.of]
    token = int(what.of[0].index[0] or 0)
    model = Flow.of(run).model
    known = replace(run, arrays=run.fetch(taps(model)))
    found = contributions(known, model, token, *ids)
    parts = [i for i, part in enumerate(found.parts) if kind in ("", part.kind)]
    each = Named(found.values[parts], source=lambda i: of_part(model, found.parts[parts[i]], token, *ids))
    return (total("parts_sum", each),)


def captured(run: Capture, what: Measure) -> float:
    """The logit as the model had it, or the gap."""
    one, *other = (float(read(run, of)) for of in what.of)
    return one - sum(other)


def apart(run: Capture, what: Measure) -> Steps:
    one, other = (number(float(read(run, of)), of) for of in what.of)
    return (between(one, other),)


# ---- a state read as if it were the last


def a_state(what: Measure) -> bool:
    state, row = what.of
    return isinstance(state, Cell) and of_table((row,))


def spread_steps(run: Capture, x: Vector) -> Steps:
    """What the norm at the end would divide this state by, before its root."""
    if Flow.of(run).config.normalization == "rms":
        return (norm.mean_square(x),)
    mean = norm.mean(x)
    return mean, norm.variance(x, mean.value)


def lens_logit(run: Capture, what: Measure) -> Steps:
    state, row = what.of
    x, r = Vector(read(run, state), state), sought(run, (row,))
    if len(x) != len(r):
        raise refused(what)
    steps, added = spread_steps(run, x), summed("adds_sum", x, r)
    epsilon = Flow.of(run).config.epsilon
    value = added.value / math.sqrt(steps[-1].value + epsilon)
    said = {"sum": added.value, "spread": steps[-1].value, "epsilon": norm.written(epsilon)}
    read_so = (*steps, added, Step("adds", value, said))
    if Flow.of(run).config.normalization == "rms":
        return read_so
    shift = adds_end(run, Measure("adds_end", (Weight(BETA, (None,)), row)))[0]
    return *read_so, shift, Step("lens_moved", value + shift.value, {"read": value, "shift": shift.value})


def lens(run: Capture, what: Measure) -> Steps:
    """How likely a word is as a state has it."""
    state, row = what.of
    x, E = read(run, state), array(run, row)
    gamma = read(run, Weight(GAMMA, (None,)))
    if x.shape != gamma.shape:
        raise refused(what)
    layer = Flow.of(run).config.normalization == "layer"
    centred = x - x.mean() if layer else x
    y = gamma * centred / math.sqrt(float(np.square(centred).mean()) + Flow.of(run).config.epsilon)
    y = y + read(run, Weight(BETA, (None,))) if layer else y
    logits = E @ y.astype(np.float32)  # the table is large: as the model multiplies it

    def source(id: int) -> Measure:
        return Measure("lens_logit", (state, Weight(row.name, (id, None), row.given)))

    return tuple(made(Named(logits.astype(np.float64), source=source), int(row.index[0] or 0)))


KINDS = {
    "adds": Kind((1, 0, 1, 1), adds, well_formed, optional=1),
    "adds_head": Kind((1, 0, 1, 1), adds_head, well_formed, terms="key", optional=1),
    "adds_unit": Kind((0, 0, 1, 1), adds_unit, well_formed, optional=1),
    "adds_end": Kind((1, 1, 1), adds_end, at_end, optional=1),
    "offers": Kind((0, 0, 1, 1), offers, well_formed, optional=1),
    "sought": Kind((0, 0, 0), one_sought, optional=1),
    "parts": Kind((0, 0), all_parts, of_logits, terms="part", optional=1, held=captured),
    **{f"parts_{kind}": Kind((0, 0), all_parts, of_logits, terms="part", optional=1) for kind in SEVERAL},
    "gap": Kind((0, 0), apart),
    "lens_logit": Kind((1, 1), lens_logit, a_state),
    "lens": Kind((1, 1), lens, a_state, terms="word"),
}
