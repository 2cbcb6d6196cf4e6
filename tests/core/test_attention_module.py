"""Attention by hand and against torch.nn.MultiheadAttention with the same weights."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.model.attention import MultiHeadAttention
from core.model.config import Config
from core.model.encoder import padding_mask
from core.model.taps import name_taps, recording


def config(d_model: int, heads: int) -> Config:
    return Config(vocab=1, d_model=d_model, heads=heads, layers=1, d_ff=1, positions=1, segments=1)


def identity(d_model: int, heads: int) -> MultiHeadAttention:
    """Attention whose four projections are the identity: q = k = v = x."""
    attention = MultiHeadAttention(config(d_model, heads))
    name_taps(attention)
    for name in ("query", "key", "value", "output"):
        linear = attention.get_submodule(f"to_{name}")
        linear.load_state_dict({"weight": torch.eye(d_model), "bias": torch.zeros(d_model)})
    return attention


def same_in_torch(ours: MultiHeadAttention, d_model: int, heads: int) -> nn.MultiheadAttention:
    """Theirs, holding our weights: W^Q, W^K and W^V one above the other in one matrix."""
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True)
    parts = [ours.to_query, ours.to_key, ours.to_value]
    theirs.load_state_dict(
        {
            "in_proj_weight": torch.cat([part.weight for part in parts]),
            "in_proj_bias": torch.cat([part.bias for part in parts]),
            "out_proj.weight": ours.to_output.weight,
            "out_proj.bias": ours.to_output.bias,
        }
    )
    return theirs.eval()


def test_two_tokens_by_hand() -> None:
    """Scores (1, 0) ÷ √2 = (.7071, 0), so the weights are e^.7071 and 1 over their sum: .6698 and .3302."""
    attention, x = identity(2, 1), torch.eye(2)[None]
    with torch.no_grad(), recording() as tape:
        output = attention(x, x, torch.zeros(1, 2, 2))
    scores, weights = tape.tensors["scores"][0], tape.tensors["weights"][0]
    assert scores.flatten().tolist() == pytest.approx([1 / math.sqrt(2), 0, 0, 1 / math.sqrt(2)])
    assert weights.flatten().tolist() == pytest.approx([0.6698, 0.3302, 0.3302, 0.6698], abs=5e-5)
    torch.testing.assert_close(output[0], weights)  # V is the identity


def test_a_masked_key_is_not_looked_at() -> None:
    attention, x = identity(2, 1), torch.eye(2)[None]
    mask = torch.tensor([[[0.0, -torch.inf], [0.0, 0.0]]])
    with torch.no_grad(), recording() as tape:
        attention(x, x, mask)
    assert tape.tensors["weights"][0, 0].tolist() == [1, 0]
    assert tape.tensors["weights"][0, 1].tolist() == pytest.approx([0.3302, 0.6698], abs=5e-5)
    assert tape.tensors["mask"].tolist() == mask[0].tolist()
    assert tape.tensors["scores"][0, 0, 1] == 0  # taken before the mask


def test_heads_are_cut_after_the_projection_and_joined_again() -> None:
    attention = identity(6, 3)
    x = torch.arange(12.0).reshape(1, 2, 6)
    assert attention.split(x).tolist() == [
        [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]],
    ]
    assert attention.join(attention.split(x)).tolist() == x.tolist()


def test_a_width_that_does_not_divide_into_heads() -> None:
    with pytest.raises(ValueError, match="d_model 10 does not divide into 3 heads"):
        config(10, 3)


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    heads=st.sampled_from([1, 2, 3, 12]),
    d_head=st.sampled_from([1, 2, 8, 32]),
    queries=st.integers(1, 9),
    keys=st.integers(1, 9),
    masked=st.booleans(),
)
def test_against_torch(seed: int, heads: int, d_head: int, queries: int, keys: int, masked: bool) -> None:
    """Any shape, cross-attention (as many keys as it likes) and masks with -inf included."""
    generator = torch.Generator().manual_seed(seed)
    d_model = heads * d_head
    torch.manual_seed(seed)
    ours = MultiHeadAttention(config(d_model, heads))
    name_taps(ours)
    nn.init.normal_(ours.to_query.bias, generator=generator)
    nn.init.normal_(ours.to_output.bias, generator=generator)
    theirs = same_in_torch(ours, d_model, heads)
    x = torch.randn(1, queries, d_model, generator=generator)
    source = torch.randn(1, keys, d_model, generator=generator)
    mask = torch.zeros(1, queries, keys)
    if masked:  # the first key stays allowed: a row without any has no softmax
        hidden = torch.rand(1, queries, keys, generator=generator) < 0.5
        hidden[..., 0] = False
        mask = mask.masked_fill(hidden, -torch.inf)
    with torch.no_grad(), recording() as tape:
        output = ours(x, source, mask)
        expected, weights = theirs(x, source, source, attn_mask=mask[0], average_attn_weights=False)
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(tape.tensors["weights"], weights[0], atol=1e-6, rtol=1e-5)
    assert tape.tensors["query"].shape == (heads, queries, d_head)
    assert tape.tensors["key"].shape == tape.tensors["value"].shape == (heads, keys, d_head)
    assert tape.tensors["output"].shape == (queries, d_model)


def test_padding_mask() -> None:
    mask = padding_mask(torch.tensor([[False, False, True]]))
    assert mask.tolist() == [[[0, 0, -np.inf]] * 3]  # [1, query, key]: the key is padding, whoever asks
    assert padding_mask(torch.zeros(1, 2, dtype=torch.bool)).tolist() == [[[0, 0], [0, 0]]]
