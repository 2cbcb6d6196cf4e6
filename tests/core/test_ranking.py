"""The largest of a row, held against sorting all of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.ranking import largest


@given(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]), min_size=1, max_size=40), st.integers(0, 45))
def test_what_sorting_all_of_it_would_give(row: list[float], count: int) -> None:
    values = np.array(row)
    assert largest(values, count).tolist() == sorted(range(len(row)), key=lambda i: (-row[i], i))[:count]
