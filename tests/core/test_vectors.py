"""Cosines: one number, many at once, and vectors that have no direction."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.views.vectors import cosine, cosines, unit

ROWS = arrays.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.floats(-50, 50, width=16))


@settings(deadline=None)
@given(ROWS)
def test_all_pairs_are_the_pairs_one_by_one(rows: np.ndarray) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        every = cosines(rows)
        for a, x in enumerate(rows):
            for b, y in enumerate(rows):
                lengths = math.hypot(*x) * math.hypot(*y)
                if not lengths:
                    assert math.isnan(every[a, b]) and math.isnan(cosine(x, y))
                else:
                    assert every[a, b] == pytest.approx(x @ y / lengths, abs=1e-9) == float(cosine(x, y))


@settings(deadline=None)
@given(ROWS)
def test_unit_vectors_have_length_one_or_none(rows: np.ndarray) -> None:
    for row, direction in zip(rows, unit(rows), strict=True):
        assert math.hypot(*direction) == pytest.approx(1 if row.any() else 0)


def test_a_stack_is_compared_row_by_row() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 4, 7, 3))
    np.testing.assert_allclose(cosine(a, b)[2, 5], cosine(a[2, 5], b[2, 5]))
    assert cosine(a, b).shape == (4, 7)
