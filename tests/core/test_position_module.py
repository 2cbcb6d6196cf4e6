"""The waves against the formula by hand, at any width and base; rotation; the usual code with exp and log."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.lessons.position import rotation, turned, waves_by_logarithm
from core.model.position import per_radian, waves

WIDTHS, EVEN = st.integers(1, 300), st.integers(1, 150).map(lambda pairs: 2 * pairs)
BASES = st.sampled_from([1, 2, 10_000, 500_000])


def by_hand(position: int, d: int, base: float) -> list[float]:
    """sin(pos / base^(2i/d)) and its cosine, one number at a time, with Python's own functions."""
    angles = [position / math.pow(base, 2 * (dim // 2) / d) for dim in range(d)]
    return [math.cos(angle) if dim % 2 else math.sin(angle) for dim, angle in enumerate(angles)]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 100_000), WIDTHS, BASES)
def test_any_position_at_any_width(position: int, d: int, base: int) -> None:
    (row,) = waves(torch.tensor([position]), d, base)
    np.testing.assert_allclose(row.numpy(), by_hand(position, d, base), atol=1e-9)


def test_the_worked_example() -> None:
    """d = 4, position 1: sin 1, cos 1, sin 0.01, cos 0.01."""
    (row,) = waves(torch.tensor([1]), 4)
    assert row.tolist() == pytest.approx([0.84147, 0.54030, 0.0099998, 0.99995], abs=5e-6)


def test_wavelengths_are_the_real_ones() -> None:
    """From 2π; the last is not 10000 · 2π but 2π · 10000^((d-2)/d)."""
    for d, last in ((4, 628.32), (128, 54_410.1), (512, 60_611.5)):
        length = 2 * math.pi * per_radian(d)
        assert length[0].item() == pytest.approx(2 * math.pi) and length[-1].item() == pytest.approx(last, abs=0.1)
        assert length[-1] < 10_000 * 2 * math.pi and bool((length.diff() > 0).all())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5000), st.integers(-5000, 5000), EVEN)
def test_moving_is_turning(position: int, by: int, d: int) -> None:
    start, there = waves(torch.tensor([position, position + by]), d)
    torch.testing.assert_close(turned(start, rotation(by, d)), there, atol=1e-11, rtol=0)


@settings(max_examples=40, deadline=None)
@given(st.integers(-10_000, 10_000), EVEN)
def test_a_turn_keeps_lengths_and_turns_back(by: int, d: int) -> None:
    turn = rotation(by, d)
    identity = torch.eye(2, dtype=torch.float64).expand_as(turn)
    torch.testing.assert_close(turn @ turn.mT, identity)
    torch.testing.assert_close(turn @ rotation(-by, d), identity)
    torch.testing.assert_close(torch.linalg.det(turn), torch.ones(d // 2, dtype=torch.float64))


def test_an_odd_width_has_one_sine_too_many() -> None:
    even, odd = (waves(torch.arange(20), d) for d in (6, 5))
    assert odd.shape == (20, 5) and torch.equal(odd[:, 0], even[:, 0]) and torch.equal(odd[:, 1], even[:, 1])
    start, there = waves(torch.tensor([2, 9]), 5)
    torch.testing.assert_close(turned(start, rotation(7, 5)), there[:4])
    assert turned(waves(torch.tensor([2]), 1)[0], rotation(7, 1)).numel() == 0


@pytest.mark.parametrize("d", [2, 4, 128, 384, 512, 768])
def test_exp_and_log_give_the_same_but_for_rounding(d: int) -> None:
    """In float32 an angle of 511 radians is known to about 3e-5, and so is its sine."""
    usual, ours = waves_by_logarithm(512, d), waves(torch.arange(512), d)
    assert float((usual - ours).abs().max()) < 1e-4
    assert float((usual - ours)[:8].abs().max()) < 1e-6


@pytest.mark.parametrize("d", [3, 5, 383])
def test_the_usual_code_fails_at_an_odd_width(d: int) -> None:
    with pytest.raises(RuntimeError, match=r"must match|expanded size"):
        waves_by_logarithm(8, d)
