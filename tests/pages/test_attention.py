"""The attention page: opening, veil, every mode, both languages, the same numbers as the core's."""

import numpy as np
import pytest

from core import capture
from core.views.attention import MODES
from pages.stages.attention import words

CAT = "The cat sat on the mat."


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("show", MODES)
def test_every_mode_in_both_languages(opened, lang, show):
    page = opened("attention", lang, show=show, guess="skip")
    header, body = page.packed("matrix")
    planes = np.frombuffer(body, "<f4")
    assert len(planes) == len(header["planes"]) * header["rows"]["count"] * header["columns"]["count"]
    steps = page.data("derivation")["steps"]
    assert steps and "check" in steps[-1]
    assert not [line for step in steps for line in (step["operation"], step["reason"], *step["lines"]) if "{" in line]
    assert "{" not in page.html


def test_the_matrix_holds_the_captured_weights(opened, minilm):
    header, body = opened("attention", "en", guess="skip").packed("matrix")
    run = capture(minilm, CAT)
    planes = np.frombuffer(body, "<f4").reshape(len(header["planes"]), 9, 9)
    for head in range(12):
        at = header["planes"].index(f"encoder/3/weights/{head + 1}")
        # Another pass through weights that were loaded a second time: float32 may round elsewhere.
        np.testing.assert_allclose(planes[at], run["encoder.2.attention.weights"][head], rtol=1e-5, atol=1e-5)


def test_it_opens_with_a_question_and_nothing_answers_it(opened):
    page = opened("attention", "en")
    header, body = page.packed("matrix")
    planes = np.frombuffer(body, "<f4").reshape(len(header["planes"]), 9, 9)
    assert np.isnan(planes[:, 5]).all() and not np.isnan(np.delete(planes, 5, axis=1)).any()
    of_cat = float(page.data("derivation")["value"])  # the → cat, the largest on another word
    assert of_cat == pytest.approx(0.73215, abs=1e-4)
    for said in (page.html, page.proto("derivation").json, page.proto("strip").json):
        assert "0.8357" not in said and "0.836" not in said


@pytest.mark.parametrize("text", [CAT, "The dog chased the other dog.", "x", "", "我昨天在北京买了三本书"])
def test_while_the_question_is_open_one_word_is_followed_to_another(looked, text):
    """The largest of such weights outside the veiled row; of a text with no two words, any open cell."""
    context = looked("attention", "en", text=text)
    q, k = context.cell
    assert q not in context.veil
    words = [i for i, token in enumerate(context.view.queries) if not token.special]
    weights = context.view.weights[context.head - 1]
    others = [weights[i, j] for i in words for j in words if i != j and i not in context.veil]
    if context.veil and others:
        assert q != k and weights[q, k] == max(others)


def test_answering_shows_the_row_and_says_why(opened):
    page = opened("attention", "en")
    page.app.button(key="guess_6").click()
    page.run()
    assert page.query["guess"] == ["6"]
    assert "Right." in page.html and "0.8357" in page.html and "0.09211" in page.html
    assert page.data("derivation")["value"] == "0.8357"
    wrong = opened("attention", "zh", guess="0")
    assert "没猜对" in wrong.html and "0.8357" in wrong.html


def test_a_link_to_a_cell_opens_unveiled(opened):
    page = opened("attention", "en", q=5, k=6)
    assert page.data("derivation")["value"] == "0.8357"
    assert not np.isnan(np.frombuffer(page.packed("matrix")[1], "<f4")).any()


def test_longer_texts_send_the_head_looked_at_and_pooled_thumbnails(opened):
    text = "cat " * 148
    page = opened("attention", "en", text=text, guess="skip", head=4)
    header, body = page.packed("matrix")
    assert header["planes"] == ["encoder/3/weights/4"] and len(body) == 150 * 150 * 4 < 300_000
    small, pixels = page.packed("thumbnails")
    assert len(small["items"]) == 12 and len(pixels) == 12 * small["pooled"]["rows"] * small["pooled"]["columns"]
    assert small["pooled"]["rows"] <= 32


def test_what_an_address_cannot_mean_is_said(opened):
    page = opened("attention", "zh", layer=7, q=9, guess="skip")
    assert "layer=7" in page.html and "q=9" in page.html
    assert page.data("derivation")["steps"]


def test_a_guess_that_is_no_answer_leaves_the_question_open(opened):
    page = opened("attention", "en", guess="banana")
    assert "guess=banana" in page.html and "guess" not in page.address
    assert float(page.data("derivation")["value"]) == pytest.approx(0.73215, abs=1e-4)


@pytest.mark.parametrize("text", ["", "x", "[MASK]", "word " * 600, "奥利给", "a\u0000\u202eb", "<script>"])
def test_any_text(opened, text):
    for lang in ("zh", "en"):
        assert opened("attention", lang, text=text, guess="skip").data("derivation")["steps"]


def test_open_it(opened):
    page = opened("attention", "en", guess="skip", open=1)
    code = "\n".join(block.value for block in page.app.code)
    assert "def forward(self, x: Tensor, source: Tensor, mask: Tensor)" in code and "torch.softmax" in code
    assert r"\frac{129.5}{155.0}" in page.app.latex[0].value
    assert "Largest difference" in page.html


def test_the_strip_turns_with_the_kind_of_attention(opened):
    strip = opened("attention", "zh", text="我昨天在北京买了三本书", guess="skip").data("strip")
    cross = {side: strip[side]["turns"]["cross/weights"] for side in ("row",)}
    assert cross["row"]["click"] == "k" and strip["written"]["row"]["turns"]["cross/weights"]["click"] == "q"
    assert strip["row"]["turns"]["encoder/weights"]["second"] == "k"
    assert strip["written"]["row"]["turns"]["encoder/weights"] is None


def test_the_first_of_a_model_that_looks_back_is_no_mixture(looked):
    for row, mixed in ((0, False), (1, True)):
        context = looked("attention", "zh", text="床前明月光", model="poet", layer=2, q=row, guess="skip")
        token = context.view.tokens[row]
        said = context.t.html("notice.mixed", token=token, layer=2)
        assert (said in words.notices(context)) is mixed
        assert bool(np.count_nonzero(context.view.weights[0, row]) > 1) is mixed
