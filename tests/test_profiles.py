"""A property is tried as often as the profile says, whether its test gives a number or none; so are lists of cases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profiles import ONE_OF, chosen, crossed, crossing, examples, some, tried


@pytest.mark.parametrize(
    ("profile", "asked", "times"),
    [("night", 600, 600), ("night", 3, 3), ("push", 600, 150), ("push", 15, 5), ("push", 3, 3)],
)
def test_a_number_that_is_given(profile: str, asked: int, times: int) -> None:
    seen = []

    @settings(max_examples=asked, database=None)
    @given(st.integers())
    def holds(number: int) -> None:
        seen.append(number)

    tried(holds, profile)
    holds()
    assert len(seen) == examples(asked, profile) == times


@pytest.mark.parametrize("profile", ONE_OF)
def test_a_number_that_is_not(profile: str) -> None:
    seen = []

    @given(st.integers())
    def holds(number: int) -> None:
        seen.append(number)

    tried(holds, profile)
    holds()
    assert len(seen) == settings().max_examples // ONE_OF[profile]


@settings(max_examples=40)
@given(st.integers())
def test_every_property_of_a_run_is_one(number: int) -> None:
    own = vars(test_every_property_of_a_run_is_one)["_hypothesis_internal_use_settings"]
    assert own.max_examples == examples(40, chosen())


def test_of_cases_that_are_alike_a_push_takes_every_fourth() -> None:
    cases = list("abcdefghi")
    assert (some(cases, "night"), some(cases, "push")) == (cases, ["a", "e", "i"])
    assert (some(cases, "night", every=3), some(cases, "push", every=3)) == (cases, ["a", "d", "g"])
    assert some(["alone"], "push") == ["alone"]


def test_what_is_crossed_has_every_value_on_a_push_and_every_pair_at_night() -> None:
    pages, languages = ["a", "b", "c"], ["zh", "en"]
    assert crossed(pages, languages, profile="push") == [("a", "zh"), ("b", "en"), ("c", "zh")]
    assert crossed(pages, languages, profile="night") == [(page, lang) for page in pages for lang in languages]


def test_what_is_crossed_is_not_always_the_same_pair() -> None:
    pairs = crossed(range(4), ["zh", "en"], ["one", "two"], profile="push")
    assert [value for value, *_ in pairs] == [0, 1, 2, 3] and len({pair[1:] for pair in pairs}) == 4
    assert {model for _, model in crossed(["zh", "en"], range(4), profile="push")} == set(range(4))


def test_a_language_that_multiplies_the_cases_of_a_test_is_crossed_with_them() -> None:
    multiplied = [{"lang": lang, "text": text} for lang in range(2) for text in range(3)]
    assert crossing(multiplied, "push") == [True, False, True, False, True, False]
    assert crossing(multiplied, "night") == [True] * 6
    alone, together = [{"lang": 0}, {"lang": 1}], [{"lang": 0, "text": 0}, {"lang": 1, "text": 1}]
    assert crossing(alone, "push") == crossing(together, "push") == [True, True]


def test_while_one_works_a_list_is_as_short_as_on_a_push() -> None:
    assert some(range(9), "quick") == some(range(9), "push") == [0, 4, 8] and some(range(9), "night") == list(range(9))
