"""What stands above a page whose pictures would surprise: a sentence of one token, one of nothing known."""

import pytest

from pages.shared.page.notes import of_the_tokens


@pytest.mark.parametrize(
    ("text", "model", "said"),
    [
        ("", "translator", ["one_token"]),
        ("。", "translator", []),
        ("", "minilm", []),  # [CLS] and [SEP] look at each other
        ("The cat sat.", "minilm", []),
        ("🦄 🐉", "minilm", ["all_unknown"]),
        ("🦄", "minilm", []),  # a note names what it stands for
        ("🦄 cat", "minilm", []),
        ("龘龘", "translator", ["all_unknown"]),
    ],
)
def test_why_a_picture_looks_as_it_does(looked, text, model, said) -> None:
    page = looked("attention", text=text, model=model, guess="skip").page
    assert [note.code for note in of_the_tokens(page)] == said


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_stands_above_the_page(opened, lang) -> None:
    said = {"zh": "注意力权重是 1", "en": "with an attention weight of 1"}[lang]
    assert said in opened("heads", lang, text="", model="translator", guess="skip").html
