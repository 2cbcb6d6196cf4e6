"""The package: built, installed where nothing of the repository is, and used from another folder as the README says."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.version import VERSION

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ENGLISH, CHINESE = README.split("\n## 中文\n")
SNIPPETS = {name: re.findall(r"```python\n(.*?)```", text, re.S) for name, text in (("en", ENGLISH), ("zh", CHINESE))}
COMMANDS = re.findall(r"^see-through .+$", README, re.M)
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def run(*command: str | Path, cwd: Path) -> str:
    """What a command says. Nothing of the repository is on its path."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ".", cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One of its own, with the wheel alone; what that needs (torch and the rest) is read where it lies already."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    run(*PIP, "--python", folder, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
    yield folder / "bin"


@pytest.mark.thorough
def test_it_holds_the_product_and_no_more(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    inside = {name for name in names if not name.startswith("see_through_transformer-")}
    assert {name.split("/")[0] for name in inside} == {"see_through"}
    for file in ("py.typed", "__main__.py", "assets/models/poet/weights.safetensors", "assets/components/kit/draw.js"):
        assert f"see_through/{file}" in inside
    assert not any("__pycache__" in name or name.endswith((".pyc", "checkpoint.safetensors")) for name in names)
    assert f"-{VERSION}-" in wheel.name


@pytest.mark.thorough
def test_it_runs_as_a_command(environment: Path, tmp_path: Path) -> None:
    """Each that the README has, one after the other where they may be quick."""
    assert run(environment / "see-through", "--version", cwd=tmp_path).strip() == VERSION
    each = [shlex.split(command)[1:] for command in COMMANDS]
    code = f"import sys; from see_through.__main__ import main; sys.exit(any([main(words) for words in {each}]))"
    said = run(environment / "python", "-c", code, cwd=tmp_path)
    assert len(COMMANDS) >= 8 and "products lie under it" in said and (tmp_path / "run.npz").is_file()


@pytest.mark.thorough
@pytest.mark.parametrize("language", SNIPPETS)
@pytest.mark.long
def test_the_readme_s_examples_run_anywhere(environment: Path, tmp_path: Path, language: str) -> None:
    where = "import see_through; print(see_through.__file__)\n"
    said = run(environment / "python", "-c", where + "\n".join(SNIPPETS[language]), cwd=tmp_path)
    assert len(SNIPPETS[language]) >= 1 and str(environment.parent) in said.splitlines()[0]


def test_what_it_asks_for_is_what_this_was_tested_with() -> None:
    """Every package that it or an extra needs is one of the site's, in a version that fits."""
    import tomllib

    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    for requirement in map(Requirement, asked):
        if requirement.name != "see-through-transformer":
            assert requirement.specifier.contains(version(requirement.name)), requirement
