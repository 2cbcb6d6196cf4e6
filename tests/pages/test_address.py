"""The address: what it may hold, what is repaired, what a patch makes of it. Pure functions, no server."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.address import address as addresses
from pages.shared.address.address import (
    FRAME,
    LONGEST,
    Address,
    Ends,
    Parameter,
    Repair,
    choice,
    index,
    patched,
    real,
    reported,
    taken,
    whole,
)
from pages.shared.words import samples

TABLE = {
    "layer": whole(1, 6, 3),
    "show": choice("scores", "weights", default="weights"),
    "q": index(9, 5),
    "k": index(9, 6),
    "marks": choice("1", default=None),
}
ENDS: dict[str, Ends] = {name: parameter.ends for name, parameter in {**FRAME, **TABLE}.items()}


def read(language: str = "en", **query: str) -> Address:
    address = Address(query, language)
    address.read(TABLE)
    return address


# ---------------------------------------------------------------------------------------------------
# Reading


def test_an_empty_address() -> None:
    address = Address({}, "en")
    assert (address.lang, address.text, address.model) == ("en", "The cat sat on the mat.", "minilm")
    assert (address["theme"], address["guess"]) == (None, None)
    assert address.read(TABLE) == {"layer": 3, "show": "weights", "q": 5, "k": 6, "marks": None}
    assert address.canonical() == {"lang": "en", "text": "The cat sat on the mat."}
    assert address.repairs == []


def test_the_language_is_the_browser_s_until_it_is_chosen() -> None:
    assert read("zh").lang == "zh" and read("en").lang == "en"
    assert read("en", lang="zh").lang == "zh"


def test_a_full_address_is_taken_as_it_is() -> None:
    frame = {"lang": "zh", "theme": "dark", "text": "猫 & <b>", "model": "minilm", "guess": "6"}
    said = {**frame, "layer": "1", "show": "scores", "q": "0", "k": "8", "marks": "1"}
    address = Address(said, "en")
    assert address.read(TABLE) == {"layer": 1, "show": "scores", "q": 0, "k": 8, "marks": "1"}
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
    address = Address({name: raw, "k": "2"}, "en")
    values = address.read(TABLE)
    (repair,) = address.repairs
    table = {**FRAME, **TABLE}
    assert repair == Repair("address", {"name": name, "value": raw[:40], "allowed": table[name].allowed})
    assert name not in values or values[name] == TABLE[name].default
    assert values["k"] == 2  # what is right stays
    assert address.canonical().get(name) in (None, "en")  # and what is wrong is not written back
    assert address.lang == "en" and address.model == "minilm"


def test_unknown_names_are_dropped() -> None:
    assert list(read(lang="en", utm_source="x", page="3", __proto__="y").canonical()) == ["lang", "text"]


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


@given(raw=st.text() | st.floats().map(str))
def test_a_real_number_is_read_or_not(raw: str) -> None:
    value = real(0, 1, 0.5).parse(raw)
    assert value is None or (isinstance(value, float) and 0 <= value <= 1)


def test_a_real_number_names_what_it_allows() -> None:
    assert real(0, 1, 0.5).parse("0.25") == 0.25 and real(0, 1, 0.5).allowed == "0 … 1"


def test_a_choice_names_what_it_allows() -> None:
    parameter = choice("a", "b", default="a")
    assert [parameter.parse(raw) for raw in ("b", "c", "")] == ["b", None, None]
    assert parameter.allowed == "a, b"


def test_a_choice_moved_back_to_its_default_leaves_the_address() -> None:
    assert "show" not in read(show="weights").canonical()
    assert read(show="scores").canonical()["show"] == "scores"
    assert read(layer="3").canonical()["layer"] == "3"  # a number that was chosen stays


@pytest.mark.parametrize(
    "text", ["", " ", "a", "奥利给", "a\nb", "<script>alert(1)</script>", "👩\u200d💻", "x" * LONGEST], ids=ascii
)
def test_any_text_is_taken_as_it_is(text: str) -> None:
    address = read(text=text)
    assert address.text == address.canonical()["text"] == text
    assert address.repairs == []


def test_too_long_a_text_is_cut_and_said() -> None:
    address = read(text="猫" * 10_000)
    assert address.text == address.canonical()["text"] == "猫" * 2000
    assert address.repairs == [Repair("text_cut", {"limit": 2000, "length": 10_000})]


def test_what_means_nothing_here_is_dropped_and_said() -> None:
    address = read(guess="banana")
    address.drop("guess", allowed="skip, 6")
    assert "guess" not in address.canonical() and address["guess"] is None
    assert address.repairs == [Repair("address", {"name": "guess", "value": "banana", "allowed": "skip, 6"})]


# ---------------------------------------------------------------------------------------------------
# Writing


def test_one_order_whatever_the_address_came_in() -> None:
    address = read(k="1", guess="skip", q="2", text="a", layer="4", lang="zh")
    assert list(address.canonical()) == ["lang", "text", "guess", "layer", "q", "k"]


@given(
    query=st.dictionaries(st.sampled_from([*FRAME, *TABLE, "other"]), st.text(max_size=6)),
)
def test_what_was_repaired_needs_no_repair(query: dict[str, str]) -> None:
    once = Address(query, "en")
    once.read(TABLE)
    again = Address(once.canonical(), "zh")
    again.read(TABLE)
    assert again.repairs == [] and again.values == once.values and again.canonical() == once.canonical()


def test_what_a_path_link_carries() -> None:
    address = read(lang="zh", theme="dark", text="a", guess="skip", layer="2", q="1")
    assert address.link() == {"lang": "zh", "theme": "dark", "text": "a", "guess": "skip"}
    assert "guess" not in read(guess="6").link()  # an answer belongs to its own question


def test_what_the_browser_is_told_of_the_parameters() -> None:
    told = read(q="2").parameters()
    assert list(told) == [*FRAME, *TABLE]
    assert told["q"] == {"default": 5, "number": True}
    assert told["show"] == {"default": "weights", "usual": True}
    assert told["text"] == {"default": None}


# ---------------------------------------------------------------------------------------------------
# Patches


def test_a_patch() -> None:
    now = {"lang": "en", "text": "a", "q": "1", "k": "2"}
    order = [*FRAME, *TABLE]
    after = patched(now, {"k": None, "layer": 4, "show": "scores", "guess": "skip", "q": 0}, order)
    assert list(after.items()) == [
        *(("lang", "en"), ("text", "a"), ("guess", "skip")),
        *(("layer", "4"), ("show", "scores"), ("q", "0")),
    ]
    assert list(patched(after, {"k": 3}, order))[-2:] == ["q", "k"]
    assert now == {"lang": "en", "text": "a", "q": "1", "k": "2"}  # what was given is left alone


names = st.sampled_from(["q", "k", "layer", "show", "guess"])
patches = st.lists(st.dictionaries(names, st.none() | st.integers(0, 9)), max_size=6)


@given(patches=patches, cut=st.integers(0, 6))
def test_patches_in_their_order_are_one_patch(patches: list[dict], cut: int) -> None:
    """However they are bundled, the address is the same: a patch that is reported again does no harm in its place."""
    now = {"lang": "en", "q": "1"}
    one_by_one = now
    for patch in patches:
        one_by_one = patched(one_by_one, patch)
    together = patched(now, {name: value for patch in patches for name, value in patch.items()})
    assert together == one_by_one
    for patch in patches[cut:]:
        together = patched(together, patch)
    assert together == one_by_one


@given(values=st.dictionaries(st.text(min_size=1, max_size=3), st.text(st.characters(codec="utf-8"), max_size=9)))
def test_an_address_survives_the_address_bar(values: dict[str, str]) -> None:
    assert dict(parse_qsl(addresses.query_of(values), keep_blank_values=True)) == values


def test_another_sentence_lets_go_of_what_was_selected_in_the_old_one() -> None:
    now = {"lang": "en", "text": "a", "guess": "6", "layer": "2", "show": "scores", "q": "1", "k": "2"}
    after = patched(now, addresses.with_text(now, ENDS, "b"))
    assert after == {"lang": "en", "text": "b", "layer": "2", "show": "scores"}


def test_another_language_of_the_sentence_lets_go_of_everything_but_the_wish_to_be_shown() -> None:
    now = {"lang": "en", "text": "a", "guess": "skip", "layer": "2", "show": "scores", "q": "1"}
    assert patched(now, addresses.with_text(now, ENDS, "猫")) == {"lang": "en", "text": "猫", "guess": "skip"}
    chosen = {**now, "model": "minilm"}  # who chose the model keeps it, and what was set for it
    assert patched(chosen, addresses.with_text(chosen, ENDS, "猫"))["layer"] == "2"


def test_a_sentence_is_cut_where_it_is_too_long() -> None:
    assert addresses.with_text({}, {}, "x" * 2001)["text"] == "x" * 2000


def test_the_model_that_follows_the_sentence_is_no_choice() -> None:
    now = {"lang": "en", "text": "猫", "layer": "2"}
    assert patched(now, addresses.with_model(now, ENDS, "minilm")) == {"lang": "en", "text": "猫", "model": "minilm"}
    chosen = {"lang": "en", "text": "猫", "model": "minilm", "layer": "5"}
    assert patched(chosen, addresses.with_model(chosen, ENDS, "translator")) == {"lang": "en", "text": "猫"}


def test_half_a_character_is_no_text() -> None:
    assert addresses.without_surrogates("a\ud800b") == "ab"


# ---------------------------------------------------------------------------------------------------
# What a browser reports


def test_what_was_acknowledged_is_not_applied_again() -> None:
    report = {"patches": [[4, {"q": 1}], [5, {"q": 2, "k": None}]]}
    assert reported(report, 3) == ([{"q": "1"}, {"q": "2", "k": None}], 5)
    assert reported(report, 4) == ([{"q": "2", "k": None}], 5)
    assert reported(report, 5) == ([], 5)


def test_patches_are_applied_in_the_order_of_their_numbers() -> None:
    assert reported({"patches": [[2, {"q": 2}], [1, {"q": 1}]]}, 0) == ([{"q": "1"}, {"q": "2"}], 2)


def test_a_picture_cannot_change_the_sentence_or_the_language() -> None:
    assert taken({"q": 1, "text": "b", "lang": "zh", "model": "minilm", "theme": "dark"}) == {"q": "1"}


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    said=json
    | st.fixed_dictionaries(
        {"patches": st.lists(st.tuples(st.integers(), st.dictionaries(names, json)).map(list), max_size=4)}
    ),
    now=st.integers(0, 9),
)
def test_whatever_a_browser_sends_the_address_can_be_read(said: object, now: int) -> None:
    patches, number = reported(said, now)
    assert now <= number < 1 << 40
    query = {"text": "a", "q": "1"}
    for patch in patches:
        query = patched(query, patch)
    address = Address(query, "en")
    address.read(TABLE)
    assert address.text == "a" and address.lang == "en"


def test_a_long_value_is_cut_before_it_is_read() -> None:
    assert len(str(taken({"q": "9" * 100_000})["q"])) == addresses.LONGEST_VALUE


def test_the_site_opens_on_its_language_s_example() -> None:
    assert read("zh").text == samples.example("zh") and read("en").text == samples.example("en")


@given(st.text(max_size=12))
def test_what_cannot_be_read_stays_in_its_box(raw: str) -> None:
    """Nothing that was typed is lost, and nothing is said above the page of what its box says."""
    number = Parameter(lambda text: int(text) if text.isascii() and text.isdigit() else None, 7, "a number", kept=5)
    address = Address({"n": raw}, "en")
    value = address.read({"n": number})["n"]
    read = raw.isascii() and raw.isdigit()
    assert value == (int(raw) if read else 7)
    assert address.unread == ({} if read or not raw.strip() else {"n": raw[:5]})
    assert ("n" in address.canonical()) == bool(raw.strip())
    assert bool(address.repairs) == (not raw.strip())
