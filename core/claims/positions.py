"""Claims about positions."""

import math

import numpy as np

from ..capture import capture
from ..edits import zero_positions
from ..model.attention import MultiHeadAttention
from ..model.config import Config
from ..model.relative import AlibiAttention, TransformerXLAttention, slopes
from ..views import position as views
from ..views.orders import order_taps, order_view
from .claim import Facts, Models

D = 512  # the paper's width
STEP = 37
ORDERS = "dog bites man", "man bites dog"


def between(a: int, b: int, d_model: int = D) -> float:
    """‖PE(a) − PE(b)‖, from the two rows themselves."""
    return float(np.linalg.norm(views.encoded(a, d_model) - views.encoded(b, d_model)))


def steps(models: Models) -> Facts:
    """Neighbouring positions: of the waves, and of the table MiniLM learned."""
    learned = views.own_table(models("minilm"))
    return {
        "near": between(0, 1), "far": between(100, 101), "farther": between(5000, 5001),
        **{f"learned_{at}": float(learned.steps[at]) for at in (0, 1, 100)},
    }  # fmt: skip


def turned(models: Models) -> Facts:
    """One matrix for a step of 37, used on positions far apart: how far it misses PE(p + 37)."""
    moved = {at: views.moved(at, STEP, D) for at in (0, 100, 5000)}
    return {
        **{f"from_{at}": made.error for at, made in moved.items()},
        "matrix": max(float(np.abs(made.turn - moved[0].turn).max()) for made in moved.values()),
        "step": float(np.linalg.norm(moved[0].there - moved[0].start)),
    }


def orderless(models: Models) -> Facts:
    """The last vectors of the same words in two orders, without positions and with them."""
    model, (one, other) = models("minilm"), ORDERS
    only = order_taps(model)
    runs = {
        name: (capture(model, one, only=only, edits=edits), capture(model, other, only=only, edits=edits))
        for name, edits in (("off", (zero_positions(),)), ("on", ()))
    }
    view = order_view(model, runs)
    assert view is not None
    return {"one": one, "other": other, **{name: view.readings[name].largest for name in runs}}


def longest_wave(models: Models) -> Facts:
    """The last wavelength of three widths, and what it tends to."""
    lengths = {f"d{d}": float(views.wavelengths(d)[-1]) for d in (D, 128, 4)}
    return {**lengths, "shortest": float(views.wavelengths(D)[0]), "limit": 2 * math.pi * views.BASE}


def transformer_xl(models: Models) -> Facts:
    """One component of R turns its sign with the distance; and what of Dai et al.'s attention is learned."""
    ahead, behind = (float(views.encoded(gap, D)[0]) for gap in (3, -3))
    config = Config(vocab=1, d_model=D, heads=8, layers=1, d_ff=1, positions=1, segments=0, position="transformer_xl")
    attention = TransformerXLAttention(config)
    return {
        "ahead": ahead, "behind": behind,
        "matrix": attention.to_relative.weight.numel(), "u": attention.u.numel(), "v": attention.v.numel(),
        "components": D,
    }  # fmt: skip


def fast_and_slow(models: Models) -> Facts:
    """How far one step moves the first and the last sine, and how long their waves are."""
    moved = np.abs(views.encoded(1, D) - views.encoded(0, D))
    lengths = views.wavelengths(D)
    return {
        "first": float(moved[0]), "last": float(moved[D - 2]), "short": float(lengths[0]), "long": float(lengths[-1]),
        "dim": D - 2,
    }  # fmt: skip


def longest_input(models: Models) -> Facts:
    """Two tables of waves for other lengths have the same rows; BERT's learned one ends."""
    short, long = (views.built(length, D) for length in (256, 5000))
    last = models("minilm").config.positions
    return {"difference": short.difference(long.table), "last": last, "refused": views.refusal(models("minilm"), last)}


def alibi(models: Models) -> Facts:
    """The slopes of eight heads, what they take from a score ten tokens away, and what is learned."""
    steep = slopes(8)
    shape = Config(vocab=1, d_model=D, heads=8, layers=1, d_ff=1, positions=1, segments=0)
    own, plain = (sum(x.numel() for x in of(shape).parameters()) for of in (AlibiAttention, MultiHeadAttention))
    return {
        "steepest": float(steep[0]), "flattest": float(steep[-1]),
        "taken": float(-10 * steep[0]), "taken_last": float(-10 * steep[-1]), "learned": own - plain,
    }  # fmt: skip


def nearly_again(models: Models) -> Facts:
    """Positions 0 and 710: in the first pair of dimensions alone, and in all."""
    pair = float(np.linalg.norm(views.encoded(710, D)[:2] - views.encoded(0, D)[:2]))
    return {"pair": pair, "all": between(0, 710), "neighbours": between(0, 1)}
