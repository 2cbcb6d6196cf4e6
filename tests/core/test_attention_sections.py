"""What the deeper sections of attention compute: dividing by √d_k, masks; against torch and by hand."""

import numpy as np
import pytest
import torch

from core import capture
from core.grammar import sample
from core.views.attention import attention_view, taps
from core.views.masks import MASKS, masked
from core.views.rollout import rollout, rollout_view
from core.views.rollout import taps as rollout_taps
from core.views.scaling import KEYS, MOST, QUERIES, drawn, largest, trained


def view_of(model, text: str, layer: int = 0, kind: str = "encoder"):
    return attention_view(capture(model, text, only=taps(model, layer, kind)), model, layer, kind)


def test_variance_grows_with_the_width_and_dividing_takes_it_back() -> None:
    made, widths = drawn(), np.arange(1, MOST + 1)
    np.testing.assert_allclose(made.variance / widths, 1, atol=0.15)
    np.testing.assert_allclose(made.scaled, made.variance / widths)
    assert (np.diff(made.largest[::16]) > 0).all() and made.largest[63] > 0.75
    assert np.abs(made.largest_scaled - made.largest_scaled[63]).max() < 0.12
    assert made.slope[MOST - 1] < made.slope_scaled[MOST - 1] / 2


def test_the_largest_weight_is_softmax_s() -> None:
    scores = np.random.default_rng(1).normal(0, 5, (7, KEYS, 3))
    theirs = torch.softmax(torch.tensor(scores), 1).max(1).values
    np.testing.assert_allclose(largest(scores), theirs.numpy())
    assert QUERIES * KEYS == 4000


@pytest.mark.parametrize("kind", ["encoder", "self", "cross"])
def test_a_trained_head_is_measured_over_every_open_pair(translator, kind) -> None:
    from random import Random

    view = view_of(translator, sample(Random(3)).zh, 1, kind)
    for head in range(view.heads):
        made = trained(view, head)
        products = view.query[head].astype(float) @ view.key[head].astype(float).T
        open_pairs = np.isfinite(view.mask)
        assert made.variance == pytest.approx(products[open_pairs].var()) and made.pairs == open_pairs.sum()
        assert made.largest_scaled == pytest.approx(view.weights[head].max(-1).mean(), abs=1e-5)
        first = np.outer(view.query[head][:, 0], view.key[head][:, 0])[open_pairs].astype(float)
        assert made.running[0] == pytest.approx(first.var(), rel=1e-4)


def test_one_token_has_no_variance(minilm) -> None:
    view = view_of(minilm, "")
    assert trained(view, 0).pairs == 4 and np.isfinite(trained(view, 0).running).all()


@pytest.mark.parametrize("mask", MASKS)
def test_masks_are_torch_s_own(minilm, mask) -> None:
    view = view_of(minilm, "The cat sat on the mat.", 2)
    n = len(view.keys)
    let = {"none": np.ones((n, n)), "padding": np.ones((n, n)), "causal": np.tri(n)}[mask].astype(bool)
    if mask == "padding":
        let[:, -3:] = False
    made = masked(view, 8, mask, 3)
    assert (made.let == let).all() and made.is_own == (mask == "none")
    query, key = torch.tensor(view.query[8])[None], torch.tensor(view.key[8])[None]
    attend = torch.nn.functional.scaled_dot_product_attention
    theirs = attend(query, key, torch.eye(n)[None], attn_mask=torch.tensor(let)[None])
    np.testing.assert_allclose(made.weights, theirs[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(made.weights.sum(-1), 1, atol=1e-6)
    assert (made.weights[~let] == 0).all() and (mask != "none" or made.difference < 1e-6)


def test_a_decoder_s_own_mask_is_the_causal_one(translator) -> None:
    view = view_of(translator, "我昨天在北京买了三本书", 0, "self")
    assert masked(view, 0, "causal").is_own and not masked(view, 0, "none").is_own
    cross = view_of(translator, "我昨天在北京买了三本书", 0, "cross")
    for wrong in (("causal", 0), ("padding", len(cross.keys)), ("other", 0)):
        with pytest.raises(ValueError, match="no mask"):
            masked(cross, 0, *wrong)


# ---- through the layers


def test_rollout_by_hand() -> None:
    """Two tokens, two layers: ½A + ½I, then multiplied, the later layer from the left."""
    first, second = np.array([[0.0, 1], [0, 1]]), np.array([[0.5, 0.5], [1, 0]])
    made = rollout([first, second])
    np.testing.assert_allclose(made[0], [[0.5, 0.5], [0, 1]])
    np.testing.assert_allclose(made[1], [[0.375, 0.625], [0.25, 0.75]])  # [[.75, .25], [.5, .5]] @ made[0]


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "", "我昨天在北京买了三本书"])
def test_rollout_of_a_sentence(minilm, translator, text) -> None:
    model = translator if text.startswith("我") else minilm
    run = capture(model, text, only=rollout_taps(model))
    made = rollout_view(run)
    assert made.rolled.shape == (model.config.layers, len(made.tokens), len(made.tokens))
    np.testing.assert_allclose(made.rolled.sum(-1), 1)
    mixed = [0.5 * run[f"encoder.{i}.attention.weights"].mean(0) + 0.5 * np.eye(len(made.tokens)) for i in range(2)]
    np.testing.assert_allclose(made.rolled[1], mixed[1] @ mixed[0], atol=1e-6)
    assert ((made.carried > 0) & (made.carried < 1)).all()
