"""The cosine of two words, step by step: products of their rows, their lengths, and the division."""

import math

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.origins import Weight
from core.derivation.steps import Derivation, Step, Vector, summed
from core.views.meaning import Word
from core.views.vectors import cosine


def derive_cosine(a: Word, b: Word) -> Derivation:
    """a · b ÷ (‖a‖ ‖b‖), from the vectors; of a word of several pieces that vector is their mean."""
    x, y = a.vector.astype(np.float64), b.vector.astype(np.float64)
    dot = summed("dot", row(a), row(b), a=a.text, b=b.text)
    lengths = [
        Step(f"length_{side}", math.sqrt(float(v @ v)), {"word": w.text}) for side, v, w in (("a", x, a), ("b", y, b))
    ]
    parts = {"dot": dot.value, "length_a": lengths[0].value, "length_b": lengths[1].value}
    result = Step("cosine", dot.value / (lengths[0].value * lengths[1].value), parts)
    return Derivation((dot, *lengths, result), float(cosine(a.vector, b.vector)))


def row(word: Word) -> Vector:
    """A word's vector; of a word of one piece it is a row of the table."""
    of = None if word.averaged else Weight(TABLE, (word.ids[0], None))
    return Vector(word.vector.astype(np.float64), of)
