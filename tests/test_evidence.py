"""The instrument that asks whether the site teaches: both sheets are alike in both languages, and every number in them
is what the models give."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from core import Capture, capture, load_model
from core.zoo import SOURCES

FOLDER = Path(__file__).parents[1] / "docs/evidence"
SHEETS = {name: (FOLDER / name).read_text(encoding="utf-8") for name in ("a.en.md", "a.zh.md", "b.en.md", "b.zh.md")}
# What each sheet asks about: the word, the sentence with a word twice, the sentences turned round, the scores, the word
# in two sentences, and the line of a poem.
ASKED = {
    "a": ("normalization", "The cat sat on the mat.", "the", "dog bites man", (2, 1, 0), "bank", "床前明月光"),
    "b": ("tokenization", "The dog ran and the dog slept.", "dog", "cat sees bird", (3, 1, 1), "bark", "春眠不觉晓"),
}
CONTEXTS = {
    "bank": ("She sat by the bank of the river.", "The bank lent him money."),
    "bark": ("He heard the dog bark.", "The bark of the tree is rough."),
}


def items(sheet: str) -> list[str]:
    return re.split(r"^\d+\. ", sheet, flags=re.M)[1:]


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def places(run: Capture, word: str) -> list[int]:
    return [i for i, token in enumerate(run.tokens) if token.text == word]


@pytest.mark.parametrize("name", SHEETS)
def test_every_number_is_the_models(name: str) -> None:
    word, sentence, twice, turned, scores, sense = ASKED[name[0]][:-1]
    said = items(SHEETS[name])
    model = load_model("minilm")
    pieces = [token.text for token in capture(model, word).tokens[1:-1]]
    assert len(pieces) == 2 and all(f"`{piece}`" in said[0] for piece in pieces) and f"`{word}`" in said[0]

    run = capture(model, sentence)
    one, other = places(run, twice)
    assert sentence in said[1] and f"{cosine(*run['embedding.token'][[one, other]]):.3f}" == "1.000" in said[1]
    assert f"{cosine(*run['embedding.sum'][[one, other]]):.3f}" in said[2]
    heads, n, _ = run["encoder.0.attention.weights"].shape
    assert heads == 12 and f" {n} " in said[5] and f"- C. {heads * n * n}\n" in said[5]

    mover, verb, moved = turned.split()
    back = f"{moved} {verb} {mover}"
    assert turned in said[3] and back in said[3]
    blind, behind = (capture(model, text, edits=["zero"])["encoder.5.output"] for text in (turned, back))
    assert np.abs(blind[1] - behind[3]).max() < 1e-5

    shares = np.exp(scores) / np.exp(scores).sum()
    assert ", ".join(f"{share:.3f}" for share in shares) in said[4] and ", ".join(map(str, scores)) in said[4]

    runs = [capture(model, text) for text in CONTEXTS[sense]]
    states = [run["encoder.5.output"][places(run, sense)[0]] for run in runs]
    assert all(text in said[6] for text in CONTEXTS[sense]) and f"{cosine(*states):.3f}" in said[6]


@pytest.mark.skipif("poet" not in SOURCES, reason="this place has no poet")
@pytest.mark.parametrize("name", SHEETS)
def test_the_poet_says_what_is_said_of_it(name: str) -> None:
    line, said = ASKED[name[0]][-1], items(SHEETS[name])
    run = capture(load_model("poet"), line)
    weights = run["decoder.0.attention.weights"]
    assert line in said[8] and not np.triu(weights, 1).any()
    assert line in said[9] and said[9].count(f"{run['output.probabilities'][-1].max():.2f}") == 4


def test_sheets_are_alike_and_the_form_has_a_place_for_each_answer() -> None:
    letters = [[re.findall(r"- ([A-D])\.", item) for item in items(sheet)] for sheet in SHEETS.values()]
    assert letters == [[[*"ABCD"]] * 10 + [[]] * 2] * 4
    whys = [[i for i, item in enumerate(items(sheet), 1) if "**" in item] for sheet in SHEETS.values()]
    assert whys == [[3, 4, 7, 9]] * 4
    with (FOLDER / "answers.csv").open() as form:
        columns = next(csv.reader(form))
    asked = [cell for i in range(1, 13) for cell in ([f"{i}", f"why{i}"] if i in whys[0] else [f"{i}"])]
    assert columns == ["number", "sheet", "when", *asked]


def test_the_rubric_knows_each_answer_in_both_languages() -> None:
    said = (FOLDER / "README.md").read_text(encoding="utf-8")
    english, chinese = (
        re.findall(r"(\d+) ([A-D])\b", row) for row in re.findall(r"^\| 1 .*\| 1 \| (.*) \|$", said, re.M)
    )
    assert english == chinese and [int(item) for item, _ in english] == [*range(1, 11)]
