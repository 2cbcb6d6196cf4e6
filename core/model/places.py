"""Where in a model something stands: a stack, a layer of it, a part of the layer, the norm of that part.

A tap's name is its place and one word more, so the places of a model are found in the names of its taps.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

SUBLAYERS = {"encoder": ("attention", "feedforward"), "decoder": ("self_attention", "cross_attention", "feedforward")}
OUTSIDE = ("embedding", "output")  # parts of no layer
ATTENTIONS = {  # of attention -> stack and part
    "encoder": ("encoder", "attention"),
    "self": ("decoder", "self_attention"),
    "cross": ("decoder", "cross_attention"),
}


@dataclass(frozen=True)
class Place:
    """A place in a model; `str` of it is what the names of its taps begin with.

    >>> str(Place("decoder", 1, "cross_attention")), Place("", part="embedding", norm=True).tap("mean")
    ('decoder.1.cross_attention', 'embedding.norm.mean')
    """

    stack: str  # "encoder" or "decoder"; "" for what stands in neither: the reader's embedding, the output
    layer: int | None = None  # from 0
    part: str = ""  # of a layer one of `SUBLAYERS`, else one of `OUTSIDE`; "" for the layer or stack itself
    norm: bool = False  # whether it is the norm there

    def __str__(self) -> str:
        layer = "" if self.layer is None else str(self.layer)
        return ".".join(filter(None, (self.stack, layer, self.part, "norm" if self.norm else "")))

    def tap(self, word: str) -> str:
        """The name of a tap that stands here."""
        return f"{self}.{word}"

    @property
    def writes(self) -> bool:
        """Whether its tokens are those that are written, not those that are read."""
        return self.stack == "decoder" or self.part == "output"

    @property
    def kind(self) -> str | None:
        """Which attention it is, one of `ATTENTIONS`; None where it is none."""
        return next((kind for kind, place in ATTENTIONS.items() if place == (self.stack, self.part)), None)


@lru_cache(maxsize=4096)
def split(tap: str) -> tuple[Place, str]:
    """The place of a tap, and the word it has there.

    >>> split("encoder.0.attention.norm.mean")
    (Place(stack='encoder', layer=0, part='attention', norm=True), 'mean')
    >>> split("output.logits")
    (Place(stack='', layer=None, part='output', norm=False), 'logits')
    """
    *path, word = tap.split(".")
    stack = path.pop(0) if path[0] in SUBLAYERS else ""
    layer = int(path.pop(0)) if path and path[0].isdecimal() else None
    part = path.pop(0) if path and path[0] in (*SUBLAYERS.get(stack, ()), *OUTSIDE) else ""
    return Place(stack, layer, part, norm=path == ["norm"]), word


def attention_at(kind: str, layer: int) -> Place:
    """The attention of one of `ATTENTIONS` in a layer (from 0). Raises KeyError for another kind.

    >>> str(attention_at("self", 0))
    'decoder.0.self_attention'
    """
    stack, part = ATTENTIONS[kind]
    return Place(stack, layer, part)


def attentions(taps: Iterable[str]) -> tuple[Place, ...]:
    """Every attention among these taps, in their order."""
    return having(taps, "weights")


def norms(taps: Iterable[str]) -> tuple[Place, ...]:
    """Every norm among these taps, in their order."""
    return having(taps, "mean")


def having(taps: Iterable[str], wanted: str) -> tuple[Place, ...]:
    """The places that have a tap of this word."""
    return tuple(place for place, word in map(split, taps) if word == wanted)
