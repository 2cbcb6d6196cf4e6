"""The one order of a page, which pieces of it a patch redraws, and what stands when a stage breaks."""

from dataclasses import replace

import pytest

from core.questions import Choice, Question
from pages.shared.address.address import Address
from pages.shared.page.drawing import is_open
from pages.shared.page.stage import Section, Stage
from pages.shared.words.texts import Texts
from pages.stages import pages, stages

CAT = "The cat sat on the mat."
QUESTION = Question("t", (Choice("6"), Choice("0")), "6", 0.5, 5)
STAGE = Stage(
    "attention",
    lambda context: None,
    redraws={"picture": ("layer",), "swap": ("order",), "page": ("kind",)},
    sections={
        "first": Section(lambda context: None, redraws=("rate",)),
        "second": Section(lambda context: None, redraws=("row",), pieces={"row_followed": ("row", "col")}),
    },
)


@pytest.mark.parametrize(
    ("patch", "pieces"),
    [
        ({"q": 1}, ["derivation"]),
        ({"q": 1, "order": "x"}, ["derivation", "swap"]),
        ({"layer": 2}, ["picture"]),
        ({"layer": 2, "q": None}, ["picture"]),  # the derivation is inside the picture
        ({"rate": 0.5}, ["derivation"]),  # the section that it moves is closed
        ({"section": "second"}, ["section"]),
        ({"kind": "self"}, None),
        ({"guess": "6"}, None),
        ({"guess": "open", "q": 1}, ["derivation"]),
        ({"open": "1"}, ["open_it"]),
        ({}, []),
    ],
)
def test_a_patch_redraws_what_is_drawn_from_it(patch, pieces) -> None:
    assert STAGE.concerned({}, patch) == pieces


def test_pieces_of_a_section_are_there_while_it_is_chosen() -> None:
    assert STAGE.concerned({"section": "second"}, {"col": 1}) == ["row_followed"]
    assert STAGE.concerned({"section": "second"}, {"row": 1}) == ["section"]  # which holds the other
    assert STAGE.concerned({"section": "first"}, {"col": 1}) == ["derivation"]


def test_a_derivation_that_shares_its_parameters_says_so() -> None:
    stage = Stage("x", lambda context: None, redraws={"derivation": ("q", "k"), "other": ("q",)})
    assert stage.concerned({}, {"q": 1}) == ["derivation", "other"]
    assert stage.concerned({}, {"k": 1}) == ["derivation"]


def test_a_picture_that_lacks_numbers_is_drawn_anew() -> None:
    assert STAGE.concerned({}, {"q": 1}, ["picture"]) == ["picture"]
    assert STAGE.concerned({}, {}, ["section"]) == ["section"]


def test_what_is_open_follows_the_selection() -> None:
    assert STAGE.concerned({"open": "1"}, {"q": 1}) == ["derivation", "open_it"]


def address(**query: str) -> Address:
    return Address(query, "en")


def test_a_question_is_open_until_it_is_answered_or_waved_off() -> None:
    assert is_open(address(), QUESTION, ("q",))
    assert not is_open(address(guess="skip"), QUESTION, ("q",))
    assert not is_open(address(guess="6"), QUESTION, ("q",)) and not is_open(address(guess="0"), QUESTION, ("q",))
    assert not is_open(address(), None, ("q",))


def test_a_link_to_what_is_selected_opens_with_the_answer_in_sight() -> None:
    linked = address(q="1")
    assert not is_open(linked, QUESTION, ("q",)) and linked.canonical()["guess"] == "skip"


def test_whoever_looked_around_while_it_was_open_finds_it_open() -> None:
    assert is_open(address(q="1", guess="open"), QUESTION, ("q",))


def test_a_guess_that_is_no_answer_is_said_and_leaves_the_question_open() -> None:
    banana = address(guess="banana")
    assert is_open(banana, QUESTION, ("q",)) and [repair.code for repair in banana.repairs] == ["address"]


def test_an_open_question_that_is_not_there_leaves_the_address() -> None:
    without = address(guess="open")
    assert not is_open(without, None, ()) and "guess" not in without.canonical() and not without.repairs


@pytest.mark.parametrize("slug", stages())
def test_a_stage_is_a_slug_of_the_path_and_its_sections_draw_what_they_declare(slug) -> None:
    stage = stages()[slug]
    assert stage.slug == slug
    assert all(isinstance(of, tuple) for of in stage.redraws.values())
    for section in stage.sections.values():
        assert isinstance(section.redraws, tuple) and not {"derivation", "picture"} & set(section.pieces)


def broken(*_: object) -> None:
    raise ValueError("nobody knew")


@pytest.mark.parametrize("step", ["view", "questions", "parameters", "strip", "draw"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_whatever_goes_wrong_in_a_stage_the_frame_stands(opened, monkeypatch, step, lang) -> None:
    """Path, sentence, language and a sentence in the visitor's language; no exception on the page."""
    healthy = opened("attention", lang, guess="skip")
    monkeypatch.setitem(pages(), "attention", replace(stages()["attention"], **{step: broken}))
    app = healthy.app.run()
    assert not app.exception
    assert Texts(lang)("fault") in healthy.html and "nobody knew" not in healthy.html
    assert healthy.data("sentence")["text"] == CAT
    assert {button.label for button in app.button} >= {"**English**" if lang == "en" else "English"}


def test_a_look_narrowed_to_a_few_values_has_no_others_and_is_told_apart_by_these(looked) -> None:
    one, other = (looked("attention", text="a cat sat", q=q, layer="2") for q in ("1", "2"))
    assert one.identity != other.identity and one.only("head").identity == other.only("head").identity
    assert one.only("q").identity != other.only("q").identity
    assert one.only().values.keys() == {"kind", "layer"}  # what chooses the view
    for query in ({"layer": "3"}, {"text": "a dog"}, {"lang": "zh"}, {"guess": "open"}, {"model": "translator"}):
        another = looked("attention", **{"text": "a cat sat", "layer": "2", **query})
        assert another.only().identity != one.only().identity, query


TEXTS = (("a cat", "held"), ("a dog", "held"), ("a cat", "right"))


@pytest.mark.long
def test_what_no_sentence_decides_is_told_apart_by_none(looked) -> None:
    one, other, third = (looked("training", text=text, curve=curve) for text, curve in TEXTS)
    assert one.of_any_sentence("curve").identity == other.of_any_sentence("curve").identity
    assert one.of_any_sentence("curve").identity != third.of_any_sentence("curve").identity
    assert one.only("curve").identity != other.only("curve").identity
    of_any = one.of_any_sentence("curve")
    assert (of_any.page.text, of_any.question, of_any.veiled) == ("", None, one.veiled)
    assert of_any.page.address.model == one.page.address.model and one.page.text == "a cat"
