"""The tokens page through AppTest: its numbers, its veil, its bad inputs, in both languages."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import load_model
from pages.shared import warm
from pages.shared.texts import lesson

ROOT = Path(__file__).parents[2]
LONG = "Tokenization is unaffable: electroencephalography, naïve café, 奥利给!"
NASTY = (
    "", " ", "\t\n ", "x", ".", "奥利给", "[MASK]", "[CLS][SEP] [PAD]x[UNK]", "snow☃man", "a" * 101, "a" * 5000,
    "👩\u200d👩\u200d👧", "e\u0301\u0301", "\u0301", "\x00\x07\x7f", "\u200b\ufeff", "<script>alert(1)</script>",
    "שלום עולם \u202eabc\u202c", "한국어", "&lt;b&gt; **x** $y$ {word}", "word " * 400, "。" * 2000, "\U0010ffff\ue000",
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def warmed() -> None:
    warm.once()


def opened(lang: str = "en", **parameters: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "pages/frame.py"), default_timeout=60)
    for name, value in {"lang": lang, **parameters}.items():
        at.query_params[name] = value
    at.switch_page("stages/tokens.py")
    return at.run()


def component(at: AppTest, name: str) -> dict:
    found = [e.proto for e in at.get("bidi_component") if e.proto.component_name == f"see_{name}"]
    assert len(found) == 1
    return json.loads(found[0].json)


def everything(at: AppTest) -> str:
    """All that was sent to the browser."""
    return "\n".join(str(element.proto) for element in at.main)


def htmls(at: AppTest) -> Iterator[str]:
    for element in at.get("html"):
        yield element.proto.body


def shown(at: AppTest) -> str:
    return html.unescape("\n".join(htmls(at)))


def test_both_languages_have_the_same_keys() -> None:
    texts = lesson("tokens")
    assert texts["zh"].keys() == texts["en"].keys()
    for key, text in texts["en"].items():
        names = set(re.findall(r"\{(\w+)\}", text))
        assert names == set(re.findall(r"\{(\w+)\}", texts["zh"][key])) or key.endswith("_one"), key


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", NASTY)
def test_no_input_breaks_it(lang: str, text: str) -> None:
    at = opened(lang, text=text, guess="skip")
    assert not at.exception
    view = component(at, "ruler")
    assert view["text"] == text[:2000] and len(view["units"]) >= 2
    walk = component(at, "walk")
    said = [walk["where"], *walk["intro"], *(stop["reason"] for stop in walk["stops"]), walk["check"]]
    if "{" not in text:
        assert not [
            s
            for s in [*said, *htmls(at)]
            if re.search(r"\{\w+\}", s) and "<style" not in s and ":root" not in s and ".stApp" not in s
        ]
    assert "<script>" not in "".join(htmls(at))


@pytest.mark.parametrize(
    ("lang", "numbers"),
    [("en", "23 characters are cut into 7 words, punctuation counted"), ("zh", "23 个字符，先切成 7 个词")],
)
def test_the_lead_counts_this_sentence(lang: str, numbers: str) -> None:
    at = opened(lang)
    assert numbers in shown(at)
    assert (
        "7 tokens. With [CLS] in front and [SEP] behind, 9."
        if lang == "en"
        else "正好是 7 个词元（token）。首尾再加 [CLS] 和 [SEP]，一共 9 个"
    ) in shown(at)
    assert not at.get("bidi_component")[0].proto.json.count("unaffable")
    assert component(at, "walk")["value"] == "the" and component(at, "walk")["where"].endswith("(0, 3)")


def test_the_numbers_in_the_words_are_those_of_the_tokenizer() -> None:
    tokenizer = load_model("minilm").tokenizer
    at = opened(text=LONG, guess="skip")
    tokens = tokenizer.encode(LONG)
    words = tokenizer.trace(LONG).texts[0].words
    said = shown(at)
    assert f"{len(LONG)} characters are cut into {len(words)} words and become {len(tokens) - 2} tokens" in said
    assert f"behind, {len(tokens)}" in said
    assert "electro ##ence ##pha ##log ##raphy" in said
    first = words[4].matches[0]
    assert f"{len(first.candidates) - 1} longer candidates" in said and words[4].text == "electroencephalography"
    assert "token ##ization" in said and "[PAD] 0 · [UNK] 100 · [CLS] 101 · [SEP] 102 · [MASK] 103" in said
    assert f"{sum(p.startswith('[unused') for p in tokenizer.pieces)} more rows" in said
    cells = re.findall(r"<td><bdi>(.*?)</bdi></td>", said)
    rows = [tuple(cells[i : i + 4]) for i in range(0, len(cells), 6)]
    assert rows == [(t.text, str(t.id), str(t.start), str(t.end)) for t in tokens]


def test_the_walk_of_a_word_tells_every_stop() -> None:
    walk = component(opened(text="unaffable", guess="skip", word="1", step="2"), "walk")
    assert [(s["start"], s["end"], s["id"], s["tried"]) for s in walk["stops"]] == [
        (0, 3, 14477, 7), (3, 6, 20961, 4), (6, 9, 3468, 1),
    ]  # fmt: skip
    assert "6 candidates are not in the vocabulary; una is, with id 14477" in walk["stops"][0]["reason"]
    assert walk["check"].endswith("unaffable") and walk["text"] == "unaffable"


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("snow☃man", "1", "What had been found, snow, is thrown away"),
        ("奥利给", "1", "only one candidate, 奥"),
        ("a" * 101, "1", "101 characters. Beyond 100"),
        ("I [MASK] you", "2", "id 103"),
        ("x", "0", "id 101"),
        ("x", "2", "id 102"),
    ],
)
def test_it_says_why(text: str, word: str, said: str) -> None:
    walk = component(opened(text=text, guess="skip", word=word), "walk")
    assert said in " ".join([*walk["intro"], *(stop["reason"] for stop in walk["stops"])])


# ---- predict

SECRETS = ("una ", 'una\\"', "##ffa", "##ble", "14477", "20961", "3468")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", ["unaffable", "Unaffable cats are unaffable.", "unaffable [SEP]"])
def test_until_it_is_answered_nothing_answers_it(lang: str, text: str) -> None:
    at = opened(lang, text=text)
    sent = everything(at)
    assert [secret for secret in SECRETS if secret in sent] == []
    assert [b.label for b in at.button if (b.key or "").startswith("guess_")] == ["1", "2", "3", "4"]
    strip = component(at, "strip")["tokens"]
    assert [token["text"] for token in strip].count("unaffable") == text.lower().count("unaffable")
    units = component(at, "ruler")["units"]
    assert [token["at"] for token in strip] == list(range(len(units)))
    veiled = component(at, "ruler")["veiled"]
    assert [units[i][3] for i in veiled] == ["unaffable"] * len(veiled) and veiled
    assert component(at, "sentence")["draft"]["tokens"] is None


def test_the_veiled_word_can_be_selected_and_stays_veiled() -> None:
    at = opened(text="unaffable cat")
    at.query_params["word"] = "1"
    at.run()
    walk = component(at, "walk")
    assert walk["value"] == "unaffable" and walk["stops"] == [] and "Veiled" in walk["intro"][0]
    assert [secret for secret in SECRETS if secret in everything(at)] == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_answering_opens_it_on_that_word(lang: str) -> None:
    at = opened(lang, text="The cat is unaffable.")
    assert component(at, "walk")["value"] != "unaffable"
    at.button(key="guess_3").click().run()
    assert not at.exception
    assert "una ##ffa ##ble" in shown(at) and ("Right." if lang == "en" else "猜对了") in shown(at)
    assert component(at, "walk")["value"] == "unaffable"
    assert [token["at"] for token in component(at, "strip")["tokens"]] == [0, 1, 2, 3, 4, 4, 4, 5, 6]
    assert component(at, "sentence")["draft"]["tokens"] == 9


def test_a_wrong_answer_and_waving_off() -> None:
    at = opened(text="unaffable")
    at.button(key="guess_4").click().run()
    assert "Not quite." in shown(at) and "unaffable</em> becomes 3" in shown(at)
    at = opened(text="unaffable")
    at.button(key="skip").click().run()
    assert "una ##ffa ##ble" in shown(at)


def test_a_link_to_a_word_opens_with_the_answer_in_sight() -> None:
    at = opened(text="unaffable cat", word="2")
    assert component(at, "walk")["value"] == "cat" and component(at, "ruler")["veiled"] == []


def test_nothing_is_asked_where_every_word_stays_whole() -> None:
    assert not [b for b in opened().button if (b.key or "").startswith("guess_")]


# ---- around


def test_an_example_is_one_click_away() -> None:
    at = opened()
    at.button(key="example_0").click().run()
    assert "unaffable" in at.query_params["text"] and component(at, "ruler")["text"] == "unaffable"


def test_a_word_outside_the_text_is_repaired_and_said() -> None:
    at = opened(word="99", step="x", guess="skip")
    assert not at.exception
    assert "word=99" in shown(at) and "step=x" in shown(at)
    assert component(at, "walk")["value"] == "the"


def test_a_step_beyond_the_word_is_no_harm() -> None:
    at = opened(text="unaffable cat", word="2", step="3", guess="skip")
    assert not at.exception and len(component(at, "walk")["stops"]) == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("text", ["unaffable", "snow☃man", "{ } $ \\ # _ ^ & ~ %", ""])
def test_open_it(lang: str, text: str) -> None:
    at = opened(lang, text=text, guess="skip", open="1")
    assert not at.exception
    assert any("def _longest_match" in code.value for code in at.code)
    latex = at.latex[0].value
    assert r"\max" in latex
    if text == "unaffable":
        assert r"\texttt{una} \to 14477" in latex and "token" in shown(at)
    assert ("有 0 个不同" if lang == "zh" else "Different: 0.") in shown(at)


def test_open_it_keeps_the_veil() -> None:
    at = opened(text="unaffable", open="1")
    assert not at.exception
    assert [secret for secret in SECRETS if secret in everything(at)] == []
    assert "attention_mask" not in shown(at)
    assert not [e for e in at.get("download_button") if "npz" in str(e.proto)]


def test_a_cut_text_says_so_and_keeps_the_rest_in_sight() -> None:
    at = opened(text="cat " * 500, guess="skip")
    assert "512" in shown(at)
    pieces = component(at, "ruler")["pieces"]
    assert len(pieces) == 502 and all(kept for *_, kept in pieces)
    at = opened(text="a. " * 600, guess="skip")
    assert [kept for *_, kept in component(at, "ruler")["pieces"]].count(False) == 1200 - 510
