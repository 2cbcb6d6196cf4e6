"""A text so long that looking costs most; a small model; two parts of one size."""

from dataclasses import replace

from ..lessons.size import MATRICES, MIXING, crossing_length, parameters, share, total, wider, work
from ..numbers import percent
from ..views.size import SizeView, heads_that_fit
from .exercise import Exercise, Patch, Values, Verdict

SMALL = 1_000_000  # parameters
HALF, MOST = 50.0, 9  # per cent; decimals
SAME = 0.01  # of the larger: nearer than that is alike


def looking(view: SizeView, values: Values) -> Verdict:
    """Do the scores and the sums by weights cost more than all the matrices?"""
    counts = work(view.shape)
    mixing, matrices = share(counts, MIXING), share(counts, MATRICES)
    facts = {
        "n": f"{view.shape.length:,}",
        "d": f"{view.shape.d_model:,}",
        "share": apart(100 * mixing / max(1, mixing + matrices)),
    }
    return Verdict(mixing > matrices, facts)


def apart(percent: float) -> str:
    """With a decimal, or as many as show on which side of a half it lies."""
    texts = [f"{percent:.{decimals}f}" for decimals in range(1, MOST)]
    return next((text for text in texts if float(text) != HALF), texts[0])


def so_long(view: SizeView, values: Values) -> Patch:
    length = int(crossing_length(view.shape)) + 1
    return {"n": max(length, 1), "show": "work"}


def small(view: SizeView, values: Values) -> Verdict:
    """Fewer than a million parameters, with the preset's whole vocabulary?"""
    count = total(parameters(view.shape))
    table = view.of("parameters", "token")
    facts = {
        "count": f"{count:,}",
        "d": f"{view.shape.d_model:,}",
        "vocab": f"{view.base.vocab:,}",
        "share": percent(table / max(1, count)),
    }
    if view.shape.vocab != view.base.vocab:
        return Verdict(False, facts, "vocab")
    return Verdict(count < SMALL, facts)


def narrow(view: SizeView, values: Values) -> Patch | None:
    """As it is, but for the vocabulary, the layers and the width: as wide as there is room for."""
    shape = replace(view.shape, vocab=view.base.vocab, layers=1)
    for d in range(min(shape.d_model, SMALL // max(1, shape.vocab)), 0, -1):
        made = replace(wider(shape, d), heads=1, groups=0)
        if total(parameters(made)) < SMALL:
            return {"vocab": shape.vocab, "layers": 1, "d": d, "h": heads_that_fit(d, 1), "ff": made.d_ff}
    return None


def level(view: SizeView, values: Values) -> Verdict:
    """Have attention and the feed-forward network equally many parameters, to one in a hundred?"""
    attention = view.of("parameters", "attention") + view.of("parameters", "cross")
    network = view.of("parameters", "feedforward")
    facts = {
        "attention": f"{attention:,}",
        "network": f"{network:,}",
        "ff": f"{view.shape.d_ff:,}",
        "d": f"{view.shape.d_model:,}",
        "squares": "2 d × d + 2 d × d_kv" if view.shape.gated else "4 d × d",
        "matrices": 3 if view.shape.gated else 2,
        "times": float(view.shape.d_ff / view.shape.d_model),
    }
    right = abs(attention - network) <= SAME * max(attention, network)
    of_both = ("right_both" if right else "wrong_both") if view.shape.cross else ""
    return Verdict(right, facts, of_both)


def levelled(view: SizeView, values: Values) -> Patch:
    """d_ff so that the network has what attention has: it grows by as much with each."""
    attention = view.of("parameters", "attention") + view.of("parameters", "cross")
    one, two = (share(parameters(replace(view.shape, d_ff=ff)), ("feedforward",)) for ff in (1, 2))
    return {"ff": max(1, 1 + round((attention - one) / (two - one))), "show": "parameters"}


EXERCISES = (
    Exercise("long", looking, so_long),
    Exercise("small", small, narrow),
    Exercise("level", level, levelled),
)
