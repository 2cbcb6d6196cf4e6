"""The address: what it may hold, what is repaired, what is written back, and what a picture may put into it."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared import samples, state
from pages.shared.state import FRAME, LONGEST, Address, Repair, choice, whole

TABLE = {
    "layer": whole(1, 6, 3),
    "show": choice("scores", "weights", default="weights"),
    "q": whole(0, 8, 5),
    "k": whole(0, 8, 6),
    "marks": choice("1", default=None),
}


class Query(dict):
    """As much of st.query_params as the site uses."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)

    def from_dict(self, values: dict[str, str]) -> None:
        self.clear()
        self.update(values)


@contextmanager
def visit(locale: str | None = "en-GB", **query: str) -> Iterator[SimpleNamespace]:
    """A run of the site at this address."""
    streamlit = SimpleNamespace(query_params=Query(query), session_state={}, context=SimpleNamespace(locale=locale))
    with patch.object(state, "st", streamlit):
        yield streamlit


def run(site: SimpleNamespace, page: str = "attention") -> Address:
    """A whole run, as the frame makes it: read, then written back."""
    address = Address()
    address.read(TABLE)
    address.write(page)
    site.session_state["_opened_as"] = page
    return address


# ---------------------------------------------------------------------------------------------------
# Reading


def test_an_empty_address() -> None:
    with visit():
        address = Address()
        assert (address.lang, address.text, address.model) == ("en", "The cat sat on the mat.", "minilm")
        assert (address["theme"], address["guess"]) == (None, None)
        assert address.read(TABLE) == {"layer": 3, "show": "weights", "q": 5, "k": 6, "marks": None}
        assert address.canonical() == {"lang": "en", "text": "The cat sat on the mat."}
        assert address.repairs == []


@pytest.mark.parametrize(
    ("locale", "lang"),
    [("zh", "zh"), ("zh-CN", "zh"), ("ZH-Hant-TW", "zh"), ("en-US", "en"), ("fr", "en"), ("", "en"), (None, "en")],
)
def test_the_language_is_the_browser_s_until_it_is_chosen(locale: str | None, lang: str) -> None:
    with visit(locale):
        assert Address().lang == lang
    with visit(locale, lang="zh"):
        assert Address().lang == "zh"


def test_a_full_address_is_taken_as_it_is() -> None:
    frame = {"lang": "zh", "theme": "dark", "text": "猫 & <b>", "model": "minilm", "guess": "6"}
    said = {**frame, "layer": "1", "show": "scores", "q": "0", "k": "8", "marks": "1"}
    with visit(**said):
        address = Address()
        values = address.read(TABLE)
        assert values == {"layer": 1, "show": "scores", "q": 0, "k": 8, "marks": "1"}
        assert address.repairs == []
        assert address.canonical() == said


BROKEN = [
    *(("lang", raw) for raw in ("", "de", "ZH", "zh ", "<script>")),
    *(("theme", raw) for raw in ("", "Dark", "blue")),
    *(("model", raw) for raw in ("", "../minilm", "gpt", "Translator")),
    *(("guess", raw) for raw in ("", "a b", "<b>", "x" * 32, "1;2", "../..")),
    *(("layer", raw) for raw in ("", "0", "7", "-1", "3.0", "1e1", "three", "9" * 5000, "\u0000", "∞")),
    *(("q", raw) for raw in ("-1", "9", "nan", "0x1", "👩")),
    *(("show", raw) for raw in ("", "Weights", "weights,scores", "权重")),
]


@pytest.mark.parametrize(("name", "raw"), BROKEN, ids=lambda value: ascii(value)[:20])
def test_a_broken_value_gives_the_default_and_a_sentence(name: str, raw: str) -> None:
    with visit(**{name: raw, "k": "2"}):
        address = Address()
        values = address.read(TABLE)
        (repair,) = address.repairs
        table = {**FRAME, **TABLE}
        assert repair == Repair("address", {"name": name, "value": raw[:40], "allowed": table[name].allowed})
        assert name not in values or values[name] == TABLE[name].default
        assert values["k"] == 2  # what is right stays
        assert address.canonical().get(name) in (None, "en")  # and what is wrong is not written back
        assert address.lang == "en" and address.model == "minilm"


def test_unknown_names_are_dropped() -> None:
    with visit(lang="en", utm_source="x", page="3", __proto__="y"):
        address = Address()
        address.read(TABLE)
        assert list(address.canonical()) == ["lang", "text"]


@given(raw=st.text(), low=st.integers(-5, 5), size=st.integers(0, 20))
def test_a_whole_number_is_read_or_not(raw: str, low: int, size: int) -> None:
    value = whole(low, low + size, low).parse(raw)
    assert value is None or (isinstance(value, int) and low <= value <= low + size)


@given(low=st.integers(-5, 5), size=st.integers(0, 20), data=st.data())
def test_every_whole_number_in_its_range_is_read(low: int, size: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(low, low + size))
    parameter = whole(low, low + size, low)
    assert parameter.parse(str(number)) == number
    assert parameter.allowed == f"{low} … {low + size}"


def test_a_choice_names_what_it_allows() -> None:
    parameter = choice("a", "b", default="a")
    assert [parameter.parse(raw) for raw in ("b", "c", "")] == ["b", None, None]
    assert parameter.allowed == "a, b"


@pytest.mark.parametrize(
    "text", ["", " ", "a", "奥利给", "a\nb", "<script>alert(1)</script>", "👩\u200d💻", "x" * LONGEST], ids=ascii
)
def test_any_text_is_taken_as_it_is(text: str) -> None:
    with visit(text=text):
        address = Address()
        assert address.text == address.canonical()["text"] == text
        assert address.repairs == []


def test_too_long_a_text_is_cut_and_said() -> None:
    with visit(text="猫" * 10_000):
        address = Address()
        assert address.text == address.canonical()["text"] == "猫" * 2000
        assert address.repairs == [Repair("text_cut", {"limit": 2000, "length": 10_000})]


# ---------------------------------------------------------------------------------------------------
# Writing


def test_one_order_whatever_the_address_came_in() -> None:
    with visit(k="1", guess="skip", q="2", text="a", layer="4", lang="zh"):
        address = Address()
        address.read(TABLE)
        assert list(address.canonical()) == ["lang", "text", "guess", "layer", "q", "k"]


def test_a_page_s_first_run_leaves_the_address_to_the_browser() -> None:
    with visit(q="2", nonsense="1") as site:
        run(site)
        assert site.query_params == {"q": "2", "nonsense": "1"}
        run(site)
        canonical = {"lang": "en", "text": samples.example("en"), "q": "2"}
        assert site.query_params == canonical
        site.query_params["nonsense"] = "1"
        run(site, page="tokens")
        assert "nonsense" in site.query_params


def test_what_a_path_link_carries() -> None:
    with visit(lang="zh", theme="dark", text="a", guess="skip", layer="2", q="1"):
        address = Address()
        address.read(TABLE)
        assert address.link() == {"lang": "zh", "theme": "dark", "text": "a", "guess": "skip"}
    with visit(guess="6"):
        assert "guess" not in Address().link()  # an answer belongs to its own question


def test_change() -> None:
    with visit(lang="en", text="a", q="1", k="2") as site:
        run(site)
        state.change(k=None, layer=4, show="scores", guess="skip", q=0)
        assert list(site.query_params.items()) == [
            *(("lang", "en"), ("text", "a"), ("guess", "skip")),
            *(("layer", "4"), ("show", "scores"), ("q", "0")),
        ]
        state.change(k=3)
        assert site.query_params["layer"] == "4" and list(site.query_params)[-2:] == ["q", "k"]
        assert Address().read(TABLE) == {"layer": 4, "show": "scores", "q": 0, "k": 3, "marks": None}


def test_another_sentence_lets_go_of_what_was_selected_in_the_old_one() -> None:
    with visit(lang="en", text="a", guess="6", layer="2", show="scores", q="1", k="2") as site:
        run(site)
        state.change_text("b")
        assert site.query_params == {"lang": "en", "text": "b", "layer": "2", "show": "scores"}
        assert site.session_state["_text_changed"] is True
        assert state.refused() is None


def test_a_wish_to_be_just_shown_outlives_the_sentence() -> None:
    with visit(text="a", guess="skip", q="1") as site:
        run(site)
        state.change_text("b")
        assert site.query_params["guess"] == "skip" and "q" not in site.query_params


def test_another_sentence_that_is_too_long() -> None:
    with visit() as site:
        run(site)
        state.change_text("x" * 2001)
        assert site.query_params["text"] == "x" * 2000
        assert state.refused() == Repair("text_cut", {"limit": 2000, "length": 2001})
        assert state.refused() is None  # said once


# ---------------------------------------------------------------------------------------------------
# What a picture reports


def report(site: SimpleNamespace, said: object) -> None:
    site.session_state["matrix"] = said
    state.select("matrix", TABLE)


def test_a_selection_goes_into_the_address() -> None:
    with visit(q="1", text="a") as site:
        run(site)
        report(site, {"selection": {"q": 4, "k": 8, "layer": None, "show": "scores", "seq": 3}})
        assert site.query_params == {"lang": "en", "text": "a", "show": "scores", "q": "4", "k": "8"}
        assert site.session_state["_seq"] == 3


@pytest.mark.parametrize(
    "selection",
    [
        *({"q": value} for value in (9, -1, 1.5, True, [1], {"a": 1}, "", "q", 10**400)),
        {"show": "colour"},
        {"q": 10**9, "k": 1},
    ],
    ids=lambda selection: ascii(selection)[:20],
)
def test_a_cell_outside_the_picture_is_refused(selection: dict) -> None:
    with visit(q="1", k="2") as site:
        run(site)
        before = dict(site.query_params)
        report(site, {"selection": selection})
        assert site.query_params == before
        name = next(iter(selection))
        assert state.refused() == Repair("selection", {"name": name, "allowed": TABLE[name].allowed})


@pytest.mark.parametrize("said", [None, "q", 3, [], {}, {"selection": None}, {"selection": [1]}, {"selection": "q"}])
def test_what_is_no_selection_counts_as_nothing(said: object) -> None:
    with visit(q="1") as site:
        run(site)
        before = dict(site.query_params)
        report(site, said)
        assert site.query_params == before and state.refused() is None


def test_names_the_page_does_not_have_are_not_taken() -> None:
    """Nor the frame's own: a picture cannot change the sentence or the language."""
    with visit(text="a") as site:
        run(site)
        report(site, {"selection": {"q": 1, "text": "b", "lang": "zh", "head": 3, "__class__": 1}})
        assert site.query_params == {"lang": "en", "text": "a", "q": "1"}


def test_a_value_is_written_as_the_address_has_it() -> None:
    with visit(text="a") as site:
        run(site)
        report(site, {"selection": {"q": " 03 "}})
        assert site.query_params["q"] == "3"


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


names = st.sampled_from([*TABLE, *FRAME, "seq"])


@given(said=json | st.dictionaries(st.just("selection"), st.dictionaries(names, json)))
def test_whatever_a_browser_sends_the_address_stays_whole(said: object) -> None:
    with visit(text="a", q="1") as site:
        run(site)
        report(site, said)
        again = run(site)
        assert again.repairs == []
        assert again.text == "a"
        assert site.query_params == again.canonical()


def test_the_number_of_the_last_question_only_grows() -> None:
    with visit() as site:
        for number in (5, 3, True, "9", 9.5, None, -4):
            state.answered(number)
            assert site.session_state["_seq"] == 5
        state.answered(6)
        assert site.session_state["_seq"] == 6
        state.answered(10**30)
        assert site.session_state["_seq"] == 1 << 40
