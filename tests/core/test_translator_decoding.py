"""Decoding: greedy and beam against other means, forward and back, always an end."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core.model.config import Config
from core.model.decoding import Decoding, greedy
from core.model.taps import name_taps
from core.model.transformer import Transformer

START, END = 2, 3


def network(seed: int, vocab: int = 12, spread: float = 1.0) -> Transformer:
    """An untrained translator whose choices are far from even."""
    torch.manual_seed(seed)
    made = Transformer(
        Config(
            vocab=vocab,
            d_model=8,
            heads=2,
            layers=1,
            d_ff=8,
            positions=20,
            segments=0,
            activation="relu",
            position="sinusoidal",
            decoder_layers=1,
            target_positions=20,
        )
    )
    name_taps(made)
    nn.init.normal_(made.embedding.token_table.weight, std=spread)
    return made.eval()


def source(seed: int, n: int = 5, vocab: int = 12) -> Tensor:
    return torch.randint(4, vocab, (1, n), generator=torch.Generator().manual_seed(seed))


def log_probability(model: Transformer, text: Tensor, ids: tuple[int, ...]) -> float:
    """Of a whole translation, in one teacher-forced pass."""
    target = torch.tensor([[START, *ids[:-1]]])
    with torch.no_grad():
        logits, _ = model(text, torch.zeros_like(text).bool(), target, torch.zeros_like(target).bool())
    return torch.log_softmax(logits[0], -1)[range(len(ids)), list(ids)].sum().item()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), longest=st.integers(1, 12))
def test_greedy_takes_the_likeliest_word_each_time(seed: int, longest: int) -> None:
    model, text = network(seed), source(seed)
    decoding = Decoding(model, text, start=START, end=END, longest=longest)
    ids: list[int] = []
    for step in itertools.islice(decoding, 1, None):
        target = torch.tensor([[START, *ids]])
        with torch.no_grad():
            logits, _ = model(text, torch.zeros_like(text).bool(), target, torch.zeros_like(target).bool())
        ids.append(int(logits[0, -1].argmax()))
        assert step.best.ids == tuple(ids)
    assert decoding.last.best.log_probability == pytest.approx(log_probability(model, text, tuple(ids)), abs=1e-4)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_a_batch_is_greedy_row_by_row(seed: int) -> None:
    """Sources of different lengths, padded."""
    model = network(seed)
    lengths = [1, 3, 6]
    rows = [source(seed + n, n) for n in lengths]
    together = torch.zeros(3, 6, dtype=torch.long)
    for row, text in enumerate(rows):
        together[row, : lengths[row]] = text
    written = greedy(model, together, together == 0, start=START, end=END, longest=10)
    for text, ids in zip(rows, written, strict=True):
        best = Decoding(model, text, start=START, end=END, longest=10).last.best
        assert [id for id in best.ids if id != END] == ids


@pytest.mark.long
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_a_beam_that_keeps_everything_finds_the_best_there_is(seed: int) -> None:
    """Against all translations of up to three words."""
    model, text = network(seed, vocab=6), source(seed, vocab=6)
    decoding = Decoding(model, text, start=START, end=END, longest=3, width=6**3)
    words = [id for id in range(6) if id != END]
    whole = [
        (*ids, END) for n in range(3) for ids in itertools.product(words, repeat=n)
    ] + list(itertools.product(words, repeat=3))  # fmt: skip
    scores = {ids: log_probability(model, text, ids) / ((5 + len(ids)) / 6) ** 0.6 for ids in whole}
    # It stops as soon as the best it keeps is finished: what it keeps then is what there is to say.
    best = decoding.last.best
    assert best.score == pytest.approx(scores[best.ids], abs=1e-4)
    reachable = {ids: s for ids, s in scores.items() if len(ids) <= len(best.ids)}
    assert best.score == pytest.approx(max(reachable.values()), abs=1e-4)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), width=st.integers(1, 4), longest=st.integers(1, 9))
def test_it_always_ends_and_says_when_it_was_cut(seed: int, width: int, longest: int) -> None:
    steps = list(Decoding(network(seed), source(seed), start=START, end=END, longest=longest, width=width))
    last = steps[-1]
    assert len(steps) <= longest + 1
    assert [step.number for step in steps] == list(range(len(steps)))
    assert [step.last for step in steps] == [False] * (len(steps) - 1) + [True]
    assert not any(step.cut for step in steps[:-1])
    assert last.cut == (END not in last.best.ids)
    for step in steps:
        assert 1 <= len(step.beams) <= width
        assert list(step.beams) == sorted(step.beams, key=lambda beam: beam.score, reverse=True)
        for beam in step.beams:
            assert beam.finished == (END in beam.ids) and beam.ids.count(END) <= 1
            assert (beam.candidates == ()) == beam.finished
            shares = [candidate.probability for candidate in beam.candidates]
            assert shares == sorted(shares, reverse=True) and sum(shares) <= 1 + 1e-6


def test_a_translation_that_never_ends_is_cut() -> None:
    """The end token's row points away from everything."""
    model, text = network(0), source(0)
    with torch.no_grad():
        model.embedding.token_table.weight[END] = -model.embedding.token_table.weight[5] * 9
        model.decoder.layers[0].get_parameter("feedforward.norm.beta").copy_(model.embedding.token_table.weight[5])
        model.decoder.layers[0].get_parameter("feedforward.norm.gamma").zero_()
    last = Decoding(model, text, start=START, end=END, longest=7).last
    assert (last.best.ids, last.cut, last.best.finished) == ((5,) * 7, True, False)


def test_forward_and_back_give_the_same_steps() -> None:
    decoding = Decoding(network(1), source(1), start=START, end=END, longest=6, width=2)
    there = [decoding[number] for number in range(7)]
    back = [decoding[number] for number in reversed(range(7))]
    assert there == back[::-1]
    assert decoding[0].best.ids == () and decoding[0].best.log_probability == 0
    assert decoding[99] is decoding.last
    assert list(decoding) == list(dict.fromkeys(there))
    with pytest.raises(IndexError):
        decoding[-1]


def test_candidates_are_the_likeliest_next_words() -> None:
    model, text = network(2), source(2)
    step = Decoding(model, text, start=START, end=END, longest=6, shown=3)[0]
    target = torch.tensor([[START]])
    with torch.no_grad():
        _, probabilities = model(text, torch.zeros_like(text).bool(), target, torch.zeros_like(target).bool())
    values, ids = probabilities[0, -1].topk(3)
    assert [candidate.id for candidate in step.best.candidates] == ids.tolist()
    assert [candidate.probability for candidate in step.best.candidates] == pytest.approx(values.tolist(), abs=1e-6)


def test_longer_translations_are_not_at_a_loss() -> None:
    step = Decoding(network(3), source(3), start=START, end=END, longest=4)[3]
    assert step.best.score == pytest.approx(step.best.log_probability / math.pow(8 / 6, 0.6))


@pytest.mark.parametrize(("longest", "width"), [(0, 1), (5, 0)])
def test_no_room(longest: int, width: int) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        Decoding(network(0), source(0), start=START, end=END, longest=longest, width=width)
