"""The model that fills gaps: its committed file, its numbers by torch's own layers, and what it learned."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest
import torch
from torch.nn import functional

from core.reference.writer import layer, sinusoids
from core.text.gaps import CLS, MASK, SEP, SPECIALS
from core.training import masked
from core.training.masked import FOLDER, Recipe, card
from core.views import gaps

SENTENCES = ("我昨天在北京买了三本书", "I bought three books in Beijing yesterday", "does her classmate like birds?")


def theirs(ids: list[int]) -> torch.Tensor:
    """[token, d_model]: the states by torch's layers."""
    weights, config = masked.load().state_dict(), masked.config()
    x = weights["embedding.token_table.weight"][torch.tensor([ids])] * config.d_model**0.5
    x = x + sinusoids(len(ids), config.d_model)
    for i in range(config.layers):
        one = layer(weights, f"encoder.{i}", config.d_model, config.heads, config.norm, root_k=True)
        one.activation = functional.gelu
        x = one(x)
    gamma, beta = weights["encoder.norm.gamma"], weights["encoder.norm.beta"]
    return functional.layer_norm(x, (config.d_model,), gamma, beta, config.epsilon)[0]


@pytest.mark.parametrize("text", SENTENCES)
def test_torchs_own_layers_give_the_same_probabilities(text: str) -> None:
    tokens, weights = gaps.read(text), masked.load().state_dict()
    assert not gaps.unknown(tokens)
    ids = gaps.ids(tokens)
    with torch.no_grad():
        for at in range(len(tokens)):
            state = theirs([CLS, *ids[:at], MASK, *ids[at + 1 :], SEP])[at + 1]
            logits = (weights["embedding.token_table.weight"] @ state + weights["bias"])[len(SPECIALS) :]
            right = logits.softmax(-1)[ids[at] - len(SPECIALS)]
            assert gaps.fill(tokens, at).right == pytest.approx(float(right), abs=1e-4)
        asked, changed = gaps.orders(tokens)
        assert set(changed) == {i for i in range(len(ids) - 1) if ids[i] != ids[i + 1]}, "each makes another line"
        lines = [ids, *([*ids[:i], ids[i + 1], ids[i], *ids[i + 2 :]] for i in changed)]
        for line, ours in zip(lines, (asked, *changed.values()), strict=True):
            logits = weights["judge.weight"] @ theirs([CLS, *line, SEP])[0] + weights["judge.bias"]
            assert ours == pytest.approx(float(logits.softmax(-1)[1]), abs=1e-4)


@pytest.mark.long
def test_the_file_is_the_one_that_was_measured() -> None:
    assert sha256((FOLDER / "weights.safetensors").read_bytes()).hexdigest() == card()["sha256"]
    assert card()["recipe"] == vars(Recipe())
    held = masked.lines("sentence", Recipe().seed + 1, 300)
    for lang in masked.LANGS:
        of = card()["held_out"][lang]
        assert masked.filled_right(masked.load(), masked.one_gap_each(held[lang])) == pytest.approx(
            of["gaps"], abs=0.08
        )
        assert masked.ordered_right(masked.load(), held[lang]) == pytest.approx(of["order"], abs=0.06)


def test_it_knows_more_than_the_neighbours_and_more_than_a_guess() -> None:
    for of in card()["held_out"].values():
        assert of["gaps"] > of["neighbours"] > of["most_frequent"] and of["order"] > 0.9


def test_an_exchange_keeps_the_tokens_and_changes_the_line() -> None:
    random = Random(0)
    for line in (line for lines in masked.lines("train", 3, 200).values() for line in lines):
        other = masked.exchanged(line, random)
        assert other != line and Counter(other) == Counter(line)
        given, places = masked.with_gaps(line, random, 0.15)
        assert places and all((given[i] == MASK) == (i in places) for i in range(len(line)))


def test_a_few_steps_lower_the_loss_of_the_gaps() -> None:
    recipe = replace(Recipe(), steps=20, warmup=5, batch=16)
    lines = masked.lines("train", 1, 40)
    losses = [filled for filled, _ in masked.train(recipe, lines["en"], masked.begin(recipe))]
    assert sum(losses[-5:]) < 0.9 * sum(losses[:5])


def test_the_neighbours_guess_what_stood_between_them_most_often() -> None:
    guess = masked.Neighbours([(9, 5, 8), (9, 5, 8), (9, 6, 8), (9, 7, 4)]).guess
    assert guess((9, 0, 8), 1) == 5 and guess((9, 0, 4), 1) == 7  # between the two
    assert guess((9, 0, 3), 1) == 5  # never between 9 and 3: behind the 9
    assert guess((2, 0, 3), 1) == 9  # nor behind a 2: 9 is the most frequent of all


def test_what_it_never_met_is_unknown_to_it() -> None:
    assert gaps.unknown(gaps.read("The zebra's [MASK].")) == ["zebra", "[", "mask", "]"]
    assert gaps.read("I saw Tom’s book.")[0] == "I" and gaps.read("The book")[0] == "the"
