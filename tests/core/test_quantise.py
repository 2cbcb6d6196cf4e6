"""Rounding to fewer bits held against torch's own fake quantisation, on many blocks."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import Model, capture
from core.claims.learning import in_bits
from core.lessons.quantise import BLOCK, rounded


@pytest.mark.parametrize("bits", [4, 8])
@given(seed=st.integers(0, 2**32 - 1), blocks=st.integers(1, 12), size=st.floats(1e-3, 1e3))
def test_blocks_are_rounded_as_torch_rounds_them(bits: int, seed: int, blocks: int, size: float) -> None:
    weights = np.random.default_rng(seed).normal(0, size, (blocks, BLOCK))
    most = 2 ** (bits - 1) - 1
    scale = torch.from_numpy(np.abs(weights).max(-1) / most)
    zero = torch.zeros(blocks, dtype=torch.int32)
    torchs = torch.fake_quantize_per_channel_affine(
        torch.from_numpy(weights).float(), scale.float(), zero, 0, -most, most
    )
    apart = np.abs(rounded(weights, bits) - torchs.numpy())
    steps = apart / scale.numpy()[:, None]
    assert ((steps < 1e-3) | (np.abs(steps - 1) < 1e-3)).all()  # a tie of float32 may fall on the other side
    assert (steps > 0.5).mean() < 0.02


def test_zeros_stay_and_so_does_the_largest_of_a_block() -> None:
    assert not rounded(np.zeros((2, BLOCK)), 4).any()
    block = np.linspace(-3, 2, BLOCK)
    assert rounded(block, 4)[0] == -3
    assert len(np.unique(rounded(np.random.default_rng(0).normal(size=BLOCK), 4))) <= 15


def test_the_fewer_bits_the_further_from_the_model(minilm: Model) -> None:
    tap = minilm.reader.exit
    own = capture(minilm, "The cat sat on the mat.", only=(tap,))[tap]
    apart = [
        np.abs(capture(in_bits(minilm, bits), "The cat sat on the mat.", only=(tap,))[tap] - own).mean()
        for bits in (12, 8, 4)
    ]
    assert 0 < apart[0] < apart[1] < apart[2]
    again = capture(minilm, "The cat sat on the mat.", only=(tap,))[tap]
    np.testing.assert_array_equal(again, own)  # the model itself is not touched
