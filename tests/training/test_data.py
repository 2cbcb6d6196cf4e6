"""What is trained on and what is held out; rows of ids and their padding."""

from itertools import chain

import pytest
import torch

from core import grammar
from core.training.data import BOS, EOS, HELD_OUT_PAIRS, PAD, Rows, hashed, sentences, share

VOCABULARY = grammar.vocabulary()


def held(pair: tuple[str, str]) -> bool:
    return hashed("+".join(pair)) % HELD_OUT_PAIRS == 0


@pytest.mark.long
def test_no_held_out_sentence_and_no_held_out_pair_is_trained_on() -> None:
    trained = sentences("a", "train", 4000)
    together = set(chain.from_iterable(sentence.pairs for sentence in trained))
    bare = {sentence.zh.rstrip("。？") for sentence in trained}
    for sentence in sentences("b", "pair", 400):
        assert any(held(pair) for pair in sentence.pairs)
        assert not together.issuperset(sentence.pairs)
    for sentence in sentences("c", "sentence", 400):
        assert sentence.zh.rstrip("。？") not in bare
        assert not any(held(pair) for pair in sentence.pairs)


def test_a_full_stop_makes_no_other_sentence() -> None:
    """With it and without it, a sentence is trained on or held out."""
    for sentence in sentences("d", "sentence", 50):
        twin = sentence.zh[:-1] if sentence.zh[-1] in "。？" else None
        if twin:
            parts = grammar.parse(twin)
            assert parts is not None and share(grammar.build(parts)) == "sentence"


def test_a_seed_draws_different_sentences_and_always_the_same() -> None:
    first, again, other = (sentences(seed, "train", 300) for seed in ("x", "x", "y"))
    assert len({sentence.zh for sentence in first}) == 300
    assert first == again and first != other


def test_rows_and_their_padding() -> None:
    texts = ("我买了三本书", "他很高。")
    data = [grammar.build(parts) for parts in map(grammar.parse, texts) if parts]
    rows = Rows(data, VOCABULARY)
    batch = rows.batch([0, 1])
    spelt = [[VOCABULARY.pieces[id] for id in row] for row in batch.source.tolist()]
    assert spelt == [[*"我买了三本书", "[EOS]"], [*"他很高。", "[EOS]", "[PAD]", "[PAD]"]]
    assert torch.equal(batch.source_padding, batch.source == PAD)
    first = batch.target_in[0].tolist(), batch.target_out[0].tolist()
    assert first[0][0] == BOS and first[0][1:] == first[1][:-1]
    words = [[VOCABULARY.pieces[id] for id in row if id != PAD] for row in batch.target_out.tolist()]
    assert words == [["I", "bought", "three", "books", "[EOS]"], ["he", "is", "very", "tall", ".", "[EOS]"]]
    assert (batch.target_out[0] == EOS).sum() == 1


def test_an_epoch_is_every_row_once_in_a_seeds_order() -> None:
    rows = Rows(sentences("z", "train", 300), VOCABULARY)
    batches = list(rows.epoch("1", 32))
    lines = sorted(tuple(row) for batch in batches for row in without_padding(batch.source))
    assert lines == sorted(tuple(row) for row in rows.source)
    again, other = (list(rows.epoch(seed, 32)) for seed in ("1", "2"))
    assert all(torch.equal(a.source, b.source) for a, b in zip(batches, again, strict=True))
    assert not all(torch.equal(a.source, b.source) for a, b in zip(batches, other, strict=False))
    wasted = sum(int(batch.target_padding.sum()) for batch in batches) / sum(b.target_in.numel() for b in batches)
    assert wasted < 0.15  # rows of like length lie together


def without_padding(rows: torch.Tensor) -> list[list[int]]:
    return [[id for id in row if id != PAD] for row in rows.tolist()]
