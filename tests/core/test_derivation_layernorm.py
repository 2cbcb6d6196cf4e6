"""Any number of a norm, recomputed from what the norm was given, and held against what it made."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Model, capture
from core.derivation.layernorm import PARTS, derive
from core.model.places import Place
from core.views.layernorm import NormView, norm_view, places
from core.views.norms import KINDS, layer_norm

TEXTS = ("The cat sat on the mat.", "奥利给, naïve café!", "", "the cat and the dog " * 20)


@pytest.fixture(scope="module")
def views(minilm: Model) -> list[NormView]:
    return [norm_view(capture(minilm, text), minilm, place) for text in TEXTS for place in places(minilm)[::4]]


def shares() -> st.SearchStrategy[float]:
    return st.floats(0, 1, exclude_max=True)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=150)
@given(
    which=shares(), row=shares(), column=shares(), part=shares(),
    factor=st.sampled_from([1.0, 10.0]), shift=st.sampled_from([0.0, 5.0]), epsilon=st.sampled_from([None, 1e-5, 0.1]),
)  # fmt: skip
def test_recomputed_is_what_ran(
    views: list[NormView], kind: str, which: float, row: float, column: float, part: float,
    factor: float, shift: float, epsilon: float | None,
) -> None:  # fmt: skip
    view = views[int(which * len(views))]
    ran = view.ran(kind, factor, shift, epsilon)
    token, dim = int(row * len(view.tokens)), int(column * view.d_model)
    parts = [name for name in PARTS[kind] if name not in ("gamma", "beta") and (ran.changed or name != "before")]
    name = parts[int(part * len(parts))]
    derivation = derive(view, ran, name, token, dim)
    assert derivation.value == derivation.steps[-1].value
    if kind == "batch" and name in ("normalized", "after"):
        return  # a dimension that hardly differs between tokens magnifies rounding: checked below
    assert abs(derivation.difference) <= 5e-5 * max(1, abs(derivation.captured)), (name, derivation)


def test_batch_norm_recomputed(views: list[NormView]) -> None:
    view = views[0]
    ran = view.ran("batch")
    for part in ("mean", "variance", "normalized", "after"):
        for dim in range(0, 384, 37):
            assert abs(derive(view, ran, part, 5, dim).difference) < 1e-4


@settings(deadline=None, max_examples=60)
@given(
    part=st.sampled_from(["mean", "variance", "normalized", "after"]), dim=st.integers(0, 383), row=st.integers(0, 8)
)
def test_a_perturbed_cell_is_seen_as_exactly_that(views: list[NormView], part: str, dim: int, row: int) -> None:
    view = views[0]
    before = derive(view, view.captured, part, row, dim)
    altered = getattr(view.captured, part).copy()
    at = row if altered.ndim == 1 else (row, dim)
    altered[at] += np.float32(0.25)
    after = derive(view, replace(view.captured, **{part: altered}), part, row, dim)
    assert after.value == before.value
    moved = float(altered[at]) - before.captured
    assert after.difference == pytest.approx(before.difference - moved, abs=1e-12)


def test_by_hand() -> None:
    """1, 2, 3, 4 with γ = 2 and β = 1: mean 2.5, variance 1.25, -1.3416, and 2 · -1.3416 + 1 = -1.6833."""
    x = np.array([[1.0, 2, 3, 4]], np.float32)
    gamma, beta = np.full(4, 2, np.float32), np.ones(4, np.float32)
    view = NormView(
        Place("encoder", 0, "attention", norm=True),
        ("a",),
        (False,),
        {"s": x},
        layer_norm(x, gamma, beta, 1e-12),
        gamma,
        beta,
    )
    mean, variance, normalized, after = derive(view, view.captured, "after", 0, 0).steps
    assert (mean.value, variance.value) == (2.5, 1.25)
    assert mean.terms == (1, 2, 3, 4) and variance.terms == (2.25, 0.25, 0.25, 2.25) and variance.focus == 0
    assert normalized.value == pytest.approx(-1.3416, abs=5e-5)
    assert after.value == pytest.approx(-1.6833, abs=5e-5)
    assert derive(view, view.captured, "mean", 0, 3).value == 2.5


def test_what_goes_in_is_changed(views: list[NormView]) -> None:
    view = views[0]
    (changed,) = derive(view, view.ran(factor=10, shift=5), "before", 5, 7).steps
    assert changed.value == pytest.approx(10 * float(view.captured.before[5, 7]) + 5)
    assert changed.parts["factor"] == "10" and changed.parts["shift"] == "5"


def test_no_norm_keeps_and_rms_takes_no_mean_off(views: list[NormView]) -> None:
    view = views[0]
    assert derive(view, view.ran("none"), "after", 5, 7).value == float(view.captured.before[5, 7])
    made = derive(view, view.ran("rms"), "after", 5, 7)
    assert [step.id for step in made.steps] == ["mean_square", "rms_normalized", "rms_after"]
    steps = derive(view, view.ran("batch"), "after", 5, 7).steps
    assert len(steps[0].terms) == len(view.tokens) and steps[0].focus == 5
