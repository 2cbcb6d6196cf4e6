"""The pictures of the site in a notebook: the same files, as widgets.

show        any of them, by its name
heads       who looks at whom, in every head, or in those of one layer
attention   the matrix of a head
follow      how a number was made; every number in it can be pressed
compare     two runs at a tap: their difference
generate    what a model writes after a prompt, each token with what else might have come

Each is an anywidget: what is selected is its `selection`, a traitlet, and `save` writes it as one HTML file that opens
without a network. Layers and heads count from 0, as in the names and arrays of taps; pictures write them from 1.
"""

from typing import TYPE_CHECKING, Any

from ..capture import Capture
from ..derivation import Cell, Measure
from ..zoo import Model

if TYPE_CHECKING:
    from . import widgets as made

MISSING = "The pictures need anywidget: pip install 'see-through-transformer[notebook]'"


def installed() -> Any:
    """The module of the widgets. Raises ImportError where anywidget is not installed."""
    try:
        import anywidget  # noqa: F401
    except ImportError as error:
        raise ImportError(MISSING) from error
    from . import widgets

    return widgets


def heads(run: Capture, layer: int | None = None, kind: str | None = None, language: str = "en") -> "made.Heads":
    """The weights as lines between tokens, of any heads of one kind of attention (the first the model has), and below
    them every head in small; of one layer, its heads alone."""
    return installed().Heads(run, layer, kind, language)


def attention(run: Capture, layer: int, head: int, kind: str | None = None, language: str = "en") -> "made.Attention":
    """The weights of a head as a matrix, with the other heads of its layer in small."""
    return installed().Attention(run, layer, head, kind, language)


def follow(run: Capture, cell: Cell | Measure | str, language: str = "en") -> "made.Follow":
    """How one number was made: pressing a number in it asks for its own steps."""
    return installed().Follow(run, cell, language)


def compare(a: Capture, b: Capture, tap: str, language: str = "en") -> "made.Compare":
    """What a tap has in run `a` less what it has in run `b`, number by number.

    Raises ValueError where the two have not the same shape.
    """
    return installed().Compare(a, b, tap, language)


def generate(model: Model, prompt: str, length: int = 20, language: str = "en", **sampling: Any) -> "made.Generate":
    """So many tokens after a prompt, each with its probability, the other likely ones, and where the model looked.
    `sampling`: temperature (0: the likeliest), top_k, top_p, seed.

    Raises InputError for a model that does not write, and where the prompt leaves no room.
    """
    from ..writing import Sampling

    return installed().Generate(model, prompt, length, Sampling(**sampling), language)


PICTURES = {"heads": heads, "attention": attention, "follow": follow}


def show(run: Capture, picture: str = "heads", **which: Any) -> "made.Widget":
    """A picture of a run by its name: show(run, "heads", layer=2)."""
    if picture not in PICTURES:
        raise ValueError(f"no picture {picture!r}: {', '.join(PICTURES)}")
    return PICTURES[picture](run, **which)
