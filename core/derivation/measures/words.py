"""What a run of a model that writes says of words: how likely one is as a state is read through the table, what it
leaves to all others, and how likely a whole translation is."""

import math
from collections.abc import Sequence

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.flow import TABLE
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.many import mean_steps
from core.derivation.measures.maps import dot
from core.derivation.origins import Cell, Measure, Origin, Source, Weight
from core.derivation.rules.softmax import made
from core.derivation.steps import Named, Step, Vector, stepped, with_terms
from core.errors import InputError

LIKELY = "output.probabilities"
WARM = "warm_"  # before a temperature
TEMPERATURES = (50, 125, 150, 200, 400)  # T in hundredths; at 1 the model's own are kept


def of_words(what: Measure) -> bool:
    return all(isinstance(of, Cell) and of.name == LIKELY for of in what.of)


# ---- read through the table


def through_table(what: Measure) -> bool:
    """A state, and a row of the table."""
    state, row = what.of
    return isinstance(state, Cell) and isinstance(row, Weight) and row.name == TABLE


def chance(run: Capture, what: Measure) -> float:
    """softmax(x Eᵀ): of one row of the table E."""
    state, row = what.of
    dot(run, what)  # or there is none
    logits = array(run, row) @ read(run, state)
    powers = np.exp(logits - logits.max())
    return float(powers[int(row.index[0] or 0)] / powers.sum())


def chance_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    state, row = what.of
    logits = array(run, row).astype(np.float64) @ read(run, state).astype(np.float64)

    def source(id: int) -> Measure:
        return Measure("dot", (state, Weight(row.name, (id, None), row.given)))

    at = int(row.index[0] or 0)
    *before, last = made(Named(logits, source=source), at)
    return *before, Step(last.id, last.value, last.parts, of={"score": source(at)})


# ---- probabilities that were captured


def rest(run: Capture, what: Measure) -> float:
    return 1 - float(read(run, what.of[0]))


def rest_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of,) = what.of
    x = Vector.read(array(run, of), of)
    return (stepped("left_over", 1 - float(x), x=x),)


def rest_of_all(run: Capture, what: Measure) -> float:
    """What several words of one row leave to all others. Raises InputError for words of two rows, and for one twice."""
    if len({(of.given, of.index[0]) for of in what.of}) > 1 or len(set(what.of)) < len(what.of):
        raise InputError("not_a_cell", text=str(what)[:80])
    return 1 - math.fsum(float(read(run, of)) for of in what.of)


def rest_of_all_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return left_by(what.of, [float(read(run, of)) for of in what.of])


# ---- at another temperature


def of_logits(what: Measure) -> bool:
    return all(isinstance(of, Cell) and of.name == "output.logits" for of in what.of)


def temperature_of(what: Measure) -> float:
    return float(what.kind.rpartition("_")[2]) / 100


def warm(run: Capture, what: Measure) -> float:
    """The share of a word by e^(z ÷ T) among those whose logit is as large as another, or larger."""
    (kept, own), T = kept_of(run, what), temperature_of(what)
    return float(np.exp((own - kept.values.max()) / T) / np.exp((kept.values - kept.values.max()) / T).sum())


def warm_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (kept, own), T = kept_of(run, what), temperature_of(what)
    largest = float(kept.values.max()) / T
    powers = np.exp(kept.values / T - largest)
    total = float(powers.sum())
    said = {"words": f"{len(kept):,}", "largest": largest, "T": f"{T:g}"}
    added = with_terms(Step("warm_total", total, said), powers, kept, Vector(np.full(len(kept), T)))
    parts = {"own": own, "T": f"{T:g}", "largest": largest, "total": total}
    return added, Step("warm_share", math.exp(own / T - largest) / total, parts, of={"own": what.of[0]})


# ---- what words leave to all others, where it was not captured


def rest_read(run: Capture, what: Measure) -> float:
    """Of a state that is read through the table."""
    return 1 - math.fsum(chance(run, each) for each in words_read(what))


def rest_read_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return left_by(words_read(what), [chance(run, each) for each in words_read(what)])


def words_read(what: Measure) -> list[Measure]:
    """The state is named first, then a row of the table for each word. Raises InputError for others, and for one
    twice."""
    state, *rows = what.of
    each = [Measure("chance", (state, row)) for row in rows]
    if not all(map(through_table, each)):
        raise InputError("not_a_cell", text=str(what)[:80])
    return of_different(what, each)


def rest_warm(run: Capture, what: Measure) -> float:
    """At another temperature."""
    return 1 - math.fsum(warm(run, each) for each in words_warm(what))


def rest_warm_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return left_by(words_warm(what), [warm(run, each) for each in words_warm(what)])


def words_warm(what: Measure) -> list[Measure]:
    """The least word that is kept is named first. Raises InputError for one twice."""
    least, *words = what.of
    return of_different(what, [Measure(what.kind.removeprefix("rest_"), (word, least)) for word in words])


def of_different(what: Measure, each: list[Measure]) -> list[Measure]:
    if not each or len(set(each)) < len(each):
        raise InputError("not_a_cell", text=str(what)[:80])
    return each


def left_by(each: Sequence[Source], values: Sequence[float]) -> tuple[Step, ...]:
    """1 − what these words have."""
    named = Named(np.array(values), source=lambda i: each[i])
    total = float(named.values.sum())
    added = with_terms(Step("shown_sum", total), named.values, named, Vector(np.ones(len(each))))
    return added, Step("shown_rest", 1 - total, {"sum": total})


def kept(run: Capture, what: Measure) -> float:
    """The share of one word among those that are as likely as another, or likelier."""
    row, own = kept_of(run, what)
    return float(own / row.values.sum())


def kept_of(run: Capture, what: Measure) -> tuple[Named, float]:
    """Of a word and the least one that is kept: the numbers of all that are kept, and the word's own. Raises InputError
    for words of two rows, and for a word that is not kept."""
    word, least = what.of
    own, last = (float(read(run, of)) for of in what.of)
    if word.index[0] != least.index[0] or word.given != least.given or own < last:
        raise InputError("not_a_cell", text=str(what)[:80])
    row = array(run, word)[word.index[0]].astype(np.float64)
    ids = np.flatnonzero(row >= last)
    return Named(row[ids], source=lambda i: Cell(word.name, (word.index[0], int(ids[i])), word.given)), own


def kept_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    row, own = kept_of(run, what)
    total = float(row.values.sum())
    added = with_terms(Step("kept_sum", total), row.values, row, Vector(np.ones(len(row))))
    return added, Step("kept_share", own / total, {"own": own, "total": total}, of={"own": what.of[0]})


# ---- whole translations


def written(run: Capture, of: Origin) -> Named:
    """[row] the probability of the word that the target has in each row, up to the one that is named. Raises InputError
    beyond the last word."""
    if of.given is not None:
        run = run.beside(of.given, (LIKELY,))
    last = of.index[0]
    ids = [token.id for token in run.target_out][: None if last is None else last + 1]
    if not ids or (last is not None and last >= len(ids)):
        raise InputError("not_a_cell", text=str(of)[:80])
    values = run.fetch((LIKELY,))[LIKELY][np.arange(len(ids)), ids]
    return Named(values.astype(np.float64), source=lambda i: Cell(LIKELY, (i, ids[i]), of.given))


def path(run: Capture, what: Measure) -> float:
    """ln of the product of the probabilities, up to a row."""
    return math.fsum(map(math.log, written(run, what.of[0]).values))


def path_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    words = written(run, what.of[0])
    logs = np.log(words.values)
    return (with_terms(Step("path_sum", float(logs.sum())), logs, words, Vector(np.ones(len(words)))),)


def score(run: Capture, what: Measure) -> float:
    """Over what its length counts for, so that long ones are not at a loss (core.model.decoding.Beam)."""
    from core.model.decoding import counts_for

    return path(run, what) / counts_for(len(written(run, what.of[0])))


def score_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    from core.model.decoding import counts_for

    (added,) = path_steps(run, what)
    length = counts_for(added.count)
    counted = Step("path_length", length, {"n": str(added.count)})
    return added, counted, Step("path_score", added.value / length, {"sum": added.value, "length": length})


def likelier(run: Capture, what: Measure) -> float:
    """How many times as likely one translation is as another."""
    one, other = (path(run, Measure("path", (of,))) for of in what.of)
    return math.exp(one - other)


def likelier_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    logs = {name: Measure("path", (of,)) for name, of in zip(("one", "other"), what.of, strict=True)}
    found = {name: path_steps(run, of)[0].value for name, of in logs.items()}
    return (Step("likelier", math.exp(found["one"] - found["other"]), found, of=logs),)


def loss(run: Capture, what: Measure) -> float:
    """Cross-entropy: the mean of −ln p."""
    return -float(np.log(written(run, what.of[0]).values).mean())


def loss_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (added,) = path_steps(run, what)
    return added, Step("loss", -added.value / added.count, {"sum": added.value, "n": str(added.count)})


def right(run: Capture, what: Measure) -> float:
    return float(written(run, what.of[0]).values.mean())


def right_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("right_sum", written(run, what.of[0]))


KINDS = {
    "chance": Kind((1, 1), chance, chance_steps, through_table, terms="word"),
    "rest": Kind((0,), rest, rest_steps, of_words),
    "rest_of_all": Kind((0,), rest_of_all, rest_of_all_steps, of_words, terms="word", grouped=True),
    **{f"{WARM}{T}": Kind((0, 0), warm, warm_steps, of_logits, terms="word") for T in TEMPERATURES},
    "rest_read": Kind((1,), rest_read, rest_read_steps, terms="word", grouped=True),
    **{
        f"rest_{WARM}{T}": Kind((0,), rest_warm, rest_warm_steps, of_logits, terms="word", grouped=True)
        for T in TEMPERATURES
    },
    "kept": Kind((0, 0), kept, kept_steps, of_words, terms="word"),
    "path": Kind((1,), path, path_steps, of_words, terms="word"),
    "score": Kind((1,), score, score_steps, of_words, terms="word"),
    "likelier": Kind((1, 1), likelier, likelier_steps, of_words),
    "loss": Kind((2,), loss, loss_steps, of_words, terms="word"),
    "right": Kind((2,), right, right_steps, of_words, terms="word"),
}
