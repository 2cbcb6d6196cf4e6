"""The training page: one weight, the veil, the curves, what is followed, bad addresses, both languages."""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.derivation.training import derive_step
from core.training.runs import Setting, train
from core.views.descent import POINTS, RATES, STEPS
from pages.shared.server.fair_queue import Who
from pages.shared.server.trainings import OVER, Training
from pages.shared.words.numbers import PROSE, short
from pages.shared.words.texts import Texts
from pages.stages.training import (
    contest_words,
    gradient,
    overfit,
    own_training,
    positions,
    practice,
    recorded,
    together,
    words,
)
from pages.stages.training.contest_followed import followed as contest_followed
from pages.stages.training.context import DIFFERS, USUAL, descents, family
from pages.stages.training.followed import followed, places
from pages.stages.training.opened import opened as opened_of
from pages.stages.training.picture import curve
from pages.stages.training.runs_picture import runs

# ---- one weight


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_on_one_weight_with_its_curve_veiled(opened, lang: str) -> None:
    page = opened("training", lang)
    drawn, body = page.packed("descent")
    assert drawn["veiled"] and len(drawn["weights"]) == 1 and len(body) == 2 * POINTS * 4
    usual = descents().of[USUAL]
    assert drawn["slopes"] == [abs(usual.gradients[0])]  # and not which way
    assert not any(char.isdigit() for step in page.data("derivation")["steps"] for char in str(step["operation"]))
    assert "×" not in page.html.partition("Go deeper")[0]  # the rule of a step would answer, too
    first, second = (short(float(loss), PROSE) for loss in usual.losses[:2])
    assert second not in page.html and first in page.html


@pytest.mark.parametrize("slope", [0.5, -0.5])
def test_which_of_the_two_curves_is_true_cannot_be_seen(slope: float) -> None:
    """They are each other's mirror image about the weight, and the one that rises to the right is always sent."""
    usual = descents().of[USUAL]
    assert usual.weights[0] - usual.along[0] == pytest.approx(usual.along[-1] - usual.weights[0])
    valley = replace(usual, gradients=np.array([slope]), curve=usual.along * slope)
    assert np.gradient(curve(valley, turned=True, covered=True)).min() > 0


def slope_along_the_right_score(of: Callable[[Tensor], Tensor], p: float) -> float:
    """By autograd, of a loss of p, where the right one of 46 tokens has p and the others share the rest."""
    scores = torch.tensor([p, *[(1 - p) / 45] * 45], dtype=torch.float64).log().requires_grad_()
    of(scores.softmax(0)[0]).backward()
    assert scores.grad is not None
    return scores.grad[0].item()


def test_an_untrained_network_is_worse_than_guessing_and_a_logarithm_pulls_where_it_is_wrong(opened) -> None:
    html = opened("training", "en", guess="skip", section="together").html
    loss = together.losses(min(RATES))[0]
    found, p = together.beginning(loss), float(np.exp(-loss))
    assert loss > np.log(46) and found["guess"] == f"{np.log(46):.2f}"
    assert float(str(found["steep"]).replace("−", "-")) == pytest.approx(
        slope_along_the_right_score(lambda right: -right.log(), p), rel=0.005
    )
    assert float(str(found["flat"]).replace("−", "-")) == pytest.approx(
        slope_along_the_right_score(lambda right: 1 - right, p), rel=0.005
    )
    assert f"The untrained network has {found['loss']}, which is worse" in html


@pytest.mark.parametrize("rate", RATES)
def test_the_whole_way_is_drawn_once_it_is_answered(opened, rate: float) -> None:
    page = opened("training", "en", guess="skip", rate=f"{rate:g}", open="1")
    drawn, body = page.packed("descent")
    assert not drawn["veiled"] and len(body) == 2 * POINTS * 4
    assert drawn["weights"] == descents().of[rate].weights[: STEPS + 1].tolist()


def test_the_second_question_covers_the_rate_it_asks_about_alone(looked) -> None:
    asked = {"ask": 1, "guess": "open"}
    usual, large = (looked("training", **asked, rate=rate) for rate in ("1", "10"))
    assert usual.question.template.startswith("overshoot")
    assert usual.veiled and not usual.covered and large.covered
    assert not any(short(float(descents().of[10.0].losses[1]), PROSE) in said for said in words.notices(usual))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("made", [0, 1, STEPS])
def test_the_step_by_hand_is_the_one_pytorch_takes(looked, rate: float, made: int) -> None:
    context = looked("training", guess="skip", rate=f"{rate:g}", times=made)
    derivation = derive_step(context.descent, made)
    assert abs(derivation.difference) < 1e-12 and len(places()) == context.descent.states.shape[1]
    assert followed(context).value == short(float(context.descent.weights[made + 1]))


def test_the_gradient_is_what_nudging_finds_and_the_loss_is_that_of_torchs_layers(looked) -> None:
    context = looked("training", guess="skip")
    slopes = [abs(nudge.slope - context.descent.gradients[0]) for nudge in gradient.tried()]
    assert slopes == sorted(slopes, reverse=True) and slopes[-1] < 1e-6
    assert opened_of(context).compare()[1] < 1e-4


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_smaller_nudge_has_more_of_the_gradients_digits(opened, lang: str) -> None:
    page = opened("training", lang, section="gradient", guess="skip")
    same = [len(digits) for digits in re.findall(r"<span class='amount'><b>([\d.]+)</b>", page.html)]
    assert len(same) == 5 and same[:4] == sorted(set(same[:4])) and same[3] <= same[4] == len("0.5953014")
    for nudge in gradient.tried():
        difference, twice = (float(part) for part in gradient.divided(nudge).split(" ÷ "))
        assert difference / twice == pytest.approx(nudge.slope, abs=1e-7)  # as a reader divides them


@pytest.mark.long
def test_what_is_said_of_each_rate_is_so() -> None:
    small, usual, large = (descents().of[rate] for rate in RATES)
    for descent in (small, usual):
        assert (np.diff(descent.losses[:-1]) <= 0).all()
    assert abs(usual.gradients[STEPS]) < 0.01 < abs(small.gradients[STEPS])
    assert large.losses[1] > large.losses[0] and large.gradients[1] * large.gradients[0] < 0
    assert usual.curve.min() >= usual.losses[STEPS] - 1e-4
    outcomes = {rate: together.outcome(together.losses(rate)) for rate in RATES}
    assert outcomes == {0.1: "fell", 1.0: "uneven", 10.0: "lost"}


@given(st.floats(1e-4, 10), st.sampled_from([1, -1]), st.sampled_from(["zh", "en"]))
def test_a_slope_that_is_not_zero_is_not_written_as_zero(size: float, sign: int, lang: str) -> None:
    run = SimpleNamespace(rate=1.0, dim=20, losses=np.ones(4), gradients=np.full(4, sign * size))
    view = SimpleNamespace(of=defaultdict(lambda: run))
    told = SimpleNamespace(covered=False, veiled=True, t=Texts(lang, "training"), view=view)
    said = words.notices(told)[1]  # type: ignore[arg-type]
    wanted = short(sign * size, PROSE)
    assert wanted in said and float(wanted.replace("−", "-")) == pytest.approx(sign * size, rel=0.01)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", ["gradient", "together", "overfit", "positions", "chat"])
def test_every_section_is_drawn(opened, lang: str, section: str) -> None:
    page = opened("training", lang, section=section, rate="0.1")
    assert page.html and not page.app.exception


def test_what_is_said_of_overfitting_is_so() -> None:
    runs = family("dropout").runs
    facts = overfit.facts(runs)
    assert facts["best"] == "0.1" and float(facts["own"]) < float(facts["low"]) < float(facts["end"])
    for run in runs.values():
        own, held = overfit.curves(run)
        assert len(own) == len(held) == len(run.looks)
        assert float(own[-1]) == pytest.approx(float(run.loss[-10:].mean()), rel=1e-5)


def test_the_table_of_positions_gets_its_structure_from_training() -> None:
    facts = positions.facts(positions.tables())
    assert float(facts["first"]) < float(facts["last"]) and float(facts["short"]) < float(facts["long"])


# ---- the contest


@pytest.mark.parametrize("what", DIFFERS)
def test_every_family_is_drawn(opened, what: str) -> None:
    lang = "zh" if DIFFERS.index(what) % 2 else "en"
    page = opened("training", lang, what=what, section="contest", open="1")
    drawn, body = page.packed("runs")
    curves = sum(course["seeds"] * 2 * (course["steps"] + len(course["looks"])) for course in drawn["courses"])
    cells = sum(len(course["kept"]) * course["size"][0] * course["size"][1] for course in drawn["courses"])
    assert len(body) == 4 * curves + 2 * cells
    assert all(proto.json for proto in page.protos("derivation"))


@pytest.mark.parametrize("what", DIFFERS)
def test_torch_has_the_same_first_losses(looked, what: str) -> None:
    context = looked("training", what=what, section="contest")
    first = max(float(run.loss[0]) for run in context.family.runs.values())
    assert opened_of(context).compare()[1] < 1e-4 * first


@pytest.mark.parametrize("step", [1, 77, 240])
def test_what_is_followed_is_what_is_drawn(looked, step: int) -> None:
    for id in ("post", "pre", "none"):
        context = looked("training", run=id, step=step, section="contest")
        assert contest_followed(context).steps[-1].value == contest_followed(context).value
        assert float(context.run.loss[step - 1]) in [
            float(v) for v in runs(context).values[0:][list(context.family.runs).index(id) * 12]
        ]


def test_a_step_beyond_the_end_is_repaired(looked) -> None:
    context = looked("training", step=100_000, guess="skip")
    assert context.step == context.family.steps and [repair.code for repair in context.page.address.repairs] == [
        "address"
    ]
    assert looked("training", what="tied", step=240, guess="skip").step == 240


def test_said_of_two_runs_is_what_their_ends_say(looked) -> None:
    for what in ("warmup", "scale", "tied", "frequent", "position", "residual", "feedforward", "heads", "dropout"):
        context = looked("training", "en", what=what, guess="skip")
        first, *others = context.family.runs
        for other in others:
            a, b = context.family.runs[first].ends, context.family.runs[other].ends
            said = contest_words.compared(context, first, other)
            assert ("a lower loss" in said) == (max(a) < min(b))
            assert ("a higher loss" in said) == (min(a) > max(b))


# ---- one's own


def test_an_address_says_what_is_trained(looked) -> None:
    asked = {"task": "reverse", "norm": "none", "layers": "6", "rate": "100", "steps": 50, "tied": "no"}
    context = looked("training", section="own", **{f"my_{name}": value for name, value in asked.items()})
    setting = own_training.setting_of(context.values)
    assert (setting.task, setting.norm, setting.layers, setting.rate, setting.steps) == (
        "reverse",
        "none",
        6,
        100.0,
        50,
    )
    assert not setting.tied and setting.root_k and not context.veiled
    assert own_training.setting_of(looked("training").values) == Setting()


BAD = [{"my_steps": 10**9}, {"my_steps": 0}, {"my_width": "3"}, {"my_layers": "999"}, {"my_rate": "nan"}]


def test_the_example_has_the_settings_that_ones_own_training_opens_with(looked) -> None:
    opening = own_training.setting_of(looked("training", section="own").values)
    assert own_training.example(Texts("en", "training")).courses[0].steps == opening.steps
    assert family("norm2").runs["post"].setting == opening


@pytest.mark.parametrize("bad", BAD)
def test_absurd_settings_are_repaired(looked, bad: dict) -> None:
    context = looked("training", **bad)
    assert [repair.code for repair in context.page.address.repairs] == ["address"]
    assert own_training.setting_of(context.values) == Setting()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", own_training.OPTIONS)
def test_every_setting_can_be_begun_and_has_words(looked, lang: str, name: str) -> None:
    for id in own_training.OPTIONS[name]:
        context = looked("training", lang, **{f"my_{name}": id})
        setting = own_training.setting_of(context.values)
        assert own_training.parameters_of(setting) > 0 and own_training.called(context.t, setting)
        own_training.controls(context).data()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_how_it_ended_is_said(looked, lang: str) -> None:
    t = looked("training", lang).t
    blown = Training(Setting(rate=100.0, warmup=0, d_model=8), "", Who("", ""))
    *_, blown.log = train(blown.setting)
    blown.state = "done"
    assert ("发散" if lang == "zh" else "diverged") in own_training.outcome(t, blown)
    for state in OVER:
        fine = Training(Setting(d_model=8, steps=20), "", Who("", ""), state=state)
        assert own_training.outcome(t, fine)
        *_, fine.log = train(fine.setting)
        assert "{" not in own_training.outcome(t, fine)
    for state in ("waiting", "running", "paused"):
        assert "{" not in own_training.state(t, Training(Setting(), "", Who("", ""), state=state))


# ---- the translator's


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_translator_on_its_way_is_drawn(opened, lang: str) -> None:
    page = opened("training", lang, section="recorded")
    drawn, _ = page.packed("matrix")
    assert len(drawn["planes"]) == 5 * 8 and drawn["name"] == ["after", "head"]
    assert "I bought three books in Beijing yesterday" in page.html and "6,000" in page.html


@pytest.mark.long
@pytest.mark.parametrize("text", ["", "  ", "The cat sat.", "😀", "我", "他" * 500, "<script>", "שלום", "…。？"])
def test_any_sentence_can_be_read_on_the_way(looked, text: str) -> None:
    read = recorded.text_of(looked("training", text=text, section="recorded").page)
    assert 0 < len(read) <= recorded.READ
    assert read == text[: recorded.READ] or read == "我昨天在北京买了三本书"


def test_a_sentence_of_ones_own_is_written_on_the_way(opened) -> None:
    page = opened("training", "zh", section="recorded", text="小明昨天晚上看了一部电影")
    assert "“小明昨天晚上看了一部电影”写成了" in page.html


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_practices_can_be_taken_away(opened, lang: str) -> None:
    page = opened("training", lang, section="practice")
    assert len(page.app.get("download_button")) == 3
    assert all("NotImplementedError" in practice.file(name) for name in practice.PRACTICES)
