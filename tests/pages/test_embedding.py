"""The embedding page through AppTest, in both languages: what it says, and what it keeps back."""

import json
import math
import re
import struct
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core import Model
from core.zoo import SOURCES
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages.embedding import STAGE
from pages.stages.embedding.followed import followed as followed_of
from pages.stages.embedding.ids import HIGH, WIDE, read, threads
from pages.stages.embedding.picture import ACROSS, WINDOW

THE, ON, D = 1996, 2006, 384


@pytest.fixture
def visit(opened):
    """`visit(lang="zh", pos=5)`: the page, in English where nothing is said."""
    return lambda lang="en", **parameters: whole(opened("embedding", lang, **parameters).app)


def whole(app: AppTest) -> AppTest:
    """No exception, nothing left unfilled, the parts in place."""
    assert not app.exception
    assert not re.search(r"\{[a-z_]+\}", words(app))
    assert {"strip", "table", "output", "derivation", "pairs"} <= set(components(app))
    return app


def redrawn(app: AppTest, said_by: str) -> AppTest:
    """What was clicked or typed draws one piece of the page; then all of it, as a reload would."""
    app.run()
    assert not app.exception and set(components(app)) == {said_by}
    return whole(app.run())


def components(app: AppTest) -> dict:
    return {element.proto.id.rpartition("-")[2]: element.proto for element in app.get("bidi_component")}


def said(app: AppTest, key: str) -> dict:
    return json.loads(components(app)[key].json)[0]


def picture(app: AppTest, key: str) -> tuple[dict, np.ndarray]:
    """A matrix's header and its planes."""
    raw = components(app)[key].bytes
    size = struct.unpack("<I", raw[:4])[0]
    header = json.loads(raw[4 : 4 + size])
    shape = len(header["planes"]), header["rows"]["count"], header["columns"]["count"]
    count = int(np.prod(shape))
    return header, np.frombuffer(raw, "<f4", count, 4 + size).reshape(shape)


def words(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def selected(app: AppTest) -> dict[str, str]:
    """What is selected: the address's, else the default."""
    told = said(app, "address")
    values = {name: parameter["default"] for name, parameter in told["params"].items()}
    return {**values, **{name: value for name, [value] in parse_qs(told["query"]).items()}}


def notes(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.get("html") if "class='note'" in element.proto.body]


def followed(app: AppTest) -> str:
    return json.dumps(said(app, "derivation"), ensure_ascii=False)


@pytest.mark.parametrize("dim", [0, 95, 96, 200, 300, D - 1])
def test_the_selected_dimension_is_among_those_shown(visit, dim: int) -> None:
    app = visit(dim=dim, guess="skip")
    columns = [picture(app, key)[0]["columns"] for key in ("table", "output")]
    assert columns[0] == columns[1] and columns[0]["of"] == D and columns[0]["count"] == ACROSS
    first = columns[0]["from"]
    assert first <= dim < first + ACROSS <= D
    assert f"{first} to {first + ACROSS - 1}" in picture(app, "output")[0]["words"]["caption"]


def test_the_rows_that_the_question_compares_are_marked_while_it_is_open(visit) -> None:
    """Of how many rows are fetched, none is meant."""
    text = "king queen banana"
    asked = picture(visit(text=text), "output")[0]["rows"]["asked"]
    assert len(asked) == 3 and not picture(visit(text=text, guess="skip"), "output")[0]["rows"]["asked"]
    assert not picture(visit(), "output")[0]["rows"]["asked"]


# ---- the question


@pytest.mark.parametrize("lang", LANGUAGES)
def test_while_it_is_open_nothing_answers_it(visit, lang: str, minilm: Model) -> None:
    app = visit(lang=lang)
    asked = ["guess_6", "guess_7", "guess_8", "guess_9", "skip"]
    assert [button.key for button in app.button if button.key][:5] == asked
    header, planes = picture(app, "output")
    assert np.isnan(planes[0, 5]).all() and not np.isnan(planes[0, [0, 1, 2, 3, 4, 6, 7, 8]]).any()
    assert header["rows"]["ids"] == [101, THE, 4937, 2938, ON, None, 13523, 1012, 102]
    assert picture(app, "table")[0]["rows"]["follows"]["rows"][5] is None
    for plane in picture(app, "pairs")[1]:
        assert np.isnan(plane[5]).all() and np.isnan(plane[:, 5]).all() and np.isfinite(plane[1, 2])
    text = words(app)
    assert str(ON) in text and str(THE) not in text.replace(f"{ON}", "")
    assert selected(app)["pos"] == 4 and said(app, "derivation")["id"].startswith("4/")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("guess", ["8", "9", "skip"])
def test_an_answer_shows_it(visit, lang: str, guess: str) -> None:
    app = visit(lang=lang)
    app.button(key="skip" if guess == "skip" else f"guess_{guess}").click()
    whole(app.run())
    assert app.query_params["guess"] == guess
    planes = picture(app, "output")[1]
    assert np.array_equal(planes[0, 1], planes[0, 5])
    assert picture(app, "pairs")[1][:, 1, 5].tolist() == [0, 1, pytest.approx(1)]
    t = lesson("_common")[lang]
    answer = next(body for body in (e.proto.body for e in app.get("html")) if "class='answer'" in body)
    verdict = {"8": t["predict_right"], "9": t["predict_wrong"]}.get(guess)
    assert (verdict in answer) if verdict else not any(t[f"predict_{v}"] in answer for v in ("right", "wrong"))
    assert str(THE) in answer and re.search(r"\b0\b", answer)
    derivation = said(app, "derivation")
    assert derivation["id"].startswith("5/") and derivation["steps"][-1]["value"] == "0"
    assert "the₁" in derivation["steps"][-1]["operation"] and "the₅" in derivation["steps"][-1]["operation"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_veiled_token_may_be_selected_and_says_nothing(visit, lang: str) -> None:
    app = visit(lang=lang)
    app.query_params["pos"] = "5"
    app.query_params["guess"] = "open"  # as a click does
    whole(app.run())
    derivation = said(app, "derivation")
    assert derivation["value"] == lesson("_common")[lang]["matrix.veiled"]
    assert str(THE) not in followed(app)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_repeated_word_all_rows_differ(visit, lang: str) -> None:
    app = visit(lang=lang, text="king queen banana")
    veiled = [i for i, row in enumerate(picture(app, "output")[1][0]) if np.isnan(row).all()]
    assert len(veiled) == 1 and selected(app)["pos"] != veiled[0]
    assert len([b for b in app.button if b.key and b.key.startswith("guess_")]) > 1
    app.button(key="skip").click()
    whole(app.run())
    assert not np.isnan(picture(app, "output")[1]).any()


WORDS = ["the", "bank", "near", "river", "café", "closed", "dog", "I", ",", "."]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=12))
def test_no_two_equal_rows_are_in_sight_while_rows_are_asked_about(looked, words: list[str]) -> None:
    """Neither among the rows nor in the derivation, whatever token is selected."""
    context = looked("embedding", "en", text=" ".join(words))
    if not context.veiled:
        return
    seen = [id for id in context.fetched if id is not None]
    assert len(seen) == len(set(seen)) < len(context.fetched)
    assert context.position not in context.veil
    for pos in range(len(context.view.ids)):
        at = looked("embedding", "en", text=" ".join(words), pos=pos, guess="open")
        assert all("against" not in line.operation for line in followed_of(at).steps)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=9), st.integers(0, 8), st.sampled_from(LANGUAGES))
def test_tokens_agree_with_their_number(looked, words: list[str], which: int, lang: str) -> None:
    text = " ".join(words)
    ids = looked("embedding", lang, text=text, guess="skip").view.ids
    row = ids[min(which, len(ids) - 1)]
    line = followed_of(looked("embedding", lang, text=text, guess="skip", row=row)).steps[0]
    several = {"en": "tokens at", "zh": "都取了"}[lang]
    assert (several in line.reason) == (ids.count(row) > 1)


# ---- what is shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_it_says_of_its_sentence(visit, lang: str) -> None:
    text = re.sub("<[^>]+>", "", words(visit(lang=lang, guess="skip", section="size")))
    numbers = "1996 30,522 384 11,720,448 11,720,064 22,565,376 51.9 46.88 0.5257 984"
    assert [number for number in numbers.split() if number not in text] == []


def test_windows_are_exact_rows_of_the_table(visit, minilm: Model) -> None:
    header, planes = picture(visit(lang="en", guess="skip"), "table")
    table = minilm.network.get_submodule("embedding.token_table").get_parameter("weight").detach().numpy()
    first = header["columns"]["from"]
    for window, plane in zip(header["rows"]["windows"], planes, strict=True):
        start = window["from"]
        assert np.array_equal(plane, table[start : start + WINDOW, first : first + ACROSS])
        assert window["labels"] == list(minilm.tokenizer.pieces[start : start + WINDOW])
        assert window["ids"] == list(range(start, start + WINDOW))
    starts = [window["from"] for window in header["rows"]["windows"]]
    assert THE - WINDOW // 2 in starts and len(starts) == 8  # nine tokens, one twice
    assert header["whole"]["of"] == list(table.shape)


@pytest.mark.parametrize("row", [0, 3, 29_000, 30_521])
def test_a_row_looked_up_by_hand_has_a_window(visit, row: int, minilm: Model) -> None:
    app = visit(lang="en", guess="skip", row=row)
    windows = picture(app, "table")[0]["rows"]["windows"]
    assert any(window["from"] <= row < window["from"] + WINDOW for window in windows)
    assert all(0 <= window["from"] <= 30_522 - WINDOW for window in windows)
    assert said(app, "derivation")["steps"][0]["value"] == minilm.tokenizer.pieces[row]
    assert not notes(app)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["id", "onehot", "row"])
def test_a_pair_is_followed(visit, lang: str, kind: str) -> None:
    app = visit(lang=lang, guess="skip", pos=1, k=2, pair=kind)
    value = {"id": "2,941", "onehot": "0", "row": "0.002"}[kind]
    assert said(app, "derivation")["value"].startswith(value)
    assert "computed here" in followed(app) if lang == "en" else "在这里用捕获的" in followed(app)
    if kind == "onehot":
        assert said(app, "derivation")["steps"][0]["value"] == "1.414"


def test_the_try_button_sets_it_up(visit) -> None:
    app = visit(lang="en", guess="skip")
    app.button(key="try").click()
    redrawn(app, "derivation")
    assert said(app, "derivation")["id"].startswith("onehot/")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_calculator(visit, lang: str) -> None:
    app = visit(lang=lang, guess="skip", section="size", vocab=30_000, width=768)
    assert "23,040,000" in words(app) and "92.16" in words(app) and "46.88" not in words(app)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_open_it(visit, lang: str) -> None:
    app = visit(lang=lang, guess="skip", open=1)
    assert any("E_{1996}" in element.value for element in app.latex)
    code = " ".join(block.value for block in app.code)
    assert "nn.Embedding(config.vocab, config.d_model)" in code and "self.token_table(ids)" in code
    assert "one_hot(row) @ self.table" in code
    shapes = words(app)
    assert "30522 × 384" in shapes and "9 × 30522" in shapes
    compared = lesson("embedding")[lang]["compared.rows"]
    assert compared in shapes and re.search(r"(difference|相差) 0", shapes)


# ---- bad input


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "broken", ["pos=99", "pos=-1", "dim=-1", "dim=abc", "dim=384", "row=30522", "k=9", "pair=x", "vocab=0"]
)
def test_a_broken_address_is_mended_with_a_sentence(visit, lang: str, broken: str) -> None:
    name, value = broken.split("=")
    app = visit(lang=lang, **{name: value})
    assert len(notes(app)) == 1 and broken in notes(app)[0]
    assert name not in parse_qs(said(app, "address")["query"])  # what the browser then writes


TEXTS = {
    "empty": "",
    "blank": "   ",
    "one": "x",
    "emoji": "👩\u200d💻 😀 😀",
    "rtl": "שלום עולם שלום \u202eabc",
    "script": "<script>alert(1)</script> <b>the</b> the",
    "controls": "a\x07b\x00c",
    "chinese": "我昨天在北京买了三本书",
    "markdown": "*the* _the_ `the` $the$ [the](x)",
    "literal": "[MASK] [SEP] [MASK]",
    "many": "the cat " * 249,
    "long": "word " * 2000,
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", TEXTS)
def test_any_text(visit, lang: str, name: str) -> None:
    app = visit(lang=lang, text=TEXTS[name])
    assert "<script>" not in words(app) and "<b>the</b> the" not in words(app)
    if name == "long":
        assert "2,000" in " ".join(notes(app)) and "10,000" in " ".join(notes(app))
    if name in ("empty", "blank"):
        assert len(notes(app)) == 1
    for button in [b for b in app.button if b.key == "skip"]:
        button.click()
        whole(app.run())
    assert not np.isnan(picture(app, "output")[1]).any()


def test_what_is_sent_is_bounded(visit) -> None:
    """Everything a click can ask for, or else the part looked at: three pictures of 512 tokens stay under 1.5 MB."""
    short = visit(lang="en", guess="skip")
    long = visit(lang="en", guess="skip", text="one two three four five six seven " * 80)
    assert len(picture(long, "output")[0]["planes"]) == 1
    assert sum(len(components(short)[key].bytes) for key in ("table", "output", "pairs")) < 200_000
    assert sum(len(components(long)[key].bytes) for key in ("table", "output", "pairs")) < 1_500_000


# ---- what is drawn anew


def test_a_click_draws_the_derivation_alone_and_a_number_its_sentence() -> None:
    assert STAGE.concerned({}, {"pos": 2, "dim": 7, "k": None, "row": None}) == ["derivation"]
    assert STAGE.concerned({"section": "size"}, {"pair": "onehot"}, ["pairs"]) == ["derivation", "pairs"]
    assert STAGE.concerned({"section": "size"}, {"vocab": 30_000}) == ["calculator"]


# ---- sections


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "The cat sat on the mat."), ("zh", "我昨天在北京买了三本书"), ("zh", "")]
)
@pytest.mark.parametrize("section", STAGE.sections)
def test_every_section_is_drawn(opened, lang: str, text: str, section: str) -> None:
    at = opened("embedding", lang, text=text, section=section)
    assert lesson("embedding")[lang][f"{section}.title"] in at.html and not re.search(r"\{\w+\}", at.html)


@pytest.mark.parametrize("name", SOURCES)
def test_the_line_of_positions_is_said_of_models_that_have_such_a_table(looked, name: str) -> None:
    """A number stands in that line whichever model ran: of one without the table it is said not to apply."""
    context = looked("embedding", "en", model=name)
    learned = any("position" in key for key in context.page.model.network.state_dict())
    assert ("does not apply" in context.t("size.own")) == (not learned)
    assert "is 0" not in context.t("size.own")


def test_ids_come_out_in_the_order_asked_for(opened) -> None:
    said = opened("embedding", "en", section="ids").html
    assert (
        "Asked for as 71, 8, 1234, 5, the rows come out in that order; in the table they stand as 5, 8, 71, 1234"
        in said
    )
    outside = re.findall(r"out\[(\d)\] = E\[(\d+)\]", said)
    assert outside == [("0", "71"), ("1", "8"), ("2", "1234"), ("3", "5")]
    assert re.findall(r"<td>E\[(\d+)\]", said) == ["5", "8", "71", "1234"]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12))
@settings(max_examples=20)
def test_a_thread_leads_from_a_row_to_where_it_comes_out(places: list[int]) -> None:
    said = re.findall(r"top:([\d.]+)px;width:([\d.]+)px;.*?rotate:(-?[\d.]+)rad", threads(places, 31))
    assert len(said) == len(places)
    for out, (row, (top, long, turned)) in enumerate(zip(places, said, strict=True)):
        assert float(top) == HIGH * (row + 0.5)
        assert float(top) + float(long) * math.sin(float(turned)) == pytest.approx(HIGH * (out + 0.5), abs=0.2)
        assert float(long) * math.cos(float(turned)) == pytest.approx(WIDE, abs=0.2)


def test_a_row_that_is_not_there_is_said_to_be_missing(opened) -> None:
    said = opened("embedding", "zh", text=None, section="ids").html
    assert "没有第 1234 行" in said and "IndexError: index out of range" in said
    assert "IndexError" in opened("embedding", "en", section="ids", ids="999999 1").html


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        ("[71, 8, 1234, 5]", "71 8 1234 5"),
        ("007", "7"),
        ("1，2、3", "1 2 3"),
        ("", None),
        ("-1", None),
        ("a", None),
        ("٣", None),
        ("1 " * 13, None),
        ("9999999999999999", None),
    ],
)
def test_ids_are_read(raw: str, ids: str | None) -> None:
    assert read(raw) == ids


def test_the_answer_lists_places_as_its_language_does(opened) -> None:
    for lang, listed in (("zh", "出现在位置 1、5，"), ("en", "has id 1996 at positions 1, 5:")):
        page = opened("embedding", lang, text="The cat sat on the mat.", model="minilm", guess="skip")
        assert listed in page.html


@pytest.mark.parametrize(("lang", "said"), [("en", "longer rows after training"), ("zh", "行大致更长")])
def test_frequent_words_ended_longer_and_the_trainings_are_a_click_away(opened, lang: str, said: str) -> None:
    page = opened("embedding", lang, section="begin", guess="skip")
    text = re.sub("<[^>]+>", "", page.html)
    assert said in text and "22,698" in text and "−0.640" in text
    links = [parse_qs(one.proto.query_string) for one in page.app.get("page_link") if one.proto.page == "training"]
    (door,) = [link for link in links if link.get("section") == ["contest"]]
    assert door["what"] == ["frequent"] and door["text"] == ["The cat sat on the mat."]
    assert opened("training", lang, section="contest", what="frequent").address["what"] == "frequent"
