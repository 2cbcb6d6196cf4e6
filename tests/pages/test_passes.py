"""How often the model is run for a page of a long text: of a chat model each pass takes seconds."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from core import capture, zoo
from core.capture import Capture
from core.derivation import Cell
from core.derivation.ancestry import ancestry
from core.edits import Edit
from core.run_spec import RunSpec
from core.zoo import SOURCES, Source
from pages.shared.server import cached
from tests.tiny import LAYERS, TEXT, tiny

NAME = "tiny_long"
MODEL = tiny("pre", id=NAME)


@pytest.fixture(autouse=True)
def passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """The taps of each pass that was made, in a site to which this text is a long one."""
    made: list[tuple[str, ...]] = []
    core_capture = sys.modules["core.capture"]
    taped = core_capture.taped

    def counted(model, inputs, only, edits):
        found = taped(model, inputs, only, edits)
        if model.id == NAME and only != ():
            made.append(tuple(found))
        return found

    source = Source(NAME, "Tiny", "", "tests", "MIT", 1000, NAME, chinese=True, can=frozenset(), known_sha256="0")
    monkeypatch.setitem(zoo.LOADERS, NAME, lambda source: MODEL)
    monkeypatch.setitem(SOURCES, NAME, source)
    monkeypatch.setattr(core_capture, "taped", counted)
    monkeypatch.setattr(cached, "WHOLE", 4)
    cached.shrink(0)
    yield made
    cached.shrink(0)


@pytest.mark.parametrize("guess", ["open", "skip"])
@pytest.mark.parametrize("at", [None, "2,0,1.5", "2,0,6"])
def test_an_overview_opens_with_one_pass(opened, passes, guess: str, at: str | None) -> None:
    opened("overview", "en", text=TEXT, model=NAME, guess=guess, at=at)
    assert len(passes) == 1
    opened("overview", "zh", text=TEXT, model=NAME, guess=guess, at=at)
    assert len(passes) == 1


def test_another_what_if_of_a_long_text_makes_one_pass(opened, passes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rivers are seen: the run as it is was made for the first."""
    monkeypatch.setattr("pages.stages.overview.sheet.STRIPS", 2)
    opened("overview", "en", text=TEXT, model=NAME, guess="skip", what="mute")
    made = len(passes)
    assert made == 3  # what is shown at first; the run as it is; the changed one
    for more, ask in enumerate(({"what": "mute", "head": 2}, {"what": "cut"}, {"what": "silence", "layer": 2}), 1):
        opened("overview", "en", text=TEXT, model=NAME, guess="skip", **ask)
        assert len(passes) == made + more


def test_the_thread_of_a_number_makes_a_pass_for_many_layers(opened, passes) -> None:
    """At most one for the numbers of the layers around, and one for who looks at whom there."""
    opened("overview", "en", text=TEXT, model=NAME, guess="skip", trail=f"decoder.{LAYERS}.output.2.7")
    assert 1 <= len(passes) <= 3


def test_what_is_kept_of_a_long_text_is_what_was_captured(passes, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little room there is, and whatever has been let go of meanwhile."""
    monkeypatch.setattr(cached, "BESIDE", 0)
    whole, cell = capture(MODEL, TEXT), Cell(f"decoder.{LAYERS - 1}.output", (2, 7))
    long = cached.traced(NAME, RunSpec(TEXT), (cell.tap,))
    one, other = ancestry(whole, cell), ancestry(long, cell)
    assert [node.source for node in one.nodes] == [node.source for node in other.nodes]
    np.testing.assert_allclose([node.value for node in one.nodes], [node.value for node in other.nodes], rtol=1e-4)
    assert not long.later, "it is kept in the cache alone"


def test_a_pass_ends_behind_what_is_asked_for() -> None:
    reached: list[str] = []

    def seen(x):
        reached.append("output")
        return x

    last = Edit("seen", "output.logits", seen)
    first = capture(MODEL, TEXT, only="decoder.0.outpu?", edits=last)
    assert reached == ["output"] and list(first) == ["decoder.0.output"], "a pattern may name what comes yet"
    named: Capture = capture(MODEL, TEXT, only=("decoder.0.attention.query", "embedding.output"), edits=last)
    assert reached == ["output"] and sorted(named) == ["decoder.0.attention.query", "embedding.output"]
    np.testing.assert_array_equal(named["embedding.output"], capture(MODEL, TEXT)["embedding.output"])
