"""The position page through AppTest, in both languages and with both models: what it says, and what it keeps back."""

import json
import re
import struct
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.edits import zero_positions
from core.numbers import short
from core.views.position import PositionTable, moved
from pages.shared.address.address import Address
from pages.shared.page.drawing import Drawing
from pages.shared.page.stage import PageContext
from pages.shared.server import cached, warm_up
from pages.shared.words.texts import LANGUAGES, Texts, lesson
from pages.stages.position import STAGE, turned
from pages.stages.position.context import view_of
from pages.stages.position.far import pairs
from pages.stages.position.moving import rotation
from pages.stages.position.scenes import example_of, own_pair
from pages.stages.position.table import FAR, built, read
from pages.stages.position.words import lead_of
from tests.written import number

ROOT = Path(__file__).parents[2]
TEXT = {"minilm": "The cat sat on the mat.", "translator": "我昨天在北京买了三本书"}
ALWAYS = {"strip", "controls", "waves", "clocks", "derivation", "order_controls", "orders"}
SECTIONS = {
    "table": {"length_controls", "whole_matrix", "row", "wavelengths"},
    "calculator": {"calculator_controls", "calculated"},
    "moving": {"moving_controls", "moved_clocks", "moved"},
    "far": {"pair_controls", "pairs", "pair", "gaps"},
    "learned": {
        *("scale_controls", "rows_sinusoidal", "rows_learned", "curve_norms", "curve_next"),
        *("pairs_learned", "learned_pair"),
    },
    "others": {"others_controls", "others_left", "others_right", "others_curve", "others_pair"},
    "causal": {"causal_controls"},
    "lengths": {"lengths_controls", "lengths_curve", "t5_controls", "t5_curve"},
}
COMPARED = {"pairs", "pair", "gaps", "curve_norms", "curve_next", "pairs_learned", "learned_pair"}
FILLED_IN_THE_BROWSER = ("clocks", "moved_clocks")


@pytest.fixture(scope="module", autouse=True)
def warmed() -> None:
    warm_up.once()


def visit(model: str = "minilm", **parameters: object) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages/frame.py"), default_timeout=120)
    for name, value in {"text": TEXT[model], "lang": "en", **parameters}.items():
        app.query_params[name] = str(value)
    app._page_hash = calc_hash("position")  # pages are functions: there is no file to switch to
    return whole(app.run())


def whole(app: AppTest) -> AppTest:
    """All parts in place."""
    assert set(components(app)) >= ALWAYS
    return standing(app)


def standing(app: AppTest) -> AppTest:
    """No exception, nothing left unfilled."""
    assert not app.exception, app.exception
    assert "class='note fault'" not in html(app), "a part of the page could not be drawn: see the log"
    parts = components(app)
    said = [words(app)] + [p.json for name, p in parts.items() if name not in FILLED_IN_THE_BROWSER]
    assert not [found for text in said for found in re.findall(r"\{[a-z_]+\}", text)]
    return app


def components(app: AppTest) -> dict:
    return {element.proto.id.rpartition("-")[2]: element.proto for element in app.get("bidi_component")}


def said(app: AppTest, key: str) -> dict:
    return json.loads(components(app)[key].json)[0]


def packed(app: AppTest, key: str) -> tuple[dict, np.ndarray]:
    raw = components(app)[key].bytes
    size = struct.unpack("<I", raw[:4])[0]
    return json.loads(raw[4 : 4 + size]), np.frombuffer(raw, "<f4", offset=4 + size)


def words(app: AppTest) -> str:
    return re.sub(r"<[^>]+>", "", " ".join(e.proto.body for e in app.get("html") if "<style" not in e.proto.body))


def html(app: AppTest) -> str:
    return " ".join(e.proto.body for e in app.get("html"))


def presets(app: AppTest) -> list:
    return said(app, "length_controls")["controls"][0]["options"]


def notes(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.get("html") if "class='note'" in element.proto.body]


# ---- the question


def asked_reader(app: AppTest) -> str:
    """With positions or without: the reader whose numbers are veiled."""
    readers = said(app, "orders")["scenes"]["own"]["readers"]
    (found,) = [name for name, reader in readers.items() if None in reader["share"]]
    return found


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_while_it_is_open_nothing_answers_it(lang: str, model: str) -> None:
    app = visit(model, lang=lang)
    assert {"guess_none", "guess_moved", "guess_all", "skip"} <= {b.key for b in app.button if b.key}
    asked = asked_reader(app)
    for scene in said(app, "orders")["scenes"].values():
        veiled = scene["readers"][asked]
        assert set(veiled["share"]) == set(veiled["cosine"]) == {None}
        hidden = lesson("_common")[lang]["matrix.veiled"]
        assert veiled["said"] and all(line.endswith(hidden) for line in veiled["said"])
        assert None not in scene["readers"]["off" if asked == "on" else "on"]["share"]
    assert "×10" not in said(app, "orders")["scenes"]["own"]["readers"][asked]["caption"]
    lead = html(app)
    assert not re.search("bag|一袋", lead)


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("guess", ["none", "all", "skip"])
def test_an_answer_shows_it(lang: str, model: str, guess: str) -> None:
    app = visit(model, lang=lang)
    asked = asked_reader(app)
    app.button(key="skip" if guess == "skip" else f"guess_{guess}").click()
    whole(app.run())
    assert app.query_params["guess"] == guess
    t = lesson("_common")[lang]
    answer = next(e.proto.body for e in app.get("html") if "class='answer'" in e.proto.body)
    right = {"on": "all", "off": "none"}[asked]
    verdict = t["predict_right" if guess == right else "predict_wrong"] if guess != "skip" else None
    assert (verdict in answer) if verdict else not any(t[f"predict_{v}"] in answer for v in ("right", "wrong"))
    assert ("10⁻" in answer) == (asked == "off")  # rounding
    own = said(app, "orders")["scenes"]["own"]["readers"]
    assert max(own["off"]["share"]) < 1e-4 < 0.01 < max(own["on"]["share"])


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("section", SECTIONS)
def test_one_section_at_a_time(lang: str, model: str, section: str) -> None:
    app = visit(model, lang=lang, guess="skip", section=section)
    now = set(components(app))
    assert now >= SECTIONS[section] and not now & set().union(*(s for name, s in SECTIONS.items() if name != section))
    closed = set(components(visit(model, lang=lang, guess="skip")))
    assert not closed & set().union(*SECTIONS.values()), "a page opens with all of them closed"


@pytest.mark.parametrize("section", ["far", "learned"])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["", "x", "x x x", "...", "👩\u200d💻"])
def test_without_two_words_distance_is_asked(lang: str, text: str, section: str) -> None:
    app = visit(lang=lang, text=text, section=section)
    assert {"guess_near", "guess_far", "guess_equal"} <= {b.key for b in app.button if b.key}
    assert not set(components(app)) & COMPARED
    assert list(said(app, "orders")["scenes"]) == ["example"]
    assert max(said(app, "orders")["scenes"]["example"]["readers"]["off"]["share"]) < 1e-4  # not what is asked
    app.button(key="guess_equal").click()
    whole(app.run())
    assert set(components(app)) >= SECTIONS[section]
    answer = next(e.proto.body for e in app.get("html") if "class='answer'" in e.proto.body)
    assert answer.count("3.23") == 2 and lesson("_common")[lang]["predict_right"] in answer


# ---- what is shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_translator_cannot_tell_who_criticised_whom(lang: str) -> None:
    readers = said(visit("translator", lang=lang, guess="skip"), "orders")["scenes"]["example"]["readers"]
    on, off = ([line.split(" → ")[1] for line in readers[name]["said"]] for name in ("on", "off"))
    assert on == ["The teacher criticised the student", "The student criticised the teacher"]
    assert off[0] == off[1]


def test_who_only_compares_says_how_alike_the_two_orders_are() -> None:
    """Of the means of the last vectors, recomputed: without positions they are the same to every digit shown."""
    own = said(visit("minilm", lang="en", guess="skip"), "orders")["scenes"]["own"]["readers"]
    texts = "The cat sat on the mat.", "The mat sat on the cat."
    for name, edits in (("on", ()), ("off", (zero_positions(),))):
        last = cached.model("minilm").depths()[-1]
        one, other = (cached.capture("minilm", text, only=(last,), edits=edits)[last].mean(0) for text in texts)
        alike = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert own[name]["said"][0].split()[-1] == short(float(alike))
    assert "1.000" in own["off"]["said"][0] and own["recurrent"]["said"] == []


@pytest.mark.parametrize(("model", "d"), [("minilm", 384), ("translator", 128)])
def test_numbers_of_the_claims(model: str, d: int) -> None:
    """Distances by arithmetic of its own; the last wavelength; what the table costs; the paper's two scores."""
    rates = 10_000.0 ** (-np.arange(0, d, 2) / d)
    far = {gap: f"{np.sqrt((2 * (1 - np.cos(gap * rates))).sum()):#.4g}" for gap in (1, 44, 710)}
    text = words(visit(model, guess="skip", section="far"))
    assert [gap for gap, distance in far.items() if distance not in text] == []
    wanted = {
        "far": ["0.0177", "6.029×10⁻⁵"],
        "table": [f"{2 * np.pi / rates[-1]:,.0f}", "6.28"],
        "calculator": ["0.74511, −0.66694, 0.38942, 0.92106", "628"],
        "learned": ["196,608", "25.8", "25.7"],
    }
    for section, numbers in wanted.items():
        text = words(visit(model, guess="skip", section=section))
        assert [number for number in numbers if number not in text] == []


@pytest.mark.parametrize(("lang", "model", "own", "d"), [("en", "minilm", 512, 384), ("zh", "translator", 200, 128)])
@pytest.mark.parametrize(("max_len", "row"), [(None, None), (5000, 4321), (1, 0), (4, None), (777, 776)])
def test_max_len(lang: str, model: str, own: int, d: int, max_len: int | None, row: int | None) -> None:
    """Shape and bytes follow it, the rows do not; what lies beyond the table is said."""
    asked = {"max_len": max_len, "row": row}
    app = visit(
        model, lang=lang, guess="skip", section="table", dim=3, **{k: v for k, v in asked.items() if v is not None}
    )
    n = max_len or own
    header, cells = packed(app, "whole_matrix")
    assert header["whole"]["of"] == [n, d] and [option[0] for option in presets(app)] == sorted({256, 512, 5000, own})
    first, count = header["rows"]["from"], header["rows"]["count"]
    angles = np.arange(first, first + count) / 10_000 ** (2 / d)
    column = header["columns"]["ids"].index(3)
    np.testing.assert_allclose(cells[: count * d].reshape(count, d)[:, column], np.cos(angles), atol=1e-6)
    row_of_table = re.search(rf"<tr class=query><td>{n:,}&nbsp;×&nbsp;{d}</td>(.*?)</tr>", html(app))
    assert row_of_table and re.findall("<td>(.*?)</td>", row_of_table[1]) == [f"{n * d:,}", f"{4 * n * d:,}"]
    number = said(app, "row")
    if max_len == 4:  # the last word stands at position 6 or beyond
        assert number["value"] == "–" and "3" in number["note"]
    else:
        place = row if row is not None else said(app, "address")["params"]["pos"]["default"]
        assert first <= place < first + count
        assert float(number["exact"].replace("−", "-")) == pytest.approx(np.cos(place / 10_000 ** (2 / d)), abs=1e-6)
        others = any(place < other != n for other in (256, 512, 5000))
        assert bool(re.search(r"(: |相差 )0$", number["steps"][-1]["check"])) == others


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize(("pos", "dim"), [(0, 0), (9, 16), (63, 127), (199, 126)])
def test_a_cell_is_followed(model: str, pos: int, dim: int) -> None:
    app = visit(model, guess="skip", pos=pos, dim=dim, kind="sinusoidal")
    header, values = packed(app, "waves")
    at = (pos - header["from"]) * header["d"] + dim
    derivation = said(app, "derivation")
    assert header["from"] <= pos < header["from"] + header["count"] and len(derivation["steps"]) == 4
    angle = pos / 10_000 ** ((dim - dim % 2) / header["d"])
    assert values[at] == pytest.approx((np.cos if dim % 2 else np.sin)(angle), abs=1e-6)
    assert float(derivation["exact"].replace("−", "-")) == values[at]


def test_the_learned_number_is_the_captured_one() -> None:
    derivation = said(visit(guess="skip", kind="learned", pos=3, dim=7), "derivation")
    assert len(derivation["steps"]) == 1 and derivation["steps"][0]["check"].count(": 0") == 2
    assert notes(visit("translator", guess="skip", kind="learned"))  # it has no learned table


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("at", "i", "d", "base"), [(1, 0, 1, 10_000), (5, 6, 7, 10_000), (9, 3, 8, 1), (10**6, 4095, 4096, 2)]
)
def test_the_calculator(lang: str, at: int, i: int, d: int, base: int) -> None:
    app = visit(lang=lang, guess="skip", section="calculator", at=at, i=i, d=d, base=base)
    derivation = said(app, "calculated")
    angle = at / base ** ((i - i % 2) / d)
    value = float(derivation["exact"].replace("−", "-"))
    assert value == pytest.approx((np.cos if i % 2 else np.sin)(angle), abs=1e-7) and not derivation["note"]
    t = lesson("position")[lang]
    odd = t["odd.one"] if d == 1 else t["odd.width"].split("{")[0] if d % 2 else ""
    assert odd in words(app) and (t["odd.base_one"] in words(app)) == (base == 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dimension_beyond_the_width_is_said(lang: str) -> None:
    derivation = said(visit(lang=lang, guess="skip", section="calculator", i=9, d=4), "calculated")
    assert "9" in derivation["note"] and "3" in derivation["where"]


@pytest.mark.parametrize("by", [0, 5, -7, 10**9])
def test_moving(by: int) -> None:
    app = visit("translator", guess="skip", section="moving", pos=7, by=by, dim=17)
    there = (7 + by) / 10_000 ** (16 / 128)
    assert float(said(app, "moved")["exact"].replace("−", "-")) == pytest.approx(np.cos(there), abs=1e-6)
    assert any(f"k = {by:,}".replace(",", "{,}") in element.value for element in app.latex)
    assert ("use up the digits" in words(app)) == (by == 10**9)


@pytest.mark.parametrize("measure", ["distance", "dot"])
@pytest.mark.parametrize(("a", "b"), [(0, 1), (100, 101), (5000, 5001), (0, 710)])
def test_a_pair_is_followed(measure: str, a: int, b: int) -> None:
    app = visit(guess="skip", section="far", a=a, b=b, measure=measure)
    gap = np.arange(0, 384, 2)
    near = np.cos((b - a) / 10_000 ** (gap / 384))
    wanted = near.sum() if measure == "dot" else np.sqrt((2 * (1 - near)).sum())
    assert float(said(app, "pair")["exact"].replace("−", "-")) == pytest.approx(wanted, abs=1e-4)
    learned = said(visit(guess="skip", section="learned", a=a, b=b, measure=measure), "learned_pair")
    assert ("511" in learned["note"]) == (b > 511)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_the_learned_table_ends(lang: str) -> None:
    app = visit(lang=lang, guess="skip", section="learned")
    assert "index out of range" in words(app) and "PE(512)" in words(app)


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_open_it(lang: str, model: str, kind: str) -> None:
    if model == "translator" and kind == "learned":
        return
    app = visit(model, lang=lang, guess="skip", open=1, kind=kind)
    code = " ".join(block.value for block in app.code)
    assert "table[:, 0::2] = angle.sin()" in code and "def rotation" in code
    assert ("class LearnedPosition" in code) == (model == "minilm")
    assert "register_buffer" in code or model == "minilm"
    assert ("DistilBERT" in words(app)) == (kind == "sinusoidal")
    assert re.search(r"(difference|相差) 0(?!\.\d)", words(app))


# ---- bad input


BROKEN = (
    *("pos=512", "pos=-1", "dim=384", "dim=x", "kind=rotary", "reader=nobody", "order=x", "at=-1", "d=0", "d=4097"),
    *("base=0", "by=1e99", "a=-1", "b=abc", "measure=cosine", "scale=x", "i=4096", "section=x"),
    *("max_len=0", "max_len=10001", "max_len=-1", "max_len=many", "max_len=1e3", "row=-1", "row=10000"),
)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_address_is_mended_with_a_sentence(lang: str, broken: str) -> None:
    name, value = broken.split("=")
    app = visit(lang=lang, guess="skip", **{name: value})
    assert len(notes(app)) == 1 and broken in notes(app)[0]
    assert name not in dict(parse_qsl(said(app, "address")["query"]))  # what the browser then writes


TEXTS = {
    "blank": "   ",
    "emoji": "👩\u200d💻 😀 😀 a b",
    "rtl": "שלום עולם שלום \u202eabc",
    "script": "<script>alert(1)</script> <b>the</b> the",
    "controls": "a\x07b\x00c d",
    "markdown": "*the* _a_ `b` $c$ [d](x)",
    "literal": "[MASK] [SEP] [MASK] a b",
    "many": "the cat " * 249,
    "long": "word " * 2000,
    "characters": "我" * 300,
    "one character": "我",
    "unknown": "龘靐齉 a b",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", TEXTS)
def test_any_text(lang: str, name: str) -> None:
    app = visit(lang=lang, text=TEXTS[name])
    assert "<script>" not in " ".join(e.proto.body for e in app.get("html"))
    app.button(key="skip").click()
    whole(app.run())
    if name in ("many", "characters"):
        assert list(said(app, "orders")["scenes"]) == ["example"] and "128" in words(app)


# ---- which pieces are drawn anew


@pytest.mark.parametrize(
    ("section", "patch", "pieces"),
    [
        ("table", {"max_len": 4, "row": None}, ["lengths", "row", "whole_matrix"]),
        ("table", {"row": 3}, ["row"]),
        ("table", {"pos": 3}, ["derivation", "row"]),
        ("calculator", {"base": 2}, ["calculated"]),
        ("moving", {"by": -7}, ["moved"]),
        ("moving", {"dim": 7}, ["derivation", "moved"]),
        ("far", {"measure": "dot"}, ["pair"]),
        ("learned", {"a": 3, "b": 4}, ["learned_pair"]),
        ("learned", {"kind": "learned", "pos": 2, "dim": 3}, ["derivation", "notice"]),
        ("far", {"reader": "off"}, []),  # the browser has all three
    ],
)
def test_a_control_redraws_what_shows_it(section: str, patch: dict, pieces: list[str]) -> None:
    assert STAGE.concerned({"section": section}, patch) == pieces


def test_every_parameter_of_a_section_is_drawn_from() -> None:
    page = a_page()
    view = view_of(*page.key)
    for name, section in STAGE.sections.items():
        drawn_from = {*section.redraws, *(of for piece in section.pieces.values() for of in piece)}
        own = set(section.parameters(page, view)) - {"scale"}  # colours are the browser's own affair
        assert own <= drawn_from, name


# ---- functions, without a server


def a_page(text: str = TEXT["minilm"]) -> PageContext:
    return PageContext(STAGE, Address({"text": text}, "en"), Drawing(STAGE, {}))


def test_two_words_change_places() -> None:
    assert own_pair(*a_page().key) == (TEXT["minilm"], "The mat sat on the cat.", "cat", "mat")
    assert own_pair(*a_page(TEXT["translator"]).key) == (TEXT["translator"], "书昨天在北京买了三本我", "我", "书")
    found = own_pair(*a_page("3个苹果加5个等于8").key)  # of which the translator knows no digit
    assert found is not None and found.texts[0] != found.texts[1] and {found.first, found.second}.isdisjoint("358")
    assert own_pair(*a_page("x x x").key) is None and own_pair(*a_page("the cat " * 200).key) is None


def test_colours_of_two_tables_side_by_side_end_together_or_apart() -> None:
    table = PositionTable("learned", np.eye(128, 4, dtype=np.float32))
    matrix = pairs(Texts("en", "position"), "pairs", table, ("scale", "measure"), {"one/dot": 2.0})
    assert set(matrix.words.captions or ()) == {f"{way}/{m}" for way in ("one", "each") for m in ("distance", "dot")}
    assert matrix.planes["dot"][0, 0] == 1 and matrix.planes["distance"][0, 1] == np.float32(np.sqrt(2))


def test_a_turn_is_written_with_its_numbers() -> None:
    latex = rotation(moved(3, 1000, 4), 3, 1000, 0)
    assert r"k = 1{,}000" in latex and f"{np.sin(3):.4f}" in latex and r"10000^{-0/4}" in latex


def test_what_is_sent_is_bounded() -> None:
    for section in SECTIONS:
        sent = components(visit(guess="skip", section=section)).values()
        assert sum(len(p.bytes) + len(p.json) for p in sent) < 720_000, section


# ---- what is said agrees with what is shown


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_nobody_is_sent_to_the_table_that_is_there(lang: str, kind: str) -> None:
    app = visit(lang=lang, guess="skip", kind=kind)
    other = {"sinusoidal": "learned", "learned": "sinusoidal"}[kind]
    assert app.button(key="try").label == Texts(lang, "position", "minilm")(
        f"notice.try_{'waves' if other != 'learned' else other}"
    )
    key = "notice.learned" if kind == "sinusoidal" else "notice.learned_seen"
    assert lesson("position")[lang][key].replace("{model}", "MiniLM").split("{")[0] in words(app)
    app.button(key="try").click()
    app.run()
    assert app.query_params.get("kind", "learned") == other


@pytest.mark.parametrize(
    "text", ["老师在北京", "electroencephalography bit the man", "the cat and the cat and the dog and the cat"]
)
def test_whole_words_are_said_to_be_swapped(text: str) -> None:
    model = "translator" if ord(text[0]) > 0x2E80 else "minilm"
    app = visit(model, text=text)
    scene = said(app, "orders")["scenes"]["own"]
    assert scene["first"] != scene["second"]
    asked = next(e.proto.body for e in app.get("html") if "Predict" in e.proto.body)
    first, second = re.findall("“([^”]+)”", re.sub("data-help='[^']*'", "", asked))
    assert first in text and second in text
    assert all(len(word) > 1 for word in (first, second))


# ---- other ways to tell positions


@pytest.mark.parametrize("model", TEXT)
@pytest.mark.parametrize("text", ["", "x", "x x x", "👩\u200d💻", "word " * 200])
def test_any_text_can_be_told_in_any_way(model: str, text: str) -> None:
    app = visit(model, text=text, guess="skip", section="others", left="transformer_xl", right="rotary", q=0, k=0)
    assert set(components(app)) >= SECTIONS["others"]
    header, body = packed(app, "others_left")
    n = header["rows"]["count"]
    assert n <= 64 and np.isfinite(body[: n * n]).all()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nonsense_in_the_address_of_the_new_sections_is_repaired(lang: str) -> None:
    app = visit(lang=lang, guess="skip", section="others", left="roberta", head=99, q=-1)
    assert len(notes(app)) >= 1 and set(components(app)) >= SECTIONS["others"]
    assert set(components(visit(lang=lang, guess="skip", section="causal", draw="x"))) >= SECTIONS["causal"]


def test_what_is_only_rounding_has_no_bar() -> None:
    page = html(visit(guess="skip", section="causal"))
    found = re.findall(r"title='([^']+)'><span class='amount'.*?--long:([\d.]+)", page)
    bars = [(number(value), float(long)) for value, long in found]
    assert len(bars) == 18 and {share > 1e-4 for share, _ in bars} == {True, False}
    assert all((long > 0) == (share > 1e-4) for share, long in bars)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whether_order_is_told_is_not_answered_while_it_is_asked(lang: str) -> None:
    assert not set(components(visit(lang=lang, section="causal"))) & SECTIONS["causal"]
    said_open = words(visit(lang=lang, section="others", left="none"))
    assert not re.search("cannot tell order|分不出先后", said_open)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_real_queries_and_keys_are_turned(opened, lang: str) -> None:
    """Where the head looks one back, this very query and key score highest one apart; moved on together, the same."""
    page = opened("position", lang, guess="skip", section="rotary", shift=1000)
    data, followed = page.data("dials"), json.loads(page.protos("derivation")[-1].json)[0]
    assert len(data["brings"]) == 32 and sum(data["brings"]) == pytest.approx(float(followed["exact"]), rel=1e-3)
    assert "1006" in page.html and "1005" in page.html
    read = opened("position", lang, text="我昨天在北京买了三本书", guess="skip", section="rotary").html
    assert "The cat sat on the mat." in read  # a sentence this model can read in words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_model_that_turns(opened, lang: str, monkeypatch) -> None:
    monkeypatch.setattr(turned, "SOURCES", {})
    page = opened("position", lang, guess="skip", section="rotary")
    assert "see_dials" not in {proto.component_name for proto in page.protos("dials")} and "RoPE" in page.html


@pytest.mark.parametrize(
    ("model", "text"),
    [("minilm", "The cat"), ("translator", "我昨天在北京买了三本书"), ("poet", "床前明月光")],
)
def test_a_plain_counter_would_drown_the_token(opened, model: str, text: str) -> None:
    """Position 100 adds more than any token has, and its dot products grow with the number, not with nearness."""
    page = opened("position", "en", text=text, model=model, section="table", guess="skip")
    d = cached.model(model).config.d_model
    assert f"√{d} = " in page.html
    for token in range(len(cached.trace(model, text).tokens)):
        assert np.linalg.norm(read(model, text)[token]) < FAR * d**0.5 / 10
    rows = built(64, d).table.rows.astype(np.float64)
    for p, q in ((2, 3), (2, 30), (20, 21)):
        assert rows[p] @ rows[q] == pytest.approx(rows[p + 7] @ rows[q + 7], abs=1e-3) and rows[p] @ rows[q] < d / 2


@pytest.mark.parametrize(
    ("lang", "text", "words"),
    [
        ("en", "The cat sat on the mat.", {"cat", "mat"}),
        ("en", "Dogs chase birds.", {"dogs", "birds"}),
        ("zh", "我昨天在北京买了三本书", {"我", "书"}),
    ],
)
def test_the_words_that_change_places_are_marked_while_they_are_compared(looked, lang, text, words) -> None:
    context = looked("position", lang, text=text, order="own", guess="skip")
    own, example = (STAGE.strip(context).turns[order][0] for order in ("own", "example"))
    assert {context.page.trace.tokens[i].text for i in own.always} == words
    assert example.always == ()


@pytest.mark.parametrize(("model", "text"), [("poet", "床前明月光"), ("minilm", "dog bites man"), ("translator", None)])
@pytest.mark.parametrize("order", ["own", "example", None])
def test_the_lead_speaks_of_the_words_that_the_picture_exchanges(looked, model, text, order) -> None:
    context = looked("position", "zh", model=model, text=text, order=order, guess="skip")
    pair = context.view.pairs.get(context.values["order"]) or example_of(context.page.address.model)
    assert lead_of(context)[1] == {"first": pair.first, "second": pair.second}
