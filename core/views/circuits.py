"""Who wrote this token? A decoder alone whose norms stand first: its last state is a sum, and so is every logit.

contributions   a logit taken apart: the embedding, every head, every feed-forward network, and what biases add
lens            each state on the way, read as if it were the last
patched         a state of one run put into another, and what comes of it
induction       heads that look at what followed last time; `previous`, at the token before

References:
    Elhage et al. 2021, A Mathematical Framework for Transformer Circuits; Olsson et al. 2022, In-context Learning and
    Induction Heads. nostalgebraist 2020, interpreting GPT: the logit lens. Meng et al. 2022, ROME (patching).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..capture import Capture
from ..errors import InputError
from ..model.places import Place
from ..ranking import largest
from ..text.byte_pairs import SEEN
from ..text.token import Token
from ..zoo import Model

STACK = "decoder"
END = Place(STACK, norm=True)


@dataclass(frozen=True)
class Part:
    """What writes into the stream: "embedding", "head", "feedforward"; the "bias" of an attention's W^O, and that of
    the norm at the end. Layers and heads are counted from 0."""

    kind: str
    layer: int | None = None
    head: int | None = None

    @property
    def name(self) -> str:
        """As taps are named: "decoder.24.attention.head.5", "decoder.3.feedforward", "embedding"."""
        if self.layer is None:
            return self.kind if self.kind == "embedding" else str(END)
        head = "" if self.head is None else f".head.{self.head}"
        return f"{STACK}.{self.layer}.{'feedforward' if self.kind == 'feedforward' else 'attention'}{head}"

    @property
    def stage(self) -> str:
        """The layer that it stands in, or what it is."""
        return self.name if self.layer is None else str(Place(STACK, self.layer))


@dataclass(frozen=True, eq=False)
class Contributions:
    """A logit, or the gap between two, as a sum.

    The norm at the end divides by a number that all parts have made together: it is held as it was, so a part taken
    away would leave another sum than this one less its term.

    Attributes:
        token: whose next token it is about, from 0.
        word, against: ids; `against` is None where it is about one logit.
        parts, values: float64 [part]: what each adds.
        captured: the logit, or the gap, as the model had it.
    """

    token: int
    word: int
    against: int | None
    parts: tuple[Part, ...]
    values: np.ndarray
    captured: float

    @property
    def total(self) -> float:
        return float(self.values.sum())

    @property
    def ranked(self) -> np.ndarray:
        """The parts' numbers, what adds or takes most first."""
        return np.argsort(-np.abs(self.values), kind="stable")


def taps(model: Model) -> tuple[str, ...]:
    """What `contributions` reads of a run."""
    stack = model.stacks[STACK]
    read = {"attention": "context", "feedforward": "output"}
    spread = "mean_square" if model.config.normalization == "rms" else "variance"
    written = (place.tap(read[place.part]) for place in stack.sublayers)
    return stack.entrance, *written, END.tap(spread), "output.logits"


def check(model: Model) -> None:
    """Raise InputError unless a model's last state is a sum: a decoder alone, its norms first."""
    from ..model.language import LanguageModel

    if not isinstance(model.network, LanguageModel) or model.config.norm != "pre":
        raise InputError("no_sum", model=model.id)


def contributions(run: Capture, model: Model, token: int, word: int, against: int | None = None) -> Contributions:
    """What each part adds to the logit of `word` after a token, less the one of `against`; of a run with `taps`.

    Raises InputError where the model's last state is no sum, or for a token or word that is not there.
    """
    check(model)
    vocab = model.config.vocab
    if not 0 <= token < len(run.tokens) or not all(0 <= id < vocab for id in (word, against or 0)):
        raise InputError("cell_outside", cell=f"output.logits[{token},{word}]", shape=f"{len(run.tokens)} × {vocab}")
    logits = run["output.logits"][token].astype(np.float64)
    sought = row_of(model, word) - (0 if against is None else row_of(model, against))
    gap = logits[word] - (0 if against is None else logits[against])
    reading = Reading.of(run, model, token, sought)
    found = [(part, reading(state)) for part, state in written(run, model, token)]
    if model.config.normalization == "layer":
        found.append((Part("bias"), float(weight(model, str(END), "beta") @ sought)))
    parts, values = zip(*found, strict=True)
    return Contributions(token, word, against, parts, np.array(values), float(gap))


@dataclass(frozen=True, eq=False)
class CircuitsView:
    """One logit, or the gap between two, and what made it.

    Attributes:
        tokens: the prompt.
        found: the sum.
        attended: float32 [layer, head, key] the weights of the token that the sum is about.
        best, probabilities: [word] the words that are likeliest next, the first first.
        layers, heads: of the model.
    """

    tokens: tuple[Token, ...]
    found: Contributions
    attended: np.ndarray
    best: np.ndarray
    probabilities: np.ndarray
    layers: int
    heads: int

    @property
    def nbytes(self) -> int:
        return self.attended.nbytes + self.found.values.nbytes

    @property
    def rows(self) -> int:
        """How many parts a layer has: its heads, its feed-forward network, and where there are biases, that of W^O."""
        return self.heads + 1 + any(part.kind == "bias" for part in self.found.parts)

    def place(self, part: Part) -> tuple[int, int]:
        """Layer, from 1, and row of a part; what stands in no layer is in layer 0."""
        if part.layer is None:
            return 0, int(part.kind == "bias")
        rows = {"head": part.head or 0, "feedforward": self.heads, "bias": self.heads + 1}
        return part.layer + 1, rows[part.kind]

    def at(self, layer: int, row: int) -> int | None:
        """The number of the part that stands there; None where there is none."""
        places = [self.place(part) for part in self.found.parts]
        return places.index((layer, row)) if (layer, row) in places else None

    @property
    def grid(self) -> np.ndarray:
        """[row, layer] what each adds, of those that stand in a layer."""
        values = np.full((self.rows, self.layers), np.nan)
        for part, value in zip(self.found.parts, self.found.values, strict=True):
            layer, row = self.place(part)
            if layer:
                values[row, layer - 1] = value
        return values

    @property
    def first_head(self) -> int:
        """The number of the head that adds most."""
        return max(self.of_kind("head"), key=lambda i: self.found.values[i])

    def of_kind(self, kind: str) -> list[int]:
        return [i for i, part in enumerate(self.found.parts) if part.kind == kind]

    def looks(self, part: Part) -> np.ndarray:
        """[key] where a head looks."""
        return self.attended[part.layer or 0, part.head or 0]


def view_taps(model: Model) -> tuple[str, ...]:
    """What `circuits_view` reads of a run."""
    return *taps(model), *attentions(model, "weights"), "output.probabilities"


def attentions(model: Model, word: str) -> tuple[str, ...]:
    """A tap of every attention."""
    return tuple(place.tap(word) for place in model.stacks[STACK].sublayers if place.part == "attention")


def circuits_view(
    run: Capture, model: Model, token: int, word: int | None = None, against: int | None = None, count: int = 12
) -> CircuitsView:
    """What made the logit of a word after a token: of the likeliest where none is named; of a run with `view_taps`.
    Raises InputError as `contributions` does."""
    check(model)
    likely = run["output.probabilities"][token]
    best = largest(likely, count)
    found = contributions(run, model, token, int(best[0]) if word is None else word, against)
    attended = np.stack([run[tap][:, token] for tap in attentions(model, "weights")])
    return CircuitsView(run.tokens, found, attended, best, likely[best], model.stacks[STACK].layers, model.config.heads)


# ---- words


def spoken(model: Model, id: int) -> str:
    """A word of the vocabulary without the space before it; by its name where nothing else is left, or for [UNK]."""
    if id == model.tokenizer.unk_id:
        return model.tokenizer.names[id]
    text = model.tokenizer.decode([id]).strip()  # type: ignore[union-attr]
    return text if text and "\ufffd" not in text else model.tokenizer.names[id]


def written_as(model: Model, id: int) -> str:
    """A word as `next_word` reads it back: as it is spoken, or, where another is spoken so too, by its number, #30."""
    text = spoken(model, id)
    return text if next_word(model, text) == id else f"#{id}"


def next_word(model: Model, text: str) -> int | None:
    """The id of a word as it stands after others; of one that is several tokens, the first; None for no word."""
    names, text = model.tokenizer.names, text.strip()
    if re.fullmatch("#[0-9]{1,9}", text) and int(text[1:]) < len(names):
        return int(text[1:])
    if text[:1] in SEEN.values() and text in names:  # as it is shown
        return names.index(text)
    tokens = [token for token in model.tokenizer.trace(f" {text}").tokens if not token.special] if text else []
    if len(tokens) == 1 and spoken(model, tokens[0].id) == text:
        return tokens[0].id
    if text in names and spoken(model, known := names.index(text)) == text:
        return known
    return tokens[0].id if tokens and tokens[0].id != model.tokenizer.unk_id else None


@dataclass(frozen=True, eq=False)
class Reading:
    """How a state is read for one logit: through the norm at the end, its divisor held, against a row of the table.

    `along` is float64 [d_model]: a state's product with it is what the state adds.
    """

    along: np.ndarray

    @classmethod
    def of(cls, run: Capture, model: Model, token: int, row: np.ndarray) -> "Reading":
        config, scaled = model.config, weight(model, str(END), "gamma") * row
        if config.normalization == "layer":
            scaled, spread = scaled - scaled.mean(), "variance"  # a state's own mean is taken off it
        else:
            spread = "mean_square"
        return cls(scaled / np.sqrt(float(run[END.tap(spread)][token]) + config.epsilon))

    def __call__(self, state: np.ndarray) -> float:
        return float(state @ self.along)


def written(run: Capture, model: Model, token: int) -> Iterator[tuple[Part, np.ndarray]]:
    """What each part wrote into the stream of a token, float64 [d_model], in the order the data met them."""
    stack, d_head = model.stacks[STACK], model.config.d_head
    yield Part("embedding"), run[stack.entrance][token].astype(np.float64)
    for place in stack.sublayers:
        if place.part == "feedforward":
            yield Part("feedforward", place.layer), run[place.tap("output")][token].astype(np.float64)
            continue
        joins = parameter(model, f"{place}.to_output", "weight")  # d_model, head · d_head
        for head, context in enumerate(run[place.tap("context")][:, token].astype(np.float64)):
            part = joins[:, head * d_head : (head + 1) * d_head].astype(np.float64)
            yield Part("head", place.layer, head), part @ context
        if model.config.bias:
            yield Part("bias", place.layer), weight(model, f"{place}.to_output", "bias")


def weight(model: Model, module: str, name: str) -> np.ndarray:
    """A parameter, float64."""
    return parameter(model, module, name).astype(np.float64)


def row_of(model: Model, word: int) -> np.ndarray:
    """A row of the matrix that words are scored by, float64 [d_model]."""
    return parameter(model, *model.rows.rsplit(".", 1))[word].astype(np.float64)


def parameter(model: Model, module: str, name: str) -> np.ndarray:
    return model.parts[module].get_parameter(name).detach().numpy()


# ---- each state as if it were the last


@dataclass(frozen=True, eq=False)
class Lens:
    """What the states of one token say through the norm at the end and the table.

    Attributes:
        taps: the states, from what enters to what the last layer leaves: one for every half-layer.
        best: [state, word] the ids that lead there, the likeliest first.
        probabilities: float32 [state, word], theirs.
        rank: [state] which place the asked word has, from 0.
        probability: float32 [state] its own.
    """

    taps: tuple[str, ...]
    best: np.ndarray
    probabilities: np.ndarray
    rank: np.ndarray
    probability: np.ndarray

    @property
    def led(self) -> tuple[int, ...]:
        """The words that led anywhere, in the order in which they first did."""
        return tuple(dict.fromkeys(self.best[:, 0].tolist()))


def lens(run: Capture, model: Model, token: int, word: int, count: int = 5) -> Lens:
    """Every state of a token read as the last is; of a run with the taps of `model.stream("decoder")`.

    What a state means, it means to the layers that read it, and those are not the table: early ones say little here.
    Raises InputError where the model's last state is no sum.
    """
    check(model)
    import torch

    *states, _ = model.stream(STACK)
    network: Any = model.network
    with torch.inference_mode():
        rows = torch.from_numpy(np.stack([run[tap][token] for tap in states]))[None]
        likely = torch.softmax(network.output.project(network.decoder.norm(rows))[0], dim=-1)
        probabilities, best = likely.topk(min(count, likely.shape[1]))
        own = likely[:, word]
        rank = (likely > own[:, None]).sum(-1)
    return Lens(tuple(states), best.numpy(), probabilities.numpy(), rank.numpy(), own.numpy())


# ---- a state of one run put into another


def patched(run: Capture, other: Capture, model: Model, word: int, against: int) -> Iterator[np.ndarray]:
    """For each layer, from the first: float32 [token], how far the logit of `word` is above that of `against` at the
    end where that token's state after this layer is the other run's. Both runs hold the layers' outputs.

    Each is what a run with the edit `take` would say, but only the layers above are computed, for all tokens of a layer
    at once. Raises InputError where the model's last state is no sum, or where the runs are not of one length.
    """
    check(model)
    import torch

    from ..model.decoder import causal_mask

    n = len(run.tokens)
    if n != len(other.tokens):
        raise InputError("lengths_differ", one=n, other=len(other.tokens))
    network: Any = model.network
    layers = [*network.decoder]
    for number in range(len(layers)):
        tap = Place(STACK, number).tap("output")
        own, its = (torch.tensor(each[tap]) for each in (run, other))  # token, d_model
        x = own.expand(n, n, -1).clone()  # which token is patched, token, d_model
        x[range(n), range(n)] = its
        with torch.inference_mode():
            for layer in layers[number + 1 :]:
                x = layer(x, causal_mask(n))
            logits = network.output.project(network.decoder.norm(x[:, -1]))
        yield (logits[:, word] - logits[:, against]).numpy()


# ---- heads that look at what followed last time


def followed(tokens: Sequence[Token]) -> dict[int, int]:
    """Of a text that stands there twice, for each token of the second copy the place after the same token of the
    first: what an induction head looks at from it. What begins the row belongs to neither copy; where the second copy
    begins with a token of its own (a space before it), that one is left out.

    >>> row = [Token(text, ord(text), 0, 1, False, 0, None) for text in "abcabc"]
    >>> followed(row)
    {3: 1, 4: 2, 5: 3}
    """
    count = sum(token.end > 0 for token in tokens)
    second = range(len(tokens) - count // 2, len(tokens))
    shifts = (count // 2, count // 2 + count % 2)  # what stands between the copies may be a token of its own
    again = [{at: at - shift + 1 for at in second if tokens[at].id == tokens[at - shift].id} for shift in shifts]
    return max(again, key=len)


def induction(run: Capture, model: Model) -> np.ndarray:
    """[layer, head] the mean weight on what followed last time, over the tokens of the second copy; NaN where none
    stood in the first. Of a run with every attention's weights."""
    pairs = followed(run.tokens)
    weights = np.stack([run[tap] for tap in attentions(model, "weights")])  # layer, head, query, key
    if not pairs:
        return np.full(weights.shape[:2], np.nan)
    return weights[:, :, list(pairs), list(pairs.values())].mean(-1)


def previous(run: Capture, model: Model) -> np.ndarray:
    """[layer, head] the mean weight on the token before, over all but the first; NaN for one token alone."""
    weights = np.stack([run[tap] for tap in attentions(model, "weights")])  # layer, head, query, key
    if len(run.tokens) < 2:
        return np.full(weights.shape[:2], np.nan)
    return np.diagonal(weights, -1, axis1=2, axis2=3).mean(-1)
