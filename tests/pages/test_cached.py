"""What visitors share: made once, bounded in bytes, and out of a visitor's reach."""

import ast
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.edits import cut, zero_positions
from core.run_spec import RunSpec
from pages.shared.server import cached

ROOT = Path(__file__).parents[2]


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


@cached.shared
def zeros(name: object, count: int = 1 << 20, kind: str = "u1") -> np.ndarray:
    return np.zeros(count, kind)


def test_the_same_arguments_are_the_same_however_they_are_given() -> None:
    assert zeros("a") is zeros(name="a") is zeros("a", 1 << 20) is not zeros("a", 2)
    assert zeros.known("a", count=2) and not zeros.known("b")
    assert zeros("a", kind="f4") is zeros("a", 1 << 20, "f4") is not zeros("a")


def test_what_was_made_elsewhere_is_kept_as_if_it_had_been_asked_for() -> None:
    found = np.ones(3)
    assert zeros.keep(found, "made") is found is zeros("made")
    assert zeros.keep(np.zeros(1), "made") is found


def test_a_function_that_reads_more_than_its_arguments_is_refused() -> None:
    page = "of this visitor"
    with pytest.raises(TypeError, match="more than its arguments"):
        cached.shared(lambda: page)


@pytest.mark.parametrize("argument", [object(), [1], np.zeros(1), lambda: None, ("a", (object(),)), SimpleNamespace()])
def test_an_argument_that_is_not_equal_by_its_value_is_refused(argument: object) -> None:
    """A model, a page, a view: nobody could say what was read of it."""
    with pytest.raises(TypeError, match="remembered by"):
        zeros(argument)


def test_a_look_is_told_apart_by_its_address(looked) -> None:
    one, other = (looked("tokens", text="a cat", word=word) for word in ("1", "2"))
    same = looked("tokens", text="a cat", word="1")
    assert zeros.key(one) == zeros.key(same) != zeros.key(other)
    with pytest.raises(TypeError, match="remembered by"):
        zeros(one.page)


def test_edits_are_told_apart_by_what_they_do() -> None:
    assert zeros.key((cut(),)) == zeros.key((cut(),)) != zeros.key((zero_positions(),))


def test_a_run_is_captured_once_for_its_page_and_for_whoever_follows_a_number() -> None:
    assert cached.capture("minilm", "a cat") is cached.traced("minilm", RunSpec("a cat"))


def test_of_a_long_text_the_layers_around_are_kept_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chat model's thirty would drive out the views of the very page that is drawn."""
    given = RunSpec("cat " * 200)
    layers = [cached.around(f"encoder.{i}.output") for i in range(6)]
    run = cached.traced("minilm", given, ("encoder.4.output",))
    assert all(cached.layer_of.known("minilm", layer, given) for layer in layers)
    one = cached.weigh(cached.layer_of("minilm", layers[4], given))
    cached.shrink(0)
    monkeypatch.setattr(cached, "BESIDE", int(3.5 * one))
    again = cached.traced("minilm", given, ("encoder.4.output",))
    assert [cached.layer_of.known("minilm", layer, given) for layer in layers] == [i in (2, 3, 4) for i in range(6)]
    assert np.array_equal(run["encoder.4.output"], again["encoder.4.output"])


def test_an_attention_is_the_same_whether_its_kind_is_named_or_not() -> None:
    """The question of a page names none."""
    assert cached.attention("minilm", "a cat", 1) is cached.attention("minilm", "a cat", 1, "encoder")


def test_nothing_is_kept_for_nothing() -> None:
    """Else what says it holds no bytes would never be let go."""
    zeros("nothing", 0)
    assert cached.size() >= cached.EACH


def test_memory_that_is_short_takes_what_was_asked_for_longest_ago() -> None:
    for name in "abca":
        zeros(name)
    cached.shrink(5 << 19)
    assert [zeros.known(name) for name in "abc"] == [True, False, True]


def test_no_page_makes_a_key_by_hand() -> None:
    """A part that is forgotten shows somebody else's number: a key is a function's name and its arguments."""
    inside = {"_kept", "_remember", "_turn", "LRUCache", "hashkey"}
    for file in (ROOT / "pages").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        kept = file.name in ("cached.py", "compressed.py")  # the other keeps answers by their own bytes
        assert kept or not names & inside, file


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
