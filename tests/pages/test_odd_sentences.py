"""Sentences that somebody will write: whatever the model and the page, they are read, or a sentence says why not."""

import pytest

from core.capture import capture
from core.views.batch import batch
from pages.shared.server import cached
from pages.stages import stages
from tests.profiles import some

MODELS = ("minilm", "translator", "smollm2", "poet")
TEXTS = (
    "",
    " \n",
    "Stop",
    "unbelievable",
    "I have 3 cats and 12 dogs.",
    "你好",
    "I love you 😀❤️",
    "My little brother ate the last cookie because he was hungry.",
)
CASES = [(slug, model, text) for text in TEXTS for model in MODELS for slug in stages()]


@pytest.mark.parametrize(("slug", "model", "text"), some(CASES, every=7))
def test_every_page_is_drawn_whole(opened, slug: str, model: str, text: str) -> None:
    opened(slug, "en", text=text, model=model)  # fails where a part could not be drawn


@pytest.mark.parametrize(
    ("slug", "model", "text"),
    [("tokens", "smollm2", "unbelievable"), ("tokens", "smollm2", "I have 3 cats."), ("overview", "poet", "")],
)
def test_a_single_word_or_a_digit_leaves_the_page_whole(opened, slug: str, model: str, text: str) -> None:
    for guess in ("open", "skip"):
        opened(slug, "en", text=text, model=model, guess=guess)


@pytest.mark.parametrize("slug", ["overview", "tokens", "attention", "encoder"])
def test_where_there_is_no_token_an_example_stands_and_says_so(opened, slug: str) -> None:
    page = opened(slug, "en", text="", model="smollm2")
    assert "SmolLM2 adds none of its own, so this is an example" in page.html
    assert page.address["text"] == ""  # the visitor's stays as it is


def test_a_batch_is_as_long_as_the_model_has_positions() -> None:
    poet = cached.model("poet")
    found = batch(poet, ["字" * 60, "月"], 40)
    assert found.mask.shape[1] == poet.config.positions < 40


def test_one_token_has_nothing_to_predict_and_no_gradient(opened) -> None:
    page = opened("encoder", "en", text="", model="poet", section="residual", guess="skip")
    assert "no loss, and no gradient" in page.html


def test_two_tokens_are_compared_even_where_there_is_one() -> None:
    from core.views.overview import overview_view

    view = overview_view(capture(cached.model("poet"), ""), cached.model("poet"))
    assert view.pair() == (0, 0)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "text", [*TEXTS, "In 2024, 3.5% of 1,250 people said no", "a  b   c    d     e      f       g        h"]
)
def test_what_is_proposed_as_fourteen_tokens_is_fourteen(model: str, text: str) -> None:
    from core.exercises.tokens import made_so_long, so_long
    from pages.stages.tokens.context import view_of

    proposed = made_so_long(view_of(model, text), {})["text"]
    assert so_long(view_of(model, str(proposed)), {}).right, proposed


REPEATED = ("buffalo buffalo buffalo buffalo", "the dog saw the other dog", "She sells sea shells by the sea shore.")


@pytest.mark.parametrize("text", REPEATED)
@pytest.mark.parametrize("section", ["switches", "dropout"])
def test_two_tokens_of_one_kind_are_not_called_different(opened, text: str, section: str) -> None:
    """Every pair of places is compared, so the same word twice is among them."""
    html = opened("input", "en", text=text, model="minilm", section=section, guess="skip").html
    n = len(cached.trace("minilm", text).tokens)
    assert f"Pairs of tokens in different places: {n * (n - 1) // 2}." in html and "different tokens" not in html


@pytest.mark.parametrize("text", ["Stop now", "She left , and he stayed .", "Rain and wind"])
def test_a_token_on_a_button_stands_in_quotes(looked, text: str) -> None:
    """A mark or an “and” on a button would be read as part of its sentence."""
    from pages.stages.attention.words import attempt as of_attention
    from pages.stages.circuits.words import attempt as of_circuits

    for lang in ("zh", "en"):
        row = looked("attention", lang, text=text, model="minilm", guess="skip")
        words = of_circuits(looked("circuits", lang, text=text, model="smollm2", guess="skip"))
        assert words and words[0].count("“") == 2
        if offered := of_attention(row):
            assert offered[0].count("“") == 2


def test_a_question_in_the_template_is_not_said_to_be_the_visitors_text_alone(opened) -> None:
    asked = opened("generation", "en", text="Why is the sky blue?", model="smollm2", mode="chat", n=0)
    plain = opened("generation", "en", text="Why is the sky blue", model="smollm2", mode="text", n=0)
    assert "your text and the chat template make 36 tokens" in asked.html and "This is your text" not in asked.html
    assert "This is your text, the prompt: 5 tokens" in plain.html
