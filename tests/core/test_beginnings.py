"""How rows begin and how they ended, against PyTorch's own functions and scipy's rank correlation."""

import math
import re

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from core.lessons.lookup import look_up
from core.views.beginnings import begun, described, drawing, spearman, spearman_of_scripts, spearman_of_words, stretch
from core.views.embedding import table
from core.views.entries import ordinary
from tests.models import loaded

WIDE = {"default": 1.0, "bert": 0.02, "root": 1 / math.sqrt(64), "xavier": math.sqrt(2 / (3000 + 64))}


@pytest.mark.parametrize("kind", WIDE)
def test_each_way_has_the_spread_it_says(kind: str) -> None:
    made = begun(kind, 3000, 64)
    assert made.std == pytest.approx(WIDE[kind], rel=0.02) and abs(made.spearman) < 0.06
    assert made.mean == pytest.approx(WIDE[kind] * math.sqrt(64), rel=0.02)
    assert len(made.middle) == 3000 / stretch(3000) and (made.low <= made.middle).all()
    assert (made.middle <= made.high).all()
    if kind == "xavier":
        assert made.largest <= math.sqrt(6 / (3000 + 64))


def test_the_dice_of_everybody_else_are_left_alone() -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    begun("bert", 10, 4)
    assert torch.equal(torch.rand(3), expected) and set(drawing(4)) == set(WIDE)


@pytest.mark.parametrize("norms", [[3, 1, 2], [1, 1, 2, 2, 5], list(np.random.default_rng(1).integers(0, 9, 60))])
def test_the_rank_correlation_is_that_of_scipy(norms: list) -> None:
    assert spearman(np.array(norms, float)) == pytest.approx(spearmanr(range(len(norms)), norms)[0])  # type: ignore


def test_minilm_ended_with_smaller_rows_for_larger_ids(minilm) -> None:
    front = ordinary(minilm.tokenizer.pieces)
    made = described(table(minilm), front)
    assert front == 999 and made.spearman < -0.5
    assert minilm.tokenizer.pieces[1996:2001] == ("the", "of", "and", "in", "to")


def test_among_minilms_words_the_frequent_ones_ended_longer(minilm) -> None:
    pieces, rows = minilm.tokenizer.pieces, table(minilm)
    words = [id for id, piece in enumerate(pieces) if len(piece) > 1 and piece[0] != "[" and piece[:2] != "##"]
    count, among = spearman_of_words(rows, pieces)
    assert count == len(words) and words[0] == 1996
    assert among == pytest.approx(spearmanr(words, np.linalg.norm(rows[words], axis=1))[0])  # type: ignore
    assert among < -0.6


@pytest.mark.parametrize("rows", [2, 119, 120, 121, 1188, 4021, 30522])
def test_a_point_stands_for_the_rows_that_its_place_says(rows: int) -> None:
    numbers = np.random.default_rng(rows).normal(size=(rows, 3))
    made, step = described(numbers), stretch(rows)
    for point, norm in enumerate(made.middle):
        part = numbers[point * step : (point + 1) * step]
        assert norm == pytest.approx(np.median(np.linalg.norm(part, axis=1)), rel=1e-6)
    assert (len(made.middle) - 1) * step < rows <= len(made.middle) * step


def test_the_translators_norms_are_a_step_between_two_scripts() -> None:
    model = loaded("translator")
    rows, pieces = table(model), model.tokenizer.pieces
    found = spearman_of_scripts(rows, pieces)
    assert set(found) == {"cjk", "latin"}
    for script, letters in (("cjk", "[一-鿿]"), ("latin", "[A-Za-z]")):
        ids = [i for i, piece in enumerate(pieces) if re.search(letters, piece) and piece[0] != "["]
        lengths = np.linalg.norm(rows[ids], axis=1)
        assert found[script][1] == pytest.approx(spearmanr(ids, lengths)[0], abs=0.02)  # type: ignore
        assert abs(found[script][1]) < 0.3
        assert found[script][2] == pytest.approx(np.median(lengths), abs=0.02)


def test_the_lookup_of_the_handout() -> None:
    out = look_up([[1, 5, 23, 9, 0]])
    assert out.shape == (1, 5, 512)
    with pytest.raises(IndexError):
        look_up([[10_000]])
