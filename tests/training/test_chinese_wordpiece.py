"""The Chinese WordPiece that is committed is what its command makes; the library merges as the vocabulary lab does."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from core.text import chinese_wordpiece, merging, segmentation
from core.text.dictionary import dictionary
from core.training import chinese_wordpiece as training


@pytest.mark.long
def test_the_command_makes_the_committed_pieces(tmp_path: Path) -> None:
    made = tmp_path / "pieces.txt"
    training.save(training.train(training.words()), made)
    assert made.read_bytes() == chinese_wordpiece.PIECES.read_bytes()
    assert len(chinese_wordpiece.pieces()) == training.SIZE


def test_it_merges_the_most_frequent_pair() -> None:
    """On some of the words, by the code that the vocabulary page shows."""
    words = dict(islice(training.words().items(), 0, None, 400))
    inside = {f"##{character}" for word in words for character in word[1:]}
    first = len(merging.SPECIALS) + len(inside | {character for word in words for character in word})
    theirs = training.train(training.Counter(words), first + 20)
    ours = merging.train(words, "frequency", "id", 10**6)
    merged = [merge.made for merge in ours.merges if merge.new][:20]
    assert [piece for piece in theirs if len(piece.removeprefix("##")) > 1 and piece not in merging.SPECIALS] == merged


@given(st.text("研究生命起源中国科学院机器学习魑魅的 a，", max_size=12))
def test_words_are_spelt_as_the_library_spells_them(text: str) -> None:
    known = {piece: id for id, piece in enumerate(chinese_wordpiece.PIECES.read_text(encoding="utf-8").splitlines())}
    library = Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
    words = [word for word in segmentation.cut(text, dictionary()) if not word.text.isspace()]
    theirs = [token for word in words for token in library.encode(word.text, add_special_tokens=False).tokens]
    assert [piece.text for piece in chinese_wordpiece.encode(words)] == theirs
