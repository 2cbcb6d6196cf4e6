"""The input page through AppTest, in both languages and with both models: what it says, and what it keeps back."""

import json
import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from core import capture, load_model
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages.input import STAGE
from tests.profiles import some
from tests.written import NUMBER, number

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"
TRANSLATION = "I bought three books in Beijing yesterday"
BOTH = [(lang, text) for lang in LANGUAGES for text in (CAT, BOOKS)]
SECTIONS = {  # what only this one says
    "why": "why.title",
    "switches": "switches.title",
    "tied": "tied.title",
    "dropout": "dropout.title",
    "shapes": "pipeline.title",
    "twice": "twice.title",
    "flow": "flow.title",
}


@pytest.fixture
def visit(opened) -> Callable:
    """`visit("en", sqrt="on")`: no exception, nothing left unfilled."""

    def new(lang: str, **parameters: object):
        return whole(opened("input", lang, **parameters))

    return new


def whole(page):
    assert not re.search(r"\{[a-z_]+\}", page.html)
    return page


def protos(page) -> dict:
    return {element.proto.id.rpartition("-")[2]: element.proto for element in page.app.get("bidi_component")}


def read(proto) -> tuple[dict, np.ndarray]:
    """A picture's header and all its numbers."""
    size = int.from_bytes(proto.bytes[:4], "little")
    return json.loads(proto.bytes[4 : 4 + size]), np.frombuffer(proto.bytes[4 + size :], "<f4")


def panels(page) -> dict[str, np.ndarray]:
    """What is added: panel -> [token, its width]."""
    header, numbers = read(protos(page)["addition"])
    made, start, rows = {}, 0, len(header["labels"])
    for panel in header["panels"]:
        made[panel["id"]] = numbers[start : start + rows * panel["width"]].reshape(rows, panel["width"])
        start += rows * panel["width"]
    assert start == len(numbers)
    return made


def square(page, key: str) -> tuple[dict, np.ndarray]:
    header, numbers = read(protos(page)[key])
    n = header["rows"]["count"]
    return header, numbers.reshape(-1, n, n)


def followed(page) -> dict:
    return json.loads(protos(page)["derivation"].json)[0]


def parameters(page) -> dict[str, dict]:
    """Every parameter, as the browser is told of it."""
    return page.data("address")["params"]


def notes(page) -> list[str]:
    return [e.proto.body for e in page.app.get("html") if "class='note'" in e.proto.body]


# ---- the picture and the switches


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_the_panels_add_up_to_what_was_captured(visit, lang: str, text: str) -> None:
    shown = panels(visit(lang, text=text, guess="skip"))
    model = load_model("minilm" if text == CAT else "translator")
    run = capture(model, text, only=("embedding.*",))
    assert list(shown) == ["token", "position", *(["segment"] if text == CAT else []), "sum"]
    np.testing.assert_array_equal(shown["sum"], run["embedding.sum"])
    np.testing.assert_allclose(sum(shown[name] for name in shown if name != "sum"), shown["sum"], atol=1e-5)


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_each_switch_changes_the_picture(visit, lang: str, text: str) -> None:
    flip, root = ("on", 384**0.5) if text == CAT else ("off", 128**-0.5)
    own = panels(visit(lang, text=text, guess="skip"))
    scaled = panels(visit(lang, text=text, guess="skip", sqrt=flip))
    np.testing.assert_allclose(scaled["token"], own["token"] * root, rtol=1e-5)
    np.testing.assert_array_equal(scaled["position"], own["position"])
    off = panels(visit(lang, text=text, guess="skip", positions="off"))
    assert not off["position"].any() and np.array_equal(off["token"], own["token"])
    beside = panels(visit(lang, text=text, guess="skip", join="concat"))
    parts = [own[name] for name in own if name != "sum"]
    np.testing.assert_array_equal(beside["joined"], np.hstack(parts))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_root_d_the_translation_breaks(visit, lang: str) -> None:
    page = visit(lang, text=BOOKS, guess="skip", sqrt="off", section="switches", of="weights")
    own, now = (square(page, f"weights_{which}")[1] for which in ("own", "now"))
    assert own.shape == now.shape == (4, 12, 12) and np.abs(own - now).max() > 0.5
    before, after = lesson("input")[lang]["translation_other"].split("{before}")[1].split("{after}")
    assert f"{TRANSLATION}{before}" in page.html
    assert f"{before}{TRANSLATION}{after}" not in page.html


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_with_no_switch_moved_the_other_way_is_shown(visit, lang: str, text: str) -> None:
    """The right picture is never an idle copy of the left one."""
    page = visit(lang, text=text, guess="skip", section="switches", of="weights")
    own, now = (square(page, f"weights_{which}")[1] for which in ("own", "now"))
    assert np.abs(own - now).max() > 0.1
    np.testing.assert_allclose(now.sum(-1), 1, atol=1e-5)
    said = lesson("input")[lang]["effects.with" if text == CAT else "effects.without"]
    assert f"<th>{said}</th>" in page.html
    beside = visit(lang, text=text, guess="skip", join="concat", section="switches", of="weights")
    assert lesson("input")[lang]["downstream_join"] in beside.html
    own, now = (square(beside, f"weights_{which}")[1] for which in ("own", "now"))
    assert np.array_equal(own, now)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_numbers_it_says(visit, lang: str) -> None:
    text = " ".join(visit(lang, guess="skip", text=CAT, section=section).html for section in SECTIONS)
    wanted = "0.3651 0.1342 0.00149 2.36 0.957 0.872 0.482 0.306 0.782 1,152 147,456 442,368 16.00 22.65 491,520"
    assert [number for number in wanted.split() if number not in text] == []
    assert "(0, 768, 1)" in text and "must match the size" in text


# ---- following


@pytest.mark.parametrize(("lang", "text"), BOTH)
@pytest.mark.parametrize("part", ["token", "position", "sum"])
def test_a_cell_is_followed(visit, lang: str, text: str, part: str) -> None:
    page = visit(lang, text=text, guess="skip", part=part, pos=2, dim=7)
    number = followed(page)
    value = float(number["exact"].replace("−", "-"))
    assert value == pytest.approx(float(panels(page)[part][2, 7]), abs=1e-6)
    assert lesson("_common")[lang]["recomputed"].split("{")[0] in json.dumps(number, ensure_ascii=False)


@pytest.mark.parametrize(("lang", "text"), BOTH)
@pytest.mark.parametrize("switch", [{}, {"join": "concat"}, {"sqrt": "off", "positions": "off"}, {"sqrt": "on"}])
def test_the_cosines_of_each_side(visit, lang: str, text: str, switch: dict) -> None:
    """Of every pair, as the model is and as switched, on one scale; by scikit-learn from the panels."""
    page = visit(lang, text=text, guess="skip", section="switches", **switch)
    plain = visit(lang, text=text, guess="skip")
    (own, first), (now, second) = square(page, "cosines_own"), square(page, "cosines")
    assert (own["reach"], own["signed"]) == (now["reach"], now["signed"]) == (1, True)
    np.testing.assert_allclose(first[1], cosine_similarity(panels(plain)["sum"]), atol=1e-5)
    shown = panels(page)
    moved = "joined" in shown or shown.keys() ^ panels(plain) or not np.array_equal(shown["sum"], panels(plain)["sum"])
    if moved:
        np.testing.assert_allclose(second[1], cosine_similarity(shown.get("joined", shown.get("sum"))), atol=1e-5)
    assert np.abs(second[1] - first[1]).max() > 0.01
    pairs = np.triu_indices(len(first[1]), 1)
    means = [float(m[1][pairs].astype(float).mean()) for m in (first, second)]
    said = re.search(r"(?:goes from|平均从) (\S+) (?:to|变成) ([\d.−]+\d)", unpressed(page.html))
    assert said and [float(x.replace("−", "-")) for x in said.groups()] == pytest.approx(means, rel=5e-3)


@pytest.mark.parametrize(("lang", "text"), BOTH)
@pytest.mark.parametrize("side", ["own", "now", "before", "after"])
@pytest.mark.parametrize("kind", ["token", "sum", "output"])
def test_a_pair_is_followed(visit, lang: str, text: str, kind: str, side: str) -> None:
    section = "dropout" if side in ("before", "after") else "switches"
    switches = {"section": section, "rate": 0.5, "join": "concat" if kind == "sum" else "add"}
    page = visit(lang, text=text, guess="skip", of=kind, side=side, pos=1, k=5, **switches)
    header, planes = square(page, f"cosines_{side}" if side != "now" else "cosines")
    plane = header["planes"].index(kind) if len(header["planes"]) > 1 else 0
    value = float(followed(page)["exact"].replace("−", "-"))
    if side == "after":  # it shows how much they differ
        value -= float(square(page, "cosines_before")[1][0][1, 5])
    assert value == pytest.approx(float(planes[plane][1, 5]), abs=1e-5)


@pytest.mark.parametrize(("lang", "text"), BOTH)
@pytest.mark.parametrize("which", ["own", "now"])
def test_a_weight_downstream_is_followed(visit, lang: str, text: str, which: str) -> None:
    chosen = {"look": which, "of": "weights", "head": 2, "pos": 1, "k": 3}
    page = visit(lang, text=text, guess="skip", positions="off", section="switches", **chosen)
    value = float(followed(page)["exact"].replace("−", "-"))
    assert value == pytest.approx(float(square(page, f"weights_{which}")[1][1, 1, 3]), abs=1e-6)


# ---- the question


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_while_it_is_open_nothing_answers_it(visit, lang: str, text: str) -> None:
    page = visit(lang, text=text)
    assert [b.key for b in page.app.button if b.key][:4] == ["guess_nearer", "guess_same", "guess_farther", "skip"]
    shown = panels(page)
    asked = [i for i, row in enumerate(shown["sum"]) if np.isnan(row).all()]
    assert len(asked) == 1
    for numbers in shown.values():
        assert np.isnan(numbers[asked]).all() and not np.isnan(np.delete(numbers, asked, 0)).any()
    page.app.query_params["section"] = "switches"
    whole(page.run())
    for key in ("cosines_own", "cosines"):
        planes = square(page, key)[1]
        assert np.isnan(planes[:, asked]).all() and np.isnan(planes[:, :, asked]).all()
    assert parameters(page)["pos"]["default"] != asked[0]
    answered = visit(lang, text=text, guess="nearer")
    share = re.search(
        r"<b>(?:<button[^>]*>)?([\d.−]+)<", next(h for h in answered.html.split("\n") if "class='answer'" in h)
    )
    veiled = lesson("_common")[lang]["matrix.veiled"]
    page.app.query_params["guess"] = "open"  # as the browser says it of whoever looks around without answering
    sections = [{"section": section} for section in SECTIONS]
    for chosen in ({}, {"pos": asked[0]}, {"k": 0}, {"of": "sum", "join": "concat"}, {"open": 1}, *sections):
        for name, value in chosen.items():
            page.app.query_params[name] = str(value)
        whole(page.run())
        everything = page.html + json.dumps(followed(page)) + " ".join(element.value for element in page.app.latex)
        everything = re.sub(r"--share: [\d.]+", "", everything)  # how full random cells are: another number each time
        assert share and not re.search(rf"(?<![\d.]){re.escape(share[1])}(?!\d)", everything)
        if "pos" in page.app.query_params:
            assert followed(page)["value"] == veiled


@pytest.mark.parametrize(("lang", "text", "right"), [(*b, "nearer") for b in BOTH])
def test_an_answer_shows_it(visit, lang: str, text: str, right: str) -> None:
    for guess in ("nearer", "same", "farther"):
        page = visit(lang, text=text)
        page.app.button(key=f"guess_{guess}").click()
        whole(page.run())
        assert not np.isnan(panels(page)["sum"]).any()
        words = lesson("_common")[lang]
        assert words["predict_right" if guess == right else "predict_wrong"] in page.html


def test_the_try_button_moves_the_switch(visit) -> None:
    for text, setting in ((CAT, "on"), (BOOKS, "off")):
        page = visit("en", text=text, guess="skip")
        page.app.button(key="try").click()
        whole(page.run())
        assert page.app.query_params["sqrt"] == setting
        assert read(protos(page)["addition"])[0]["made"]["sqrt"] == setting


# ---- the sections, one at a time


@pytest.mark.parametrize(("lang", "text"), BOTH)
@pytest.mark.parametrize("section", SECTIONS)
def test_one_section_at_a_time(visit, lang: str, text: str, section: str) -> None:
    page = visit(lang, text=text, guess="skip", section=section)
    said = lesson("input")[lang]
    heading = lambda name: f"<h2 class='part'>{said[SECTIONS[name]]}</h2>"  # noqa: E731
    assert [name for name in SECTIONS if heading(name) in page.html] == [section]
    assert ("dropout" in protos(page)) == (section == "dropout")
    assert {"addition", "derivation"} <= set(protos(page))
    assert ({"cosines_own", "cosines"} <= set(protos(page))) == (section == "switches")
    assert {"section", "derivation"} >= set(STAGE.concerned({"section": section}, {"section": None}) or ("page",))
    closed = visit(lang, text=text, guess="skip")
    assert not [name for name in SECTIONS if heading(name) in closed.html]


@pytest.mark.parametrize("dim", [0, 7, 161, 383])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_a_bar_is_dropped_or_grown(visit, rate: float, dim: int) -> None:
    page = visit("en", text=CAT, guess="skip", section="dropout", rate=rate, seed=1, pos=3, dim=dim)
    shown = page.data("dropped")
    run = capture(load_model("minilm"), CAT, only=("embedding.output",))["embedding.output"][3]
    first, count = shown["first"], len(shown["before"])
    assert first <= dim < first + count and shown["token"] == 3
    np.testing.assert_array_equal(np.float32(shown["before"]), run[first : first + count])
    after = np.array(shown["after"])
    kept = after != 0
    np.testing.assert_allclose(after[kept], np.array(shown["before"])[kept] / (1 - rate), rtol=1e-6)
    whole = read(protos(page)["dropout"])[1].reshape(-1, run.size)[3]
    np.testing.assert_array_equal(np.float32(after), whole[first : first + count])
    if rate == 0.1 and 7 < dim < 370:
        assert not kept.all()  # something to see


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_dropout(visit, lang: str, text: str) -> None:
    page = visit(lang, text=text, guess="skip", section="dropout", rate=0.5, seed=3)
    training = read(protos(page)["dropout"])[1]
    assert (training == 0).mean() == pytest.approx(0.5, abs=0.05)
    other = visit(lang, text=text, guess="skip", section="dropout", rate=0.5, seed=4)
    assert not np.array_equal(read(protos(other)["dropout"])[1], training)
    page = visit(lang, text=text, guess="skip", section="dropout", rate=0.0, seed=3)
    run = capture(load_model("minilm" if text == CAT else "translator"), text, only=("embedding.output",))
    np.testing.assert_array_equal(read(protos(page)["dropout"])[1], run["embedding.output"].ravel())
    evaluation = visit(lang, text=text, guess="skip", section="dropout", rate=0.5, mode="evaluation")
    np.testing.assert_array_equal(read(protos(evaluation)["dropout"])[1], run["embedding.output"].ravel())
    assert lesson("input")[lang]["dropout_off"] in evaluation.html
    nothing = visit(lang, text=text, guess="skip", section="dropout", rate=1)
    assert lesson("input")[lang]["dropout_all"] in nothing.html and not read(protos(nothing)["dropout"])[1].any()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_another_width(visit, lang: str) -> None:
    page = visit(lang, guess="skip", section="why", width=1024)
    assert page.app.query_params["width"] == "1024" and ">d = 1024<" in page.html
    assert "22.63" in page.html  # √(1024 / 2), the norm of a position


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_function_asked_twice(visit, lang: str) -> None:
    page = visit(lang, guess="skip", section="twice")
    said = lesson("input")[lang]

    def differences() -> list[str]:
        return re.findall(re.escape(said["twice_module"].split("<b>")[0]) + r"<b>([^<]+)<", page.html)

    first = differences()
    assert len(first) == 2 and first[1] == "0" and float(first[0]) > 0.5
    page.app.button(key="again").click()
    whole(page.run())
    second = differences()
    assert second[1] == "0" and second[0] != first[0]
    code = " ".join(block.value for block in page.app.code)
    assert "def transformer_input(" in code and "class TransformerInput(" in code


@pytest.mark.parametrize(("lang", "text"), BOTH)
def test_open_it(visit, lang: str, text: str) -> None:
    page = visit(lang, text=text, guess="skip", open=1)
    assert any(r"\lVert p\rVert^2" in element.value for element in page.app.latex)
    code = " ".join(block.value for block in page.app.code)
    assert ("class BertEmbedding" if text == CAT else "class TransformerEmbedding") in code
    assert "def shares(" in code and "def one_map(" in code and "def dropped(" in code
    sentence = lesson("_common" if text == CAT else "input")[lang]["open.compared" if text == CAT else "compared.torch"]
    last = sentence.rpartition("{difference}")[0].rpartition("}")[2]
    difference = re.search(re.escape(last.strip()) + rf"\s*({NUMBER})", page.html)
    assert difference and number(difference[1]) < 1e-5


# ---- bad input

BROKEN = ["sqrt=maybe", "positions=2", "join=glue", "part=segments", "pos=99", "pos=-1", "dim=9999", "k=x", "of=all",
          "of=joined", "side=left",
          "look=there", "head=0", "head=13", "mode=test", "rate=1.01", "rate=-0.1", "rate=nan", "rate=inf", "rate=half",
          "rate=٠", "seed=-1", "seed=4294967296", "width=1", "width=2049", "width=1e3",
          "section=all"]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_address_is_mended_with_a_sentence(visit, broken: str) -> None:
    name, value = broken.split("=")
    for lang in LANGUAGES:
        page = visit(lang, **{name: value})
        assert len(notes(page)) == 1 and broken in notes(page)[0]
        assert name not in page.address


TEXTS = {
    "empty": "",
    "one": "x",
    "one character": "书",
    "two characters": "书书",
    "emoji": "👩\u200d💻 😀 😀",
    "script": "<script>alert(1)</script> <b>the</b> the",
    "controls": "a\x07b\x00c",
    "rtl": "שלום עולם שלום \u202eabc",
    "literal": "[MASK] [SEP] [MASK]",
    "unknown": "鬱龘",
    "200": "the cat sat on the mat " * 9,
    "long": "word " * 390,
    "long chinese": BOOKS * 30,
}


SWITCHED = ({"sqrt": "on"}, {"sqrt": "off", "positions": "off"}, {"join": "concat", "rate": "1"})


@pytest.mark.parametrize("name", TEXTS)
def test_any_text(visit, name: str) -> None:
    for lang in LANGUAGES:
        page = visit(lang, text=TEXTS[name])
        assert "<script>" not in page.html and "<b>the</b> the" not in page.html
    # Every section, every switch, both languages; not each with each, for they do not meet.
    every = list(zip(SECTIONS, cycle(SWITCHED), cycle(LANGUAGES), strict=False))
    for section, switches, lang in some(every[list(TEXTS).index(name) % len(every) :]):
        page = visit(lang, text=TEXTS[name], guess="skip", section=section, **switches)
        assert not np.isnan(panels(page)["token"]).any()


@pytest.mark.parametrize(("model", "text"), [("minilm", BOOKS), ("translator", CAT)])
def test_a_model_of_ones_own_choice(visit, model: str, text: str) -> None:
    for lang in LANGUAGES:
        assert "sum" in panels(visit(lang, text=text, model=model, guess="skip"))


def test_what_is_sent_is_bounded(visit) -> None:
    for section in SECTIONS:
        short = visit("en", guess="skip", text=CAT, section=section)
        long = visit("en", guess="skip", text="one two three four five six seven " * 80, section=section)
        assert sum(len(proto.bytes) for proto in protos(short).values()) < 110_000
        assert sum(len(proto.bytes) for proto in protos(long).values()) < 3_500_000
        assert len(read(protos(long)["addition"])[0]["labels"]) == 12


# ---- what is drawn anew


def test_a_switch_redraws_what_shows_it_and_nothing_else() -> None:
    assert STAGE.concerned({"section": "tied"}, {"sqrt": "on"}) == [
        "picture",
        "section",
    ]  # it has the derivation inside
    assert STAGE.concerned({}, {"join": "concat"}) == ["picture"]
    assert STAGE.concerned({}, {"pos": "3", "dim": "7", "k": None}) == ["derivation"]
    assert STAGE.concerned({"section": "dropout"}, {"rate": "0.9"}) == ["derivation", "section"]
    assert STAGE.concerned({"section": "why"}, {"width": "64"}) == ["section"]


NO_PAGE: Any = None  # what these parameters have no need of


def test_the_own_parameters_of_a_section_redraw_it() -> None:
    for id, section in STAGE.sections.items():
        own = set(section.parameters(NO_PAGE, None))
        assert own <= set(section.redraws), id
        assert all("section" in (STAGE.concerned({"section": id}, {name: "1"}) or ()) for name in own)
    assert set(STAGE.sections["dropout"].parameters(NO_PAGE, None)) == {"mode", "rate", "seed"}


def test_a_window_of_a_long_sentence_is_asked_for_anew(visit) -> None:
    """Where the selected token lies outside, the browser finds no plane of that name, and asks for the piece."""
    numbers = "one two three four five six seven " * 30
    for key, section, piece, count in (
        ("dropout", "dropout", "section", 12),
        ("cosines_after", "dropout", "section", 128),
        ("cosines", "switches", "effects", 128),
    ):
        page = visit("en", text=numbers, guess="skip", section=section, pos=150)
        header = read(protos(page)[key])[0]
        rows = header["rows"]
        assert (header["fragment"], rows["count"], len(rows["windows"])) == (piece, count, 1)
        assert rows["from"] <= 150 < rows["from"] + count and all(p.split("/")[-1] == "0" for p in header["planes"])
    short = read(protos(visit("en", text=CAT, guess="skip", section="switches"))["cosines"])[0]
    assert short["rows"]["windows"] is None and short["planes"] == ["token", "sum", "output"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("n", [1, 6, 40, 160])
def test_where_the_longest_position_is_said_to_stand(visit, lang: str, n: int) -> None:
    """However long the text, its part of all positions' squares is the part that is said."""
    text = " ".join(["the cat sat"] * n)
    page = visit(lang, text=text, guess="skip")
    squares = (capture(load_model("minilm"), text, only=("embedding.*",))["embedding.position"] ** 2).sum(-1)
    said = re.search(r"(?:它一个就占|alone it has) (0\.\d+)", unpressed(page.html))
    part = squares.max() / squares.sum()
    assert (said is None) == (part <= 0.5)
    assert not said or float(said[1]) == pytest.approx(part, abs=1e-3)


def unpressed(html: str) -> str:
    """The same with its numbers as they are read."""
    return re.sub(r"</?(?:button|span)[^>]*>", "", html)


@pytest.mark.parametrize("text", ["x", "", CAT])
def test_counts_agree_with_their_nouns(visit, text: str) -> None:
    assert not re.search(r"\b1 (?:pairs|tokens|rows|words)\b", visit("en", text=text, guess="skip").html)


@pytest.mark.parametrize("width", [2, 128, 512, 2048])
def test_bars_of_why_are_on_one_scale_and_stand_where_the_width_matters(opened, width: int) -> None:
    page = opened("input", "en", guess="skip", section="why", width=width)
    rows = re.findall(r"<tr>(.*?)</tr>", page.html.split("named even")[1].split("</table>")[0])
    pairs = [re.findall(r"class='amount'[^>]*>(?:<[^>]*>)*([^<]+).*?--long:([\d.]+)", row) for row in rows]
    numbers = [[(number(value), float(long)) for value, long in row] for row in pairs if row]
    barred = [row for row in numbers if any(long for _, long in row)]
    assert 2 < len(barred) < len(numbers)
    assert all(max(row)[0] > 1.5 * min(row)[0] for row in barred)
    scales = [long / value for row in barred for value, long in row if long > 5]
    assert max(scales) < 1.1 * min(scales)
