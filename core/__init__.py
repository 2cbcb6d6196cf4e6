"""See-Through Transformer, without the site: load a model, run a text through it, look at every number.

>>> from core import load_model, capture
>>> run = capture(load_model("minilm"), "The cat sat on the mat.")
>>> run["encoder.2.attention.weights"].shape, run.dims("encoder.2.attention.weights")
((12, 9, 9), ('head', 'query', 'key'))
>>> from core import Cell, derive
>>> [step.id for step in derive(run, Cell("encoder.2.attention.scores", (8, 5, 6))).steps]
['product', 'scale']
"""

from . import memory
from .analysis import attribute, gradient, lens, sweep
from .archive import load, save
from .capture import Capture, capture
from .derivation import Cell, Measure, Weight, derive
from .edits import patch
from .notebook import attention, compare, follow, generate, heads, show
from .zoo import Model, load_model

memory.keep()

__all__ = [
    "Capture",
    "Cell",
    "Measure",
    "Model",
    "Weight",
    "attention",
    "attribute",
    "capture",
    "compare",
    "derive",
    "follow",
    "generate",
    "gradient",
    "heads",
    "lens",
    "load",
    "load_model",
    "patch",
    "save",
    "show",
    "sweep",
]
