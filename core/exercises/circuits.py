"""The part that takes most away; a head that rests on the first token and adds next to nothing."""

import numpy as np

from ..views.circuits import CircuitsView
from .exercise import Exercise, Patch, Values, Verdict

RESTS = 0.7  # of its weight on the first token
LITTLE = 0.02  # of the largest part's size


def set_at(view: CircuitsView, i: int) -> Patch:
    layer, row = view.place(view.found.parts[i])
    return {"layer": layer, "part": row}


def takes(view: CircuitsView, values: Values) -> Verdict:
    """Is the part selected whose number is the smallest?"""
    i = view.at(values["layer"], values["part"])
    if i is None:
        return Verdict(False, said="whole")
    numbers = view.found.values
    return Verdict(
        bool(numbers[i] <= numbers.min()), {"added": float(numbers[i]), "less": int((numbers < numbers[i]).sum())}
    )


def what_takes(view: CircuitsView, values: Values) -> Patch:
    return set_at(view, int(view.found.values.argmin()))


def idle(view: CircuitsView) -> list[int]:
    """The heads that do so."""
    little = LITTLE * float(np.abs(view.found.values).max())
    heads = view.of_kind("head")
    return [i for i in heads if resting(view, i) >= RESTS and abs(view.found.values[i]) <= little]


def resting(view: CircuitsView, i: int) -> float:
    """How much of its weight a head gives to the first token."""
    return float(view.looks(view.found.parts[i])[0])


def rests(view: CircuitsView, values: Values) -> Verdict:
    i = view.at(values["layer"], values["part"])
    if i is None or view.found.parts[i].kind != "head":
        return Verdict(False, said="other")
    facts = {"weight": resting(view, i), "added": float(view.found.values[i]), "count": len(idle(view))}
    return Verdict(i in idle(view), facts)


def one_that_rests(view: CircuitsView, values: Values) -> Patch | None:
    found = idle(view)
    return set_at(view, found[0]) if found else None


EXERCISES = (Exercise("takes", takes, what_takes), Exercise("rests", rests, one_that_rests))
