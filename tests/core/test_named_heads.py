"""What core/named_heads.py says about some heads, measured on everyday sentences. Run with -s to see the numbers."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from core import Capture, Model, capture
from core.named_heads import known, rows
from core.text.token import Token

# A sentence, and the nouns its determiners belong to.
EVERYDAY = {
    "The old man walked slowly along the quiet beach.": "man beach",
    "My sister bought a new book about the history of Rome.": "sister book history",
    "After lunch the children played football in the park.": "children park",
    "A small bird built its nest in the tall tree.": "bird nest tree",
    "The train to London leaves in ten minutes.": "train",
    "Our teacher wrote a long letter to the school.": "teacher letter school",
    "He put the keys on the table and closed the door.": "keys table door",
    "The doctor gave the patient a glass of water.": "doctor patient glass",
    "In winter the lake near the village is frozen.": "lake village",
    "They sold the house and moved to a town by the sea.": "house town sea",
}
DETERMINERS = ("the", "a", "my", "our", "its")

REPEATING = (
    "The dog chased the other dog around the yard.",
    "A friend of mine has a friend in Paris.",
    "One book on the shelf was older than the other book.",
    "The blue car stopped behind a red car.",
    "My brother met your brother at the station.",
    "She bought bread because the old bread was hard.",
    "Rain fell in the morning and rain fell at night.",
    "The king of France wrote to the king of Spain.",
    "First the door opened, then the door closed.",
    "Water is heavier than oil, so oil floats on water.",
    "His house is near the school and my house is near the park.",
)
SMALL = ("the", "a", "my", "and", "of", "at", "in", "on", "is", "to", "than", "was", "other", ",", ".")

LONG_WORDS = (
    "The tokenization of words is unaffable.",
    "Electroencephalography reads the brain.",
    "She misspelled counterintuitive again.",
    "Their reparameterization was unforgettable.",
    "An unputdownable novel about glaciology.",
    "The organization postponed its modernization.",
    "Photosynthesis and electromagnetism are hard to spell.",
    "He is a hyperactive kindergartener.",
    "The cyberattack was unpreventable.",
)

Weights = Callable[[str], tuple[Capture, np.ndarray]]


@pytest.fixture
def looking(request: pytest.FixtureRequest, minilm: Model) -> Weights:
    """text -> its capture, and the [query, key] weights of the head named by the test's parameter."""
    layer, head = request.param

    def weights(text: str) -> tuple[Capture, np.ndarray]:
        tap = f"encoder.{layer - 1}.attention.weights"
        run = capture(minilm, text, only=(tap,))
        return run, run[tap][head - 1]

    return weights


def heads(name: str):
    """The heads that are said to do this, as the parameter of a test."""
    named = [place for place, claim in known("minilm").items() if claim == name]
    assert named
    return pytest.mark.parametrize("looking", named, indirect=True, ids=lambda p: f"L{p[0]}H{p[1]}")


def test_every_claim_is_measured_here() -> None:
    assert set(known("minilm").values()) == {"previous", "next", "noun", "same", "pieces", "sink", "uniform"}


@heads("previous")
def test_previous(looking: Weights) -> None:
    masses = [np.diagonal(looking(text)[1], -1).mean() for text in EVERYDAY]
    print(f"\nmass on the token before: {np.mean(masses):.3f}, at least {min(masses):.3f}")
    assert np.mean(masses) > 0.9


@heads("next")
def test_next(looking: Weights) -> None:
    masses = [np.diagonal(looking(text)[1], 1).mean() for text in EVERYDAY]
    print(f"\nmass on the token after: {np.mean(masses):.3f}, at least {min(masses):.3f}")
    assert np.mean(masses) > 0.5


@heads("sink")
def test_sink(looking: Weights) -> None:
    masses = [looking(text)[1][:, 0].mean() for text in EVERYDAY]
    print(f"\nmass on [CLS]: {np.mean(masses):.3f}, at least {min(masses):.3f}")
    assert np.mean(masses) > 0.8


@heads("uniform")
def test_uniform(looking: Weights) -> None:
    """The mean entropy of its rows, as a share of the largest there can be, log n."""
    shares = []
    for text in EVERYDAY:
        _, weights = looking(text)
        shares.append(-(weights * np.log(weights)).sum(-1).mean() / np.log(len(weights)))
    print(f"\nentropy, of the maximum: {np.mean(shares):.3f}, at least {min(shares):.3f}")
    assert np.mean(shares) > 0.85


@heads("noun")
def test_noun(looking: Weights) -> None:
    right, wrong = 0, []
    for text, nouns in EVERYDAY.items():
        run, weights = looking(text)
        tokens = [token.text for token in run.tokens]
        rows = [i for i, token in enumerate(tokens) if token in DETERMINERS]
        for row, noun in zip(rows, nouns.split(), strict=True):
            looked_at = tokens[int(weights[row].argmax())]
            right += looked_at == noun
            wrong += [] if looked_at == noun else [f"{tokens[row]} {noun}: {looked_at}"]
    print(f"\nlooks at its noun most: {right} of {right + len(wrong)}; {wrong}")
    assert right + len(wrong) == 25
    assert right / (right + len(wrong)) > 0.8


def doubles(run: Capture) -> Iterator[tuple[int, list[int]]]:
    """Each token that stands more than once, and where else it stands."""
    tokens = [token.text for token in run.tokens]
    for i, token in enumerate(tokens):
        others = [j for j, other in enumerate(tokens) if other == token and j != i]
        if others:
            yield i, others


@heads("same")
def test_same(looking: Weights) -> None:
    """Content words; small ones mostly look at [CLS] here, doubled or not."""
    masses, small, most, chances = [], [], [], []
    for text in REPEATING:
        run, weights = looking(text)
        for i, others in doubles(run):
            mass = float(weights[i, others].sum())
            if run.tokens[i].text in SMALL:
                small.append(mass)
                continue
            masses.append(mass)
            most.append(int(weights[i].argmax()) in others)
            chances.append(len(others) / len(run.tokens))
    print(
        f"\nmass on the double: {np.mean(masses):.3f} (evenly: {np.mean(chances):.3f}), "
        f"most of the row {np.mean(most):.2f} of the time; small words {np.mean(small):.3f}"
    )
    assert len(masses) > 20
    assert np.mean(masses) > 0.5 > 5 * np.mean(chances)
    assert np.mean(most) > 0.75
    assert np.mean(small) < 0.3


@heads("pieces")
def test_pieces(looking: Weights) -> None:
    """The mass of ## pieces on the other pieces of their word, and, of words in two pieces, on the first."""
    masses, chances, firsts = [], [], []
    for text in LONG_WORDS:
        run, weights = looking(text)
        for i, token in enumerate(run.tokens):
            if not token.text.startswith("##"):
                continue
            others = [j for j, other in enumerate(run.tokens) if other.word == token.word and j != i]
            masses.append(float(weights[i, others].sum()))
            chances.append(len(others) / len(run.tokens))
            if len(others) == 1:
                firsts.append(masses[-1])
    print(
        f"\nmass on the other pieces: {np.mean(masses):.3f} (evenly: {np.mean(chances):.3f}); "
        f"##b to a: {np.mean(firsts):.3f}"
    )
    assert len(masses) > 30 and len(firsts) == 3
    assert np.mean(masses) > 0.5 > 2 * np.mean(chances)
    assert np.mean(firsts) > 0.5


def test_that_which_begins_a_clause_is_no_determiner():
    tokens = [
        Token(text, i, 0, 0, False, 0, i) for i, text in enumerate(["the", "rat", "that", "ate", "the", "cheese"])
    ]
    assert rows("noun", tokens) == [0, 4]
