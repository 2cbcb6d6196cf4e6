"""The table before and after training, and which of its rows a gradient touches."""

import copy
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch.nn.functional import cosine_similarity, cross_entropy

from core import Model
from core.capture import given, network_input
from core.views.embedding import table
from core.views.learning import (
    STEPS,
    TABLE,
    gradient,
    losses,
    pair_gradient,
    pulled_in,
    read_steps,
    snapshot,
    written_steps,
)
from core.views.maps import quality
from core.views.meaning import Group, space, split, word_set
from pages.stages.meaning.table_over_training import SMOOTHING, characters

BOOKS, ENGLISH = "我昨天在北京买了三本书", "I bought three books in Beijing yesterday"


def test_snapshots_are_the_files(translator: Model) -> None:
    for step in STEPS:
        stored = load_file(translator.folder / f"snapshot-{step:04}.safetensors")[TABLE]
        assert np.array_equal(snapshot(translator, step).table, stored.float().numpy())
    assert np.array_equal(snapshot(translator, 6000).table, table(translator))


def test_training_brings_together_what_is_used_alike(translator: Model) -> None:
    groups = [Group(name, tuple(split(words))) for name, words in GROUPS.items()]
    words = word_set(space(translator), groups)
    rows = [word.ids[0] for word in words.words]
    purity = [quality(snapshot(translator, s).table[rows], words.groups, "cosine").purity for s in (0, 500, 6000)]
    assert purity[0] < 0.5 < purity[1] < purity[2]


GROUPS = {
    "numerals": "一 二 三 四 五 六 七 八 九 十",
    "numbers": "one two three four five six seven eight nine ten",
    "people": "teacher doctor student nurse driver worker farmer lawyer",
}


def test_the_gradient_is_that_of_backward_and_leaves_no_trace(translator: Model) -> None:
    found = gradient(translator, BOOKS, ENGLISH)
    network = copy.deepcopy(translator.network)
    assert translator.words is not None
    output = given(translator.words, ENGLISH)
    logits, _ = network(*network_input(translator, translator.tokenizer.trace(BOOKS), output))
    loss = cross_entropy(logits[0], torch.tensor([token.id for token in output.row[1:]]))
    loss.backward()
    weight = network.get_submodule("embedding.token_table").get_parameter("weight")
    assert weight.grad is not None and found.loss == pytest.approx(loss.item(), rel=1e-6)
    assert np.allclose(found.whole, weight.grad.norm(dim=1).numpy(), atol=1e-6)
    assert all(parameter.grad is None for parameter in translator.network.parameters())


def test_lookups_touch_the_fetched_rows_and_the_output_all(translator: Model) -> None:
    found = gradient(translator, BOOKS, ENGLISH)
    assert (
        set(np.flatnonzero(found.lookup)) <= set(found.fetched) and (found.lookup > 0).sum() >= len(found.fetched) - 1
    )
    assert (found.whole > 0).all()


def test_the_lookups_share_is_what_an_untied_table_would_get(translator: Model) -> None:
    """The output given a matrix of its own, the table's gradient is the lookups' alone."""
    network = copy.deepcopy(translator.network)
    project = network.get_submodule("output.project")
    project.weight = torch.nn.Parameter(project.get_parameter("weight").detach().clone())
    assert translator.words is not None
    output = given(translator.words, ENGLISH)
    logits, _ = network(*network_input(translator, translator.tokenizer.trace(BOOKS), output))
    weight = network.get_submodule("embedding.token_table").get_parameter("weight")
    (grad,) = torch.autograd.grad(
        cross_entropy(logits[0], torch.tensor([token.id for token in output.row[1:]])), [weight]
    )
    assert np.allclose(gradient(translator, BOOKS, ENGLISH).lookup, grad.norm(dim=1).numpy(), atol=1e-6)


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "x", ""])
def test_a_model_that_reads_moves_only_what_it_fetched(minilm: Model, text: str) -> None:
    found = pair_gradient(minilm, text, "A dog bites a man.")
    assert set(np.flatnonzero(found.rows)) == set(found.fetched)
    network = copy.deepcopy(minilm.network)
    states: list[torch.Tensor] = []
    network.get_submodule(f"encoder.{minilm.config.layers - 1}").register_forward_hook(lambda *a: states.append(a[-1]))
    for sentence in (text, "A dog bites a man."):
        network(*network_input(minilm, minilm.tokenizer.trace(sentence)))
    cosine_similarity(states[0].mean(1), states[1].mean(1)).sum().backward()
    weight = network.get_submodule("embedding.token_table").get_parameter("weight")
    assert weight.grad is not None and np.allclose(found.rows, weight.grad.norm(dim=1).numpy(), atol=1e-5)
    assert all(parameter.grad is None for parameter in minilm.network.parameters())


def test_rows_that_are_never_written_are_mostly_pulled_in(translator: Model) -> None:
    """Against the sign of autograd's own gradient of the loss with label smoothing."""
    smoothing = json.loads((translator.folder / "metrics.json").read_text())["recipe"]["smoothing"]
    assert smoothing == SMOOTHING
    assert translator.words is not None
    output = given(translator.words, ENGLISH)
    logits, _ = translator.network(*network_input(translator, translator.tokenizer.trace(BOOKS), output))
    logits = logits.detach().requires_grad_()
    wanted = torch.tensor([token.id for token in output.row[1:]])
    cross_entropy(logits[0], wanted, label_smoothing=smoothing, reduction="sum").backward()
    ids = characters(translator.tokenizer.pieces)
    assert logits.grad is not None
    share = float((logits.grad[0][:, ids] < 0).float().mean())  # downhill is towards the state
    assert pulled_in(translator, BOOKS, ENGLISH, ids, smoothing) == pytest.approx(share, abs=1e-3) and share > 0.9


# ---- one real step


def test_a_step_is_that_of_sgd_and_leaves_the_model_as_it_was(translator: Model, minilm: Model) -> None:
    before = table(translator).copy()
    _, found = written_steps(translator, BOOKS, ENGLISH, (3, 0.5))
    network = copy.deepcopy(translator.network)
    weight = network.get_parameter(TABLE)
    assert translator.words is not None
    inputs = network_input(translator, translator.tokenizer.trace(BOOKS), given(translator.words, ENGLISH))
    wanted = torch.tensor([token.id for token in given(translator.words, ENGLISH).row[1:]])
    loss = cross_entropy(network(*inputs)[0][0], wanted)
    loss.backward()
    torch.optim.SGD([weight], lr=0.5).step()
    after = cross_entropy(network(*inputs)[0][0], wanted)
    assert found.before == pytest.approx(loss.item()) and found.after == pytest.approx(after.item(), rel=1e-4)
    assert found.rows == len(before) and np.array_equal(table(translator), before)
    assert all(each.grad is None for each in translator.network.parameters())


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "unaffable", "I saw her.", ""])
def test_a_small_step_goes_down_and_moves_what_was_fetched(minilm: Model, text: str) -> None:
    kept = table(minilm).copy()
    (found,) = read_steps(minilm, text, "A dog bites a man.", (0.01,))
    fetched = {token.id for each in (text, "A dog bites a man.") for token in minilm.tokenizer.encode(each)}
    assert found.after < found.before and found.rows == len(fetched)
    assert np.array_equal(table(minilm), kept)


def test_the_losses_are_those_written_down(translator: Model) -> None:
    found = losses(translator)
    written = json.loads((translator.folder / "metrics.json").read_text(encoding="utf-8"))["curves"]["loss"]
    assert found[0] == (0, written[0][1]) and list(found[1:]) == [tuple(each) for each in written[1:]]
    assert {*STEPS, 6000} <= {step for step, _ in found} and found[-1][1] < found[0][1]
