"""Questions about attention: asked only where the answer stands clear, and then it is the answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Model, capture
from core.questions import CLEAR, Question
from core.questions.attention import asked_rows, each
from core.questions.question import contenders
from core.views.attention import AttentionView, attention_view, taps

WORDS = (
    *("the", "The", "a", "cat", "dog", "sat", "on", "mat", "and", "because", "she", "her", "it", "bank", "money"),
    *("unaffable", "tokenization", "奥利给", "café", "👩\u200d💻", "42", ".", ",", "!", "?", "—", "##"),
    *("[MASK]", "[SEP]", "[CLS]"),
)
LAYER, HEAD = 2, 8  # layer 3, head 9, as people count


def look(minilm: Model, text: str, layer: int = LAYER) -> AttentionView:
    return attention_view(capture(minilm, text, only=taps(minilm, layer)), minilm, layer)


def check(question: Question, view: AttentionView, head: int) -> None:
    weights = view.weights[head, question.row]
    best, second = np.sort(weights)[::-1][:2]
    assert question.template == "most_looked_at"
    assert int(question.answer) == int(weights.argmax())
    assert question.margin == pytest.approx(float(best - second)) and question.margin >= CLEAR == 0.15
    ids = [choice.id for choice in question.choices]
    labels = [choice.token for choice in question.choices]
    assert 2 <= len(ids) <= 4
    assert len(set(ids)) == len(set(labels)) == len(ids)
    assert question.answer in ids
    assert all(label and label.startswith(view.tokens[int(id)]) for id, label in zip(ids, labels, strict=True))
    assert not view.special[question.row]
    assert any(c.isalnum() for c in view.tokens[question.row])
    assert question.facts["best_weight"] == float(best)
    assert question.facts["second_weight"] == float(second)


@settings(deadline=None, max_examples=150)
@given(words=st.lists(st.sampled_from(WORDS), max_size=14), layer=st.sampled_from([0, LAYER, 4]))
def test_whatever_is_asked_has_a_clear_answer(minilm: Model, words: list[str], layer: int) -> None:
    view = look(minilm, " ".join(words), layer)
    for head in range(view.heads):
        question = next(each(view, head), None)
        if question is not None:
            check(question, view, head)


def test_the_path_s_own_sentence(minilm: Model) -> None:
    view = look(minilm, "The cat sat on the mat.")
    question = next(each(view, HEAD), None)
    assert question is not None
    check(question, view, HEAD)
    assert (question.row, question.answer) == (5, "6")  # the second "the", and "mat"
    assert view.tokens[6] == "mat"
    assert question.margin > 0.7


@pytest.mark.parametrize("text", ["", " ", "x", "cat", "?", "奥", "[MASK]", "[CLS][SEP][MASK][MASK]", ". , ; ?"])
def test_nothing_is_asked_where_there_is_nobody_to_look_at(minilm: Model, text: str) -> None:
    view = look(minilm, text)
    assert [next(each(view, head), None) for head in range(view.heads)] == [None] * 12


def test_nothing_is_asked_where_nothing_stands_clear(minilm: Model) -> None:
    """Layer 1 head 1 looks nearly evenly at everything."""
    assert next(each(look(minilm, "The cat sat on the mat.", 0), 0), None) is None


def test_a_row_is_asked_about_where_it_is_clear_and_no_word_is_repeated(minilm: Model) -> None:
    view = look(minilm, "Dogs chase a small cat.")
    question = next(each(view, HEAD), None)
    assert question is not None
    margins = np.diff(np.sort(view.weights[HEAD], axis=-1)[:, -2:])[:, 0]
    words = [i for i, token in enumerate(view.tokens) if token.isalpha()]
    assert question.row == max(words, key=lambda i: margins[i])


def test_rows_to_try() -> None:
    tokens, special = ("[CLS]", "the", "cat", "the", ".", "[SEP]"), (True, *[False] * 4, True)
    weights = np.full((6, 6), 1 / 6)
    weights[2, 1], weights[4, 1], weights[0, 0] = 0.5, 0.9, 1.0
    # The repeated word, then the clearest, and what is left; no sign, no [CLS].
    assert asked_rows(tokens, special, weights) == [3, 2, 1]


def test_contenders_have_names_of_their_own() -> None:
    tokens = ("[CLS]", "the", "cat", "the", ".", "[SEP]")
    assert contenders(tokens, np.array([0.1, 0.3, 0.0, 0.4, 0.15, 0.05])) == [0, 3, 4]
    assert contenders(("a", "a", "b"), np.array([0.2, 0.3, 0.5])) == [1, 2]
