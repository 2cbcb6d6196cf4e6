"""LayerNorm by hand and against torch's, and the residual wrapper it sits in."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.model.config import Config
from core.model.norm import LayerNorm
from core.model.residual import PostNorm
from core.model.taps import name_taps, recording


def test_the_variance_is_the_biased_one() -> None:
    """[1, 2, 3, 4]: mean 2.5, variance 1.25 (not 5/3), so 1 becomes -1.5 / √1.25 = -1.3416 (not -1.1619)."""
    norm = LayerNorm(4, epsilon=1e-12)
    name_taps(norm)
    with recording() as tape:
        norm(torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]))
    assert list(tape.tensors) == ["mean", "variance", "normalized", "output"]
    assert tape.tensors["mean"].tolist() == [2.5]
    assert tape.tensors["variance"].tolist() == [1.25]
    assert tape.tensors["normalized"][0].tolist() == pytest.approx([-1.3416, -0.4472, 0.4472, 1.3416], abs=5e-5)


def test_ten_times_the_input_gives_the_same() -> None:
    norm, x = LayerNorm(64, epsilon=1e-12), torch.randn(1, 5, 64, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(norm(10 * x + 3), norm(x), atol=1e-5, rtol=0)


def test_gamma_scales_and_beta_moves() -> None:
    norm = LayerNorm(2, epsilon=1e-12)
    norm.load_state_dict({"gamma": torch.tensor([2.0, 3.0]), "beta": torch.tensor([10.0, 20.0])})
    assert norm(torch.tensor([[[5.0, 7.0]]])).flatten().tolist() == pytest.approx([8, 23])


def test_equal_values_become_beta_and_not_nan() -> None:
    norm = LayerNorm(8, epsilon=1e-12)
    assert norm(torch.full((1, 2, 8), 0.5)).tolist() == torch.zeros(1, 2, 8).tolist()


@settings(deadline=None, max_examples=200)
@given(data=st.data(), n=st.integers(1, 5), d=st.integers(1, 40), epsilon=st.sampled_from([1e-12, 1e-5, 0.1]))
def test_against_torch(data: st.DataObject, n: int, d: int, epsilon: float) -> None:
    """In float64: any sizes, any values, equal ones too."""
    value = st.floats(-1e3, 1e3, width=32)
    rows = data.draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=n, max_size=n))
    gamma, beta = data.draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=2, max_size=2))
    ours, theirs = LayerNorm(d, epsilon).double(), nn.LayerNorm(d, epsilon, dtype=torch.float64)
    parameters = {"gamma": torch.tensor(gamma).double(), "beta": torch.tensor(beta).double()}
    ours.load_state_dict(parameters)
    theirs.load_state_dict({"weight": parameters["gamma"], "bias": parameters["beta"]})
    x = torch.tensor([rows], dtype=torch.float64)
    # Rounding in a row of equal thousands is 1e-13, which the smallest ε magnifies by 1e6, and γ by 1e3.
    torch.testing.assert_close(ours(x), theirs(x), atol=1e-3 if epsilon < 1e-6 else 1e-6, rtol=1e-9)


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 20), d=st.sampled_from([2, 3, 64, 384]))
def test_against_torch_in_float32(seed: int, n: int, d: int) -> None:
    """At the size of real vectors: as the model runs."""
    x = torch.randn(1, n, d, generator=torch.Generator().manual_seed(seed)) * 3 + 1
    torch.testing.assert_close(LayerNorm(d, 1e-5)(x), nn.LayerNorm(d, 1e-5)(x), atol=1e-5, rtol=1e-5)


def test_post_norm_adds_and_then_normalises() -> None:
    config = Config(vocab=1, d_model=16, heads=1, layers=1, d_ff=1, positions=1, segments=1, epsilon=1e-5)
    sublayer = nn.Linear(16, 16)
    wrapped = PostNorm(sublayer, config).eval()
    name_taps(wrapped)
    x = torch.randn(1, 3, 16, generator=torch.Generator().manual_seed(1))
    with recording() as tape:
        output = wrapped(x)
    torch.testing.assert_close(output, nn.LayerNorm(16, 1e-5)(x + sublayer(x)))
    torch.testing.assert_close(tape.tensors["skip"], x[0])
    torch.testing.assert_close(tape.tensors["residual"], (x + sublayer(x))[0])
