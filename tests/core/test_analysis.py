"""What a researcher asks of a run first, held against the lab, against autograd, and against runs made by hand."""

import numpy as np
import pytest
import torch

from core import Model, capture, edits
from core.analysis import attribute, gradient, lens, sweep
from core.errors import InputError
from core.views import circuits
from core.views import output as reading
from core.zoo import SOURCES
from tests.models import loaded

FRANCE = "The capital of France is"
BOOKS = "我昨天在北京买了三本书"


@pytest.fixture(scope="module")
def model() -> Model:
    return loaded("poet")


def test_the_lens_of_norms_first_ends_in_the_model_s_own_words(model: Model) -> None:
    run = capture(model, "床前明月光", only="output.*")
    found = lens(run, top=3)
    last = run["output.probabilities"][-1]
    assert [said.tap for said in found] == list(model.stream("decoder")[:-1])
    assert [share for _, share in found[-1].words] == pytest.approx(np.sort(last)[::-1][:3], rel=1e-4)


def test_the_lens_of_norms_behind_is_the_output_stage_s(translator: Model) -> None:
    run = capture(translator, BOOKS)
    view = reading.output_view(run, translator)
    for row in (0, len(run.target_in) - 1):
        for depth, said in enumerate(lens(run, row, top=1)):
            best = view.best(depth, row)
            assert said.words == ((translator.tokenizer.names[best], pytest.approx(view.shares(depth, row)[best])),)


def test_a_logit_is_the_sum_of_its_parts(model: Model) -> None:
    run = capture(model, "床前明月光")
    at = int(run["output.logits"][2].argmax())
    for by in ("head", "layer"):
        found = attribute(run, token=2, by=by)
        assert found.total == pytest.approx(float(run["output.logits"][2, at]), abs=1e-4) == found.captured
    names = dict(attribute(run, token=2).parts)
    assert len(names) == len(circuits.contributions(run, model, 2, at).parts)
    gap = attribute(run, 5, 2, against=7)
    assert gap.captured == pytest.approx(float(run["output.logits"][2, 5] - run["output.logits"][2, 7]), abs=1e-6)


def test_what_has_no_output_or_no_sum_is_refused(minilm: Model, translator: Model, model: Model) -> None:
    for run, ask, code in (
        (capture(minilm, "The cat."), lens, "no_output"),
        (capture(minilm, "The cat."), attribute, "no_output"),
        (capture(translator, BOOKS), attribute, "no_sum"),
        (capture(model, "床前明"), lambda run: attribute(run, "\u0e01", 0), "not_in_vocabulary"),
        (capture(model, "床前明"), lambda run: attribute(run, 10**6), "cell_outside"),
        (capture(model, "床前明"), lambda run: lens(run, 99), "cell_outside"),
    ):
        with pytest.raises(InputError) as error:
            ask(run)
        assert error.value.code == code


def test_a_gradient_is_what_a_small_step_says(minilm: Model) -> None:
    """Of a loss of one's own, by a state on the way: a step of it moves the loss as the gradient says."""
    run, tap, cell = capture(minilm, "The cat sat."), "encoder.3.output", (2, 17)

    def loss(taps):
        return taps["encoder.5.output"][1].double().square().sum()

    found = gradient(run, loss)
    assert found.loss == pytest.approx(float((run["encoder.5.output"][1].astype(np.float64) ** 2).sum()), rel=1e-5)
    assert set(found) <= set(run) and found[tap].shape == run[tap].shape
    moved = []
    for step in (1e-2, -1e-2):

        def nudge(x: torch.Tensor, step: float = step) -> torch.Tensor:
            x = x.clone()
            x[0, *cell] += step
            return x

        again = capture(minilm, "The cat sat.", edits=edits.Edit("nudge", tap, nudge))
        moved.append(float((again["encoder.5.output"][1].astype(np.float64) ** 2).sum()))
    assert (moved[0] - moved[1]) / 2e-2 == pytest.approx(float(found[tap][cell]), rel=2e-2, abs=1e-3)
    assert all(parameter.grad is None for parameter in minilm.network.parameters())
    with pytest.raises(ValueError, match="one number"):
        gradient(run, lambda taps: taps["encoder.5.output"])


def test_a_sweep_is_a_run_for_every_row(minilm: Model) -> None:
    run, other = capture(minilm, "The cat sat."), capture(minilm, "The dog sat.")

    def first(run) -> float:
        return float(run["encoder.5.output"][0, 0])

    found = sweep(run, other, "encoder.[05].output", first, only=("encoder.5.output",))
    assert found.taps == ("encoder.0.output", "encoder.5.output") and found.values.shape == (2, 6)
    assert (found.own, found.other) == (first(run), first(other))
    assert found.values[1, 0] == first(other) and (found.values[1, 1:] == first(run)).all()
    assert first(found.at("encoder.0.output", 2)) == found.values[0, 2]
    with pytest.raises(InputError) as error:
        sweep(run, capture(minilm, "The dog.", edits="cut"), metric=first)
    assert error.value.code == "not_a_plain_run"


@pytest.mark.skipif("smollm2" not in SOURCES, reason="the chat model is not installed")
def test_the_chat_model_s_country_is_found_as_the_lab_finds_it() -> None:
    model = loaded("smollm2")
    run = capture(model, FRANCE)
    found = attribute(run, "Paris", against="London")
    paris, london = (circuits.next_word(model, word) for word in ("Paris", "London"))
    assert paris is not None
    lab = circuits.contributions(run, model, len(run.tokens) - 1, paris, london)
    assert found.captured == pytest.approx(lab.captured)
    assert found.parts[0][1] == pytest.approx(lab.values[lab.ranked[0]])
    assert lens(run, top=1)[-1].words[0][0] == "Paris"
