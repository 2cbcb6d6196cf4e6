"""What a Transformer of any size costs: its parameters, its multiply-adds, its memory. Only counted, never built.

Every count is a sum of products times how often it is there, so that it can be written out with its numbers. Python's
whole numbers have no largest, so no size is too large to be counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Literal

Stack = Literal["encoder", "decoder", "llama", "both"]
Factor = tuple[str, int]  # how it is written, and what it is here

BYTES = {"fp32": 4, "fp16": 2, "int8": 1}  # of one number
KEPT_FOR_ADAM = {"fp32": 8, "fp16": 12}  # bytes a parameter: m and v, and beside fp16 an fp32 copy (Rajbhandari 2020)
SEGMENTS = 2  # rows of BERT's segment table


@dataclass(frozen=True)
class Shape:
    """All that decides what a Transformer costs.

    An "encoder" is as BERT: learned positions, segments, post-norm, no output. A "decoder" is as GPT-2: learned
    positions, pre-norm. "llama" is a decoder without a table of positions, which turns queries and keys, with gated
    feed-forward networks, RMSNorm and no biases. "both" is as in 2017: computed positions, post-norm, as many layers on
    either side.
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
    groups: int = 0  # of heads that share keys and values, in a "llama"; 0 where each head has its own

    @property
    def keys(self) -> int:
        """d_kv: how wide the keys of all groups are, and their values."""
        return self.d_model // self.heads * (self.groups or self.heads)

    @property
    def gated(self) -> bool:
        return self.stack == "llama"

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

    @property
    def turns(self) -> bool:
        """Whether the dimensions of a head make pairs, where they are turned in pairs."""
        return self.stack != "llama" or self.d_model // self.heads % 2 == 0


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
    def tables(self) -> Iterator[tuple[int, int]]:
        """Rows and columns of what it has once, where it counts parameters: its matrices, without vectors as biases."""
        for product in self.products:
            sides = [number for name, number in product.factors if not name.isdigit()]
            often = prod(number for name, number in (*product.factors, *self.times) if name.isdigit())
            if len(sides) == 2:
                yield from [(sides[0], sides[1])] * often

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


def keys(shape: Shape) -> Factor:
    """How wide the keys and the values are, all groups together."""
    return "d_kv", shape.keys


def parameters(shape: Shape) -> tuple[Count, ...]:
    """What training finds: one number each.

    Attention holds W^Q, W^K, W^V, W^O, each d × d with d biases, however many heads there are: a head has a share of
    their columns. The feed-forward network widens to d_ff and narrows again. In a "llama", W^K and W^V are as narrow as
    the groups are few, the network widens twice, once for the gate, and nothing has a bias.
    """
    d, ff, v, n = ("d", shape.d_model), ("d_ff", shape.d_ff), ("V", shape.vocab), ("L", shape.length)
    own = shape.cross and not shape.tied  # tables of source and target
    if shape.gated:
        attention = (
            Product("matrices_two", (number(2), d, d)),
            Product("matrices_shared", (number(2), d, keys(shape))),
        )
        network = (Product("gate_up", (number(2), d, ff)), Product("narrow", (ff, d)))
        norm = Product("gamma", (d,))
    else:
        attention = (Product("matrices", (number(4), d, d)), Product("biases", (number(4), d)))
        network = (
            Product("widen", (d, ff)),
            Product("narrow", (ff, d)),
            Product("biases_ff", (ff,)),
            Product("bias", (d,)),
        )
        norm = Product("gamma_beta", (number(2), d))
    norms = (5 if shape.cross else 2) * shape.layers + (not shape.cross)
    counted = [
        Count("token", (Product("table", (v, d)),), (number(2),) if own else ()),
        Count("position", () if shape.cross or shape.gated else (Product("rows", (n, d)),)),
        Count("attention", attention, (layers(shape),)),
        Count("feedforward", network, (layers(shape),)),
        Count("norms", (norm,), (number(norms),)),
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
    if shape.gated:
        shared = Product("projected_shared", (number(2), n, d, keys(shape)))
        projected = (Product("projected_two", (number(2), n, d, d)), shared)
        widened = Product("widened_twice", (number(2), n, d, ff))
    else:
        projected, widened = (Product("projected", (number(4), n, d, d)),), Product("widened", (n, d, ff))
    mixed = (Product("scores", (n, n, d)), Product("sums", (n, n, d)))
    counted = [
        Count("lookup"),
        Count("projections", projected, here),
        Count("mixing", mixed, here),
        Count("feedforward", (widened, Product("narrowed", (n, ff, d))), here),
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
    wide = keys(shape) if shape.gated else ("d", shape.d_model)
    return Product("keys_values", (number(4 if shape.cross else 2), ("N", shape.layers), ("L", shape.length), wide))


def activations(shape: Shape) -> tuple[Product, ...]:
    """Numbers that the way back needs of one sequence (after Korthikanti et al. 2022, 4.1, without dropout's masks).

    Of attention: its input, q, k, v, the weights, the context, and what the norm reads; of the feed-forward network:
    its input, both widths inside, and what the norm reads; with a gate, the gate before and after its activation, what
    it lets through and what comes of both.
    """
    d, ff, v, n = ("d", shape.d_model), ("d_ff", shape.d_ff), ("V", shape.vocab), ("L", shape.length)
    attentions = (f"{shape.stacks + shape.cross}N" if shape.cross else "N"), (shape.stacks + shape.cross) * shape.layers
    own = [Product("of_attention", (attentions, number(6), n, d))]
    if shape.gated:
        shared = Product("of_shared", (attentions, number(2), n, keys(shape)))
        own = [Product("of_attention_four", (attentions, number(4), n, d)), shared]
    kept = [
        *own,
        Product("of_weights", (attentions, ("h", shape.heads), n, n)),
        Product("of_network", (layers(shape), number(2), n, d)),
        Product("of_gated" if shape.gated else "of_hidden", (layers(shape), number(4 if shape.gated else 2), n, ff)),
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
    d_ff = 4d; d + d_kv + 3/2 d_ff of a "llama". One grows with L, the other with L², so their quotient says it."""
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
