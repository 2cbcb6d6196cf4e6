"""A sum as a step: its terms in their order, the largest of them to be read, the others where they are asked for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.derivation import Term
from core.derivation.operators import largest_gap
from core.derivation.steps import beyond, others, summed, vector


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=70))
def test_every_term_of_a_sum_is_written_out_in_the_end(pairs: list[tuple[int, int]]) -> None:
    left, right = zip(*pairs, strict=True)
    step, read = summed("product", left, right), []
    while step is not None:
        assert step.value == sum(term.value for term in step.largest) + step.rest
        assert step.count == len(step.terms) == len(pairs) - len(read)
        read += step.largest
        step = others(step)
    assert {(term.index, term.left, term.right) for term in read} == {(i, *pair) for i, pair in enumerate(pairs)}
    sizes = [abs(term.value) for term in read]
    assert len(read) == len(pairs) and sizes == sorted(sizes, reverse=True)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=70))
def test_of_a_maximum_the_unread_terms_are_not_added(pairs: list[tuple[int, int]]) -> None:
    left, right = (np.array(side) for side in zip(*pairs, strict=True))
    step, gaps = largest_gap("gap", vector(left), vector(right)), sorted(abs(left - right), reverse=True)
    while step is not None:
        unread = gaps[len(step.largest) :]
        assert step.value == gaps[0] and step.rest == (max(unread) if unread else 0)
        assert beyond(step) == "beyond_maximum"
        gaps, step = unread, others(step)


def test_summed_keeps_order_and_names_the_three_largest() -> None:
    step = summed("product", [1, -4, 2, 0.5], [3, 2, 2, 1], unit="x")
    assert step.terms == (3, -8, 4, 0.5)
    assert step.value == -0.5
    assert step.largest == (Term(1, -4, 2), Term(2, 2, 2), Term(0, 1, 3))
    assert [term.value for term in step.largest] == [-8, 4, 3]
    assert step.parts == {"unit": "x"}
