"""How a gradient comes back: from a loss, by the chain rule, through every tap that a number went on to.

The loss of a run that writes is the mean cross-entropy of its own target. That of a run that only reads is
1 − the cosine of its mean last state with that of another sentence. Where a number went on in several ways (a state to
q, k, v and past them), what comes back along each is added up (Rumelhart et al. 1986).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.capture import Capture
from core.derivation.changed import changes
from core.derivation.derive import array, rule_of
from core.derivation.flow import TABLE, Flow
from core.derivation.origins import Axis, Cell, Index, Measure, Origin, Weight, within
from core.derivation.steps import Named, Step, Vector, stepped, summed, with_terms
from core.errors import InputError
from core.given import Given
from core.model.places import Place, split

if TYPE_CHECKING:
    from torch import Tensor

MOST = 128  # tokens: the way back through every weight keeps all that went forth
ASIDE = ("mask", "probabilities")  # no gradient passes these: the loss is made of the logits


@dataclass(eq=False)
class Kept:
    """A change of nothing, which remembers what passed a tap: what a gradient is asked of."""

    pattern: str
    seen: "list[Tensor]" = field(default_factory=list)

    def change(self, x: "Tensor") -> "Tensor":
        own = x.view_as(x) if x.requires_grad else x.detach().requires_grad_()  # what went past here, not what came
        self.seen.append(own)
        return own


@dataclass(frozen=True, eq=False)
class Backward:
    """The way back through one run; `toward` names the last states of the other sentence, where the run only reads.

    Raises InputError for what has no loss or no gradient here: a run that was padded or is too long, one with edits
    other than cut residuals.
    """

    run: Capture
    toward: Cell | None
    given: Given | None = None  # of which run it is, where that is not the one at hand

    def __post_init__(self) -> None:
        writes = bool(self.run.target_in)
        known = all(edit.pattern.endswith("skip") for edit in self.run.edits)
        if writes == (self.toward is not None) or not known or self.run.padding or len(self.run.tokens) > MOST:
            raise InputError("no_gradient", tokens=len(self.run.tokens), limit=MOST)

    @property
    def flow(self) -> Flow:
        return Flow.of(self.run)

    # ---- the numbers themselves

    def of(self, origin: Origin) -> np.ndarray:
        """The whole gradient of the loss by a tap or a parameter, float32, by torch.autograd.grad."""
        self.ask((origin,))
        return self.run.later[self.key(origin.name)]

    def key(self, name: str) -> str:
        """Under which a gradient is kept with the run."""
        return f"gradient of {name} toward {self.toward}"

    def ask(self, origins: Iterable[Origin]) -> None:
        """All of these in one pass, kept with the run. Nothing is kept in the shared weights."""
        import torch

        from core.model.taps import editing

        run, model = self.run, self.run.by
        assert model is not None
        names = {origin.name: origin for origin in origins}
        missing = {
            name: one for name, one in names.items() if f"gradient of {name} toward {self.toward}" not in run.later
        }
        if not missing:
            return
        kept = {name: Kept(name) for name, one in missing.items() if isinstance(one, Cell)}
        with torch.enable_grad(), editing((*run.edits, *kept.values())):  # type: ignore[arg-type]
            loss = self.loss(model.network(*run.inputs))
            asked = [kept[name].seen[0] if name in kept else parameter(run, name) for name in missing]
            found = torch.autograd.grad(loss, asked)
        for name, one, gradient in zip(missing, missing.values(), found, strict=True):
            made = gradient[0] if isinstance(one, Cell) else gradient  # a batch of one
            run.later[self.key(name)] = made.numpy()

    def loss(self, made: "Tensor | tuple[Tensor, Tensor]") -> "Tensor":
        import torch
        from torch.nn.functional import cosine_similarity, cross_entropy

        if isinstance(made, tuple):
            return cross_entropy(made[0][0], torch.tensor([token.id for token in self.run.target_out]))
        return 1 - cosine_similarity(made[0].mean(0), torch.tensor(self.other), dim=0)

    @property
    def other(self) -> np.ndarray:
        """[d_model] the other sentence's vector."""
        assert self.toward is not None
        return array(self.run, self.toward).mean(0)

    # ---- what a step is made of

    def slope(self, of: Origin) -> Vector:
        """The gradients of all that this names, each a measure of its own."""
        values = self.of(of)[of.slices].astype(np.float64)
        places = np.argwhere(np.ones(values.shape, bool))
        return Named(values, source=lambda i: self.measure(of.at(*map(int, places[i]))))

    def one(self, of: Origin) -> Vector:
        """The gradient of one number."""
        return Vector(self.of(of)[of.slices].astype(np.float64), self.measure(of))  # type: ignore[arg-type]

    def measure(self, of: Origin) -> Measure:
        own = within(of, self.given)
        return Measure("gradient", (own,)) if self.toward is None else Measure("gradient_toward", (own, self.toward))

    def read(self, of: Origin) -> Vector:
        return Vector(array(self.run, of)[of.slices].astype(np.float64), of if of.given else within(of, self.given))


def parameter(run: Capture, name: str) -> "Tensor":
    assert run.by is not None
    module, _, word = name.rpartition(".")
    return run.by.parts[module].get_parameter(word)


# ---- the ways on


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


# ---- a number's gradient


def backward(back: Backward, of: Origin) -> list[Step]:
    """The steps to the gradient of the loss by one number."""
    if isinstance(of, Weight):
        return learned(back, of)
    assert isinstance(of, Cell)
    onward = ways(back.flow, of.name)
    if not onward:
        return from_loss(back, of)
    back.ask((of, *(Cell(tap, ()) for tap in onward)))
    return joined([through(back, tap, of) for tap in onward])


def joined(each: list[list[Step]]) -> list[Step]:
    """What came back along each way, one after the other, and all of it together."""
    steps = [step for made in each for step in made]
    if len(each) == 1:
        return steps
    parts = {f"part{i}": made[-1].value for i, made in enumerate(each)}
    return [*steps, Step("back_total", sum(parts.values()), parts, terms=tuple(parts.values()))]


def from_loss(back: Backward, of: Cell) -> list[Step]:
    return of_logit(back, of) if back.toward is None else of_state(back, of)


def of_logit(back: Backward, of: Cell) -> list[Step]:
    """(p − 1) ÷ n at the word that is wanted, p ÷ n at the others."""
    token, word = of.index
    chance, wanted = back.read(Cell("output.probabilities", of.index)), back.run.target_out
    right, n = int(wanted[int(token or 0)].id == word), len(wanted)
    return [stepped("back_loss", (float(chance) - right) / n, probability=chance, right=right, n=n)]


def of_state(back: Backward, of: Cell) -> list[Step]:
    """−(u ÷ (‖m‖ ‖u‖) − cos · m ÷ ‖m‖²) ÷ n, where m and u are the mean states of the two sentences."""
    assert back.toward is not None
    dim, own = of.index[1], Cell(of.name, (None, None))
    m, u = (array(back.run, each).astype(np.float64).mean(0) for each in (own, back.toward))
    mine, other = (mean_of(back.read(replace(each, index=(None, dim)))) for each in (own, back.toward))
    sizes = {"one": float(np.linalg.norm(m)), "other": float(np.linalg.norm(u))}
    dot, n = float(m @ u), len(array(back.run, own))
    cosine = Step("row_cosine", dot / (sizes["one"] * sizes["other"]), {"dot": dot, **sizes})
    grown = other.value / (sizes["one"] * sizes["other"]) - cosine.value * mine.value / sizes["one"] ** 2
    parts = {"m": mine.value, "u": other.value, "cosine": cosine.value, "n": n, **sizes}
    return [mine, other, cosine, Step("back_apart", -grown / n, parts)]


def mean_of(column: Vector) -> Step:
    step = Step("back_mean", float(column.flat.mean()), {"n": len(column)})
    return with_terms(step, column.flat, column, Vector(np.ones(len(column))))


# ---- along one way


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
        slopes = back.slope(all_of_it)
        total = summed("back_slopes", slopes, np.ones(len(slopes)), **way)
        return [width, total, Step("back_divide", -total.value / spread, {"sum": -total.value, "by": spread, **way})]
    if word == "variance":
        total = summed("back_sum", back.slope(all_of_it), back.read(all_of_it), **way)
        by = 2 * (float(variance) + back.flow.config.epsilon)
        return [total, stepped("back_halved", -total.value / by, sum=-total.value, variance=variance, **way)]
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


# ---- what was learned


def learned(back: Backward, of: Weight) -> list[Step]:
    """A parameter was used at every token: what comes back to it there is added up."""
    if of.name == TABLE:
        return joined(list(doors(back, of)))
    if of.name.endswith("table.weight"):
        return of_table(back, of)
    module, _, word = of.name.rpartition(".")
    place, _ = split(of.name)
    if place.norm:
        at, by = Cell(place.tap("output"), (None, *of.index)), Cell(place.tap("normalized"), (None, *of.index))
    else:
        matrix, last = split(module)
        at, by = of_matrix(back, matrix, last, of.index)
    slopes = back.slope(at)
    if word in ("beta", "bias") or by is None:
        return [summed("back_slopes", slopes, np.ones(len(slopes)), way=at.name)]
    return [summed("back_sum", slopes, back.read(by), way=at.name)]


def doors(back: Backward, of: Weight) -> Iterator[list[Step]]:
    """What a row of the embedding table was used for: looked up, where its token stands; and, where the model writes,
    scored as a word that might be next."""
    row, dim = of.index
    for tap in back.flow.dims:
        place, word = split(tap)
        if word == "token" and place.part == "embedding":
            found = [i for i, token in enumerate(back.flow.tokens(place)) if token.id == row]
            yield looked_up(back, tap, found, dim)
        if word == "logits":
            states = back.read(Cell(back.flow.top("decoder"), (None, dim)))
            yield [summed("back_sum", back.slope(Cell(tap, (None, row))), states, way=tap)]


def of_table(back: Backward, of: Weight) -> list[Step]:
    """A row of the positions' or the segments' table: of the tokens that stand there."""
    tap = of.name.split("_table")[0]  # embedding.position, embedding.segment
    row, dim = of.index
    tokens = back.flow.tokens(split(tap)[0])
    here = [i for i, token in enumerate(tokens) if row == (i if tap.endswith("position") else token.segment)]
    return looked_up(back, tap, here, dim)


def looked_up(back: Backward, tap: str, tokens: Sequence[int], dim: Axis) -> list[Step]:
    """What comes back to a row from each of the tokens that have it."""
    if not tokens:
        return [Step("back_none", 0.0, {"way": tap})]
    slopes = back.of(Cell(tap, ()))[list(tokens), dim].astype(np.float64)
    each = Named(slopes, source=lambda i: back.measure(Cell(tap, (tokens[i], dim))))
    return [summed("back_slopes", each, np.ones(len(tokens)), way=tap)]


def of_matrix(back: Backward, place: Place, last: str, index: Index) -> tuple[Cell, Cell | None]:
    """What a unit of a matrix made, of all tokens, and, of a weight, what it was given."""
    unit, *entry = (int(i or 0) for i in index)
    made, given = MATRICES[last](back.flow, place)
    by = Cell(given, along(back.flow, given, entry[0])) if entry else None
    return Cell(made, along(back.flow, made, unit)), by


def along(flow: Flow, tap: str, unit: int) -> Index:
    """One unit of all tokens: of a head's, which head and which of its dimensions."""
    if flow.dims[tap][0] != "head":
        return (None, unit)
    head, dim = divmod(unit, flow.config.d_head)
    return (head, None, dim)


MATRICES = {
    "to_query": lambda flow, place: (place.tap("query"), flow.reading(place)),
    "to_key": lambda flow, place: (place.tap("key"), flow.answering(place)),
    "to_value": lambda flow, place: (place.tap("value"), flow.answering(place)),
    "to_output": lambda flow, place: (place.tap("output"), place.tap("context")),
    "widen": lambda flow, place: (place.tap("hidden"), flow.reading(place)),
    "narrow": lambda flow, place: (place.tap("output"), place.tap("activated")),
}
