"""What a number goes into: each of these is made of it, by exactly that term, and none of its tap by a larger one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, capture, derive
from core.derivation.ancestry import standing
from core.derivation.flow import Flow
from core.derivation.onward import goes_into, part_of
from core.derivation.reading import reads, value
from tests.models import loaded
from tests.tiny import TEXT, tiny


@pytest.fixture(scope="module", params=["minilm", "translator", "tiny"])
def run(request):
    if request.param == "tiny":
        return capture(tiny("pre"), TEXT)
    return capture(loaded(request.param), {"minilm": "Cats sat.", "translator": "我买书"}[request.param])


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_whatever_it_goes_into_is_made_of_it(run, data):
    names = [name for name in run.names() if not name.endswith(("mask", "skip", "probabilities", "logits"))]
    name = data.draw(st.sampled_from(names))
    cell = Cell(name, tuple(data.draw(st.integers(0, size - 1)) for size in run[name].shape))
    found, flow = goes_into(run, cell), Flow.of(run)
    start = found.nodes[0].source
    for edge in found.edges:
        node = found.nodes[edge.made]
        assert isinstance(node.source, Cell) and node.value == value(run, node.source)
        assert any(standing(flow, origin).covers(start) for origin in reads(flow, node.source))
        if edge.left is not None and edge.right is not None:
            assert edge.value == pytest.approx(edge.left * edge.right)
            assert pytest.approx(found.nodes[0].value, rel=1e-5, abs=1e-6) in (edge.left, edge.right)
        assert 0 < edge.share <= 1 + 1e-9


def test_of_a_tap_it_names_the_largest(run):
    stack = next(iter(run.by.stacks))
    activated = f"{stack}.0.feedforward.activated"
    start = Cell(activated, (1, int(run[activated][1].argmax())))
    tap, flow = f"{stack}.0.feedforward.output", Flow.of(run)
    found = [node.source for node in goes_into(run, start, named=2).nodes[1:] if node.source.name == tap]

    def term(cell: Cell) -> float:
        part = part_of(derive(run, cell), flow, start)
        assert part is not None
        return abs(part[0])

    some = sorted(term(Cell(tap, (1, i))) for i in range(min(run[tap].shape[1], 40)))
    named = [term(cell) for cell in found if isinstance(cell, Cell)]
    assert len(named) == 2 and min(named) >= some[-2] * (1 - 1e-9)
