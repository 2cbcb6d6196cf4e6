"""What comes back to a number from a tap that it went on to: the gradients there, each times what it counts."""

import math

from ...model.places import Place, split
from ..changed import changes
from ..flow import TABLE, Flow
from ..operators import total
from ..origins import Cell, Origin, Weight
from ..reading import rule_of
from ..rules.activation import CUBE, bent
from ..steps import Step, Vector, stepped, summed
from .gradient import ASIDE, Backward


def sources(flow: Flow, tap: str) -> tuple[str, ...]:
    """The taps that a tap is made of."""
    if carried := flow.carried(tap):
        return (carried,)
    place, _ = split(tap)
    reads = rule_of(flow, tap).reads(flow, place, (0,) * len(flow.dims[tap]))
    return tuple(origin.name for origin in reads if isinstance(origin, Cell))


def ways(flow: Flow, tap: str) -> tuple[str, ...]:
    """Where the numbers of a tap go on to, towards the loss; none of the last one's."""
    found = tuple(other for other in flow.dims if split(other)[1] not in ASIDE and tap in sources(flow, other))
    _, word = split(tap)
    return tuple(other for other in found if (word, split(other)[1]) != ("mean", "variance"))  # Σ (x − μ) is 0


def joined(each: list[list[Step]]) -> list[Step]:
    """What came back along each way, one after the other, and all of it together."""
    steps = [step for made in each for step in made]
    if len(each) == 1:
        return steps
    parts = {f"part{i}": made[-1].value for i, made in enumerate(each)}
    return [*steps, Step("back_total", sum(parts.values()), parts, terms=tuple(parts.values()))]


def through(back: Backward, tap: str, of: Cell) -> list[Step]:
    """What comes back to a number from one tap that it went on to."""
    place, word = split(tap)
    way = {"way": tap}
    if back.flow.carried(tap) or word in ("residual", "sum"):
        return passed(back, Cell(tap, of.index), way)
    if word == "output" and place.norm:
        return gamma(back, place, of, way)
    if word in SINGLE:
        return SINGLE[word](back, place, of, way)
    if word == "weights":
        return softmax(back, place, of, way)
    gradients, factors, scale = SUMS[word](back, place, of)
    product = summed("back_sum", back.slope(gradients), back.read(factors), **way)
    if scale == 1:
        return [product]
    return [product, Step("back_scale", product.value * scale, {"sum": product.value, "scale": scale, **way})]


def passed(back: Backward, at: Cell, way: dict) -> list[Step]:
    """What was only added, or carried past, gets all of it; nothing, where an edit cut that."""
    (cut, _), slope = changes(back.flow, at), back.one(at)
    factor = math.prod(change.factor for change in cut)
    if factor == 1:
        return [stepped("back_pass", float(slope), slope=slope, **way)]
    return [stepped("back_cut", factor * float(slope), slope=slope, factor=factor, edit=cut[0].edit.id, **way)]


def scaled(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    return times(back, Cell(place.tap("scaled"), of.index), math.sqrt(back.flow.config.d_model), way)


def times(back: Backward, at: Cell, factor: float | Vector, way: dict) -> list[Step]:
    slope = back.one(at)
    return [stepped("back_times", float(slope) * float(factor), slope=slope, factor=factor, **way)]


def activated(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    """The slope of GELU is Φ(x) + x φ(x), that of ReLU 1 above 0."""
    at, x = Cell(place.tap("activated"), of.index), back.read(of)
    if back.flow.config.activation == "relu":
        bend = stepped("back_relu", float(float(x) > 0), x=x)
    elif back.flow.config.activation == "gelu_new":
        tanh = math.tanh(bent(float(x)))
        share, bell = (1 + tanh) / 2, (1 - tanh**2) / 2 * math.sqrt(2 / math.pi) * (1 + 3 * CUBE * float(x) ** 2)
        bend = stepped("back_gelu_tanh", share + float(x) * bell, x=x, share=share, bell=bell)
    else:
        share, bell = (
            (1 + math.erf(float(x) / math.sqrt(2))) / 2,
            math.exp(-(float(x) ** 2) / 2) / math.sqrt(2 * math.pi),
        )
        bend = stepped("back_gelu", share + float(x) * bell, x=x, share=share, bell=bell)
    return [bend, *times(back, at, bend.value, way)]


def normalized(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    """n = (x − μ) ÷ s: 1 ÷ s to x; to μ, of all n of the token, −Σ ÷ s; to σ², −½ Σ g n ÷ s²."""
    token = of.index[0]
    variance = back.read(Cell(place.tap("variance"), (token,)))
    spread = math.sqrt(float(variance) + back.flow.config.epsilon)
    width = stepped("back_spread", spread, variance=variance)
    word = split(of.name)[1] if split(of.name)[0] == place else ""
    all_of_it = Cell(place.tap("normalized"), (token, None))
    if word == "mean":
        added = total("back_slopes", back.slope(all_of_it), 1, **way)
        return [width, added, Step("back_divide", -added.value / spread, {"sum": -added.value, "by": spread, **way})]
    if word == "variance":
        added = summed("back_sum", back.slope(all_of_it), back.read(all_of_it), **way)
        by = 2 * (float(variance) + back.flow.config.epsilon)
        return [added, stepped("back_halved", -added.value / by, sum=-added.value, variance=variance, **way)]
    slope = back.one(Cell(place.tap("normalized"), of.index))
    return [width, stepped("back_divide", float(slope) / spread, sum=slope, by=spread, **way)]


def variance(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    token, d = of.index[0], back.flow.config.d_model
    x, mean = back.read(of), back.read(Cell(place.tap("mean"), (token,)))
    slope = back.one(Cell(place.tap("variance"), (token,)))
    value = float(slope) * 2 * (float(x) - float(mean)) / d
    return [stepped("back_variance", value, slope=slope, x=x, mean=mean, d_model=d, **way)]


def mean(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    slope, d = back.one(Cell(place.tap("mean"), of.index[:1])), back.flow.config.d_model
    return [stepped("back_divide", float(slope) / d, sum=slope, by=d, **way)]


def softmax(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    """w (g − Σ g w): a weight grows at the cost of the others of its row."""
    head, q, _ = of.index
    row, at = Cell(place.tap("weights"), (head, q, None)), Cell(place.tap("weights"), of.index)
    total, weight, slope = summed("back_sum", back.slope(row), back.read(row), **way), back.read(at), back.one(at)
    value = float(weight) * (float(slope) - total.value)
    return [total, stepped("back_softmax", value, weight=weight, slope=slope, sum=total.value, **way)]


def output(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
    """What a sub-layer writes."""
    if place.kind:
        head, token, dim = of.index
        column = int(head or 0) * back.flow.config.d_head + int(dim or 0)
        return Cell(place.tap("output"), (token, None)), Weight(f"{place}.to_output.weight", (None, column)), 1
    token, unit = of.index
    return Cell(place.tap("output"), (token, None)), Weight(f"{place}.narrow.weight", (None, unit)), 1


def gamma(back: Backward, place: Place, of: Cell, way: dict) -> list[Step]:
    return times(back, Cell(place.tap("output"), of.index), back.read(Weight(f"{place}.gamma", of.index[1:])), way)


def projection(name: str):
    def made(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
        token, dim = of.index
        return Cell(place.tap(name), (None, token, None)), Weight(f"{place}.to_{name}.weight", (None, dim)), 1

    return made


def hidden(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
    token, dim = of.index
    return Cell(place.tap("hidden"), (token, None)), Weight(f"{place}.widen.weight", (None, dim)), 1


def logits(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
    token, dim = of.index
    return Cell(place.tap("logits"), (token, None)), Weight(TABLE, (None, dim)), 1


def context(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
    head, first, second = of.index
    if split(of.name)[1] == "weights":
        return Cell(place.tap("context"), (head, first, None)), Cell(place.tap("value"), (head, second, None)), 1
    return Cell(place.tap("context"), (head, None, second)), Cell(place.tap("weights"), (head, None, first)), 1


def scores(back: Backward, place: Place, of: Cell) -> tuple[Cell, Origin, float]:
    head, token, dim = of.index
    scale = 1 / math.sqrt(back.flow.config.d_head)
    if split(of.name)[1] == "query":
        return Cell(place.tap("scores"), (head, token, None)), Cell(place.tap("key"), (head, None, dim)), scale
    return Cell(place.tap("scores"), (head, None, token)), Cell(place.tap("query"), (head, None, dim)), scale


SINGLE = {
    "scaled": scaled,
    "activated": activated,
    "normalized": normalized,
    "variance": variance,
    "mean": mean,
}
SUMS = {
    **{name: projection(name) for name in ("query", "key", "value")},
    "hidden": hidden,
    "logits": logits,
    "context": context,
    "scores": scores,
    "output": output,
}
