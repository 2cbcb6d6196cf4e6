"""Heads with a name: how often what is said of each holds, against chance and against all other heads, and where not.

Of a model that reads on sentences kept for this (assets/samples/heads.toml); of a cross-attention on sentences of the
little grammar, which knows which characters each word renders.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..capture import Capture, capture
from ..model.places import attention_at
from ..named_heads import EVEN, known, others, rows
from ..text.token import Token, named
from ..zoo import Model
from .attention import entropy

PRONOUNS = {"she": "f", "her": "f", "he": "m", "him": "m", "his": "m"}
NAMES = {**dict.fromkeys(("alice", "mary", "anna", "susan", "girl", "mother", "queen", "sister", "woman"), "f")}
NAMES |= dict.fromkeys(("bob", "john", "peter", "tom", "boy", "father", "king", "brother", "man"), "m")
UNIFORM = "uniform"  # its rows have no place they should look at


@dataclass(frozen=True)
class Case:
    """One row of one sentence: where it looks, and how much."""

    text: str
    row: int
    best: int
    token: str
    at: str
    weight: float


@dataclass(frozen=True)
class Claim:
    """What a head (counted from 1) is said to do, and how often it does."""

    kind: str
    layer: int
    head: int
    name: str
    held: int  # rows in which it looks most where the name says
    rows: int  # that the name says something about
    sentences: int
    mass: float  # mean weight on the places the name says; of "uniform" the mean entropy, of its largest
    chance: float  # the same of evenly spread weights
    other: float  # share of the same rows in which the other heads of this kind do so, on average
    example: Case | None  # the row that does it with the largest weight
    failing: Case | None  # the row that fails with the largest weight
    weakest: Case | None  # the row with the least weight on those places

    @property
    def share(self) -> float:
        return self.held / self.rows if self.rows else 0.0


def claims(model: Model, texts: Sequence[str]) -> list[Claim]:
    """Every head that the model's lesson names, measured on these sentences."""
    kind = model.attentions[0]
    taps = [attention_at(kind, layer).tap("weights") for layer in range(model.reader.layers)]
    runs = [capture(model, text, only=tuple(taps)) for text in texts]
    stacks = [np.stack([run[tap] for tap in taps]) for run in runs]
    return [measured(kind, place, name, runs, stacks) for place, name in sorted(known(model.id, "featured").items())]


def about(name: str, tokens: Sequence[Token]) -> list[int]:
    """The rows of a sentence that a name says something about."""
    if name != "pronoun":
        return rows(name, tokens)
    return [i for i, token in enumerate(tokens) if token.text in PRONOUNS and places(name, tokens, i)]


def places(name: str, tokens: Sequence[Token], row: int) -> list[int]:
    """Where a row should look. A pronoun: at the one noun of its gender before it, where one of the other is, too."""
    if name == UNIFORM:
        return list(range(len(tokens)))
    if name != "pronoun":
        return others(name, tokens, row)
    before = [(i, NAMES[token.text]) for i, token in enumerate(tokens[:row]) if token.text in NAMES]
    own = [i for i, gender in before if gender == PRONOUNS[tokens[row].text]]
    return own if len(own) == 1 and len(before) == 2 else []


def doing(name: str, tokens: Sequence[Token], stack: np.ndarray, row: int) -> np.ndarray:
    """[layer, head]: which heads do in this row what the name says. stack [layer, head, query, key]"""
    weights = stack[:, :, row]  # layer, head, key
    if name == UNIFORM:
        return evenness(weights) >= EVEN
    where = places(name, tokens, row)
    if name != "pronoun":
        return np.isin(weights.argmax(-1), where)
    gender = PRONOUNS[tokens[row].text]
    other = next(i for i, t in enumerate(tokens[:row]) if NAMES.get(t.text, gender) != gender)
    return weights[..., where[0]] > weights[..., other]


def evenness(weights: np.ndarray) -> np.ndarray:
    """The entropy of each row, of its largest. [..., key] -> [...]"""
    return entropy(weights) / np.log(weights.shape[-1])


def measured(
    kind: str, place: tuple[int, int], name: str, runs: Sequence[Capture], stacks: Sequence[np.ndarray]
) -> Claim:
    """One claim over all sentences. stacks: of each run [layer, head, query, key]."""
    layer, head = place
    tally = Tally()
    for run, stack in zip(runs, stacks, strict=True):
        weights = stack[layer - 1, head - 1]
        asked = about(name, run.tokens)
        for row in asked:
            alike = doing(name, run.tokens, stack, row)
            right = bool(alike[layer - 1, head - 1])
            rest = (int(alike.sum()) - right) / (alike.size - 1)
            case = seen(run.text, run.tokens, run.tokens, weights, row)
            tally.add(right, mass(name, run.tokens, weights, row), chance(name, run.tokens, row), rest, case)
        tally.sentences += bool(asked)
    return tally.claim(kind, layer, head, name)


@dataclass
class Tally:
    """Rows counted one by one."""

    held: list[bool] = field(default_factory=list)
    masses: list[float] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    rest: list[float] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    sentences: int = 0

    def add(self, right: bool, mass: float, chance: float, rest: float, case: Case) -> None:
        self.held.append(right)
        self.masses.append(mass)
        self.chances.append(chance)
        self.rest.append(rest)
        self.cases.append(case)

    def claim(self, kind: str, layer: int, head: int, name: str) -> Claim:
        right = [case for case, held in zip(self.cases, self.held, strict=True) if held]
        wrong = [case for case, held in zip(self.cases, self.held, strict=True) if not held]
        largest = lambda cases: max(cases, key=lambda case: case.weight, default=None)  # noqa: E731
        return Claim(
            *(kind, layer, head, name, sum(self.held), len(self.held), self.sentences),
            *(mean(self.masses), mean(self.chances), mean(self.rest)),
            *(largest(right), largest(wrong), self.cases[int(np.argmin(self.masses))] if self.cases else None),
        )


def mean(numbers: Sequence[float]) -> float:
    return float(np.mean(numbers)) if numbers else 0.0


# ---- cross-attention

Rendering = tuple[str, tuple[tuple[str, tuple[int, ...]], ...]]  # a text; its words, and the characters each renders


def alignments(model: Model, known: Sequence[Rendering]) -> list[Claim]:
    """Of every head of cross-attention, how often the row that writes a word looks most at a character which that word
    renders. Sentences whose translation is another than the one that is known are left out."""
    config = model.config
    tallies = {(i, j): Tally() for i in range(config.decoder_layers) for j in range(config.heads)}
    for text, words in known:
        run = capture(model, text, only=("decoder.*.cross_attention.weights",))
        if tuple(token.text for token in run.target_out[: len(words)]) != tuple(word for word, _ in words):
            continue
        stack = np.stack([run[f"decoder.{i}.cross_attention.weights"] for i in range(config.decoder_layers)])
        for row, (_, source) in enumerate(words):
            if not source:
                continue
            right = np.isin(stack[:, :, row].argmax(-1), source)
            for (i, j), tally in tallies.items():
                rest = (int(right.sum()) - bool(right[i, j])) / (right.size - 1)
                weights = stack[i, j]
                case = seen(text, run.target_out, run.tokens, weights, row)
                even = len(source) / weights.shape[1]
                tally.add(bool(right[i, j]), float(weights[row, list(source)].sum()), even, rest, case)
        for tally in tallies.values():
            tally.sentences += 1
    return [tally.claim("cross", i + 1, j + 1, "aligned") for (i, j), tally in tallies.items()]


def mass(name: str, tokens: Sequence[Token], weights: np.ndarray, row: int) -> float:
    """The weight on the places the name says; of "uniform" the entropy as a share of its largest."""
    if name != UNIFORM:
        return float(weights[row, places(name, tokens, row)].sum())
    return float(evenness(weights[row]))


def chance(name: str, tokens: Sequence[Token], row: int) -> float:
    """What evenly spread weights would put there."""
    return 1.0 if name == UNIFORM else len(places(name, tokens, row)) / len(tokens)


def seen(text: str, queries: Sequence[Token], keys: Sequence[Token], weights: np.ndarray, row: int) -> Case:
    """Where a row looks most."""
    best = int(weights[row].argmax())
    asking, answering = (tuple(token.text for token in side) for side in (queries, keys))
    return Case(text, row, best, named(asking, row), named(answering, best), float(weights[row, best]))
