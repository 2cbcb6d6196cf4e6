"""What visitors share: made once, bounded in bytes, and out of a visitor's reach."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pages.shared import cached


@pytest.fixture(autouse=True)
def empty():
    cached.shrink(0)
    yield
    cached.shrink(0)


def test_what_is_kept_once_is_made_once_however_many_ask() -> None:
    made, together = [], threading.Barrier(8)

    @cached.once
    def slow(name: str) -> object:
        made.append(name)
        return object()

    def ask(_: int) -> object:
        together.wait(10)
        return slow("a")

    with ThreadPoolExecutor(8) as pool:
        found = set(map(id, pool.map(ask, range(8))))
    assert made == ["a"] and len(found) == 1
    assert slow("b") is not slow("a") and made == ["a", "b"]


def test_what_failed_is_tried_again() -> None:
    tries = []

    @cached.once
    def fails() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise OSError
        return 7

    with pytest.raises(OSError):
        fails()
    assert fails() == 7


def test_the_shared_cache_is_bounded_in_bytes() -> None:
    @cached.shared
    def large(number: int) -> np.ndarray:
        return np.zeros(cached.LIMIT // 4, np.uint8)

    first = large(0)
    assert large(0) is first
    for number in range(1, 10):
        large(number)
    assert cached.size() <= cached.LIMIT and large(0) is not first


def test_two_functions_do_not_answer_for_each_other() -> None:
    @cached.shared
    def one(number: int) -> int:
        return number

    @cached.shared
    def two(number: int) -> int:
        return 2 * number

    assert (one(1), two(1), one(2)) == (1, 2, 2)


def test_nothing_is_kept_for_nothing() -> None:
    """Else what says it holds no bytes would never be let go."""
    cached.remember(("nothing",), lambda: np.zeros(0))
    assert cached.size() >= cached.EACH


def test_memory_that_is_short_takes_what_was_asked_for_longest_ago() -> None:
    for name in "abc":
        cached.remember((name,), lambda: np.zeros(1 << 20, np.uint8))
    cached.remember(("a",), lambda: np.zeros(0))
    cached.shrink(5 << 19)
    assert [cached.known((name,)) for name in "abc"] == [True, False, True]


@pytest.mark.parametrize("value", ["text", ("a", ["b", {"c": 1}]), {"x": np.zeros(1000)}, np.zeros(1000)])
def test_everything_has_a_weight(value: object) -> None:
    assert cached.weigh(value) >= (8000 if "zeros" in repr(value) or "array" in repr(value) else 40)


def test_a_model_survives_streamlits_clearing() -> None:
    """Any visitor can send the message that clears Streamlit's own caches."""
    import streamlit as st

    before = cached.model("minilm")
    st.cache_resource.clear()
    st.cache_data.clear()
    assert cached.model("minilm") is before
