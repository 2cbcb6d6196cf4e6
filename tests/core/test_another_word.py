"""Another word in a sentence: which words it has, and a suggestion that keeps its rows side by side."""

from itertools import pairwise

import pytest

from core.grammar import glosses
from core.grammar.knowledge import known
from core.text.unicode import is_cjk
from core.views.another_word import opening, replaced, suggested, words_of
from tests.models import loaded

CASES = [
    ("minilm", "The giraffe's neck, e.g., is long!"),
    ("smollm2", "Once upon a time\n there was a girl."),
    ("poet", "床前明月光，疑是地上霜"),
    ("translator", "我昨天在北京买了三本书。"),
]


def words(model: str, text: str):
    own = loaded(model)
    spans = glosses.cut(text) if own.translates else ()
    return own, words_of(own.tokenizer.trace(text).tokens, text, spans)


@pytest.mark.parametrize("model, text", CASES)
def test_words_stand_where_they_say(model, text):
    own, found = words(model, text)
    assert found
    for word in found:
        assert text[word.start : word.end] == word.text == word.text.strip()
        same = replaced(own, text, word, word.text)
        assert same.text == text and same.tokens == tuple(own.tokenizer.trace(text).tokens)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("model, text", CASES)
def test_what_is_suggested_keeps_the_number_of_tokens(model, text):
    own, found = words(model, text)
    before = len(own.tokenizer.trace(text).tokens)
    suggestions = [suggested(own, text, word) for word in found]
    assert any(suggestions)
    for word, other in zip(found, suggestions, strict=True):
        assert other is None or (other != word.text and replaced(own, text, word, other).count == before)


@pytest.mark.parametrize("model, text", [*CASES, ("smollm2", "爱"), ("smollm2", "谢谢你"), ("smollm2", "I love Paris")])
def test_what_is_suggested_is_in_the_same_script(model, text):
    own, found = words(model, text)
    for word in found:
        other = suggested(own, text, word)
        assert other is None or all(is_cjk(c) == is_cjk(word.text[0]) for c in other), (word.text, other)


def test_it_opens_on_a_word_worth_replacing():
    for model, text, word, other in (
        ("translator", "我昨天在北京买了三本书", "北京", "上海"),
        ("minilm", "The cat sat on the mat.", "cat", "kitten"),
    ):
        own, found = words(model, text)
        kinds = [known()["places"], *known().values()] if own.translates else []
        first = found[opening(found, kinds)]
        assert (first.text, suggested(own, text, first, kinds)) == (word, other)


@pytest.mark.parametrize("text", ["", "...", "😀"])
def test_where_there_are_no_words_there_is_nothing_to_replace(text):
    _, found = words("minilm", text)
    assert found == () and opening(found) == 0
