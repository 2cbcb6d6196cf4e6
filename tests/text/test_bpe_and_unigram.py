"""Byte-level BPE keeps every byte; the Unigram model is the one its command trains, and cuts as probability says."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text import bpe, unigram

unhurried = settings(deadline=None)  # loading a vocabulary takes its time
MODEL = dict(json.loads(unigram.tokenizer().to_str())["model"]["vocab"])
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@unhurried
@given(ANY)
def test_tokens_are_the_bytes_of_the_text(text: str) -> None:
    pieces, raw = bpe.encode(text), text.encode()
    assert b"".join(raw[p.start : p.end] for p in pieces) == raw and all(p.end > p.start for p in pieces)
    assert [p.id for p in pieces] == bpe.tokenizer().encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    "text", ["乒乓球拍卖完了", "饕餮", "<｜begin▁of▁sentence｜>", "a <think> b", " x\n\n", "👩\u200d👧"]
)
def test_it_decodes_to_what_was_typed(text: str) -> None:
    assert bpe.tokenizer().decode([p.id for p in bpe.encode(text)], skip_special_tokens=False) == text


def test_a_rare_character_is_several_tokens() -> None:
    raw = "饕".encode()
    assert [raw[p.start : p.end].hex() for p in bpe.encode("饕")] == ["e9a5", "95"]


def test_byte_alphabet() -> None:
    assert sorted(bpe.byte_of().values()) == list(range(256)) and len(bpe.byte_of()) == 256


@unhurried
@given(st.text("乒乓球拍卖完了中国人民大学生 the cat▁", max_size=12))
def test_unigram_cuts_where_the_product_is_greatest(text: str) -> None:
    pieces = unigram.encode(text)
    assert "".join(text[p.start : p.end] for p in pieces) == text
    # Metaspace parts the text before each space: the best product of every such stretch, by trying all ends.
    marked = text.replace(" ", "▁")
    if any(p.id == 0 for p in pieces):
        return
    best = [0.0] + [-math.inf] * len(marked)
    for end in range(1, len(marked) + 1):
        for start in range(max(0, end - 20), end):
            piece = marked[start:end]
            if piece in MODEL and "▁" not in piece[1:]:
                best[end] = max(best[end], best[start] + MODEL[piece])
    assert sum(MODEL[p.text] for p in pieces) == pytest.approx(best[-1], abs=1e-4)


def test_a_space_stays_in_its_piece_and_nothing_is_lost() -> None:
    pieces = unigram.encode("The cat")
    assert any(p.text.startswith("▁") for p in pieces) and pieces[0].start == 0
    assert [p.text for p in unigram.encode("乒乓球拍卖完了")] == ["乒乓球", "拍卖", "完", "了"]
    (unknown,) = unigram.encode("👩")
    assert unknown.text == unigram.UNKNOWN and (unknown.start, unknown.end) == (0, 1)
