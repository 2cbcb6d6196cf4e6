"""Questions made from the visitor's own sentence: view -> a question whose answer stands clear, or none."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from core.text.segmentation import Edge, Path
from core.text.token import named
from core.views.attention import AttentionView
from core.views.embedding import EmbeddingView
from core.views.input import InputView
from core.views.layernorm import NormView
from core.views.meaning import Space, Word, cosine
from core.views.overview import OverviewView
from core.views.position import OrderView, PositionTable
from core.views.tokens import TokensView
from core.views.translation import TranslationView

CLEAR = 0.15  # by how much the best answer must lead


@dataclass(frozen=True)
class Choice:
    """One answer. `token` is its label where the answer is a token; otherwise pages find words by its id."""

    id: str
    token: str | None = None


@dataclass(frozen=True)
class Question:
    """A question and its answer. `row` is the token it asks about, whose row is veiled until it is answered."""

    template: str
    choices: tuple[Choice, ...]
    answer: str
    margin: float
    row: int
    facts: Mapping[str, float | str] = field(default_factory=dict)


def most_looked_at(view: AttentionView, head: int) -> Question | None:
    """Which token does {t} look at most in this head? For the last repeated token, else the clearest row."""
    weights = view.weights[head]
    for row in asked_rows(view.tokens, view.special, weights):
        best, second = np.argsort(-weights[row], kind="stable")[:2]
        margin = float(weights[row, best] - weights[row, second])
        if margin < CLEAR:
            continue
        facts = {"token": named(view.tokens, row), **looked_at(view.key_tokens, weights[row])}
        return Question("most_looked_at", keys(view.key_tokens, weights[row]), str(best), margin, row, facts)
    return None


def looked_at(tokens: tuple[str, ...], row: np.ndarray) -> dict[str, float | str]:
    """The two keys that a row looks at most, and their weights."""
    best, second = np.argsort(-row, kind="stable")[:2]
    return {
        "best": named(tokens, best),
        "best_weight": float(row[best]),
        "second": named(tokens, second),
        "second_weight": float(row[second]),
    }


def keys(tokens: tuple[str, ...], row: np.ndarray) -> tuple[Choice, ...]:
    """The keys to choose from."""
    return tuple(Choice(str(k), named(tokens, k)) for k in contenders(tokens, row))


def asked_rows(tokens: tuple[str, ...], special: tuple[bool, ...], weights: np.ndarray) -> list[int]:
    """The rows to try: the last repeated word's, then the one whose best leads most. Specials are not asked about."""
    words = [i for i, token in enumerate(tokens) if not special[i] and any(c.isalnum() for c in token)]
    if len(tokens) < 4 or not words:  # two tokens of the sentence's own, or there is nobody to look at
        return []
    repeated = [i for i in words if tokens.index(tokens[i]) < i]
    top = np.sort(weights, axis=-1)
    # Who looks at himself is a poor question, if there is another.
    clearest = max(words, key=lambda i: (int(weights[i].argmax()) != i, float(top[i, -1] - top[i, -2])))
    return [*repeated[-1:], clearest]


def contenders(tokens: tuple[str, ...], row: np.ndarray) -> list[int]:
    """The best key and the two best others with names of their own, in the order of the sentence."""
    chosen: list[int] = []
    for k in np.argsort(-row, kind="stable"):
        if tokens[k] not in [tokens[c] for c in chosen]:
            chosen.append(int(k))
        if len(chosen) == 3:
            break
    return sorted(chosen)


EQUAL = 1 - 1e-4  # a cosine from here on: the same vector, but for rounding


def after_layer(view: OverviewView, layer: int, stranger: tuple[float, float]) -> Question | None:
    """After layer n: are the two {t} still equal, alike, strangers? Only where the sentence has a word twice.

    `stranger` is mean and standard deviation of the cosine of random rows; up to two deviations above the mean
    counts as strangers.
    """
    a, b = view.pair()
    if view.ids[a] != view.ids[b] or view.special[a]:
        return None
    depth = next(i for i, depth in enumerate(view.depths) if depth.number == layer)
    cosines = view.cosines(a, b)
    border = stranger[0] + 2 * stranger[1]
    cosine = float(cosines[depth])
    margin = min(abs(cosine - border), abs(EQUAL - cosine)) if cosine < EQUAL else 1.0
    if margin < CLEAR:
        return None
    answer = "equal" if cosine >= EQUAL else "alike" if cosine > border else "strangers"
    facts = {
        "first": named(view.tokens, a),
        "second": named(view.tokens, b),
        "layer": layer,
        "cosine": cosine,
        "start": float(cosines[0]),
        "border": border,
    }
    return Question(
        "after_layer", tuple(Choice(id) for id in ("equal", "alike", "strangers")), answer, margin, b, facts
    )


LONG_WORD = 10  # from so many characters on, that a word stays whole is worth asking


def pieces_of_word(view: TokensView) -> Question | None:
    """How many pieces does {word} become? About the word the page opens on: one that is cut, or long and whole."""
    asked = view.opening()
    unit = view.units[asked]
    if unit.kind != "word" or unit.unknown or (unit.pieces == 1 and len(unit.text) < LONG_WORD):
        return None
    count = unit.pieces
    choices = tuple(Choice(str(n), str(n)) for n in numbers_near(count, unit.text))
    facts = {
        "word": unit.text,
        "characters": unit.end - unit.start,
        "count": count,
        "pieces": " ".join(t.text for t in unit.tokens),
    }
    return Question("pieces_of_word", choices, str(count), 1.0, asked, facts)


def numbers_near(count: int, word: str) -> list[int]:
    """Up to four numbers of pieces to choose from: one, the right one, as many as the ear hears, and a neighbour."""
    heard = len(re.findall("[aeiouy]+", word))
    wanted = dict.fromkeys([count, 1, heard, count + 1, count - 1, count + 2])
    return sorted([n for n in wanted if 1 <= n <= len(word)][:4])


def after_lookup(view: EmbeddingView) -> Question | None:
    """The two {t}: the same vector after the lookup? Where no word repeats: which of two rows is nearer?"""
    words = [i for i, token in enumerate(view.tokens) if not view.special[i] and any(c.isalnum() for c in token)]
    repeated = [i for i in words if view.ids[i] in view.ids[:i]]
    return same_row(view, repeated[-1]) if repeated else nearer_row(view, words)


def same_row(view: EmbeddingView, row: int) -> Question:
    """Asked about the last repeated word; an id names a row, so the answer is always the same."""
    first = view.same(row)[0]
    facts = {
        "token": view.tokens[row],
        "first": first,
        "id": view.ids[row],
        "d_model": view.d_model,
        "difference": view.apart(first, row),
    }
    return Question("same_row", tuple(Choice(id) for id in ("equal", "alike", "different")), "equal", 1.0, row, facts)


def nearer_row(view: EmbeddingView, words: list[int]) -> Question | None:
    """The word, and the two others, between which the difference of the cosines is greatest."""
    best = (CLEAR, -1, -1, -1)
    for row in words:
        others = [i for i in words if view.ids[i] != view.ids[row]]
        if len(others) >= 2:
            near = max(others, key=lambda i: view.cosine[row, i])
            far = min(others, key=lambda i: view.cosine[row, i])
            best = max(best, (float(view.cosine[row, near] - view.cosine[row, far]), row, near, far))
    margin, row, near, far = best
    if row < 0:
        return None
    facts = {
        "token": view.tokens[row],
        "near": view.tokens[near],
        "near_cosine": float(view.cosine[row, near]),
        "far": view.tokens[far],
        "far_cosine": float(view.cosine[row, far]),
    }
    choices = tuple(Choice(str(i), view.tokens[i]) for i in sorted((near, far)))
    return Question("nearer_row", choices, str(near), margin, row, facts)


def looked_at_to_write(
    view: TranslationView, layer: int, head: int, content: Sequence[bool], aligned: Sequence[Sequence[int]]
) -> Question | None:
    """Which character does {word} look at when it is written? Layer and head from 0.

    Asked about words with `content`. `aligned` says which characters each word renders, where that is known. A word
    that looks elsewhere than there comes first; else the one that stands farthest behind what it looks at.
    """
    weights, tokens = view.cross[layer, head], tuple(token.text for token in view.source)
    best = weights.argmax(-1)
    lead = np.sort(weights, axis=-1)
    rows = [
        row
        for row in range(min(len(content), len(view.written)))
        if content[row] and len(tokens) > 3 and lead[row, -1] - lead[row, -2] >= 2 * CLEAR
    ]
    if not rows:
        return None
    elsewhere = [row for row in rows if row < len(aligned) and aligned[row] and best[row] not in aligned[row]]
    row = max(elsewhere or rows, key=lambda row: (row - int(best[row]), row))
    own = "".join(tokens[i] for i in aligned[row]) if row in elsewhere else ""
    facts = {"word": view.written[row].text, "own": own, **looked_at(tokens, weights[row])}
    margin = float(lead[row, -1] - lead[row, -2])
    template = "looked_elsewhere_to_write" if own else "looked_at_to_write"
    return Question(template, keys(tokens, weights[row]), str(best[row]), margin, row, facts)


def ten_times(view: NormView) -> Question | None:
    """Ten times the vector before the norm: what does the norm give? Asked where the output stays, but for rounding."""
    words = [i for i, token in enumerate(view.tokens) if not view.special[i] and any(c.isalnum() for c in token)]
    if not words:
        return None
    repeated = [i for i in words if view.tokens.index(view.tokens[i]) < i]
    row = (repeated or words)[-1]
    moved, largest = float(view.moves(factor=10, shift=0)[row]), float(np.abs(view.captured.after[row]).max())
    margin = 1 - moved / largest
    if margin < 1 - CLEAR:
        return None
    facts = {
        "token": named(view.tokens, row),
        "moved": moved,
        "largest": largest,
        "spread": float(view.captured.before[row].std()),
        "ten_spread": float(view.ran(factor=10).before[row].std()),
        "d_model": view.d_model,
    }
    return Question("ten_times", tuple(Choice(id) for id in ("tenfold", "same", "tenth")), "same", margin, row, facts)


def louder(view: InputView) -> Question | None:
    """In the sum for {t}: is the token louder or the position? For the last repeated word, else the clearest one."""
    words = [i for i, token in enumerate(view.tokens) if not view.special[i] and any(c.isalnum() for c in token)]
    shares = view.shares()
    clear = [i for i in words if abs(shares[i] - 0.5) >= CLEAR]
    if not clear:
        return None
    repeated = [i for i in clear if view.ids[i] in view.ids[:i]]
    row = repeated[-1] if repeated else max(clear, key=lambda i: abs(float(shares[i]) - 0.5))
    facts = {
        "token": named(view.tokens, row),
        "token_norm": float(view.norms("token")[row]),
        "position_norm": float(view.norms("position")[row]),
        "share": float(shares[row]),
    }
    answer = "position" if shares[row] > 0.5 else "token"
    choices = tuple(Choice(id) for id in ("token", "position", "even"))
    return Question("louder", choices, answer, abs(float(shares[row]) - 0.5), row, facts)


SAME = 1e-4  # as a share of its length: what differs less is the same vector, but for rounding


def after_swap(view: OrderView | None) -> Question | None:
    """Two words swapped, positions off: does the last vector of {t} change? About the first of the two that moved."""
    row = next((i for i in view.moved() if not view.special[i]), None) if view else None
    if view is None or row is None:
        return None
    with_positions, without = (view.readings[name] for name in ("on", "off"))
    difference = float(without.difference[row])
    answer = "same" if difference < SAME else "changed" if difference > CLEAR else None
    if answer is None:
        return None
    facts = {
        "token": named(view.tokens[0], row),
        "other": named(view.tokens[0], next(i for i, j in enumerate(view.partner) if j == row)),
        "off": difference,
        "on": float(with_positions.difference[row]),
        "largest": without.largest,
    }
    choices = tuple(Choice(id) for id in ("same", "slightly", "changed"))
    return Question("after_swap", choices, answer, 1.0, row, facts)


NEAR, FAR = (0, 1), (100, 101)


def farther_apart(table: PositionTable) -> Question:
    """Which two positions are farther apart, 0 and 1 or 100 and 101? Of waves the gap alone counts."""
    near, far = (float(np.linalg.norm(table.rows[a] - table.rows[b])) for a, b in (NEAR, FAR))
    answer = "equal" if abs(near - far) < SAME * near else "near" if near > far else "far"
    facts = {"near": near, "far": far, "d_model": table.d_model}
    choices = tuple(Choice(id) for id in ("near", "far", "equal"))
    return Question("farther_apart", choices, answer, 1.0, 0, facts)


ONE_LINE = 6  # characters that three choices may have together


def flip(before: Path, after: Path, edge: Edge, threshold: int) -> Question | None:
    """Raise the frequency of {word} until the path flips: which word breaks, or which one stays?

    `after` is the best path once `edge` has the frequency `threshold`. Where one word breaks, it is asked for among
    its neighbours; where several do, a neighbour that stays is.
    """
    kept = {(e.start, e.end) for e in after.edges}
    broken = [i for i, e in enumerate(before.edges) if (e.start, e.end) not in kept]
    if not broken or any(b - a > 1 for a, b in pairwise(broken)):
        return None
    around = [i for i in (broken[0] - 1, broken[-1] + 1) if 0 <= i < len(before.edges)]
    few = broken[-3:] if sum(len(before.edges[i].text) for i in broken[-3:]) <= ONE_LINE else broken[-2:]
    asked = sorted([*broken, *around]) if len(broken) == 1 else sorted([*few, *around[-1:]])
    texts = [before.edges[i].text for i in asked]
    if not around or len(set(texts)) < len(texts):
        return None
    template, answer = ("breaks", broken[0]) if len(broken) == 1 else ("stays", around[-1])
    facts = {
        "word": edge.text,
        "frequency": edge.frequency,
        "threshold": threshold,
        "answer": before.edges[answer].text,
        "after": " / ".join(after.texts[max(0, broken[0] - 1) : broken[-1] + 2]),
    }
    choices = tuple(Choice(str(i), before.edges[i].text) for i in asked)
    return Question(template, choices, str(answer), 1.0, 0, facts)


def nearest_word(space: Space, asked: str, others: Sequence[str]) -> Question | None:
    """Which of these words' rows is nearest to the asked one's? None where the vocabulary cannot spell one of them, or
    none leads clearly."""
    word, choices = space.word(asked), [space.word(other) for other in others]
    found: list[Word] = [choice for choice in choices if choice is not None]
    if word is None or len(found) < len(choices):
        return None
    cosines = {choice.text: cosine(word.vector, choice.vector) for choice in found}
    near, second, *_ = sorted(cosines, key=lambda text: -cosines[text])
    facts = {"word": asked, "near": near, "near_cosine": cosines[near], "second": second}
    facts["second_cosine"] = cosines[second]
    ids = {text: f"word{i}" for i, text in enumerate(cosines)}
    margin = cosines[near] - cosines[second]
    if margin < CLEAR:
        return None
    template = f"nearest_word.{space.model.id}"
    return Question(template, tuple(Choice(ids[text], text) for text in cosines), ids[near], margin, word.ids[0], facts)
