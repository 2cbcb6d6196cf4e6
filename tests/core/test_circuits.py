"""A logit as a sum, the lens, a state put into another run, induction: on small models with random weights."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core import Capture, Model, capture
from core.edits import mute, take
from core.errors import InputError
from core.views.circuits import Part, contributions, followed, induction, lens, patched, taps
from tests.core.test_llama import CONFIG, HEADS, LAYERS, LEARNED, made

TEXT, OTHER = "to be or not", "to do or may"


@pytest.fixture(scope="module", params=[CONFIG, LEARNED], ids=["llama", "gpt"])
def model(request) -> Model:
    return made(request.param)


@pytest.fixture(scope="module")
def run(model: Model) -> Capture:
    return capture(model, TEXT)


def test_a_logit_is_the_sum_of_what_was_written(model: Model) -> None:
    run = capture(model, TEXT, only=taps(model))
    for token, word, against in ((11, 40, None), (3, 7, None), (11, 40, 41)):
        found = contributions(run, model, token, word, against)
        assert found.total == pytest.approx(found.captured, abs=2e-5)
        biases = (LAYERS + 1) * model.config.bias
        assert len(found.parts) == len(found.values) == 1 + LAYERS * (HEADS + 1) + biases
        assert len(set(found.parts)) == len(found.parts) and found.parts[0] == Part("embedding")
        sizes = np.abs(found.values[found.ranked])
        assert all(sizes[:-1] >= sizes[1:])
    logits = run["output.logits"]
    assert found.captured == pytest.approx(float(logits[11, 40]) - float(logits[11, 41]), abs=1e-6)


def test_a_heads_term_is_what_it_wrote_through_the_norm_as_it_stood(model: Model, run: Capture) -> None:
    """By torch's own norm, with the head's writing and without: the divisor is put back to what it was."""
    token, word, layer, head = 11, 40, 1, 2
    found = contributions(run, model, token, word)
    term = found.values[found.parts.index(Part("head", layer, head))]
    d = model.config.d_head
    context = torch.tensor(run[f"decoder.{layer}.attention.context"])[head, token].double()
    joins = model.parts[f"decoder.{layer}.attention.to_output"].get_parameter("weight").detach().double()
    wrote = joins[:, head * d : (head + 1) * d] @ context
    before = torch.tensor(run[model.stream("decoder")[-2]])[token].double()
    norm, table = (
        model.parts["decoder.norm"],
        model.parts["embedding.token_table"].get_parameter("weight").detach().double(),
    )
    gamma = norm.get_parameter("gamma").detach().double()
    if model.config.normalization == "layer":
        wrote, before = wrote - wrote.mean(), before - before.mean()
    divisor = (before.pow(2).mean() + model.config.epsilon).sqrt()
    assert term == pytest.approx(float((wrote / divisor * gamma) @ table[word]), abs=1e-6)


def test_the_lens_ends_in_what_the_model_says(model: Model, run: Capture) -> None:
    word = int(run["output.logits"][11].argsort()[-3])
    found = lens(run, model, 11, word)
    assert len(found.taps) == 1 + 2 * LAYERS and found.taps[0] == "embedding.output"
    row = run["output.probabilities"][11]
    assert found.rank[-1] == 2 and found.probability[-1] == pytest.approx(row[word], rel=1e-4)
    assert found.best[-1].tolist() == np.argsort(-row, kind="stable")[:5].tolist()
    np.testing.assert_allclose(found.probabilities[-1], np.sort(row)[::-1][:5], rtol=1e-4)
    assert found.led == tuple(dict.fromkeys(int(ids[0]) for ids in found.best))


def test_every_cell_of_the_map_is_a_run(model: Model, run: Capture) -> None:
    other = capture(model, OTHER)
    rows = [*patched(run, other, model, 40, 41)]
    assert len(rows) == LAYERS and all(row.shape == (len(TEXT),) for row in rows)
    for layer, token in ((0, 3), (1, 4), (2, 11), (1, 0)):
        edit = take(layer + 1, token, OTHER)
        logits = capture(model, TEXT, edits=[edit], only=["output.logits"])["output.logits"][-1]
        assert rows[layer][token] == pytest.approx(float(logits[40] - logits[41]), abs=1e-4)
    own = run["output.logits"][-1]
    assert rows[2][5] == pytest.approx(float(own[40] - own[41]), abs=1e-4)  # nobody asks it any more
    last = other["output.logits"][-1]
    assert rows[2][11] == pytest.approx(float(last[40] - last[41]), abs=1e-4)  # now it is the other's


def test_what_followed_last_time() -> None:
    model = made(CONFIG)
    run = capture(model, "xyzxyz")
    assert followed(run.tokens) == {3: 1, 4: 2, 5: 3}
    found = induction(run, model)
    weights = run["decoder.2.attention.weights"][4]
    assert found.shape == (LAYERS, HEADS)
    assert found[2, 4] == pytest.approx(float(weights[3, 1] + weights[4, 2] + weights[5, 3]) / 3, abs=1e-6)
    assert np.isnan(induction(capture(model, "xyz"), model)).all()


def test_what_cannot_be_asked_is_said(model: Model, run: Capture, minilm: Model) -> None:
    for wrong in ((12, 40), (-1, 40), (0, 10**6), (0, -1)):
        with pytest.raises(InputError):
            contributions(run, model, *wrong)
    with pytest.raises(InputError) as refused:
        contributions(capture(minilm, "a"), minilm, 0, 0)
    assert refused.value.code == "no_sum"
    with pytest.raises(InputError) as refused:
        lens(run, replace(model, config=replace(model.config, norm="post")), 0, 0)
    assert refused.value.code == "no_sum" and "{" not in refused.value.words("zh") + refused.value.words("en")
    with pytest.raises(InputError) as refused:
        next(patched(run, capture(model, "to"), model, 40, 41))
    assert refused.value.code == "lengths_differ" and "{" not in refused.value.words("zh") + refused.value.words("en")


def test_a_muted_head_has_no_term(model: Model) -> None:
    run = capture(model, TEXT, edits=[mute("causal", 2, 3)])
    found = contributions(run, model, 11, 40)
    assert found.values[found.parts.index(Part("head", 1, 2))] == 0
    assert found.total == pytest.approx(found.captured, abs=2e-5)
