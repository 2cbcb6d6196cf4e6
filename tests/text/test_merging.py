"""Vocabularies that are trained: equal to the `tokenizers` trainers and to the published course example."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.reference import trainers
from core.text.corpus import read_words
from core.text.merging import RULES, SPECIALS, TIES, Candidate, joined, letters, spell, train

TOY = read_words("hug×10 pug×5 pun×12 bun×4 hugs×5")
COURSE = """This is the Hugging Face Course. This chapter is about tokenization.
This section shows several tokenizer algorithms.
Hopefully, you will be able to understand how they are trained and generate tokens."""
# As the course prints it.
ALPHABET = [*(f"##{c}" for c in "abcdefghiklmnoprstuvwyz"), *",.CFHTabcghistuwy"]
GROWN = (
    *("ab", "##fu", "Fa", "Fac", "##ct", "##ful", "##full", "##fully", "Th", "ch", "##hm", "cha", "chap", "chapt"),
    *("##thm", "Hu", "Hug", "Hugg", "sh", "th", "is", "##thms", "##za", "##zat", "##ut"),
)
CORPORA = st.dictionaries(st.text("abcd", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=12)


def made(training) -> list[str]:
    return [merge.made for merge in training.merges]


def test_the_course_by_score_first_seen() -> None:
    assert list(train(read_words(COURSE), "score", "first", 70).vocabulary) == [*SPECIALS, *ALPHABET, *GROWN]
    assert len(SPECIALS) + len(ALPHABET) + len(GROWN) == 70


def test_the_five_words_of_the_course() -> None:
    assert made(train(TOY, "score", "first"))[:3] == ["##gs", "hu", "hugs"]
    assert made(train(TOY, "score", "id"))[:3] == ["##gs", "##ug", "##un"]
    assert made(train(TOY, "frequency", "id"))[:5] == ["##ug", "##un", "hug", "pun", "pug"]
    assert made(train(TOY, "bpe", "first"))[:3] == ["ug", "un", "hug"]
    merge = train(TOY, "score", "first").merges[0]
    assert merge.candidates[0] == Candidate("##g", "##s", 5, 20, 5) and merge.tied == 1
    assert train(TOY, "score", "first").merges[1].tied == 6


@settings(max_examples=25, deadline=None)
@given(CORPORA)
def test_bpe_is_the_librarys(words) -> None:
    assert trainers.difference(train(words, "bpe", "id", 30), "id") == 0
    assert trainers.difference(train(words, "bpe", "id"), "id") == 0


@settings(max_examples=25, deadline=None)
@given(CORPORA)
def test_wordpiece_by_frequency_is_the_librarys(words) -> None:
    assert trainers.difference(train(words, "frequency", "id", 30), "id") == 0
    assert trainers.difference(train(words, "frequency", "id"), "id") == 0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=15, deadline=None)
@given(words=CORPORA)
def test_what_is_kept_up_to_date_is_what_is_counted_anew(rule, ties, words) -> None:
    training = train(words, rule, ties)
    assert list(trainers.recounted(words, rule, ties)) == made(training)
    assert trainers.difference(training, ties) == 0
    for word in words:
        *_, (_, pieces) = training.walk(word)
        assert "".join(piece.removeprefix("##") for piece in pieces) == word
        assert "".join(piece.removeprefix("##") for piece in spell(training, word)) == word
        if rule == "bpe":
            assert spell(training, word) == pieces


@settings(max_examples=15, deadline=None)
@given(words=CORPORA)
def test_every_candidate_is_counted(words) -> None:
    """At each step, from the words as they are split then."""
    training = train(words, "score", "first")
    for step, merge in enumerate(training.merges):
        splits = [list(training.walk(word, step))[-1][1] for word in words]
        pieces, pairs = Counter(), Counter()
        for split, count in zip(splits, words.values(), strict=True):
            for piece in split:
                pieces[piece] += count
            for pair in itertools.pairwise(split):
                pairs[pair] += count
        assert merge.count == len(pairs)
        for c in merge.candidates:
            assert (c.frequency, c.of_left, c.of_right) == (pairs[c[:2]], pieces[c.left], pieces[c.right])
        assert all(c.score <= merge.candidates[0].score for c in merge.candidates)


def test_a_tie_changes_the_vocabulary() -> None:
    first, by_id = (train(read_words(COURSE), "score", ties, 75).vocabulary for ties in TIES)
    assert set(first) != set(by_id)


def test_two_hundred_merges_on_ten_thousand_characters() -> None:
    rng = random.Random(0)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    words: list[str] = []
    while sum(map(len, words)) + len(words) < 10_000:
        words.append("".join(rng.choices(syllables, k=rng.randint(1, 5))))
    for rule in RULES:
        assert len(train(read_words(" ".join(words)), rule, "first", 5 + 40 + 200).merges) >= 150


@pytest.mark.parametrize("text", ["", " \n\t", "a b c", "。，！", "\x00\u200d"])
def test_without_a_pair_nothing_is_merged(text: str) -> None:
    for rule in RULES:
        assert train(read_words(text), rule).merges == ()


def test_a_vocabulary_smaller_than_the_alphabet_stays_the_alphabet() -> None:
    training = train(TOY, "score", "first", 3)
    assert training.merges == () and len(training.vocabulary) == len(SPECIALS) + len(training.alphabet)


def test_words_are_read_with_their_counts() -> None:
    assert dict(TOY) == {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    assert dict(read_words("a*3 a, b×0 ×2")) == {"a": 4, ",": 1, "b×0": 1, "×2": 1}
    assert dict(read_words("我在北京。我在")) == {"我在北京": 1, "。": 1, "我在": 1}


def test_words_never_seen_are_spelt_or_unknown() -> None:
    training = train(TOY, "frequency", "id")
    assert spell(training, "bugs") == ["b", "##ug", "##s"]
    assert spell(training, "mug") == ["[UNK]"]
    assert spell(train(TOY, "bpe", "id"), "mug") == ["[UNK]", "ug"]
    assert (joined("h", "##ug"), joined("##", "x"), letters("hug", "score")) == ("hug", "##x", ["h", "##u", "##g"])
