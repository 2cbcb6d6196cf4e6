"""Which input vectors are most alike; two made equal; where the place speaks loudest."""

from dataclasses import dataclass

import numpy as np

from ..questions.question import words
from ..text.token import named
from ..views.input import InputView
from .exercise import Exercise, Patch, Values, Verdict, alike, place

COSINES = {"section": "switches", "of": "sum", "look": None}  # where two tokens are selected
SAME = 1e-6  # no number of two equal vectors is farther apart


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of the model, and as they are switched."""

    own: InputView
    now: InputView
    added: bool  # and not side by side


def typed(view: InputView) -> list[int]:
    return words(view.tokens, view.special)


def two(sums: Sums, values: Values) -> tuple[int, int] | None:
    """The two selected tokens, the first first; None where there are not two."""
    a, b = values["pos"], values["k"]
    return None if b is None or a == b else (min(a, b), max(a, b))


def names(view: InputView, pair: tuple[int, int]) -> dict[str, object]:
    return {"first": named(view.tokens, pair[0]), "second": named(view.tokens, pair[1])}


def nearest(sums: Sums, values: Values) -> Verdict:
    """Of every two words: are these sums, as the model makes them, most alike?"""
    own, pair = sums.own, two(sums, values)
    among = typed(own)
    pairs = [(a, b) for a in among for b in among if a < b]
    if pair is None or pair not in pairs:
        return Verdict(False, said="other")
    cosines = own.cosines("sum")
    at = place(cosines, pairs, pair)
    facts = {**names(own, pair), "cosine": float(cosines[pair]), "place": at, "pairs": len(pairs)}
    return Verdict(at == 1, facts)


def the_nearest(sums: Sums, values: Values) -> Patch | None:
    among, cosines = typed(sums.own), sums.own.cosines("sum")
    pairs = [(a, b) for a in among for b in among if a < b]
    if len(pairs) < 2:
        return None
    first, second = max(pairs, key=lambda pair: cosines[pair])
    return {"pos": second, "k": first, **COSINES}


def equal(sums: Sums, values: Values) -> Verdict:
    """Two different tokens, as switched: are their sums the same, number for number?"""
    pair = two(sums, values)
    if pair is None:
        return Verdict(False, said="other")
    vectors = sums.now.vectors("sum" if sums.added else "joined")
    apart = float(np.abs(vectors[pair[0]] - vectors[pair[1]]).max())
    same_row = sums.now.ids[pair[0]] == sums.now.ids[pair[1]]
    facts = {**names(sums.now, pair), "apart": apart, "cosine": sums.own.cosine("sum", *pair)}
    return Verdict(apart <= SAME, facts, "" if apart <= SAME or same_row else "words")


def without_places(sums: Sums, values: Values) -> Patch | None:
    pairs = alike(typed(sums.own), sums.own.ids)
    return {"pos": pairs[-1][1], "k": pairs[-1][0], "positions": "off", **COSINES} if pairs else None


def loud(sums: Sums) -> np.ndarray:
    """[token]: how long the place's vector is beside the word's, as the model adds them."""
    own = sums.own
    return own.norms("position") / np.maximum(own.norms("token"), 1e-12)


def loudest(sums: Sums, values: Values) -> Verdict:
    """Is the token selected whose place is the longest beside its word?"""
    ratios, token = loud(sums), values["pos"]
    facts = {
        "token": named(sums.own.tokens, token),
        "at": token,
        "ratio": float(ratios[token]),
        "word": float(sums.own.norms("token")[token]),
        "place": float(sums.own.norms("position")[token]),
        "louder": int((ratios > ratios[token]).sum()),
    }
    return Verdict(bool(ratios[token] >= ratios.max()), facts)


def the_loudest(sums: Sums, values: Values) -> Patch:
    return {"pos": int(loud(sums).argmax())}


EXERCISES = (
    Exercise("alike", nearest, the_nearest, apart=True),
    Exercise("equal", equal, without_places, apart=True),
    Exercise("loud", loudest, the_loudest),
)
