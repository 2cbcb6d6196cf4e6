"""Characters and words: every step kept, every token's place in what was typed, unknown ones named."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.characters import Characters
from core.text.shared import SPECIALS, SharedVocabulary
from core.text.trace import Stretch
from core.text.words import Words, places, written

VOCABULARY = SharedVocabulary(
    source=tuple("我你他看书了。？，"),
    target=("I", "Xiaoming", "'s", "book", "hard-working", "the", "watched", "?", ","),
)
READ, WRITE = Characters(VOCABULARY), Words(VOCABULARY)


def test_a_token_a_character_then_the_end() -> None:
    trace = READ.trace("我看书。")
    assert [token.text for token in trace.tokens] == ["我", "看", "书", "。", "[EOS]"]
    assert [token.id for token in trace.tokens] == [4, 7, 8, 10, 3]
    assert [(token.start, token.end) for token in trace.tokens] == [(0, 1), (1, 2), (2, 3), (3, 4), (0, 0)]
    assert [token.word for token in trace.tokens] == [0, 1, 2, 3, None]
    assert [token.special for token in trace.tokens] == [False] * 4 + [True]
    assert trace.attention_mask == (1,) * 5
    assert trace.truncated == 0


def test_every_step_is_kept() -> None:
    """Cleaning and punctuation marks; whitespace vanishes; each character says why it is apart."""
    trace = READ.trace("我\u200b 看?")
    (stretch,) = trace.texts[0].parts
    assert isinstance(stretch, Stretch)
    assert [(step.name, step.text) for step in stretch.steps] == [("clean", "我 看?"), ("punctuation", "我 看？")]
    assert stretch.steps[-1].origins == (0, 2, 3, 4)
    words = trace.texts[0].words
    assert [(word.text, word.cut, word.start, word.end) for word in words] == [
        ("我", "start", 0, 1),
        ("看", "whitespace", 3, 4),
        ("？", "character", 4, 5),
    ]
    (match,) = words[1].matches
    assert (match.id, match.text, [candidate.text for candidate in match.candidates]) == (7, "看", ["看"])


def test_unknown_characters_are_named_once_in_reading_order() -> None:
    assert READ.unknown("我们看a电影a") == ("们", "a", "电", "影")
    assert READ.unknown("我看书") == READ.unknown("") == READ.unknown(" \n") == ()
    trace = READ.trace("我x")
    assert [(token.text, token.id, token.special) for token in trace.tokens[:2]] == [
        ("我", 4, False),
        ("[UNK]", 1, False),
    ]
    unknown = trace.texts[0].words[1].unknown
    assert unknown is not None
    assert (unknown.reason, unknown.word, [c.text for c in unknown.candidates]) == ("no_piece", "x", ["x"])


def test_words_of_the_other_language_are_unknown() -> None:
    assert READ.unknown("I,") == ("I",)
    assert READ.id_of("book") is None and WRITE.id_of("书") is None
    assert READ.id_of("[EOS]") == WRITE.id_of("[EOS]") == 3
    assert READ.id_of("，") != WRITE.id_of(",")


def test_special_tokens_typed_literally_are_text() -> None:
    assert [token.text for token in READ.trace("[EOS]").tokens] == ["[UNK]"] * 5 + ["[EOS]"]


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\ud800"])
def test_nothing_to_read(text: str) -> None:
    assert [token.text for token in READ.trace(text).tokens] == ["[EOS]"]


def test_too_long_a_text_is_cut_and_padding_fills_up() -> None:
    trace = READ.trace("我" * 250)
    assert (len(trace.tokens), trace.truncated, trace.tokens[-1].text) == (200, 51, "[EOS]")
    assert trace.cuts[0].offset == 199
    assert READ.trace("我" * 199).truncated == 0
    padded = READ.trace("我", pad_to=4)
    assert [token.text for token in padded.tokens] == ["我", "[EOS]", "[PAD]", "[PAD]"]
    assert padded.attention_mask == (1, 1, 0, 0)
    assert [token.text for token in READ.encode("我看", max_tokens=1)] == ["[EOS]"]


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="reads one text"):
        READ.trace("我", pair="看")
    with pytest.raises(ValueError, match="max_tokens must be at least 2, not 1"):
        WRITE.trace("I", max_tokens=1)
    with pytest.raises(IndexError):
        READ.piece_of(-1)
    with pytest.raises(IndexError):
        READ.piece_of(len(READ))


def test_words_from_start_to_end() -> None:
    trace = WRITE.trace("The  hard-working Xiaoming's book？")
    assert [token.text for token in trace.tokens] == [
        "[BOS]", "the", "hard-working", "Xiaoming", "'s", "book", "?", "[EOS]",
    ]  # fmt: skip
    assert [(word.start, word.end) for word in trace.texts[0].words] == [
        (0, 3), (5, 17), (18, 26), (26, 28), (29, 33), (33, 34),
    ]  # fmt: skip
    assert [word.cut for word in trace.texts[0].words] == [
        "start", "whitespace", "whitespace", "punctuation", "whitespace", "punctuation",
    ]  # fmt: skip
    (stretch,) = trace.texts[0].parts
    assert isinstance(stretch, Stretch)
    assert [step.name for step in stretch.steps] == ["clean", "punctuation", "lowercase"]


def test_a_capital_stays_where_the_vocabulary_has_it() -> None:
    assert [token.text for token in WRITE.trace("I Watched XIAOMING").tokens[1:-1]] == ["I", "watched", "[UNK]"]
    assert WRITE.unknown("I watched Paris") == ("Paris",)


def test_a_target_is_at_most_64_tokens() -> None:
    trace = WRITE.trace("book " * 100)
    assert (len(trace.tokens), trace.truncated) == (64, 38)


@given(st.lists(st.sampled_from(VOCABULARY.target), max_size=12))
def test_what_is_written_reads_back(words: list[str]) -> None:
    """And every word stands where `places` says, but for the capital."""
    text = written(words)
    assert [token.text for token in WRITE.trace(text).tokens[1:-1]] == words
    assert [text[start:end].lower() for start, end in places(words)] == [word.lower() for word in words]


@given(st.text())
def test_any_text_has_tokens_in_their_places(text: str) -> None:
    for tokenizer in (READ, WRITE):
        trace = tokenizer.trace(text)
        known = [token for token in trace.tokens if not token.special]
        assert all(0 <= token.start < token.end <= len(text) for token in known)
        assert all(a.end <= b.start for a, b in pairwise(known))
        assert tokenizer.encode(text) == trace.tokens
        assert all(piece in text for piece in tokenizer.unknown(text))


def test_a_vocabulary_is_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "vocabulary.json"
    VOCABULARY.write(file)
    again = SharedVocabulary.from_file(file)
    assert again == VOCABULARY
    assert again.pieces[:4] == SPECIALS and len(again.pieces) == 4 + 9 + 9


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"special": list(SPECIALS), "source": ["我"]},
        {"special": ["[PAD]"], "source": [], "target": []},
        {"special": list(SPECIALS), "source": "我你", "target": []},
        {"special": list(SPECIALS), "source": [1], "target": []},
        {"special": list(SPECIALS), "source": ["我", "我"], "target": []},
    ],
)
def test_what_is_no_vocabulary(raw: object, tmp_path: Path) -> None:
    file = tmp_path / "vocabulary.json"
    file.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocabulary|special tokens"):
        SharedVocabulary.from_file(file)
