"""The one way numbers look."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.words.numbers import PROSE, exact, percent, short, shown
from pages.shared.words.texts import Texts
from tests.written import NUMBER
from tests.written import number as parse

any_size = st.floats(-1e300, 1e300, allow_nan=False)
everyday = st.floats(-1e4, 1e4, allow_nan=False)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (0.8357123, "0.8357"),
        (27.5094, "27.51"),
        (155.0, "155.0"),
        (1.0, "1.000"),
        (0.5, "0.5000"),
        (1234.5678, "1,235"),
        (9999.4, "9,999"),
        (9999.6, "10,000"),
        (30522.0, "30,522"),
        (22713216.0, "22,713,216"),
        (999_999_999.0, "1.000×10⁹"),
        (6e-8, "6.000×10⁻⁸"),
        (0.0001, "0.0001000"),
        (0.00009999, "9.999×10⁻⁵"),
        (0.000099999, "0.0001000"),
        (-0.25, "−0.2500"),
        (-1e12, "−1.000×10¹²"),
        (0.0, "0"),
        (-0.0, "0"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_examples(x: float, expected: str) -> None:
    assert short(x) == expected


@settings(max_examples=2000)
@given(x=any_size | everyday | st.floats(-1e-3, 1e-3))
def test_it_can_be_read_back(x: float) -> None:
    assert parse(short(x)) == pytest.approx(x, rel=5e-4, abs=0)


@settings(max_examples=2000)
@given(x=any_size | everyday | st.floats(-1e-3, 1e-3))
def test_four_significant_digits(x: float) -> None:
    text = short(x)
    mantissa = text.split("×")[0]
    digits = re.sub(r"[^0-9]", "", mantissa).lstrip("0")
    if x == 0:
        assert text == "0"
    elif "," in text:
        assert parse(text) == round(x)  # whole numbers from 10,000 on show all their digits
    else:
        assert len(digits) == 4
    assert "-" not in text


@given(x=st.floats())
def test_every_float_has_a_look(x: float) -> None:
    assert re.fullmatch(NUMBER + "|−?∞|–", short(x))
    assert parse(exact(x)) == x or math.isnan(x)


@given(x=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_exact_tells_every_float32_apart(x: float) -> None:
    assert np.float32(parse(exact(float(np.float32(x))))) == np.float32(x)


def test_shown() -> None:
    assert [shown(x) for x in (3, 0.5, "the", None, True, np.float64(0.5))] == [
        "3",
        "0.5000",
        "the",
        "None",
        "True",
        "0.5000",
    ]


@settings(max_examples=500)
@given(x=st.floats(1e-4, 9e8) | everyday)
def test_a_sentence_writes_three_digits(x: float) -> None:
    text = short(x, PROSE)
    assert parse(text) == pytest.approx(x, rel=5e-3, abs=0)
    digits = re.sub(r"\D", "", text.split("×")[0]).lstrip("0")
    assert len(digits) == 3 or parse(text) == round(x) or x == 0


class Said(Texts):
    """A page with these words alone."""

    def __init__(self, **words: str):
        self.words = words


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("{a} is longer than {b}.", (0.83571, 0.5), "0.836 is longer than 0.500."),
        ("{a} is longer than {b}.", (0.83571, 0.83609), "0.8357 is longer than 0.8361."),
        ("{a} × {b} = {c}", (0.12345, 2.0, 0.2469), "0.1235\u00a0×\u00a02.000 = 0.2469"),
        ("{a} becomes {b}, a drop of {fell}", (12.345, 11.945, 0.4), "12.35 becomes 11.95, a drop of 0.4000"),
        ("{a} of {b}", (1234.5, 30522), "1,234 of 30,522"),
        ("{a}, {b}", (6e-8, -2.7091e12), "6.00\u202f×\u202f10⁻⁸, −2.71\u202f×\u202f10¹²"),
    ],
)
def test_a_sentence_writes_as_many_digits_as_it_needs(text: str, values: tuple[float, ...], said: str) -> None:
    names = ("a", "b", "fell" if "{fell}" in text else "c")
    assert Said(text=text).html("text", **dict(zip(names, values, strict=False))) == said


@given(x=everyday, y=everyday)
def test_numbers_that_differ_do_not_look_alike_in_a_sentence(x: float, y: float) -> None:
    told = Said(text="{x} / {y}").html("text", x=x, y=y).split(" / ")
    assert (told[0] == told[1]) == (short(x) == short(y))


@given(total=st.floats(1, 100), now=st.floats(1, 100))
def test_a_difference_is_what_the_printed_numbers_differ_by(total: float, now: float) -> None:
    """To the three digits of other sentences, of the greater of the two."""
    told = Said(text="{total} {now} {fell}").html("text", total=total, now=now, fell=total - now)
    was, became, fell = map(parse, told.split())
    assert was - became == pytest.approx(fell, abs=2e-3 * max(total, now))


@given(part=st.integers(0, 5000), whole=st.integers(1, 5000))
def test_no_share_is_called_all_or_none_that_is_not(part: int, whole: int) -> None:
    said = percent(min(part, whole) / whole)
    assert (said == "100") == (part >= whole) and (said == "0") == (part == 0)
    assert said.startswith(("<", ">")) or abs(float(said) - 100 * min(part, whole) / whole) <= 0.5
