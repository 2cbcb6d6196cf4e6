"""Powers of e in print: who takes the printed exponent comes to the printed result."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.derivation.powers import divided, exponent, part, power, printed, read
from core.derivation.rules.softmax import LARGE
from core.numbers import short
from pages.shared.words.texts import Texts


@given(st.floats(-LARGE, LARGE, width=32))
def test_the_printed_exponent_gives_the_printed_result(x: float) -> None:
    result = math.exp(x)
    text = exponent(x, result)
    if "×" in text:
        return
    half = 0.5 * 10 ** -len(text.partition(".")[2])
    assert math.exp(read(text) - half) <= result * (1 + 1e-9) and result <= math.exp(read(text) + half) * (1 + 1e-9)
    assert power(math.exp(read(text))) == power(result)


@given(st.floats(-9.9e3, 9.9e3, width=32), st.floats(0, 20))
def test_two_numbers_that_make_an_exponent_give_its_result(largest: float, below: float) -> None:
    x = largest - below
    result = math.exp(x - largest)
    again = math.exp(read(part(x)) - read(part(largest)))
    assert math.isclose(again, result, rel_tol=2e-4)


@given(st.floats(-30, 60), st.floats(0, 30), st.floats(0, 8))
def test_the_printed_quotient_is_that_of_the_printed_numbers(x: float, below: float, others: float) -> None:
    one, total = math.exp(x), math.exp(x) * (1 + others)
    said = [read(text) for text in divided(one, total)]
    assert short(said[0] / said[1]) == short(one / total)
    assert said[0] == pytest.approx(one, rel=1e-3)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_quotient_of_a_weight_has_the_digits_that_it_needs(lang: str) -> None:
    template = Texts(lang, "cells").words["steps.softmax.operation"]
    said = printed(template, {"score": 4.863869667, "power": 129.52445, "total": 154.98302})
    assert (said["power"], said["total"]) == ("129.52", "154.98")


def test_results_have_no_more_digits_than_their_exponents_carry() -> None:
    said = printed("exp({left}) = {value}", {"left": 17.371237, "value": math.exp(17.371237)})
    assert re.fullmatch(r"17\.371\d", str(said["left"])) and said["value"] == "3.501×10⁷"
    assert printed("{left} × {right}", {"left": 2.0, "right": 3.0}) == {"left": 2.0, "right": 3.0}
    said = printed(
        "exp({score}) ÷ Σ = {power} ÷ {total}", {"score": 10.5021, "power": math.exp(10.5021), "total": 38007.1}
    )
    assert said == {"score": "10.5021", "power": "36,392", "total": "38,007"}


def test_a_number_that_few_digits_say_has_no_more() -> None:
    said = printed("exp({left} ÷ {right} − …) = {value}", {"left": 17.371237, "right": 2.0, "value": 0.5})
    assert said == {"left": "17.37124", "right": "2", "value": "0.5000"}
