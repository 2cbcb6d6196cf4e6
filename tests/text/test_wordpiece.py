"""WordPiece by hand: examples anyone can check, and what holds for the trace of any text."""

import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.text import WordPiece
from core.text.normalization import decompose, normalize
from core.text.trace import Candidate, Cut, SpecialMatch, Stretch

LITERALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[mask]")
MARKS = "\u0301\u0327\u0344\u0315\u302e\u0f73\u0f71\u093c"
FRAGMENTS = (
    *LITERALS,
    "unaffable",
    "Tokenization",
    "中国",
    "각",
    "é",
    "👩\u200d💻",
    "x" * 101,
    "\t",
    " ",
    *MARKS,
)
unhurried = settings(deadline=None)
any_text = st.lists(st.text(max_size=6) | st.sampled_from(FRAGMENTS), max_size=10).map("".join)


def pieces(wordpiece: WordPiece, text: str) -> list[str]:
    """The tokens' texts, [CLS] and [SEP] left out."""
    return [token.text for token in wordpiece.encode(text)][1:-1]


# ---------------------------------------------------------------------------------------------------
# Examples


def test_the_cat(wordpiece: WordPiece) -> None:
    tokens = wordpiece.encode("The cat sat on the mat.")
    assert [token.id for token in tokens] == [101, 1996, 4937, 2938, 2006, 1996, 13523, 1012, 102]
    assert [token.text for token in tokens[1:-1]] == ["the", "cat", "sat", "on", "the", "mat", "."]
    assert [(token.start, token.end) for token in tokens[5:8]] == [(15, 18), (19, 22), (22, 23)]
    assert [token.word for token in tokens] == [None, 0, 1, 2, 3, 4, 5, 6, None]
    assert [token.special for token in tokens] == [True, *[False] * 7, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unaffable", ["una", "##ffa", "##ble"]),
        ("tokenization", ["token", "##ization"]),
        ("electroencephalography", ["electro", "##ence", "##pha", "##log", "##raphy"]),
        ("café NAÏVE", ["cafe", "naive"]),
        ("奥利给", ["[UNK]", "[UNK]", "[UNK]"]),
        ("a b", ["a", "b"]),
        ("a\u00a0b", ["a", "b"]),
        ("a\u3000b", ["a", "b"]),
        ("a\u200bb\u0000c", ["abc"]),
        ("don't", ["don", "'", "t"]),
        ("ΟΔΟΣ", ["ο", "##δ", "##ο", "##σ"]),
        ("x" * 101, ["[UNK]"]),
        ("", []),
        (" \n\u0301", []),
    ],
)
def test_pieces(wordpiece: WordPiece, text: str, expected: list[str]) -> None:
    assert pieces(wordpiece, text) == expected


def test_rejected_candidates_of_unaffable(wordpiece: WordPiece) -> None:
    (word,) = wordpiece.trace("Unaffable").texts[0].words
    una, ffa, ble = word.matches
    tried = ["unaffable", "unaffabl", "unaffab", "unaffa", "unaff", "unaf", "una"]
    assert [candidate.text for candidate in una.candidates] == tried
    assert [candidate.text for candidate in ffa.candidates] == ["##ffable", "##ffabl", "##ffab", "##ffa"]
    assert ble.candidates == (Candidate("##ble", 6, 9, wordpiece.id_of("##ble")),)
    assert [candidate.id is None for candidate in una.candidates] == [True] * 6 + [False]


def test_no_piece_says_where_and_what_was_found(wordpiece: WordPiece) -> None:
    (word,) = wordpiece.trace("cats😀y").texts[0].words
    assert word.matches == ()
    assert word.unknown is not None
    assert (word.unknown.reason, word.unknown.offset) == ("no_piece", 4)
    assert [match.text for match in word.unknown.found] == ["cats"]
    assert [candidate.text for candidate in word.unknown.candidates] == ["##😀y", "##😀"]


def test_a_word_of_a_hundred_characters_is_walked_and_a_longer_one_is_not(wordpiece: WordPiece) -> None:
    fits, too_long = wordpiece.trace("x" * 100 + " " + "x" * 101).texts[0].words
    assert fits.unknown is None
    assert sum(match.end - match.start for match in fits.matches) == 100
    assert too_long.unknown is not None
    assert (too_long.unknown.reason, too_long.unknown.offset) == ("too_long", None)
    assert too_long.unknown.candidates == ()


def test_steps_of_normalization() -> None:
    assert [(step.name, step.text, step.origins) for step in normalize("É\x00\t国", start=10)] == [
        ("clean", "É 国", (10, 12, 13)),
        ("cjk", "É  国 ", (10, 12, 13, 13, 13)),
        ("accents", "E  国 ", (10, 12, 13, 13, 13)),
        ("lowercase", "e  国 ", (10, 12, 13, 13, 13)),
    ]


def test_why_words_are_cut(wordpiece: WordPiece) -> None:
    (text,) = wordpiece.trace(" Hi, you 中国ok 中. [MASK]'s end").texts
    assert [(word.text, word.cut) for word in text.words] == [
        ("hi", "start"),
        (",", "punctuation"),
        ("you", "whitespace"),
        ("中", "whitespace"),
        ("国", "cjk"),
        ("ok", "cjk"),
        ("中", "whitespace"),
        (".", "cjk"),
        ("'", "special"),
        ("s", "punctuation"),
        ("end", "whitespace"),
    ]


def test_literal_special_tokens(wordpiece: WordPiece) -> None:
    trace = wordpiece.trace("a [MASK]. [mask]")
    mask = trace.texts[0].specials[0]
    assert mask == SpecialMatch("[MASK]", wordpiece.mask_id, 2, 8)
    special = [(token.text, token.start, token.end, token.word) for token in trace.tokens if token.special]
    assert special == [("[CLS]", 0, 0, None), ("[MASK]", 2, 8, None), ("[SEP]", 0, 0, None)]
    assert [word.index for word in trace.texts[0].words] == [0, 1, 2, 3, 4]


def test_an_unspelt_word_is_no_special_token_and_a_typed_unk_is(wordpiece: WordPiece) -> None:
    _, spelt, typed, _ = wordpiece.encode("奥[UNK]")
    assert (spelt.id, spelt.special, spelt.word) == (wordpiece.unk_id, False, 0)
    assert (typed.id, typed.special, typed.word) == (wordpiece.unk_id, True, None)


def test_template_of_a_pair(wordpiece: WordPiece) -> None:
    tokens = wordpiece.encode("the cat", pair="sat", pad_to=8)
    row = [(token.text, token.segment, token.word) for token in tokens]
    assert row == [
        ("[CLS]", 0, None),
        ("the", 0, 0),
        ("cat", 0, 1),
        ("[SEP]", 0, None),
        ("sat", 1, 0),
        ("[SEP]", 1, None),
        ("[PAD]", 0, None),
        ("[PAD]", 0, None),
    ]
    assert (tokens[4].start, tokens[4].end) == (0, 3)


def test_padding_is_masked_and_a_typed_pad_is_not(wordpiece: WordPiece) -> None:
    trace = wordpiece.trace("[PAD]", pad_to=5)
    assert [token.text for token in trace.tokens] == ["[CLS]", "[PAD]", "[SEP]", "[PAD]", "[PAD]"]
    assert (trace.padding, trace.attention_mask) == (2, (1, 1, 1, 0, 0))


def test_truncation_says_what_was_cut_and_where(wordpiece: WordPiece) -> None:
    trace = wordpiece.trace("the cat", pair="the cat sat on the mat", max_tokens=8)
    assert trace.cuts == (Cut(2, 0, None), Cut(3, 3, 12))
    assert trace.truncated == 3
    assert [token.text for token in trace.tokens][4:] == ["the", "cat", "sat", "[SEP]"]
    assert len(trace.texts[1].tokens) == 6


@pytest.mark.parametrize(("pair", "least"), [(None, 2), ("b", 3)])
def test_max_tokens_must_hold_the_template(wordpiece: WordPiece, pair: str | None, least: int) -> None:
    assert len(wordpiece.encode("a", pair, max_tokens=least)) == least
    with pytest.raises(ValueError, match=f"at least {least}"):
        wordpiece.trace("a", pair, max_tokens=least - 1)


def test_unknown_names_each_word_once_as_typed(wordpiece: WordPiece) -> None:
    assert wordpiece.unknown("奥利给, 奥! Cat😀 [UNK] cat") == ("奥", "利", "给", "Cat😀")
    assert wordpiece.unknown("The cat sat.") == ()


def test_vocabulary_lookup(wordpiece: WordPiece) -> None:
    assert len(wordpiece) == len(wordpiece.pieces) == 30_522
    assert (wordpiece.id_of("cat"), wordpiece.piece_of(4937)) == (4937, "cat")
    assert wordpiece.id_of("unaffable") is None
    ids = (wordpiece.pad_id, wordpiece.unk_id, wordpiece.cls_id, wordpiece.sep_id, wordpiece.mask_id)
    assert ids == (0, 100, 101, 102, 103)
    for no_id in (-1, 30_522):
        with pytest.raises(IndexError):
            wordpiece.piece_of(no_id)


def test_a_file_that_is_no_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[PAD]\n[UNK]\n[CLS]\nthe\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[SEP\], \[MASK\] missing"):
        WordPiece.from_file(path)


def test_a_vocabulary_of_your_own() -> None:
    small = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "h", "hu", "##g", "##ugs"])
    assert pieces(small, "hug hugs") == ["hu", "##g", "[UNK]"]  # greedy: h + ##ugs is never tried


# ---------------------------------------------------------------------------------------------------
# What holds for any text


@unhurried
@given(text=any_text)
def test_matches_cover_each_word_and_each_is_the_longest(wordpiece: WordPiece, text: str) -> None:
    vocabulary = set(wordpiece.pieces)
    for word in wordpiece.trace(text).texts[0].words:
        matches = word.unknown.found if word.unknown else word.matches
        position = 0
        for match in matches:
            assert match.start == position < match.end
            *rejected, accepted = match.candidates
            assert [candidate.end for candidate in match.candidates] == [*range(len(word.text), match.end - 1, -1)]
            assert not vocabulary.intersection(candidate.text for candidate in rejected)
            assert accepted == Candidate(match.text, match.start, match.end, match.id)
            assert wordpiece.piece_of(match.id) == match.text
            assert match.text.removeprefix("##" if match.start else "") == word.text[match.start : match.end]
            position = match.end
        if word.unknown is None:
            assert position == len(word.text)
        elif word.unknown.reason == "no_piece":
            assert word.unknown.offset == position
            assert word.unknown.candidates[-1].end == position + 1
            assert not vocabulary.intersection(candidate.text for candidate in word.unknown.candidates)
        else:
            assert len(word.text) > 100


@unhurried
@given(text=any_text, pair=st.none() | any_text, pad_to=st.none() | st.integers(0, 40), room=st.integers(0, 40))
def test_encode_is_the_last_step_of_trace(
    wordpiece: WordPiece, text: str, pair: str | None, pad_to: int | None, room: int
) -> None:
    max_tokens = room + (2 if pair is None else 3)
    trace = wordpiece.trace(text, pair, pad_to, max_tokens)
    assert wordpiece.encode(text, pair, pad_to, max_tokens) == trace.tokens
    assert len(trace.tokens) - trace.padding <= max_tokens
    assert len(trace.attention_mask) == len(trace.tokens)
    assert [token for token in trace.tokens if token.end] == [
        token for source, cut in zip(trace.texts, trace.cuts, strict=True) for token in source.tokens[: cut.kept]
    ]
    assert trace.truncated == sum(len(source.tokens) for source in trace.texts) - sum(
        bool(token.end) for token in trace.tokens
    )


@unhurried
@given(text=any_text)
def test_offsets_lie_in_the_text_and_never_run_backwards(wordpiece: WordPiece, text: str) -> None:
    tokens = wordpiece.trace(text).texts[0].tokens
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    for before, after in pairwise(tokens):
        assert before.start <= after.start
        assert before.end <= after.end
        # One character may become several pieces (a Hangul syllable), but only within its word.
        assert before.end <= after.start or before.word == after.word


@unhurried
@given(text=any_text)
def test_parts_join_to_the_text_and_words_count_through(wordpiece: WordPiece, text: str) -> None:
    (source,) = wordpiece.trace(text).texts
    assert "".join(part.text for part in source.parts) == text
    assert all(text[part.start :].startswith(part.text) for part in source.parts)
    assert [word.index for word in source.words] == list(range(len(source.words)))
    for part in source.parts:
        if isinstance(part, Stretch):
            final = part.steps[-1]
            assert "".join(word.text for word in part.words) == final.text.replace(" ", "")


@unhurried
@given(text=any_text)
def test_unknown_words_are_those_that_became_unk(wordpiece: WordPiece, text: str) -> None:
    lost = {
        text[token.start : token.end]
        for token in wordpiece.trace(text, max_tokens=1_000).tokens
        if token.id == wordpiece.unk_id and not token.special
    }
    assert set(wordpiece.unknown(text)) == lost
    assert len(wordpiece.unknown(text)) == len(lost)


@unhurried
@given(text=any_text)
def test_each_step_keeps_its_origins_in_order(text: str) -> None:
    for step in normalize(text):
        assert len(step.origins) == len(step.text)
        assert list(step.origins) == sorted(step.origins)
        assert all(0 <= origin < len(text) for origin in step.origins)


@unhurried
@given(text=st.text() | st.lists(st.sampled_from("e각é" + MARKS)).map("".join))
def test_decompose_is_nfd(text: str) -> None:
    traced = list(decompose(zip(text, range(len(text)), strict=True)))
    assert "".join(character for character, _ in traced) == unicodedata.normalize("NFD", text)


@unhurried
@given(
    fragments=st.lists(any_text, min_size=2, max_size=5),
    surrogates=st.lists(st.integers(0xD800, 0xDFFF).map(chr), min_size=5, max_size=5),
)
def test_lone_surrogates_are_dropped_like_control_characters(
    wordpiece: WordPiece, fragments: list[str], surrogates: list[str]
) -> None:
    broken = "".join(fragment + surrogate for fragment, surrogate in zip(fragments, surrogates, strict=False))
    control = "".join("\x01" if unicodedata.category(c) == "Cs" else c for c in broken)
    assume(broken != control)
    assert wordpiece.encode(broken) == wordpiece.encode(control)
