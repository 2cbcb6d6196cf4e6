"""Small trainings: the same numbers every time, the same as torch.nn's, and the end of one that blows up."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.derivation.training import derive_loss
from core.model.taps import editing
from core.reference.writer import first_loss
from core.training import live
from core.training.recorded import run_of
from core.training.runs import Log, Setting, begin, losses, parameters, tensors, train
from core.training.tasks import TASKS, batch

SMALL = Setting(d_model=8, steps=12, batch=4)


def whole(setting: Setting) -> Log:
    *_, log = train(setting)
    return log


@settings(max_examples=14, deadline=None)
@given(
    st.builds(
        Setting,
        task=st.sampled_from(sorted(TASKS)),
        norm=st.sampled_from(("post", "pre", "none")),
        layers=st.integers(1, 4),
        d_model=st.sampled_from((8, 16, 32)),
        position=st.sampled_from(("sinusoidal", "learned", "none")),
        residual=st.booleans(),
        feedforward=st.sampled_from(("relu", "linear", "none")),
        tied=st.booleans(),
        root_k=st.booleans(),
        root_d=st.booleans(),
        seed=st.integers(0, 9),
        heads=st.sampled_from((1, 2, 4)),
        steps=st.just(1),
    )
)
def test_the_first_loss_is_that_of_torch(setting: Setting) -> None:
    rows, asked = tensors(batch(setting.task, setting.seed, 1, setting.batch), setting.task)
    names = ("heads", "norm", "position", "root_k", "root_d", "residual", "feedforward")
    choices = {name: getattr(setting, name) for name in names}
    theirs = first_loss(begin(setting).state_dict(), rows, asked, **choices)
    assert whole(setting).loss[0] == pytest.approx(theirs, rel=2e-5)


def test_the_same_setting_gives_the_same_numbers() -> None:
    torch.manual_seed(7)
    one = whole(SMALL)
    dice = torch.get_rng_state()
    two = whole(SMALL)
    assert one.loss == two.loss and one.held == two.held
    assert torch.equal(dice, torch.get_rng_state())
    assert whole(replace(SMALL, seed=1)).loss != one.loss


def test_what_is_noted() -> None:
    log = whole(SMALL)
    assert log.step == 12 and log.looks == [0, 10, 12] and len(log.matrices) == 3
    assert all(0 <= share <= 1 for share in log.right)
    assert np.abs(log.matrices[1] - log.matrices[0]).max() > 0


@settings(max_examples=6, deadline=None)
@given(st.sampled_from(sorted(TASKS)), st.integers(0, 3), st.sampled_from((0, 10)), st.integers(1, 6))
def test_a_loss_is_the_mean_over_its_tokens(task: str, seed: int, few: int, step: int) -> None:
    setting = replace(SMALL, task=task, seed=seed, few=few, steps=6)
    run = run_of(setting, whole(setting), 0)
    derivation = derive_loss(run, step)
    assert abs(derivation.difference) < 1e-5 * derivation.captured
    assert derivation.steps[0].count == setting.batch


def test_only_answers_are_asked_for() -> None:
    rows, asked = tensors(batch("copy", 0, 1, 4), "copy")
    each = losses(begin(replace(SMALL, task="copy"))(rows), rows, asked)
    assert ((each > 0) == asked[:, 1:]).all()


def test_nothing_after_a_token_is_seen() -> None:
    rows, _ = tensors(batch("numerals", 0, 1, 4), "numerals")
    changed = rows.clone()
    changed[:, -1] = 5
    network = begin(SMALL)
    with torch.no_grad():
        assert torch.allclose(network(rows)[:, :-1], network(changed)[:, :-1], atol=1e-6)


def test_what_a_setting_changes() -> None:
    count = lambda setting: sum(parameter.numel() for parameter in begin(setting).parameters())  # noqa: E731
    usual, config = count(SMALL), SMALL.config
    assert count(replace(SMALL, tied=False)) - usual == config.vocab * config.d_model
    assert usual - count(replace(SMALL, norm="none")) == 2 * 2 * 2 * config.d_model  # γ, β; two a layer; two layers
    assert [edit.id for edit in replace(SMALL, root_k=False, root_d=False).edits] == ["drop_sqrt_dk:2", "drop_sqrt_d"]


def test_the_rate_rises_and_stays() -> None:
    warm, cold = replace(SMALL, warmup=4, rate=0.1), replace(SMALL, warmup=0, rate=0.1)
    assert [warm.rate_at(step) for step in (1, 2, 4, 9)] == pytest.approx([0.025, 0.05, 0.1, 0.1])
    assert cold.rate_at(1) == 0.1


@pytest.mark.parametrize("norm", ["post", "pre", "none"])
def test_a_rate_of_a_hundred_blows_up_and_ends(norm: str) -> None:
    log = whole(replace(SMALL, rate=100.0, steps=200, warmup=0, norm=norm))
    assert log.blown and log.step < 40 and log.looks[-1] == log.step


def test_a_usual_one_does_not() -> None:
    assert not whole(replace(SMALL, norm="none", layers=8, steps=20)).blown


def test_a_training_elsewhere_tells_everything() -> None:
    setting, heard = replace(SMALL, steps=25), Log()
    for said in live.moments(setting):
        live.take(heard, said)
    ours = whole(setting)
    assert (heard.loss, heard.looks, heard.held, heard.lines) == (ours.loss, ours.looks, ours.held, ours.lines)
    assert np.allclose(heard.matrices[-1], ours.matrices[-1], atol=1e-3)


@pytest.mark.parametrize("std", [0.02, 0.1414, 1.0])
def test_the_table_begins_as_widely_spread_as_asked(std: float) -> None:
    table = begin(replace(SMALL, d_model=64, table=std)).embedding.token_table.weight
    assert float(table.detach().std()) == pytest.approx(std, rel=0.05)
    usual = begin(replace(SMALL, d_model=64)).embedding.token_table.weight
    assert float(usual.detach().std()) == pytest.approx(1 / 8, rel=0.05)


def test_dropout_draws_the_same_in_every_run_and_only_while_it_trains() -> None:
    setting = replace(SMALL, dropout=0.5)
    one = whole(setting)
    torch.manual_seed(3)
    assert whole(setting).loss == one.loss and one.loss != whole(SMALL).loss
    assert one.held[0] == whole(SMALL).held[0]  # a look before the first step: nothing is dropped


@pytest.mark.parametrize("feedforward", ("relu", "linear", "none"))
def test_parameters_are_those_that_a_gradient_reaches(feedforward: str) -> None:
    setting = replace(SMALL, norm="pre", feedforward=feedforward)
    network = begin(setting)
    rows, asked = tensors(batch(setting.task, 0, 1, 16), setting.task)
    with editing(setting.edits):
        losses(network(rows), rows, asked).sum().backward()
    reached = [one.numel() for one in network.parameters() if one.grad is not None and bool(one.grad.any())]
    assert sum(reached) == parameters(setting)


def test_without_the_residual_a_layer_gives_its_sublayers_output_alone() -> None:
    from core.model.taps import editing, recording

    setting = replace(SMALL, norm="pre", residual=False)
    rows, _ = tensors(batch(setting.task, 0, 1, 1), setting.task)
    with torch.no_grad(), editing(setting.edits), recording() as tape:
        begin(setting)(rows)
    given, added = tape.tensors["encoder.1.feedforward.output"], tape.tensors["encoder.1.feedforward.residual"]
    assert torch.equal(given, added)
