"""The translator on its way: the last step is the model in use, and what is said of the others is so."""

from random import Random

import numpy as np
import pytest
import torch

from core import capture, grammar
from core.training.snapshots import SENTENCES, STEPS, measure, measured, network_at
from core.training.translator import FOLDER
from core.views.snapshots import grown, model_at
from tests.models import loaded


@pytest.fixture(scope="module")
def models():
    model = loaded("translator")
    return {step: model_at(model, step) for step in STEPS}


def test_the_last_step_is_the_model_in_use() -> None:
    ours, theirs = network_at(FOLDER, STEPS[-1]).state_dict(), loaded("translator").network.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_a_step_that_was_not_kept_is_not_there() -> None:
    with pytest.raises(OSError):
        network_at(FOLDER, 123)


def test_the_command_measures_it_again() -> None:
    """The last of it, on fewer sentences."""
    (found,) = measure(FOLDER, STEPS[-1:], 12)
    assert found["step"] == STEPS[-1] and found["exact"] > 0.9


def test_heads_become_an_alignment() -> None:
    about = measured()
    assert about["sentences"] == SENTENCES and [each["step"] for each in about["steps"]] == list(STEPS)
    best = [np.array(each["argmax"]).max() for each in about["steps"]]
    assert best[0] < 0.2 and best[-1] > 0.95 and best == sorted(best)
    exact = [each["exact"] for each in about["steps"]]
    assert exact[0] == 0 and exact == sorted(exact)


@pytest.mark.long
def test_one_sentence_on_the_way(models) -> None:
    for seed in range(2):
        text = grammar.sample(Random(seed)).zh
        found = grown(models, text)
        assert found.wrote[STEPS[-1]] == capture(loaded("translator"), text).text_out
        for step in STEPS:
            assert found.weights[step].shape == (2, 4, len(found.target), len(found.source))
            assert np.allclose(found.weights[step].sum(-1), 1, atol=1e-5)
