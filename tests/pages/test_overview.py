"""The overview: real strips, the veiled curve, the pair, doors, both languages."""

import numpy as np
import pytest

from core import capture
from pages.stages.overview import STAGE

CAT = "The cat sat on the mat."


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_on_the_two_the(opened, lang):
    page = opened("overview", lang)
    header, _ = page.packed("depth")
    assert header["pair"] == [1, 5]
    curve = header["curve"]
    assert [round(c, 3) for c in curve[:5]] == [1.0, 0.957, 0.872, 0.852, 0.792] and curve[5:] == [None] * 4
    assert "{" not in page.html
    assert "0.7496" not in page.html + page.proto("derivation").json


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_answered_it_shows_the_whole_curve(opened, lang):
    page = opened("overview", lang, guess="alike")
    curve = page.packed("depth")[0]["curve"]
    assert [round(c, 3) for c in curve] == [1.0, 0.957, 0.872, 0.852, 0.792, 0.750, 0.753, 0.862, 0.897]
    assert page.data("derivation")["value"] == "0.7496"
    assert ("Right." if lang == "en" else "猜对了") in page.html


def test_the_strips_are_the_captured_states(opened, minilm):
    header, body = opened("overview", "en", guess="skip").packed("depth")
    run = capture(minilm, CAT)
    states = np.frombuffer(body[: 9 * 9 * len(header["dims"]) * 4], "<f4").reshape(9, 9, -1)
    taps = ["embedding.token", "embedding.sum", "embedding.output", *(f"encoder.{i}.output" for i in range(6))]
    for found, tap in zip(states, taps, strict=True):
        np.testing.assert_array_equal(found, run[tap][:, header["dims"]])


def test_the_asked_rows_are_veiled_from_the_asked_layer_on(opened):
    header, body = opened("overview", "en").packed("depth")
    states = np.frombuffer(body[: 9 * 9 * len(header["dims"]) * 4], "<f4").reshape(9, 9, -1)
    veiled = np.asarray(np.isnan(states).all(-1))
    assert veiled[5:, [1, 5]].all() and veiled.sum() == 8


def test_another_pair_is_no_secret(opened):
    page = opened("overview", "en", q=2, k=6)
    assert None not in page.packed("depth")[0]["curve"]


def test_doors_lead_to_stages_that_exist(opened):
    header, _ = opened("overview", "en", guess="skip").packed("depth")
    doors = [column["door"] and column["door"]["href"].split("/")[-1].split("?")[0] for column in header["columns"]]
    assert doors[0] == "embedding" and doors[3:] == ["attention"] * 6
    assert header["columns"][5]["door"]["href"].endswith("&guess=skip&layer=3")


@pytest.mark.parametrize("text", ["", "x", "[MASK]", "word " * 600, "奥利给", "a\u0000\u202eb", "<script>"])
def test_any_text(opened, text):
    for lang in ("zh", "en"):
        page = opened("overview", lang, text=text, guess="skip")
        assert page.data("derivation")["steps"] and "{" not in page.html


def test_open_it(opened):
    page = opened("overview", "zh", guess="skip", open=1)
    assert "最大相差" in page.html and any("def forward" in block.value for block in page.app.code)


def test_dragged_through_the_depth_it_draws_the_derivation_alone():
    assert STAGE.concerned({}, {"depth": 3}) == ["derivation"]
    assert STAGE.concerned({}, {"q": 2, "k": 6, "guess": "open"}) == ["picture"]


def test_what_another_pair_changes_is_the_curve_alone(opened):
    one, states = opened("overview", "en", guess="skip").packed("depth")
    other, same = opened("overview", "en", guess="skip", q=2, k=6).packed("depth")
    assert states == same and other["pair"] == [2, 6] and other["curve"] != one["curve"]
    changed = {name for name in one if one[name] != other[name]}
    assert changed == {"pair", "curve", "words"}
