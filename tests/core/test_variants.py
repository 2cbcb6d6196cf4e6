"""Positions told in other ways on one sentence; random causal networks; the recorded run beyond its training length."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import capture
from core.derivation.variants import derive_score
from core.edits import zero_positions
from core.model.language import LanguageModel
from core.model.position import RELATIVE
from core.training import lengths as trained
from core.views.causal import causal
from core.views.lengths import FILE, lengths
from core.views.variants import kinds, own_parameters, taps, variant
from tests.models import loaded

TEXTS = {"minilm": "The cat sat on the mat because it was tired.", "translator": "我昨天在北京买了三本书"}


@pytest.fixture(scope="module")
def read():
    """model, kind -> what it makes of the model's sentence."""
    runs = {}
    for name, text in TEXTS.items():
        model = loaded(name)
        bare, own = (
            capture(model, text, only=taps(model), edits=(zero_positions(),)),
            capture(model, text, only=taps(model)),
        )
        runs[name] = model, bare, own, len(own.tokens)

    def made(name: str, kind: str):
        model, bare, own, n = runs[name]
        return model, variant(model, kind, bare, own, n)

    return made


@pytest.mark.parametrize("name", TEXTS)
def test_every_score_is_what_its_steps_say(read, name: str) -> None:
    model = loaded(name)
    for kind in kinds(model):
        model, of = read(name, kind)
        n, rng = of.scores.shape[1], np.random.default_rng(0)
        for head, q, k in zip(*(rng.integers(0, high, 8) for high in (model.config.heads, n, n)), strict=True):
            assert abs(derive_score(model, of, int(head), int(q), int(k)).difference) < 2e-5, (kind, head, q, k)


@pytest.mark.parametrize("name", TEXTS)
def test_what_each_adds_is_what_is_said_of_it(read, name: str) -> None:
    for kind in ("alibi", "t5"):  # by the distance alone, whatever the words
        _, of = read(name, kind)
        n = of.scores.shape[1]
        assert all(np.ptp(np.diagonal(of.added, far, 1, 2), axis=-1).max() < 1e-5 for far in range(1 - n, n))
    _, alibi = read(name, "alibi")
    middle = alibi.by_distance(0)
    assert np.allclose(np.diff(middle), middle[1] - middle[0]) is False and np.allclose(middle, middle[::-1], atol=1e-5)
    model, none = read(name, "none")
    assert not none.added.any() and none.parameters == 0
    assert {own_parameters(model, kind) for kind in ("rotary", "alibi")} == {0}
    assert own_parameters(model, "shaw") == 33 * model.config.d_head
    assert own_parameters(model, "t5") == 32 * model.config.heads
    assert own_parameters(model, "transformer_xl") == model.config.d_model**2 + 2 * model.config.d_model


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 49), min_size=3, max_size=12, unique=True), st.integers(0, 10_000))
def test_random_weights_tell_order_where_they_look_back_alone(ids: list[int], seed: int) -> None:
    swapped = [ids[-1], *ids[1:-1], ids[0]]
    partner = [len(ids) - 1, *range(1, len(ids) - 1), 0]
    found = causal(ids, swapped, partner, seed)
    assert found.both_ways.max() < 1e-5
    assert found.back.min() > 1e-3
    assert found.same_token < 1e-5


def test_the_recorded_run_is_of_this_code() -> None:
    run = lengths()
    assert run.command == trained.COMMAND and run.seed == trained.SEED and run.length == trained.LENGTH
    assert {name: run.settings[name] for name in trained.SETTINGS} == trained.SETTINGS
    assert tuple(run.kinds) == trained.KINDS and tuple(run.times) == trained.TIMES
    written = json.loads(FILE.read_text(encoding="utf-8"))["kinds"]
    for (kind, one), saved in zip(run.kinds.items(), written, strict=True):
        network = LanguageModel(trained.config(kind, run.settings["vocab"]))
        assert saved["parameters"] == sum(p.numel() for p in network.parameters())
        assert np.isnan(one.losses[1:]).all() == (kind == "learned")
        assert one.truncated < 3 < np.log(run.settings["vocab"])  # they learned something
    assert len(written[-1]["table"]) == run.settings["layers"]


@pytest.mark.parametrize("kind", ["none", *RELATIVE])
def test_one_segment_with_memory_is_one_reading(kind: str) -> None:
    torch.manual_seed(0)
    network = LanguageModel(trained.config(kind, 20)).eval()
    rows = torch.randint(20, (2, trained.LENGTH + 1))
    assert trained.with_memory(network, rows) == pytest.approx(trained.at_length(network, rows, 1), abs=1e-5)


def test_memory_of_a_layer_below_is_all_that_is_cut() -> None:
    """With one layer's memory two segments reach as far as one reading of both, for whatever is relative."""
    torch.manual_seed(0)
    rows = torch.randint(20, (2, 2 * trained.LENGTH + 1))
    for kind in ("rotary", "alibi", "t5"):
        network = LanguageModel(trained.config(kind, 20)).eval()
        once, memory = trained.at_length(network, rows, 2), trained.with_memory(network, rows)
        assert memory == pytest.approx(once, abs=1e-4), kind


@pytest.mark.long
def test_training_is_the_same_again() -> None:
    first, second = (trained.train("alibi", 731, 3)[1] for _ in range(2))
    assert first == second and 0 < trained.rate(0, 400) < trained.rate(40, 400) > trained.rate(399, 400)
