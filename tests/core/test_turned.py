"""Queries and keys as they are turned, against complex numbers, the captured taps and Hugging Face's own function."""

import numpy as np
import pytest
import torch
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from core import capture
from core.views.turned import FAR, attentions, previous_token_head, taps, turned_view
from core.zoo import Model
from tests.models import loaded

TEXT = "The cat sat on the mat and the dog sat on the rug."


@pytest.fixture(scope="module")
def smollm2() -> Model:
    return loaded("smollm2")


@pytest.fixture(scope="module")
def run(smollm2: Model):
    return capture(smollm2, TEXT)


@pytest.mark.parametrize(("layer", "head", "q", "k"), [(0, 0, 12, 3), (16, 0, 5, 4), (29, 8, 7, 7), (11, 4, 2, 9)])
def test_it_is_what_the_model_does(smollm2: Model, run, layer: int, head: int, q: int, k: int) -> None:
    place, pairs = attentions(smollm2)[layer], smollm2.config.d_head // 2
    shown = turned_view(run, smollm2, layer, head, q, k)
    for of, tap, at in ((shown.query, "rotated_query", (head, q)), (shown.key, "shared_key", (head, k))):
        np.testing.assert_allclose(of[1].T.ravel(), run[place.tap(tap)][at], rtol=1e-4, atol=1e-4)
    assert shown.score == pytest.approx(float(run[place.tap("scores")][head, q, k]), rel=1e-4, abs=1e-4)
    assert shown.score == pytest.approx(shown.by_distance[q - k]) if q >= k else True
    query, key = (of[0] @ [1, 1j] for of in (shown.query, shown.key))
    speed = smollm2.config.rotary_base ** (-np.arange(pairs) / pairs)
    by_hand = [
        (query * np.exp(1j * speed * far) * key.conj()).real.sum() / np.sqrt(2 * pairs) for far in range(FAR + 1)
    ]
    np.testing.assert_allclose(shown.by_distance, by_hand, rtol=1e-9)


def test_hugging_face_turns_them_alike(smollm2: Model, run) -> None:
    layer, head, q, k, shift = 3, 5, 10, 6, 40
    query, key = (torch.from_numpy(run[name].copy())[None] for name in taps(smollm2, layer))
    d = smollm2.config.d_head
    angle = torch.arange(shift, shift + query.shape[2])[:, None] * smollm2.config.rotary_base ** -(
        torch.arange(0, d, 2) / d
    )
    wave = torch.cat([angle, angle], -1)[None]
    a, b = apply_rotary_pos_emb(query, key.repeat_interleave(query.shape[1] // key.shape[1], 1), wave.cos(), wave.sin())
    expected = float(a[0, head, q] @ b[0, head, k]) / d**0.5
    shown = turned_view(run, smollm2, layer, head, q, k, shift)
    assert shown.score == pytest.approx(expected, rel=1e-4)
    assert shown.score == pytest.approx(turned_view(run, smollm2, layer, head, q, k).score, rel=1e-9)


def test_the_head_that_looks_one_back() -> None:
    none, all_of_it = np.eye(4), np.eye(4, k=-1)
    all_of_it[0, 0] = 1
    assert previous_token_head([np.stack([none, none]), np.stack([none, all_of_it])]) == (1, 1)
    assert previous_token_head([np.ones((2, 1, 1))]) == (0, 0)
