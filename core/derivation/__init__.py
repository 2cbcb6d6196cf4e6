"""A number -> the steps that make it, recomputed in float64 from captured inputs.

`derive` does it for any cell of any tap, by one rule for each kind (`rules/`), and for what is measured of whole rows
(`measures/`); how a gradient comes back is in `backward/`, what was noted in training in `recorded.py`. Beside these
stands what no run of a model makes: other norms, other ways to tell positions, counts and merges. A number may be of
another run than the one at hand: then its origin says what that was `given`. A step has an id, by which pages find its
operation and its reason in the visitor's language.
"""

from ..run_spec import RunSpec
from .count import depth, products
from .derive import derive
from .origins import Cell, Measure, Origin, Recorded, Source, Weight
from .steps import Derivation, Step, Term
from .walk import Stop, path

__all__ = [
    "Cell",
    "Derivation",
    "Measure",
    "Origin",
    "Recorded",
    "RunSpec",
    "Source",
    "Step",
    "Stop",
    "Term",
    "Weight",
    "depth",
    "derive",
    "path",
    "products",
]
