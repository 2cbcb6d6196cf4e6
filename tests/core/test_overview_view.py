"""The overview's view and derivation against PyTorch, and the claims its page makes."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Measure, capture, derive
from core.questions.overview import each, most_alike, pair_of
from core.views.overview import other_pairs, overview_view, taps
from core.views.vectors import cosine, cosines
from core.zoo import model_for
from tests.models import loaded

LAYERS = 6


@pytest.fixture(scope="module")
def view(minilm):
    return view_of(minilm, "The cat sat on the mat.")


def view_of(minilm, text):
    return overview_view(capture(minilm, text, only=taps(minilm)), minilm)


def test_it_reads_the_taps_it_asks_for(minilm, view):
    assert [tap for depth in view.depths for tap in depth.taps] == [
        t for t in taps(minilm) if not t.endswith("weights")
    ]
    assert [(looking.kind, looking.layer) for looking in view.attention] == [("encoder", i + 1) for i in range(LAYERS)]
    for looking in view.attention:
        assert looking.weights.shape == (9, 9)
        np.testing.assert_allclose(looking.weights.sum(-1), 1, atol=1e-5)


def test_the_two_the_part_and_meet_again(view):
    assert view.pair() == (1, 5)
    expected = [1.000, 0.957, 0.872, 0.852, 0.792, 0.750, 0.753, 0.862, 0.897]
    np.testing.assert_allclose(view.cosines(1, 5), expected, atol=6e-4)


@settings(deadline=None, max_examples=60)
@given(depth=st.integers(0, 8), a=st.integers(0, 8), b=st.integers(0, 8))
def test_cosine_and_derivation_against_torch(the_cat, view, depth, a, b):
    x, y = (torch.from_numpy(view.depths[depth].states[i].copy()).double() for i in (a, b))
    theirs = torch.nn.functional.cosine_similarity(x, y, dim=0).item()
    (tap,) = view.depths[depth].taps
    derivation = derive(the_cat, Measure("cosine", (Cell(tap, (a, None)), Cell(tap, (b, None)))))
    assert derivation.value == pytest.approx(theirs, abs=1e-12)
    assert view.cosines(a, b)[depth] == pytest.approx(theirs, abs=1e-5)
    assert sum(derivation.steps[0].terms) == pytest.approx(derivation.steps[0].value)


@pytest.mark.parametrize("text, pair", [("", (0, 1)), ("x", (1, 0)), ("dog bites man", (1, 2)), ("a b a b a", (3, 5))])
def test_the_pair_it_opens_on(minilm, text, pair):
    assert view_of(minilm, text).pair() == pair


def test_the_question(minilm, view):
    question = next(each(view), None)
    assert question is not None and question.template == "nearer_or_farther" and question.answer == "nearer"
    assert question.row == 5 and question.facts["last"] == pytest.approx(0.897, abs=6e-4)
    apart = next(each(view_of(minilm, "The dog chased the other dog.")), None)
    assert apart is not None and apart.answer == "farther"
    assert next(each(view_of(minilm, "x")), None) is None


@pytest.mark.parametrize(
    "text", ["我昨天在北京买了三本书", "dog bites man", "She sold a small blue house", "a dog", "猫坐着"]
)
def test_of_neighbours_those_are_asked_about_that_begin_most_alike_and_do_not_stay_so(minilm, text):
    model = loaded("translator") if model_for(text) == "translator" else minilm
    view = overview_view(capture(model, text, only=taps(model)), model)
    found, before, after = {}, view.depths[-1 - view.layers].states, view.depths[-1].states
    for a in view.words:
        if a + 1 in view.words and len(view.words) > 2:
            begin, end = (float(cosine(states[a], states[a + 1])) for states in (before, after))
            if abs(end - begin) > 0.05:
                found[a, a + 1] = begin
    question = next((one for one in each(view) if one.template == "nearer_or_farther"), None)
    assert (question is None) == (not found)
    if question:
        assert pair_of(view, question) == max(found, key=lambda pair: found[pair])


def test_however_many_words_stand_twice_every_two_states_are_compared_once(minilm, monkeypatch) -> None:
    view, made = (
        view_of(minilm, "the cat saw the dog and the dog saw the cat near the bank while the bank was shut"),
        [],
    )
    monkeypatch.setattr("core.views.overview.cosines", lambda states: made.append(1) or cosines(states))
    assert len(view.twins()) > 3 and len(list(each(view))) > 3 and len(made) == 1


@pytest.mark.parametrize("text", ["我昨天在北京买了三本书", "dog bites man", "She sold a small blue house"])
def test_else_the_nearest_is_asked_for(minilm, text):
    model = loaded("translator") if model_for(text) == "translator" else minilm
    view = overview_view(capture(model, text, only=taps(model)), model)
    states = view.depths[-1].states
    for question in most_alike(view):
        alike = {i: float(cosine(states[question.row], states[i])) for i in view.words if i != question.row}
        assert max(alike, key=lambda i: alike[i]) == int(question.answer)
        assert question.margin == pytest.approx(alike[int(question.answer)] - sorted(alike.values())[-2], abs=1e-5)


@pytest.mark.parametrize("text", ["the dog saw the dog and the dog ran", "the cat and the cat and a dog"])
def test_of_a_word_that_repeats_the_nearest_state_is_meant(minilm, text):
    view = overview_view(capture(minilm, text, only=taps(minilm)), minilm)
    for question in most_alike(view):
        others = [i for i in view.words if view.ids[i] != view.ids[question.row]]
        assert int(question.answer) == max(others, key=lambda i: view.alike[question.row, i])


def test_of_other_pairs_none_is_of_one_word_in_two_spellings():
    model = loaded("smollm2")
    view = view_of(model, "The cat sat on the mat.")
    pairs = other_pairs(view.rows, 1, 2).tolist()
    assert [0, 1] in pairs and [0, 4] not in pairs and [view.tokens[i] for i in (0, 4)] == ["The", "␣the"]
