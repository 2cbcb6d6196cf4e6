"""What a Transformer of any size costs: its parameters, its multiply-adds, its memory. Only counted, never built.

Every count is a sum of products times how often it is there, so that it can be written out with its numbers. Python's
whole numbers have no largest, so no size is too large to be counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Literal

Stack = Literal["encoder", "decoder", "both"]
Factor = tuple[str, int]  # how it is written, and what it is here

BYTES = {"fp32": 4, "fp16": 2, "int8": 1}  # of one number
KEPT_FOR_ADAM = {"fp32": 8, "fp16": 12}  # bytes a parameter: m and v, and beside fp16 an fp32 copy (Rajbhandari 2020)
SEGMENTS = 2  # rows of BERT's segment table


@dataclass(frozen=True)
class Shape:
    """All that decides what a Transformer costs.

    An "encoder" is as BERT: learned positions, segments, post-norm, no output. A "decoder" is as GPT-2: learned
    positions, pre-norm. "both" is as in 2017: computed positions, post-norm, as many layers on either side.
    """

    stack: Stack
    vocab: int  # V
    d_model: int
    heads: int  # h
    layers: int  # N
    d_ff: int
    length: int  # L: tokens read, and rows of the position table; of "both" as many written
    batch: int = 1  # B
    tied: bool = True

    @property
    def stacks(self) -> int:
        return 2 if self.stack == "both" else 1

    @property
    def cross(self) -> bool:
        return self.stack == "both"

    @property
    def writes(self) -> bool:
        return self.stack != "encoder"

    @cached_property
    def divides(self) -> bool:
        return self.d_model % self.heads == 0


@dataclass(frozen=True)
class Product:
    """One summand: what it counts, and the numbers that are multiplied."""

    id: str
    factors: tuple[Factor, ...]

    @property
    def value(self) -> int:
        return prod(number for _, number in self.factors)


@dataclass(frozen=True)
class Count:
    """A part of the whole: the sum of `products`, as often as `times` says."""

    id: str
    products: tuple[Product, ...] = ()
    times: tuple[Factor, ...] = ()

    @property
    def once(self) -> int:
        return sum(product.value for product in self.products)

    @property
    def value(self) -> int:
        return self.once * prod(number for _, number in self.times)


def total(counts: Sequence[Count]) -> int:
    return sum(count.value for count in counts)


def number(n: int) -> Factor:
    return str(n), n


def layers(shape: Shape) -> Factor:
    """How many layers there are, on both sides."""
    return (f"{shape.stacks}N" if shape.stacks > 1 else "N"), shape.stacks * shape.layers


def parameters(shape: Shape) -> tuple[Count, ...]:
    """What training finds: one number each.

    Attention holds W^Q, W^K, W^V, W^O, each d × d with d biases, however many heads there are: a head has a share of
    their columns. The feed-forward network widens to d_ff and narrows again.
    """
    d, ff, v, n = ("d", shape.d_model), ("d_ff", shape.d_ff), ("V", shape.vocab), ("L", shape.length)
    own = shape.cross and not shape.tied  # tables of source and target
    attention = (Product("matrices", (number(4), d, d)), Product("biases", (number(4), d)))
    network = (
        Product("widen", (d, ff)),
        Product("narrow", (ff, d)),
        Product("biases_ff", (ff,)),
        Product("bias", (d,)),
    )
    norms = {"encoder": 2, "decoder": 2, "both": 5}[shape.stack] * shape.layers + (shape.stack != "both")
    counted = [
        Count("token", (Product("table", (v, d)),), (number(2),) if own else ()),
        Count("position", () if shape.cross else (Product("rows", (n, d)),)),
        Count("attention", attention, (layers(shape),)),
        Count("feedforward", network, (layers(shape),)),
        Count("norms", (Product("gamma_beta", (number(2), d)),), (number(norms),)),
    ]
    if shape.stack == "encoder":
        counted.insert(2, Count("segment", (Product("rows_two", (number(SEGMENTS), d)),)))
    else:
        counted.append(Count("output", () if shape.tied else (Product("table_out", (v, d)),)))
    if shape.cross:
        counted.insert(3, Count("cross", attention, (("N", shape.layers),)))
    return tuple(counted)


def work(shape: Shape) -> tuple[Count, ...]:
    """Multiply-adds of one forward pass: every product of two matrices, counted in full, masked cells too.

    [L, d] times [d, d] takes L · d · d of them. Looking a row up takes none. Norms, softmax, biases and additions are
    left out: they grow with L · d, or h · L² for the softmax, without a matrix's other dimension.
    """
    d, ff, v, n = ("d", shape.d_model), ("d_ff", shape.d_ff), ("V", shape.vocab), ("L", shape.length)
    batch = ("B", shape.batch)
    here, written = (layers(shape), batch), (("N", shape.layers), batch)
    projected = (Product("projected", (number(4), n, d, d)),)
    mixed = (Product("scores", (n, n, d)), Product("sums", (n, n, d)))
    counted = [
        Count("lookup"),
        Count("projections", projected, here),
        Count("mixing", mixed, here),
        Count("feedforward", (Product("widened", (n, d, ff)), Product("narrowed", (n, ff, d))), here),
    ]
    if shape.cross:
        counted[3:3] = [Count("cross_projections", projected, written), Count("cross_mixing", mixed, written)]
    if shape.writes:
        counted.append(Count("output", (Product("logits", (n, d, v)),), (batch,)))
    return tuple(counted)


TRAINING = 3  # a step: each product forward, and twice back, for its two factors' gradients


def memory(shape: Shape, precision: str) -> tuple[Count, ...]:
    """Bytes. To use it: weights, and of what writes the cache of keys and values. To train it: weights, gradients,
    what Adam keeps, and the activations that the way back reads again. int8 is for use alone.
    """
    all_of_them, size = total(parameters(shape)), ("bytes", BYTES[precision])
    held = Product("numbers", (("P", all_of_them),))
    counted = [Count("weights", (held,), (size,))]
    if shape.writes:
        counted.append(Count("cache", (cached(shape),), (("B", shape.batch), size)))
    if precision in KEPT_FOR_ADAM:
        counted += [
            Count("gradients", (held,), (size,)),
            Count("adam", (held,), (("bytes", KEPT_FOR_ADAM[precision]),)),
            Count("activations", activations(shape), (("B", shape.batch), size)),
        ]
    return tuple(counted)


USE = ("weights", "cache")  # what is held while a model is used
TRAIN = ("weights", "gradients", "adam", "activations")  # and while it is trained


def cached(shape: Shape) -> Product:
    """Key and value of every token in every layer, kept while words are written; of "both" the source's, too."""
    return Product(
        "keys_values", (number(4 if shape.cross else 2), ("N", shape.layers), ("L", shape.length), ("d", shape.d_model))
    )


def activations(shape: Shape) -> tuple[Product, ...]:
    """Numbers that the way back needs of one sequence (after Korthikanti et al. 2022, 4.1, without dropout's masks).

    Of attention: its input, q, k, v, the weights, the context, and what the norm reads; of the feed-forward network:
    its input, both widths inside, and what the norm reads.
    """
    d, ff, v, n = ("d", shape.d_model), ("d_ff", shape.d_ff), ("V", shape.vocab), ("L", shape.length)
    attentions = (f"{shape.stacks + shape.cross}N" if shape.cross else "N"), (shape.stacks + shape.cross) * shape.layers
    kept = [
        Product("of_attention", (attentions, number(6), n, d)),
        Product("of_weights", (attentions, ("h", shape.heads), n, n)),
        Product("of_network", (layers(shape), number(2), n, d)),
        Product("of_hidden", (layers(shape), number(2), n, ff)),
    ]
    if shape.writes:
        kept.append(Product("of_output", (n, v)))
    return tuple(kept)


# ---- where one part overtakes another

MATRICES = ("projections", "cross_projections", "feedforward")  # linear in L, quadratic in d where d_ff keeps its ratio
MIXING = ("mixing", "cross_mixing")  # quadratic in L, linear in d


def share(counts: Sequence[Count], ids: Sequence[str]) -> int:
    return sum(count.value for count in counts if count.id in ids)


def crossing_length(shape: Shape) -> Fraction:
    """The L at which attention's n² costs as much as the matrices around it: 2d + d_ff of one stack, so 6d where
    d_ff = 4d. One grows with L, the other with L², so their quotient says it."""
    counts = work(shape)
    return shape.length * Fraction(share(counts, MATRICES), share(counts, MIXING))


def crossing_width(shape: Shape) -> Fraction:
    """The d, with d_ff in its ratio to it, at which the matrices cost as much as attention's n²: L / 6 where
    d_ff = 4d."""
    counts = work(shape)
    return shape.d_model * Fraction(share(counts, MIXING), share(counts, MATRICES))


def wider(shape: Shape, d: int) -> Shape:
    """The same with another d, and d_ff in its ratio to it."""
    return replace(shape, d_model=d, d_ff=max(1, round(Fraction(shape.d_ff * d, shape.d_model))))


def longer(shape: Shape, length: int) -> Shape:
    return replace(shape, length=length)
