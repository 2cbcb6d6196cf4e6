"""Slides: what each sets is what its stage declares, for whatever sentence; none says what a question asks."""

from itertools import pairwise

import pytest

from core.stages import STAGES
from core.views.input import multiplies
from pages.shared.address.address import Address
from pages.shared.page.slides import (
    OF_PAGE,
    around,
    beginning,
    count,
    mode_of,
    open_at,
    read,
    resets_of,
    slides_data,
    slides_of,
    way,
)
from pages.shared.page.stage import StageContext
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages import stages

SLUGS = [stage.slug for stage in STAGES]
SENTENCES = ("The cat sat on the mat.", "我昨天在北京买了三本书", "a", "")


@pytest.mark.parametrize("slug", SLUGS)
def test_every_stage_has_a_few_in_both_languages(slug: str) -> None:
    assert 3 <= len(slides_of(slug)) <= 6
    zh, en = (lesson(slug)[language] for language in LANGUAGES)
    for slide in slides_of(slug):
        assert zh[f"slides.{slide.id}.says"] != en[f"slides.{slide.id}.says"]
        for name in OF_PAGE:  # what is no word is the same in both
            assert zh.get(f"slides.{slide.id}.{name}") == en.get(f"slides.{slide.id}.{name}")
        assert len(en[f"slides.{slide.id}.says"]) <= 110 and len(zh[f"slides.{slide.id}.says"]) <= 46


@pytest.mark.parametrize("slug", SLUGS)
def test_the_first_leaves_the_question_to_the_class(slug: str) -> None:
    first = slides_of(slug)[0]
    assert not first.answers and first.number == 1


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "overview"])
def test_no_slide_shows_what_the_one_before_showed(slug: str) -> None:
    shown = [(slide.see, dict(slide.sets)) for slide in slides_of(slug)]
    assert all(one != other for one, other in pairwise(shown))


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_slide_sets_its_stage_declares(looked, slug: str, text: str) -> None:
    """Every value is kept as it is, and nothing has to be repaired; of a lab with a text of its own there is one."""
    if text != SENTENCES[0] and slug in ("segmentation", "vocabulary", "training", "meaning"):
        return
    for slide in slides_of(slug):
        if not slide.sets:
            continue
        context: StageContext = looked(slug, text=text, slide=slide.number, **slide.sets)
        address = context.page.address
        assert not [repair for repair in address.repairs if repair.code == "address"], slide
        for name, value in slide.sets.items():
            assert name in address.table and str(context.values[name]) == value


@pytest.mark.parametrize("text", SENTENCES[:2])
def test_a_slide_about_the_scale_shows_what_the_model_does_not(looked, text: str) -> None:
    """Else it would show what the slide before it shows."""
    traits = looked("input", text=text).page.model.traits
    sets = next(slide.sets for slide in slides_of("input", traits) if slide.id == "scale")
    context = looked("input", text=text, **sets)
    assert (context.values["sqrt"] == "on") != multiplies(context.page.model)
    told = slides_data(looked("input", text=text, present=1)).slides
    assert next(slide.sets for slide in told if "sqrt" in slide.sets) == sets


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_slide_writes_the_token_that_is_asked_for(looked, lang: str) -> None:
    """Unless it is drawn at a temperature."""
    for slide in slides_of("generation"):
        context = looked("generation", lang, guess="open", slide=slide.number, **slide.sets)
        assert context.veiled and (context.values["n"] <= context.question.row or context.view.sampling.temperature)


def test_the_way_of_a_class_keeps_to_the_stops_and_the_labs_around_one() -> None:
    stops = [stage.slug for stage in STAGES if stage.parent is None]
    assert list(dict.fromkeys(slug for slug, _ in way("present", "attention"))) == stops
    inside = list(dict.fromkeys(slug for slug, _ in way("present", "size")))
    at = inside.index("encoder")
    assert inside[at : at + 3] == ["encoder", "size", "training"] and len(inside) == len(stops) + 2


def test_after_a_lab_comes_the_one_beside_it() -> None:
    for mode in ("present", "short"):
        _, _, after = around(mode, "vocabulary")
        before, _, then = around(mode, "segmentation")
        assert after[0] == ("segmentation", slides_of("segmentation")[0])
        assert before[-1] == ("vocabulary", slides_of("vocabulary")[-1]) and then[0][0] == "embedding"


def test_the_long_way_has_everything_and_the_short_one_each_stop() -> None:
    assert len(way("long", "overview")) == sum(len(slides_of(slug)) for slug in SLUGS)
    short = way("short", "overview")
    assert list(dict.fromkeys(slug for slug, _ in short)) == [stage.slug for stage in STAGES if stage.parent is None]
    assert 12 <= len(short) <= 16  # ten minutes at forty seconds or more each


# ---- the address


def address(**raw: str) -> Address:
    return Address(raw, "en")


def opened(slug: str, **raw: str) -> Address:
    here = address(**raw)
    open_at(here, slug, stages()[slug].opened_by, opened=True)
    return here


def test_a_link_to_a_slide_opens_on_what_it_sets_and_leaves_the_question_open() -> None:
    number = next(slide.number for slide in slides_of("size") if slide.sets.get("show") == "work")
    here = opened("size", present="1", slide=str(number))
    assert here.raw["show"] == "work" and here["guess"] == "open"


@pytest.mark.parametrize("slug", ("attention", "output", "translation"))
def test_a_link_to_the_last_slide_of_a_class_opens_the_first_exercise_there_is(looked, slug: str) -> None:
    """Of the model that reads there, whoever was chosen; and the question stays open."""
    last = looked(slug, present=1, slide=count(slug))
    assert last.values["task"] == last.exercises[0].id and last.veiled == (last.question is not None)
    assert looked(slug, present=1, slide=count(slug) - 1).values["task"] is None
    assert looked(slug, slide=count(slug)).values["task"] is None


def test_a_link_to_more_than_a_slide_keeps_what_it_says() -> None:
    number = next(slide.number for slide in slides_of("attention") if slide.sets.get("show") == "scores")
    here = opened("attention", slide=str(number), show="contribution")
    assert here.raw["show"] == "contribution"


def test_a_page_that_stays_keeps_what_the_visitor_set() -> None:
    here = address(slide="2", present="1")
    open_at(here, "attention", (), opened=False)
    assert "show" not in here.raw


@pytest.mark.parametrize("raw", ("0", "99", "x", "-1", "1.5", "９"))
def test_a_slide_that_is_none_is_repaired_with_a_sentence(raw: str) -> None:
    here = opened("attention", present="1", slide=raw)
    assert read(here, "attention")["slide"] == 1
    assert [repair.values["name"] for repair in here.repairs] == ["slide"]


def test_slides_are_shown_only_where_they_are_asked_for() -> None:
    assert mode_of(address()) is None and read(address(), "attention")["slide"] is None
    assert mode_of(address(tour="short")) == "short"
    assert mode_of(address(tour="short", present="1")) == "present"
    assert address(present="2").repairs


def test_a_class_is_asked_at_each_stop() -> None:
    """What is carried along: the way, and in a class no answer."""
    assert address(present="1", guess="skip").link() == {"lang": "en", "text": address().text, "present": "1"}
    assert address(tour="long", guess="skip").link()["guess"] == "skip"


def test_another_slide_alone_draws_nothing_anew() -> None:
    assert stages()["attention"].concerned({}, {"slide": 2}) == []
    assert stages()["attention"].concerned({}, {"slide": 2, "show": "scores"}) == ["derivation"]


# ---- what is said


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if any(slide.answers for slide in slides_of(slug))])
def test_what_would_answer_is_said_once_it_is_answered(looked, slug: str) -> None:
    asked, answered = (looked(slug, present="1", **guess) for guess in ({}, {"guess": "skip"}))
    assert asked.veiled and not answered.veiled
    words = lesson(slug)["en"]
    for slide, before, after in zip(
        slides_of(slug), slides_data(asked).slides, slides_data(answered).slides, strict=False
    ):
        truth = words[f"slides.{slide.id}.says"]
        assert after.says == truth
        assert (before.says == truth) is not slide.answers


def test_what_comes_next_is_the_next_stops_first(looked) -> None:
    context = looked("embedding", present="1")
    after = way("present", "embedding")
    place = [slug for slug, _ in after].index("position")
    assert beginning(context, after[place]).startswith("Position: ")


def test_other_slides_let_go_of_what_one_set() -> None:
    assert resets_of("input") == ("join", "positions", "sqrt")
