"""Byte-level BPE against the `tokenizers` library with the same vocabulary: ids, places, and the merges on the way."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from core.text.bpe import byte_of
from core.text.byte_pairs import BytePairs, MergedWord, words_of
from core.text.merging import merged

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
SAMPLE = (
    "the cat sat on the mat, and the other cats sat too; it's unaffable. They've 12 hats — naïve, 我昨天看书 ñandú 🙂 "
)


def learnt(count: int) -> tuple[list[str], list[tuple[str, str]]]:
    """A vocabulary: the bytes, and merges of pairs that stand in the sample, in any order."""
    dice = random.Random(7)
    words = [[sign for byte in SAMPLE[a:b].encode() for sign in [SIGNS[byte]]] for a, b in words_of(SAMPLE)]
    pieces, merges = [*SPECIALS, *byte_of()], []
    for _ in range(count):
        pairs = sorted({pair for word in words for pair in pairwise(word) if "".join(pair) not in pieces})
        left, right = dice.choice(pairs)
        merges.append((left, right))
        pieces.append(left + right)
        words = [merged(word, left, right, left + right) for word in words]
    return pieces, merges


SIGNS = {byte: sign for sign, byte in byte_of().items()}
PIECES, MERGES = learnt(60)
OURS = BytePairs(PIECES, MERGES, SPECIALS, pad="<|im_end|>", longest=10_000)


def theirs() -> Tokenizer:
    made = Tokenizer(models.BPE({piece: id for id, piece in enumerate(PIECES)}, MERGES))
    digits = pre_tokenizers.Digits(individual_digits=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])  # type: ignore[assignment]
    made.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    made.add_special_tokens(list(SPECIALS))
    return made


THEIRS = theirs()
TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*SAMPLE.split(), " ", "  ", "\n", "'ll", "'S", "_", "½", "<|im_end|>", "\x1c", "\xa0"]),
        st.text(),
    )
).map("".join)


@given(TEXTS)
@settings(max_examples=500, deadline=None)
def test_the_ids_are_the_librarys(text: str) -> None:
    assert [token.id for token in OURS.encode(text)] == THEIRS.encode(text).ids


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_tokens_are_the_text(text: str) -> None:
    """Their bytes are its bytes; each says which code points it is of, those of broken characters overlap."""
    tokens = OURS.encode(text)
    assert OURS.decode(token.id for token in tokens) == text
    assert b"".join(OURS.bytes_of(token.id) for token in tokens) == text.encode()
    for token in tokens:
        own, part = OURS.bytes_of(token.id), text[token.start : token.end].encode()
        assert own in part and len(part) - len(own) < 7
    assert all(one.start <= other.start and one.end <= other.end for one, other in pairwise(tokens))


def test_every_merge_is_kept_and_is_the_lowest_there_is() -> None:
    (stretch,) = OURS.trace("the other cats").texts[0].parts
    for word in stretch.words:  # type: ignore[union-attr]
        assert isinstance(word, MergedWord)
        pieces = tuple(word.text)
        for merge in word.merges:
            ranks = [rank for pair in pairwise(pieces) if (rank := OURS.rank_of(*pair)) is not None]
            assert merge.rank == min(ranks) and MERGES[merge.rank] == (merge.left, merge.right)
            pieces = tuple(merged(pieces, merge.left, merge.right, merge.left + merge.right))
            assert merge.pieces == pieces
        assert all(OURS.rank_of(*pair) is None for pair in pairwise(pieces))
        assert tuple(match.text for match in word.matches) == pieces
        assert [candidate.id for match in word.matches for candidate in match.candidates] == [
            match.id for match in word.matches
        ]


def test_words_say_why_they_are_apart() -> None:
    trace = OURS.trace("I've 12 cats<|im_end|>of it")
    assert [(word.text, word.cut) for word in trace.texts[0].words] == [
        ("I", "start"),
        ("'ve", "punctuation"),
        ("Ġ", "whitespace"),
        ("1", "digit"),
        ("2", "digit"),
        ("Ġcats", "digit"),
        ("of", "special"),
        ("Ġit", "whitespace"),
    ]
    assert [word.index for word in trace.texts[0].words] == list(range(8))
    (special,) = [token for token in trace.tokens if token.special]
    assert (special.text, special.id, special.start, special.end, special.word) == ("<|im_end|>", 2, 12, 22, None)


def test_a_character_may_be_broken() -> None:
    tokens = BytePairs([*SPECIALS, *byte_of()], [], SPECIALS, "<|im_end|>", 99).encode("我")
    assert [token.text for token in tokens] == ["⟨E6⟩", "⟨88⟩", "⟨91⟩"]
    assert all((token.start, token.end) == (0, 1) for token in tokens)
    assert OURS.decode([PIECES.index(SIGNS[0xE6])]) == "�"


def test_cut_and_filled() -> None:
    trace = OURS.trace("a b c", max_tokens=3, pad_to=5)
    assert (trace.truncated, trace.padding, len(trace.tokens)) == (2, 2, 5)
    assert trace.cuts[0].offset == 3 and trace.attention_mask == (1, 1, 1, 0, 0)
    assert OURS.encode("") == () and OURS.unknown("我") == ()
    with pytest.raises(ValueError):
        OURS.trace("a", "b")
    with pytest.raises(IndexError):
        OURS.piece_of(-1)


def test_bytes_that_a_vocabulary_lacks_are_passed_over_as_the_library_does() -> None:
    """What stands on either side of one may merge."""
    lacking = [piece for piece in PIECES if piece != SIGNS[0xF2]]
    ours = BytePairs([*lacking, "¬Ģ"], [("¬", "Ģ")], SPECIALS, "<|im_end|>", 99)
    theirs = Tokenizer(models.BPE({piece: id for id, piece in enumerate(ours.pieces)}, [("¬", "Ģ")]))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)  # type: ignore[assignment]
    for text in ("\U000ac000", "a\U000ac000b", "\x82\U000ac000"):
        assert [token.id for token in ours.encode(text)] == theirs.encode(text).ids
        assert ours.unknown(text) == ("\U000ac000",)
    assert [token.text for token in ours.encode("\U000ac000")] == ["⟨AC⟩⟨80⟩", "⟨80⟩"]
