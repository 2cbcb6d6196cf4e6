"""Either model on every stage: which one reads, what stands under the sentence, what each page says of it."""

import numpy as np
import pytest

from core import capture, load_model
from core.text.unicode import is_cjk
from core.zoo import SOURCES, model_for
from pages.shared.page import compare
from pages.shared.words.texts import Texts
from pages.stages import stages

SLUGS = list(stages())
OWN_TEXT = ("vocabulary", "segmentation", "training")  # labs that show a text of their own
BOOKS, ENGLISH = "我昨天在北京买了三本书", "I bought three books in Beijing yesterday"
TEXTS = (
    BOOKS,
    "饕餮 hello 我?",
    "",
    "👩\u200d💻 我\t我",
    "我" * 250,
    "？！",
    "<script>猫</script>",
    "שלום 我 \u202eabc",
)


def test_a_han_character_makes_a_text_chinese():
    assert model_for(BOOKS) == model_for("cat 猫") == "translator"
    assert model_for("cat") == model_for("") == model_for("ねこ") == model_for("。") == "minilm"
    assert is_cjk("猫")


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in (*OWN_TEXT, "generation", "circuits")])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_english_stands_under_every_chinese_sentence(opened, slug, lang):
    page = opened(slug, lang, text=BOOKS, guess="skip")
    written = page.data("strip")["written"]
    assert written["text"] == ENGLISH and written["hint"] == ""
    assert "".join(token["text"] for token in page.data("strip")["row"]["tokens"][:-1]) == BOOKS
    assert "{" not in page.html


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in ("translation", "output")])
def test_an_english_sentence_has_no_translation_under_it(opened, slug):
    page = opened(slug, "en", guess="skip")
    assert page.data("strip")["written"] is None


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_site_opens_on_its_own_sentence(opened, lang):
    page = opened("overview", lang, text=None)
    page.run()
    assert "".join(page.query["text"]) == (BOOKS if lang == "zh" else "The cat sat on the mat.")
    assert "model" not in page.query


@pytest.mark.parametrize("slug", ["overview", "tokens", "embedding", "attention"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_stage_says_what_differs(opened, slug, lang):
    for model, other, text in (("translator", "minilm", BOOKS), ("minilm", "translator", "The cat sat on the mat.")):
        said = opened(slug, lang, text=text, guess="skip").html
        begins = {name: Texts(lang, slug, name).words["differs"].split("{")[0][:14] for name in (model, other)}
        assert begins[model] in said and begins[other] not in said


def test_the_visitor_may_choose_otherwise(opened):
    page = opened("attention", "en", text=BOOKS, model="minilm", guess="skip")
    assert page.data("strip")["written"] is None
    assert "Unknown to MiniLM and turned into [UNK]" in page.html
    assert page.packed("matrix")[0]["planes"][0].startswith("encoder/3/")
    english = opened("attention", "en", model="translator", guess="skip")
    assert english.data("strip")["written"]["hint"] == "outside the grammar it learned"


def test_the_box_says_who_reads_and_names_what_is_unknown(opened):
    box = opened("overview", "zh", text="我昨天吃了螺蛳粉", guess="skip").data("sentence")
    assert [model["id"] for model in box["models"]] == list(SOURCES)
    assert [model["on"] for model in box["models"]] == [id == "translator" for id in SOURCES]
    assert box["draft"]["unknown"] == ["螺", "蛳", "粉"]
    assert "1,077,760" in box["words"]["source"] and "MIT" in box["words"]["source"]


@pytest.mark.parametrize("kind", ["self", "cross"])
def test_attention_shows_the_decoder_too(opened, kind):
    page = opened("attention", "en", text=BOOKS, kind=kind, guess="skip")
    header, body = page.packed("matrix")
    run = capture(load_model("translator"), BOOKS)
    planes = np.frombuffer(body, "<f4").reshape(len(header["planes"]), 8, 8 if kind == "self" else 12)
    at = header["planes"].index(f"{kind}/2/weights/1")
    np.testing.assert_array_equal(planes[at], run[f"decoder.1.{kind}_attention.weights"][0])
    strip = page.data("strip")
    assert strip["written"]["row"]["marks"]["first"] == "q"
    assert strip["row"]["marks"]["first"] == ("k" if kind == "cross" else None)


def test_no_kind_but_its_own_for_an_encoder(opened):
    page = opened("attention", "en", kind="cross", guess="skip")
    assert "kind=cross in the address cannot be used" in page.html


def test_the_overview_has_both_stacks(opened):
    page = opened("overview", "en", text=BOOKS, guess="skip")
    header, body = page.packed("sheet")
    run = capture(load_model("translator"), BOOKS)
    assert header["read"] == 12 and len(header["tokens"]) == 20
    assert [word for word, _ in header["said"]] == [token.text for token in run.target_out]
    assert [column["title"] for column in page.packed("depth")[0]["columns"]] == [
        "row",
        "×√d",
        "sum",
        "layer 1",
        "layer 2",
    ]
    at = 0
    for tap in header["places"]["tap"]:
        vectors = run[tap]
        found = np.frombuffer(body, "<f4", len(vectors), at)
        np.testing.assert_allclose(found, np.linalg.norm(vectors, axis=-1), rtol=1e-5)
        at += found.nbytes
    assert header["lines"]["across"] == [False, False, False, True, False, True]


@pytest.mark.parametrize("text", TEXTS)
def test_the_translator_against_pytorch_and_tokenizers(text):
    """What "Open it" computes, on texts of every kind."""
    assert compare.attention_difference("translator", text) < 1e-5
    assert compare.state_difference("translator", text) < 1e-5
    assert compare.row_difference("translator", text) == 0
    assert compare.token_differences("translator", text) == 0


def test_a_difference_is_seen(monkeypatch):
    """The comparison fails where the numbers differ."""
    from core.reference import pytorch

    real = pytorch.weights
    monkeypatch.setattr(pytorch, "weights", lambda *of: {tap: array + 0.5 for tap, array in real(*of).items()})
    assert compare.attention_difference("translator", "我看书") == pytest.approx(0.5, abs=1e-4)
