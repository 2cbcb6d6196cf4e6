"""What a page gives away when it is opened: code, shapes, CSV."""

import csv
import inspect
import io
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.model.attention import MultiHeadAttention
from pages.shared.page import open_it, opened
from pages.shared.page.opened import Opened
from pages.shared.page.parts import LONGEST, Html, amount, table


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_by_hand() -> None:
    array = np.array([[0.5, np.nan], [-1.0, 0.1]], np.float32)
    assert opened.csv(array, ["the", ","], ["a", '"']) == (',a,""""\r\nthe,0.5,\r\n",",-1.0,0.10000000149011612\r\n')


@given(data=st.data(), shape=st.tuples(st.integers(1, 5), st.integers(1, 5)))
def test_csv_loses_nothing(data: st.DataObject, shape: tuple[int, int]) -> None:
    """Whatever the tokens are called, and to the last digit; a veiled cell is empty."""
    array = data.draw(arrays("float32", shape))
    label = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=4)
    rows = data.draw(st.lists(label, min_size=shape[0], max_size=shape[0]))
    columns = data.draw(st.lists(label, min_size=shape[1], max_size=shape[1]))
    head, *lines = read(opened.csv(array, rows, columns))
    assert head == ["", *columns]
    assert [line[0] for line in lines] == rows
    back = np.array([[float(cell or "nan") for cell in line[1:]] for line in lines], np.float32)
    np.testing.assert_array_equal(back, array)


def test_the_code_shown_is_the_code_that_ran() -> None:
    code = open_it.source(MultiHeadAttention.forward)
    assert code.startswith("def forward(self, x: Tensor") and "torch.softmax" in code
    assert textwrap.indent(code, "    ") == inspect.getsource(MultiHeadAttention.forward)
    assert open_it.where(MultiHeadAttention.forward) == "core/model/attention.py · MultiHeadAttention.forward"


def test_numbers_stand_below_each_other_in_a_table() -> None:
    """A column that is all numbers says so to the stylesheet; a formula, a text, or a number with a bar is none."""
    bar = Html("<i style='width:3px'></i>7")
    rows = [["a", "22,565", "3 × 4", 0.5, bar, "× 3.99", "–"], ["b", "–", "12", -2, bar, "0.67 … 1.3", ""]]
    assert table(rows).startswith("<div class='shapes-box n2 n4 n6' ")


def test_a_symbol_in_a_table_is_no_bar() -> None:
    """Bars have a width of their own; W of W^Q is set in italics."""
    assert "<i>W</i>" in table([["W^Q"]])
    style = (Path(__file__).parents[2] / "assets/site.css").read_text(encoding="utf-8")
    assert "table.shapes i[style] {" in style and "table.shapes i {" not in style


def test_shapes() -> None:
    opened = Opened("", (), [("a.b", ("head", "query"), (12, 9))], lambda: ("", 0.0), lambda: "", "x.csv")
    assert open_it.shape_table(opened) == (
        "<div class='shapes-box' tabindex='0'><table class='shapes'>"
        "<tr><td>a.b</td><td>head × query</td><td>12 × 9</td></tr></table></div>"
    )


@given(st.lists(st.integers(0, 10**9), min_size=1).filter(any))
def test_bars_begin_below_each_other_and_are_as_long_as_their_part(counts: list[int]) -> None:
    said = [amount(n, max(counts)) for n in counts]
    assert len({re.search("min-width:[^']+", one)[0] for one in said}) == 1  # type: ignore[index]
    for n, one in zip(counts, said, strict=True):
        wide = float(re.search(r"<i style='--long:([\d.]+)", one)[1])  # type: ignore[index]
        assert wide == (pytest.approx(max(1, LONGEST * n / max(counts)), abs=0.06) if n else 0)
