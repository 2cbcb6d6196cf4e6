"""A long text's vocabulary, grown a few merges at a time: that of one run, whatever the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.reference.trainers import bpe
from core.text.corpus import read_words
from core.text.merging import RULES, TIES, Rule, Ties, spell, train
from core.views.growth import LONGEST, Grown, Growth


def grown(text: str, rule: Rule, ties: Ties, size: int, each: int = 3) -> Grown:
    growth = Growth(text, rule, ties, size)
    growth.read()
    for _ in range(size // each + 1):
        growth.grow(each)
    return growth.done


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ties", TIES)
@given(text=st.text("abc 在我×2，", max_size=80), size=st.integers(0, 30))
@settings(max_examples=10, deadline=None)
def test_it_is_the_vocabulary_of_one_run(rule: Rule, ties: Ties, text: str, size: int) -> None:
    found, words = grown(text, rule, ties, size), read_words(text)
    whole = train(words, rule, ties, size)
    assert found.training.vocabulary == whole.vocabulary and found.size <= max(size, found.first)
    assert len(found.counts) == len(whole.merges) + 1 and list(found.counts) == sorted(found.counts, reverse=True)
    last = whole.splits(len(whole.merges))
    assert found.counts[-1] == sum(len(last[word]) * count for word, count in words.items())
    assert found.counts[0] == found.characters and found.words == sum(words.values()) and found.different == len(words)
    assert all(spell(found.training, word) == spell(whole, word) for word in words)


def test_the_library_grows_the_same_from_a_page_of_text() -> None:
    text = "the cat sat on the mat and the other cat ate the fat rat that sat on that mat " * 40
    found = grown(text, "bpe", "id", 60)
    made = [merge.made for merge in found.training.merges if merge.new]
    assert made == bpe(read_words(text), len(made)) and len(made) > 10


@pytest.mark.parametrize("text", ["", "a b c", "。，！", "长" * 300_000, "ab" * 150_000])
def test_any_text_is_taken_up_to_its_bound(text: str) -> None:
    growth = Growth(text, "frequency", "first", 500)
    growth.read()
    growth.grow(2)
    assert growth.done.characters <= LONGEST and growth.done.size >= growth.done.first
