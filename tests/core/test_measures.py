"""How long a row is and how alike two are: held against torch, and every number in a step is the one it names."""

from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Weight, capture, load_model
from core.derivation.derive import array, value
from core.derivation.measures import Cosine, Habit, Length, Ratio, cosine_steps, length_steps, measure, measured
from core.derivation.steps import Vector
from core.errors import InputError
from core.grammar import sample
from core.views.heads import ACROSS, MEASURES

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


def heads_of(run) -> list[Cell]:
    taps = [tap for tap in run.names() if tap.endswith("attention.weights")]
    return [Cell(tap, (head, None, None)) for tap in taps for head in (0, len(run[tap]) - 1)]


def row_of(run, head: Cell, habit: str) -> bool:
    """Whether there is a row that could do it."""
    keys = run.side(head.name, "key")
    texts = [token.text for token in keys]
    there = {"first": keys[0].special, "last": keys[-1].special, "same": len(set(texts)) < len(texts)}
    masked = head.name.startswith("decoder.") and "cross" not in head.name
    return not (masked and habit == "next") and there.get(habit, True)


@pytest.mark.parametrize("name", ["minilm", "translator"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_what_a_head_does_is_the_mean_of_weights_it_names(name: str, seed: int):
    made = sample(Random(seed))
    run = capture(load_model(name), made.zh if name == "translator" else made.en)
    for head in heads_of(run):
        weights = torch.tensor(run[head.name][head.slices]).double()
        across = "cross" in head.name
        for habit in ACROSS if across else MEASURES:
            if not row_of(run, head, habit):
                with pytest.raises(InputError):
                    measure(run, Habit(habit, head))
                continue
            made = measure(run, Habit(habit, head))
            assert abs(made.difference) < 1e-5
            for step in made.steps:
                for number, origin in step.numbers():
                    assert number == value(run, origin)
        if not across:
            previous = float(torch.diagonal(weights, -1).mean())
            assert measure(run, Habit("previous", head)).value == pytest.approx(previous, abs=1e-9)
        if head.name.startswith("encoder."):
            even = torch.special.entr(weights).sum(-1).mean() / np.log(len(weights))
            assert measure(run, Habit("entropy", head)).value == pytest.approx(float(even), abs=1e-9)
