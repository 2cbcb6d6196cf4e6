"""What the stages' own derivations say of where their numbers are from: it is the very number that stands there."""

from collections.abc import Iterator

import pytest

from core import Capture, Model, capture
from core.derivation import Cell, Derivation, Measure, measures
from core.derivation import input as of_input
from core.derivation import layernorm as of_layernorm
from core.derivation import position as of_position
from core.views.input import input_view
from core.views.layernorm import norm_view, places
from core.views.position import own_table
from tests.models import loaded

ROOMS = {"minilm": "The cat sat on the mat.", "translator": "我昨天在北京买了三本书"}


@pytest.fixture(scope="module", params=ROOMS)
def room(request: pytest.FixtureRequest, minilm: Model) -> tuple[Model, Capture]:
    model = minilm if request.param == "minilm" else loaded(request.param)
    return model, capture(model, ROOMS[request.param])


def named(run: Capture, derivations: Iterator[Derivation]) -> int:
    """How many numbers say where they are from; each says it rightly."""
    count = 0
    for derivation in derivations:
        for step in derivation.steps:
            for number, origin in step.numbers():
                there = measures.number(run, origin)
                assert number == (pytest.approx(there, rel=1e-5) if isinstance(origin, Measure) else there), (
                    step.id,
                    origin,
                )
                count += 1
    return count


def test_input(room: tuple[Model, Capture]) -> None:
    model, run = room
    view = input_view(run, model)
    alike = 6 * len(view.names)  # of each sum the three largest products
    for kind, count in {"token": 8, "sum": 8 + alike, "output": 8, "joined": alike}.items():
        assert named(run, iter([of_input.derive_pair(view, kind, 1, 3)])) == count


def test_layernorm(room: tuple[Model, Capture]) -> None:
    model, run = room
    for place in places(model):
        view = norm_view(run, model, place)
        changed = of_layernorm.derive(view, view.ran(factor=2), "normalized", 1, 5)
        assert changed.origins == (Cell(view.given, (1, 5)),) and named(run, iter([changed])) == 1


def test_position(room: tuple[Model, Capture]) -> None:
    model, run = room
    made = named(run, iter([of_position.derive_cell(own_table(model), 2, 17)]))
    assert made == (1 if model.config.position == "learned" else 0)
