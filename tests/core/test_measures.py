"""How long a row is and how alike two are: held against torch, and every number in a step is the one it names."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Weight, capture
from core.derivation.derive import array, value
from core.derivation.measures import Cosine, Length, Ratio, cosine_steps, length_steps, measure, measured
from core.derivation.steps import Vector

TEXT = "The cat sat on the mat."


@pytest.fixture(scope="module")
def run(minilm):
    return capture(minilm, TEXT)


def rows(run) -> list:
    taps = [tap for tap in ("embedding.output", "encoder.2.attention.output", "encoder.5.output") if tap in run]
    return [
        *(Cell(tap, (token, None)) for tap in taps for token in (0, 5)),
        Weight("embedding.token_table.weight", (1996, None)),
    ]


def test_a_length_and_a_cosine_are_torchs_own(run):
    for one in rows(run):
        x = torch.tensor(np.array(of(run, one)))
        made = measure(run, Length(one))
        assert made.value == pytest.approx(float(torch.linalg.vector_norm(x.double())), rel=1e-9)
        assert made.captured == measured(run, Length(one)) and abs(made.difference) < 1e-4 * made.value
        for other in rows(run):
            y = torch.tensor(np.array(of(run, other)))
            alike = torch.nn.functional.cosine_similarity(x.double(), y.double(), dim=0)
            found = measure(run, Cosine(one, other))
            assert found.value == pytest.approx(float(alike), abs=1e-9) and abs(found.difference) < 1e-5
            lengths = [float(torch.linalg.vector_norm(row.double())) for row in (x, y)]
            beside = measure(run, Ratio(one, other))
            assert beside.value == pytest.approx(lengths[0] / lengths[1], rel=1e-9)
            assert abs(beside.difference) < 1e-4 * beside.value


def of(run, row):
    return array(run, row)[row.slices]


def test_every_number_in_a_step_is_the_one_it_names(run):
    for one in rows(run):
        for what in (Length(one), Cosine(one, rows(run)[1])):
            made = measure(run, what)
            assert made.onward in made.origins
            for step in made.steps:
                for number, origin in step.numbers():
                    assert number == value(run, origin)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=40))
@settings(max_examples=25)
def test_a_row_is_as_long_as_it_is(numbers):
    x = Vector(np.array(numbers))
    assert length_steps(x)[-1].value == pytest.approx(float(np.linalg.norm(x.values)), abs=1e-9)
    ratio = cosine_steps(x, x)[-1].value
    assert ratio == pytest.approx(1, abs=1e-9) if x.values @ x.values > 0 else np.isnan(ratio)
