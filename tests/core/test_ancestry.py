"""The ancestry of a number: real numbers, shares that add up, ways that end in what was learned."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, capture, derive
from core.derivation import Weight
from core.derivation.ancestry import ancestry, parts_of
from core.derivation.reading import value
from core.derivation.walk import path
from tests.models import loaded
from tests.tiny import TEXT, tiny


@pytest.fixture(scope="module", params=["minilm", "translator", "tiny"])
def run(request):
    if request.param == "tiny":
        return capture(tiny("pre"), TEXT)
    return capture(loaded(request.param), {"minilm": "Cats sat.", "translator": "我买书"}[request.param])


def random_cell(run, data) -> Cell:
    name = data.draw(st.sampled_from([name for name in run.names() if not name.endswith(("mask", "skip"))]))
    return Cell(name, tuple(data.draw(st.integers(0, size - 1)) for size in run[name].shape))


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_every_number_in_it_is_the_one_that_stands_there(run, data):
    found = ancestry(run, random_cell(run, data))
    for node in found.nodes:
        assert node.value == pytest.approx(value(run, node.source), rel=1e-5, abs=1e-6)
    for edge in found.edges:
        if edge.left is not None and edge.right is not None and edge.of is not None:
            assert edge.value == pytest.approx(edge.left * edge.right, rel=1e-6)
            assert pytest.approx(found.nodes[edge.of].value, rel=1e-5, abs=1e-6) in (edge.left, edge.right)


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_what_a_number_hands_on_is_its_own_share(run, data):
    found = ancestry(run, random_cell(run, data), least=0)
    assert found.nodes[0].share == 1
    handed = np.zeros(len(found.nodes))
    for edge in found.edges:
        handed[edge.made] += edge.share
    for node, out in zip(found.nodes, handed, strict=True):
        assert out == pytest.approx(node.share, rel=1e-6) or out == 0


def test_along_the_largest_it_ends_in_what_was_learned(run):
    name = run.by.stream(next(iter(run.by.stacks)))[-1]
    start = Cell(name, (1, 5))
    found = ancestry(run, start)
    assert any(isinstance(node.source, Weight) for node in found.nodes)
    assert len(found.nodes) >= len(list(path(run, start))) // 3


def test_a_bundle_is_what_is_not_named(run):
    cell = Cell(f"{next(iter(run.by.stacks))}.0.feedforward.output", (1, 3))
    made = derive(run, cell)
    parts = parts_of(made, named=3)
    (terms,) = [step.sum.terms for step in made.steps if step.sum is not None]
    named = sum(part.value for part in parts.named if part.right is not None)
    assert parts.rest + named == pytest.approx(float(terms.sum()))
    assert parts.size >= np.abs(terms).sum() * (1 - 1e-9)
