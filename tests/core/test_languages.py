"""Two languages in one table: the rotation is scipy's, keeps every length, and carries words it was never shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import orthogonal_procrustes

from core.grammar.glosses import english_of
from core.views.languages import HELD_OUT, LEARNED, align, languages, procrustes


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 30))
@settings(max_examples=20, deadline=None)
def test_the_rotation_is_that_of_scipy(seed: int, d: int, pairs: int) -> None:
    dice = np.random.default_rng(seed)
    x, y = dice.normal(size=(2, pairs, d))
    ours, (theirs, _) = procrustes(x, y), orthogonal_procrustes(x, y)
    assert np.allclose(ours.T @ ours, np.eye(d), atol=1e-9)
    assert np.linalg.norm(x @ ours - y) == pytest.approx(np.linalg.norm(x @ theirs - y), abs=1e-9)
    if pairs >= d:  # then there is only one
        assert np.allclose(ours, theirs, atol=1e-6)
    turn = np.linalg.qr(dice.normal(size=(d, d)))[0]
    assert np.allclose(x @ procrustes(x, x @ turn), x @ turn, atol=1e-9)


def test_pairs_are_words_of_the_table_each_once(translator) -> None:
    words = languages(translator, english_of())
    assert len(words.pairs) > max(LEARNED) + HELD_OUT and max(LEARNED) <= words.held_out[0]
    assert len({english for _, english in words.pairs}) == len(words.pairs)
    assert ("狗", "dog") in words.pairs and np.allclose(np.linalg.norm(words.chinese, axis=1), 1, atol=1e-6)
    rows = {piece: id for id, piece in enumerate(translator.tokenizer.pieces)}
    table = translator.network.get_parameter("embedding.token_table.weight").detach().numpy()
    english = np.stack([table[rows[word]] for _, word in words.pairs])
    english = english - english.mean(0)
    assert np.allclose(words.english, english / np.linalg.norm(english, axis=1, keepdims=True), atol=1e-6)


def test_words_never_shown_find_their_translation(translator) -> None:
    words = languages(translator, english_of())
    found = [align(words, learned) for learned in LEARNED]
    assert np.array_equal(found[0].chinese, words.chinese)
    near = [each.first(words.held_out, 5) for each in found]
    assert near == sorted(near) and near[0] < 0.05 and near[-1] > 0.8
    for each in found:
        assert np.abs(np.linalg.norm(each.chinese, axis=1) - 1).max() < 1e-5
        at = words.held_out[3]
        order = np.argsort(-(each.chinese[at] @ words.english.T), kind="stable").tolist()
        assert order.index(at) + 1 == each.ranks[at]
