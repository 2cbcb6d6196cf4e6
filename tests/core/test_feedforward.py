"""The feed-forward network against torch's own parts, and what a token-wise map must do."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.model.config import Config
from core.model.feedforward import FeedForward
from core.model.taps import name_taps, recording

THEIRS = {"gelu": nn.GELU, "relu": nn.ReLU}


def feedforward(d_model: int, d_ff: int, activation: str = "gelu") -> FeedForward:
    config = Config(
        vocab=1, d_model=d_model, heads=1, layers=1, d_ff=d_ff, positions=1, segments=1, activation=activation
    )
    module = FeedForward(config)
    name_taps(module)
    return module


@settings(deadline=None, max_examples=100)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 8),
    d_model=st.integers(1, 48),
    d_ff=st.integers(1, 96),
    activation=st.sampled_from(sorted(THEIRS)),
)
def test_against_torch(seed: int, n: int, d_model: int, d_ff: int, activation: str) -> None:
    torch.manual_seed(seed)
    ours = feedforward(d_model, d_ff, activation)
    theirs = nn.Sequential(nn.Linear(d_model, d_ff), THEIRS[activation](), nn.Linear(d_ff, d_model))
    parts = {"0": ours.widen, "2": ours.narrow}
    theirs.load_state_dict(
        {f"{i}.{name}": value for i, part in parts.items() for name, value in part.state_dict().items()}
    )
    x = torch.randn(1, n, d_model) * 2
    with torch.no_grad(), recording() as tape:
        output, expected = ours(x), theirs(x)
    torch.testing.assert_close(output, expected, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(tape.tensors["hidden"], theirs[0](x)[0].detach(), atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(tape.tensors["activated"], theirs[1](tape.tensors["hidden"]), atol=1e-6, rtol=1e-5)


def test_gelu_is_the_exact_one() -> None:
    """x · Φ(x), by the error function, not the tanh that GPT-2 puts in its place."""
    module, xs = feedforward(1, 1), [-3.0, -1.0, 0.0, 0.5, 2.0]
    one = {"weight": torch.ones(1, 1), "bias": torch.zeros(1)}
    module.widen.load_state_dict(one)
    module.narrow.load_state_dict(one)
    with torch.no_grad():
        output = module(torch.tensor(xs)[None, :, None]).flatten().tolist()
    assert output == pytest.approx([x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in xs], abs=1e-6)


def test_each_token_on_its_own() -> None:
    torch.manual_seed(1)
    module, x = feedforward(8, 32), torch.randn(1, 5, 8)
    order = [3, 0, 4, 1, 2]
    torch.testing.assert_close(module(x[:, order]), module(x)[:, order], atol=1e-6, rtol=1e-5)
