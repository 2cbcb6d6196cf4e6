"""Where in a model something stands: a stack, a layer of it, a part of the layer, the norm of that part.

A tap's name is its place and one word more, so the places of a model are found in the names of its taps.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

SUBLAYERS = {  # that a layer of a stack may have; a decoder alone has one attention and reads no source
    "encoder": ("attention", "feedforward"),
    "decoder": ("attention", "self_attention", "cross_attention", "feedforward"),
}
OUTSIDE = ("embedding", "output")  # parts of no layer
ATTENTIONS = {  # of attention -> stack and part
    "encoder": ("encoder", "attention"),
    "self": ("decoder", "self_attention"),
    "cross": ("decoder", "cross_attention"),
    "causal": ("decoder", "attention"),
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
    def kind(self) -> str | None:
        """Which attention it is, one of `ATTENTIONS`; None where it is none."""
        return next((kind for kind, place in ATTENTIONS.items() if place == (self.stack, self.part)), None)


@dataclass(frozen=True)
class Stack:
    """One of a model's stacks, as its taps have it.

    Attributes:
        name: "encoder" or "decoder".
        layers: how many.
        parts: the sub-layers of each, in the order the data meets them.
        entrance: the tap of what enters the first layer.
        exit: the tap of what the stack hands on.
        target: whether its tokens are a target's, beside a source that another stack reads.
    """

    name: str
    layers: int
    parts: tuple[str, ...]
    entrance: str
    exit: str
    target: bool

    @property
    def causal(self) -> bool:
        """Whether a token looks at itself and back only."""
        return self.name == "decoder"

    @cached_property
    def sublayers(self) -> tuple[Place, ...]:
        """Every sub-layer, in the order the data meets them."""
        return tuple(Place(self.name, layer, part) for layer in range(self.layers) for part in self.parts)

    def before(self, place: Place) -> Place | None:
        """The sub-layer in front of one of this stack; None of the first."""
        number = self.sublayers.index(Place(self.name, place.layer, place.part))
        return self.sublayers[number - 1] if number else None


def stacks(dims: Mapping[str, tuple[str, ...]]) -> dict[str, Stack]:
    """The stacks of a model by their names, found in its taps and their dimensions."""
    found = {}
    for name in SUBLAYERS:
        inside = [place for place, _ in map(split, dims) if place.stack == name and place.layer is not None]
        if not inside:
            continue
        layers = 1 + max(place.layer or 0 for place in inside)
        own, exit = f"{name}.embedding.output", f"{name}.norm.output"
        found[name] = Stack(
            name,
            layers,
            tuple(dict.fromkeys(place.part for place in inside if place.part)),
            entrance=own if own in dims else "embedding.output",
            exit=exit if exit in dims else f"{name}.{layers - 1}.output",
            target=dims[f"{name}.0.output"][0] == "target",
        )
    return found


# What a sub-layer leaves, by where the norms sit (core.model.residual): "none" is as "input", without the one norm.
LEAVES = {"post": "norm.output", "pre": "residual", "input": "residual", "none": "residual"}


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
    return having(taps, "normalized")


def having(taps: Iterable[str], wanted: str) -> tuple[Place, ...]:
    """The places that have a tap of this word."""
    return tuple(place for place, word in map(split, taps) if word == wanted)
