"""The cosine of two words, step by step: products of their rows, their lengths, and the division."""

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.operators import direction
from core.derivation.origins import Weight
from core.derivation.steps import Derivation, Step, Vector, lengths, summed
from core.views.meaning import Word
from core.views.vectors import cosine


def derive_cosine(a: Word, b: Word) -> Derivation:
    """a · b ÷ (‖a‖ ‖b‖), from the vectors; of a word of several pieces that vector is their mean."""
    x, y = row(a), row(b)
    dot, (long, of) = summed("dot", x, y, a=a.text, b=b.text), lengths(a=x, b=y)
    each = [Step(f"length_{side}", long[side], {"word": w.text}, at=of.get(side)) for side, w in (("a", a), ("b", b))]
    result = direction("cosine", dot.value, length_a=Vector(x.values), length_b=Vector(y.values))
    return Derivation((dot, *each, result), float(cosine(a.vector, b.vector)))


def row(word: Word) -> Vector:
    """A word's vector; of a word of one piece it is a row of the table."""
    of = None if word.averaged else Weight(TABLE, (word.ids[0], None))
    return Vector(word.vector.astype(np.float64), of)
