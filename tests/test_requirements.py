"""What is installed: the constraints hold every package that is asked for, exactly, and nothing of one machine."""

import re
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def lines(name: str) -> list[Requirement]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [Requirement(line) for line in text.splitlines() if line and line[0] not in "#-"]


PINS = {canonicalize_name(pin.name): pin.specifier for pin in lines("constraints.txt")}


def test_the_models_that_are_asked_for_are_one_version_each() -> None:
    asked = lines("requirements-models.txt")
    assert asked and all([pin.operator for pin in models.specifier] == ["=="] for models in asked)


@pytest.mark.parametrize("asked", lines("requirements.txt") + lines("requirements-dev.txt"), ids=str)
def test_every_package_asked_for_is_pinned_to_a_version_it_may_have(asked: Requirement) -> None:
    (pin,) = PINS[canonicalize_name(asked.name)]
    assert pin.operator == "==" and asked.specifier.contains(pin.version)


def test_everything_they_need_is_pinned_too() -> None:
    installed = {canonicalize_name(d.name): d for d in distributions()}
    for name in set(PINS) & set(installed):
        needs = [Requirement(need) for need in installed[name].requires or ()]
        here = [canonicalize_name(n.name) for n in needs if n.marker is None or n.marker.evaluate({"extra": ""})]
        missing = [n for n in here if n not in PINS and n in installed and n not in ("setuptools", "pip", "wheel")]
        assert not missing, f"{name} needs {missing}: make lock"


def test_the_constraints_are_nobodys_machine() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|@|\+|nvidia|cuda|triton", text)


def test_streamlit_is_exactly_the_one_whose_inside_is_used() -> None:
    (streamlit,) = [asked for asked in lines("requirements.txt") if asked.name == "streamlit"]
    assert re.fullmatch(r"==\d+\.\d+\.\d+", str(streamlit.specifier))
