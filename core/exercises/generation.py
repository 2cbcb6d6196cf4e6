"""The least sure of the tokens that were written; one that was drawn and is not the likeliest; a head that looks
everywhere."""

import numpy as np

from ..views.generation import GenerationView
from ..writing import Sampling, Step
from .exercise import Exercise, Patch, Values, Verdict

ENOUGH = 6  # tokens to compare
SEEDS = range(1, 40)
SPREAD = 0.25  # of a head's weight: where no token has more, it looks everywhere


def selected(view: GenerationView, values: Values) -> tuple[tuple[Step, ...], int]:
    """What is written, and which token of it is selected."""
    steps, q = view.steps(values["n"]), values["q"]
    return steps, len(steps) - 1 if q < 0 else min(q, len(steps) - 1)


def least_sure(view: GenerationView, values: Values) -> Verdict:
    """Is that token selected which the model found least likely of all that it wrote?"""
    steps, place = selected(view, values)
    if len(steps) < 2 or (len(steps) < ENOUGH and not steps[-1].last):
        return Verdict(False, {"n": ENOUGH}, "short")
    shares = [step.probability for step in steps]
    facts = {"word": view.model.tokenizer.names[steps[place].id], "share": shares[place]}
    return Verdict(shares[place] <= min(shares), {**facts, "less": sum(share < shares[place] for share in shares)})


def the_least_sure(view: GenerationView, values: Values) -> Patch | None:
    count = max(values["n"], ENOUGH)
    last = view.writing[min(count, view.room) - 1]
    steps = view.steps(last.number + 1)
    if len(steps) < 2:
        return None
    return {"n": len(steps), "q": int(np.argmin([step.probability for step in steps]))}


def drawn(view: GenerationView, values: Values) -> Verdict:
    """Is a token selected that was drawn though another is likelier?"""
    steps, place = selected(view, values)
    if not steps:
        return Verdict(False, {}, "nothing")
    step = steps[place]
    best = view.likeliest(step)[0]
    facts = {
        "word": view.model.tokenizer.names[step.id],
        "share": step.probability,
        "best": view.model.tokenizer.names[best],
        "best_share": step.lines[0].shares[step.best.index(best)],
        "T": values["temperature"],
    }
    return Verdict(step.id != best, facts)


def a_seed(view: GenerationView, values: Values) -> Patch | None:
    """One whose first token is another than the likeliest, with nothing cut off, at a high temperature."""
    for seed in SEEDS:
        step = view.by(Sampling(2.0, seed=seed)).writing[0]
        if step.id != view.likeliest(step)[0]:
            return {"temperature": "2", "topk": "all", "topp": None, "seed": seed, "n": 1, "q": 0}
    return None


def spread(view: GenerationView, values: Values) -> Verdict:
    """Is a head selected that gives no token more than a quarter of its weight?"""
    steps, place = selected(view, values)
    layer, head = values["layer"], values["head"]
    if not steps:
        return Verdict(False, {}, "nothing")
    weights = steps[place].weights
    if not (layer and head) or weights is None:
        return Verdict(False, {}, "mean")
    row = weights[layer - 1, head - 1]
    best = int(row.argmax())
    facts = {
        "layer": layer,
        "head": head,
        "word": view.model.tokenizer.names[view.ids(steps)[best]],
        "weight": float(row[best]),
    }
    return Verdict(bool(row.max() <= SPREAD), facts)


def a_wide_head(view: GenerationView, values: Values) -> Patch | None:
    """Of the selected token, else of the first, the head whose largest weight is the smallest."""
    steps, place = selected(view, values)
    step = steps[place] if steps else view.writing[0]
    assert step.weights is not None
    largest = step.weights.max(-1)
    layer, head = np.unravel_index(largest.argmin(), largest.shape)
    if largest.min() > SPREAD:
        return None
    return {"layer": int(layer) + 1, "head": int(head) + 1, **({} if steps else {"n": 1, "q": 0})}


EXERCISES = (
    Exercise("unsure", least_sure, the_least_sure),
    Exercise("drawn", drawn, a_seed),
    Exercise("spread", spread, a_wide_head),
)
