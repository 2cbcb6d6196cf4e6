"""The decoder's two attentions: who asks whom, held against torch and against the capture."""

import math

import numpy as np
import pytest
import torch

from core import Model, capture
from core.model.places import attention_at
from core.views.attention import attention_view, taps
from core.views.overview import depth_taps, overview_view
from core.views.overview import taps as overview_taps
from tests.models import loaded

TEXT = "老师昨天买的书很贵"

KINDS = ("encoder", "self", "cross")


@pytest.fixture(scope="module")
def model() -> Model:
    return loaded("translator")


@pytest.fixture(scope="module")
def views(model):
    run = capture(model, TEXT)
    return {(kind, layer): attention_view(run, model, layer, kind) for kind in KINDS for layer in range(2)}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_ask_and_columns_answer(views, kind):
    view = views[kind, 1]
    written, read = view.tokens[0] == "[BOS]", view.key_tokens[-1] == "[EOS]"
    assert (written, read) == {"encoder": (False, True), "self": (True, False), "cross": (True, True)}[kind]
    assert view.weights.shape == (4, len(view.queries), len(view.keys))


@pytest.mark.parametrize("layer", [0, 1])
def test_cross_attention_against_torch(model, views, layer):
    """Queries from the decoder's state, keys and values from what the encoder made."""
    run, view = capture(model, TEXT), views["cross", layer]
    linear = model.network.get_submodule(f"decoder.layers.{layer}.cross_attention.sublayer")
    y = torch.tensor(run[f"decoder.{layer}.cross_attention.skip"])
    memory = torch.tensor(run["encoder.1.output"])
    with torch.no_grad():
        query, key = (
            linear.get_submodule(f"to_{name}")(x).unflatten(-1, (4, 32)).transpose(0, 1)
            for name, x in (("query", y), ("key", memory))
        )
        weights = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(32), -1).numpy()
    np.testing.assert_allclose(view.weights, weights, atol=1e-6)
    np.testing.assert_array_equal(view.answering, run["encoder.1.output"])


def test_it_reads_the_taps_it_asks_for(model):
    for kind in KINDS:
        run = capture(model, TEXT, only=taps(model, 1, kind))
        assert set(run.names()) == set(taps(model, 1, kind))
        assert attention_view(run, model, 1, kind).kind == kind
        assert all(name.startswith(str(attention_at(kind, 1))) or name == "encoder.1.output" for name in run.names())


def test_the_overview_of_both_stacks(model):
    run = capture(model, TEXT, only=overview_taps(model))
    view = overview_view(run, model)
    assert set(run.names()) == set(overview_taps(model))
    assert [id for id, _, _ in depth_taps(model)] == ["row", "scaled", "sum", "layer", "layer"]
    assert view.read == len(TEXT) + 1 and len(view.rows) == view.read + len(run.target_in)
    assert view.written[0][0] == "the" and 0.5 < view.written[0][1] <= 1
    for depth in view.depths:
        np.testing.assert_array_equal(depth.states, np.concatenate([run[tap] for tap in depth.taps]))
    for looking in view.attention:
        np.testing.assert_allclose(looking.weights.sum(-1), 1, atol=1e-5)
