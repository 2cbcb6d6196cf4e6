"""What a written word looks at among those before it; the word the model was least sure of."""

import numpy as np

from ..views.translation import TranslationView
from .exercise import Exercise, Patch, Values, Verdict


def written(view: TranslationView) -> list[int]:
    """The rows whose word is one."""
    return [row for row, token in enumerate(view.written) if not token.special and token.text[0].isalnum()]


def earlier(view: TranslationView, values: Values) -> Verdict:
    """In the decoder's own attention: is the word selected that the given one looks at most?"""
    row, column = values["q"], values["j"]
    if column is None or row == 0:
        return Verdict(False, said="other")
    weights = view.own[values["layer"] - 1, values["head"] - 1, row, : row + 1]
    facts = {
        "word": view.given[row].text,
        "other": view.given[column].text,
        "weight": float(view.own[values["layer"] - 1, values["head"] - 1, row, column]),
        "best_weight": float(weights.max()),
        "count": row + 1,
    }
    if column > row:
        return Verdict(False, facts, "later")
    return Verdict(int(weights.argmax()) == column, facts)


def what_it_looks_at(view: TranslationView, values: Values) -> Patch | None:
    row = values["q"] or 1
    if row >= len(view.given):
        return None
    return {"q": row, "j": int(view.own[values["layer"] - 1, values["head"] - 1, row, : row + 1].argmax())}


def least_sure(view: TranslationView, values: Values) -> Verdict:
    """Is the word selected that had the smallest probability when it was written?"""
    rows = np.array(written(view))
    if values["q"] not in rows:
        return Verdict(False, said="other")
    found, here = view.probabilities[rows], float(view.probabilities[values["q"]])
    facts = {"word": view.written[values["q"]].text, "probability": here, "less": int((found < here).sum())}
    return Verdict(bool(here <= found.min()), facts)


def the_least_sure(view: TranslationView, values: Values) -> Patch | None:
    rows = written(view)
    if not rows:
        return None
    row = min(rows, key=lambda row: view.probabilities[row])
    head = view.cross[values["layer"] - 1, values["head"] - 1]
    return {"q": row, "k": int(head[row].argmax()), "j": None}


EXERCISES = (
    Exercise("earlier", earlier, what_it_looks_at, apart=True),
    Exercise("unsure", least_sure, the_least_sure),
)
