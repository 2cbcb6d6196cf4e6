"""Glosses and the sentence nearest to an English one: every word of the grammar has one, over many sentences."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import grammar
from core.grammar.glosses import SILENT, chinese_of, cut, english_of
from core.grammar.near import near
from core.text.unicode import is_cjk


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6))
def test_every_word_of_a_sentence_has_a_gloss(seed: int) -> None:
    sentence = grammar.sample(Random(seed))
    spans = cut(sentence.zh)
    assert [place for start, end in spans for place in range(start, end)] == list(range(len(sentence.zh)))
    known = english_of()
    assert [w for a, b in spans if (w := sentence.zh[a:b]) not in known and any(map(is_cjk, w))] == []
    assert {word.text for word in sentence.target} - set(chinese_of()) <= SILENT


def test_what_stands_beside_the_opening_sentences() -> None:
    known = english_of()
    text = "小明昨天晚上看了一部电影"
    assert [known[text[a:b]] for a, b in cut(text)] == [
        *("Xiaoming", "yesterday", "evening", "watch / read", "(done)", "a", "(measure)", "film")
    ]
    assert (chinese_of()["watched"], chinese_of()["yesterday"]) == ("看", "昨天")
    assert cut("") == [] and cut("??a") == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("seed", range(40))
def test_a_sentence_of_the_grammar_is_near_to_its_own_english(seed: int) -> None:
    sentence = grammar.sample(Random(seed))
    found = near(sentence.en)
    own = {word.text.lower() for word in sentence.target if word.content}
    if found is None:
        return
    assert grammar.parse(found.zh) is not None
    assert {word.text.lower() for word in found.target} & own


@pytest.mark.parametrize("text", ["", " ", "xyz", "unaffable", "?!", "饕餮", "<script>", "a" * 3000])
def test_nothing_is_near_to_what_says_nothing_it_knows(text: str) -> None:
    assert near(text) is None


def test_a_word_of_another_language_makes_nothing_near() -> None:
    assert near("Le chat est assis sur le tapis.") is None


def test_some_are_near() -> None:
    assert near("The teacher read a book yesterday.").zh == "老师昨天看了一本书"  # type: ignore[union-attr]
    assert "cat" in near("The cat sat on the mat.").en  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "english", ["I do not like cats", "Do you like cats?", "I like cats", "He didn't buy a book", "what did he buy"]
)
def test_what_is_near_neither_denies_nor_asks_what_was_not(english: str) -> None:
    found = near(english)
    assert found
    denies, asks = any(c in found.zh for c in "不没"), found.zh[-1] in "吗么谁哪" or "什么" in found.zh
    assert denies == ("not" in english or "n't" in english) and asks == english.lower().startswith(("do ", "what"))


@pytest.mark.parametrize(
    "text", ["My name is Katarzyna", "I love pizza on Monday", "Look up", "Le chat dort", "It is on"]
)
def test_a_small_word_makes_nothing_near(text: str) -> None:
    assert near(text) is None
