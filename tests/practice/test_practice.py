"""The starter files: as they are their own tests fail, for want of what is to be written; with a solution they pass."""

import importlib.util
import unittest
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from core.training import practice
from tests.practice import solutions

FOLDER = Path(__file__).parents[2] / "assets/practice"
FILES = sorted(path.stem for path in FOLDER.glob("*.py"))


def starter(name: str) -> ModuleType:
    """The file as a learner has it."""
    spec = importlib.util.spec_from_file_location(f"practice_{name}", FOLDER / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solve(module: ModuleType) -> ModuleType:
    for name in ("LearnedPositions", "sinusoids", "wavelength", "distance", "random_table"):
        if hasattr(module, name):
            setattr(module, name, getattr(solutions, name))
    if hasattr(module, "LayerNorm"):
        module.LayerNorm.forward, module.Block.forward = solutions.normalised, solutions.arranged
    return module


def run(module: ModuleType) -> unittest.TestResult:
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(module.Tests).run(result)
    return result


def test_there_are_three() -> None:
    assert FILES == ["layernorm", "positions", "waves"]


@pytest.mark.parametrize("name", FILES)
def test_as_it_is_every_test_says_that_something_is_to_be_written(name: str) -> None:
    result = run(starter(name))
    assert result.testsRun >= 5 and len(result.errors) == result.testsRun
    assert all("NotImplementedError" in text for _, text in result.errors)


@pytest.mark.parametrize("name", FILES)
def test_a_solution_passes(name: str) -> None:
    result = run(solve(starter(name)))
    assert result.wasSuccessful(), [text for _, text in (*result.errors, *result.failures)]


WRONG: dict[str, tuple[str, Callable[[ModuleType], None]]] = {
    "the same row everywhere": (
        "positions",
        lambda m: setattr(m.LearnedPositions, "forward", lambda self, x: x + self.table[0]),
    ),
    "nothing said beyond the table": (
        "positions",
        lambda m: setattr(
            m.LearnedPositions, "forward", lambda self, x: x + self.table[:10].repeat(2, 1)[: x.shape[1]]
        ),
    ),
    "sine and cosine swapped": (
        "waves",
        lambda m: setattr(m, "sinusoids", lambda n, d: solutions.sinusoids(n, d).roll(1, 1)),
    ),
    "the variance by d - 1": (
        "layernorm",
        lambda m: setattr(
            m.LayerNorm, "forward", lambda self, x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)
        ),
    ),
    "always post-norm": (
        "layernorm",
        lambda m: setattr(m.Block, "forward", lambda self, x: self.norm(x + self.sublayer(x))),
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_is_found(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, spoil = WRONG[what]
    monkeypatch.setattr(solutions.LearnedPositions, "forward", solutions.LearnedPositions.forward)  # put back after
    module = solve(starter(name))
    spoil(module)
    assert not run(module).wasSuccessful()


@pytest.mark.long
def test_what_learners_then_see_of_norms() -> None:
    """Ten layers by plain gradient descent: with a norm they learn, without they do not; two learn either way."""
    module = solve(starter("layernorm"))
    assert module.steps_until("post", 10, "SGD") and module.steps_until("pre", 10, "SGD")
    assert module.steps_until("none", 10, "SGD") is None
    assert module.steps_until("none", 2, "SGD") and module.steps_until("none", 10, "Adam")


def test_the_waves_are_drawn() -> None:
    module = solve(starter("waves"))
    picture = module.svg([("sinusoids", module.sinusoids(20, 8))], (0, 2))
    assert picture.count("<polyline") == 2 and "nan" not in picture


def test_the_page_shows_what_the_solved_files_find() -> None:
    """Numbers of the file that was kept, made again with the learners' solution."""
    kept, module = practice.found(), solve(starter("layernorm"))
    for optimizer, layers, norm in (("SGD", 2, "none"), ("Adam", 2, "post")):
        steps = kept["norms"][optimizer][practice.DEPTHS.index(layers)][practice.NORMS.index(norm)]
        assert module.steps_until(norm, layers, optimizer) == pytest.approx(steps, abs=2)
    assert kept["norms"]["SGD"][-1][practice.NORMS.index("none")] is None
    losses = kept["positions"]
    assert len(losses) == practice.STEPS + 1 and losses[0] > 2 and losses[-1] < 0.01
    assert practice.positions_losses() == pytest.approx(losses, abs=1e-3)
