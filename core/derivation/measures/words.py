"""What a run of a model that writes says of words: how likely one is as a state is read through the table, what it
leaves to all others, and how likely a whole translation is."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ...capture import Capture
from ..flow import ROWS
from ..operators import mean, number, powers, ratio, total
from ..origins import Cell, Measure, Origin, Source, Weight
from ..reading import array
from ..rules.softmax import made
from ..steps import Named, Step, Vector, stepped
from .kind import Kind, Steps, of_rows, read, refused

LIKELY = "output.probabilities"
WARM = "warm_"  # before a temperature
TEMPERATURES = (50, 125, 150, 200, 400)  # T in hundredths; at 1 the model's own are kept


def of_words(what: Measure) -> bool:
    return all(isinstance(of, Cell) and of.name == LIKELY for of in what.of)


# ---- read through the table


def through_table(what: Measure) -> bool:
    """A state, and a row of the table."""
    state, row = what.of
    return isinstance(state, Cell) and isinstance(row, Weight) and row.name in ROWS


def through(run: Capture, state: Origin, table: Origin) -> Named:
    """[vocab] x Eᵀ, the logits of a state. Raises InputError for a state of another width."""
    E, x = array(run, table), read(run, state)
    if x.shape != E.shape[1:]:
        raise refused(Measure("chance", (state, table)))

    def source(id: int) -> Measure:
        return Measure("dot", (state, Weight(table.name, (id, None), table.given)))

    return Named(E.astype(np.float64) @ x, source=source)


def chances(run: Capture, state: Origin, rows: Sequence[Origin]) -> list[Steps]:
    """softmax(x Eᵀ), of some rows of the table E."""
    logits = through(run, state, rows[0])
    return [tuple(made(logits, int(row.index[0] or 0))) for row in rows]


def chance(run: Capture, what: Measure) -> Steps:
    return chances(run, what.of[0], what.of[1:])[0]


# ---- at another temperature


def of_logits(what: Measure) -> bool:
    return all(isinstance(of, Cell) and of.name == "output.logits" for of in what.of)


def temperature_of(what: Measure) -> float:
    return float(what.kind.rpartition("_")[2]) / 100


def warm(run: Capture, what: Measure) -> Steps:
    """The share of a word by e^(z ÷ T) among those whose logit is as large as another, or larger."""
    return warmed(*kept_of(run, what), temperature_of(what))


def warm_chance(run: Capture, what: Measure) -> Steps:
    """The same among all words, of a state that is read through the table."""
    state, row = what.of
    logits, id = through(run, state, row), int(row.index[0] or 0)
    return warmed(logits, number(logits.values[id], logits.origin(id)), temperature_of(what))


def warmed(logits: Vector, own: Vector, T: float) -> Steps:
    exponents = logits.values / T
    said = {"words": f"{len(logits):,}", "largest": float(exponents.max()), "T": f"{T:g}"}
    added = powers("warm_total", exponents, logits, T, **said)
    share = math.exp(float(own) / T - exponents.max()) / added.value
    return added, stepped("warm_share", share, own=own, T=said["T"], largest=said["largest"], total=added.value)


# ---- what words leave to all others


def rest(x: Vector) -> Steps:
    return (stepped("left_over", 1 - float(x), x=x),)


def rest_of_all(run: Capture, what: Measure) -> Steps:
    """What several words of one row leave to all others. Raises InputError for words of two rows, and for one twice."""
    if len({(of.given, of.index[0]) for of in what.of}) > 1:
        raise refused(what)
    return left_by(what, what.of, lambda: [float(read(run, of)) for of in what.of])


def rest_read(run: Capture, what: Measure) -> Steps:
    """Of a state that is read through the table: it is named first, then a row of the table for each word. Raises
    InputError for others, and for one twice."""
    state, *rows = what.of
    each = [Measure("chance", (state, row)) for row in rows]
    if not all(map(through_table, each)):
        raise refused(what)
    return left_by(what, each, lambda: [steps[-1].value for steps in chances(run, state, rows)])


def rest_warm(run: Capture, what: Measure) -> Steps:
    """At another temperature. The least word that is kept is named first. Raises InputError for one twice."""
    least, *words = what.of
    each = [Measure(what.kind.removeprefix("rest_"), (word, least)) for word in words]
    return left_by(what, each, lambda: [warm(run, one)[-1].value for one in each])


def left_by(what: Measure, each: Sequence[Source], values: Callable[[], list[float]]) -> Steps:
    """1 − what these words have. Raises InputError for none, and for one twice."""
    if not each or len(set(each)) < len(each):
        raise refused(what)
    added = total("shown_sum", Named(np.array(values()), source=lambda i: each[i]), 1)
    return added, Step("shown_rest", 1 - added.value, {"sum": added.value})


# ---- shared out anew


def kept(run: Capture, what: Measure) -> Steps:
    """The share of one word among those that are as likely as another, or likelier."""
    row, own = kept_of(run, what)
    added = total("kept_sum", row, 1)
    return added, ratio("kept_share", own=own, total=added.value)


def kept_of(run: Capture, what: Measure) -> tuple[Named, Vector]:
    """Of a word and the least one that is kept: the numbers of all that are kept, and the word's own. Raises InputError
    for words of two rows, and for a word that is not kept."""
    word, least = what.of
    own, last = (float(read(run, of)) for of in what.of)
    if word.index[0] != least.index[0] or word.given != least.given or own < last:
        raise refused(what)
    row = array(run, word)[word.index[0]].astype(np.float64)
    ids = np.flatnonzero(row >= last)
    kept = Named(row[ids], source=lambda i: Cell(word.name, (word.index[0], int(ids[i])), word.given))
    return kept, number(own, word)


# ---- whole translations


def written(run: Capture, of: Origin) -> Named:
    """[row] the probability of the word that the target has in each row, up to the one that is named. Raises InputError
    beyond the last word."""
    if of.given is not None:
        run = run.beside(of.given, (LIKELY,))
    last = of.index[0]
    ids = [token.id for token in run.target_out][: None if last is None else last + 1]
    if not ids or (last is not None and last >= len(ids)):
        raise refused(of)
    values = run.fetch((LIKELY,))[LIKELY][np.arange(len(ids)), ids]
    return Named(values.astype(np.float64), source=lambda i: Cell(LIKELY, (i, ids[i]), of.given))


def logs(run: Capture, of: Origin) -> Step:
    """ln of the product of the probabilities, up to a row."""
    words = written(run, of)
    return total("path_sum", words, 1, terms=np.log(words.values))


def score(run: Capture, what: Measure) -> Steps:
    """Over what its length counts for, so that long ones are not at a loss (core.model.decoding.Beam)."""
    from ...model.decoding import counts_for

    added = logs(run, what.of[0])
    length = counts_for(added.count)
    counted = Step("path_length", length, {"n": str(added.count)})
    return added, counted, ratio("path_score", sum=added.value, length=length)


def likelier(run: Capture, what: Measure) -> Steps:
    """How many times as likely one translation is as another."""
    one, other = (number(logs(run, of).value, Measure("path", (of,))) for of in what.of)
    return (stepped("likelier", math.exp(float(one) - float(other)), one=one, other=other),)


def loss(run: Capture, what: Measure) -> Steps:
    """Cross-entropy: the mean of −ln p."""
    added = logs(run, what.of[0])
    return added, Step("loss", -added.value / added.count, {"sum": added.value, "n": str(added.count)})


KINDS = {
    "chance": Kind((1, 1), chance, through_table, terms="word"),
    "rest": Kind((0,), of_rows(rest), of_words),
    "rest_of_all": Kind((0,), rest_of_all, of_words, terms="word", grouped=True),
    **{f"{WARM}{T}": Kind((0, 0), warm, of_logits, terms="word") for T in TEMPERATURES},
    **{f"{WARM}chance_{T}": Kind((1, 1), warm_chance, through_table, terms="word") for T in TEMPERATURES},
    "rest_read": Kind((1,), rest_read, terms="word", grouped=True),
    **{f"rest_{WARM}{T}": Kind((0,), rest_warm, of_logits, terms="word", grouped=True) for T in TEMPERATURES},
    "kept": Kind((0, 0), kept, of_words, terms="word"),
    "path": Kind((1,), lambda run, what: (logs(run, what.of[0]),), of_words, terms="word"),
    "score": Kind((1,), score, of_words, terms="word"),
    "likelier": Kind((1, 1), likelier, of_words),
    "loss": Kind((2,), loss, of_words, terms="word"),
    "right": Kind((2,), lambda run, what: mean("right_sum", written(run, what.of[0])), of_words, terms="word"),
}
