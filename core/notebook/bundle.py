"""The site's own files as one piece of JavaScript: for a widget a module, for one HTML file a script."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path

from ..files import ASSETS, ROOT

COMPONENTS = ASSETS / "components"
ADAPTERS = ASSETS / "notebook"
# In the order they need each other. A notebook has the adapter instead of what has to do with Streamlit.
KIT = ("store", "page", "format", "draw", "photo", "save", "touch", "picture", "camera", "streamlit", "terms")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\.\.?/[^"]*";\n?', re.MULTILINE)
BESIDE_IT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";', re.MULTILINE)
NEEDS = re.compile(r'^import \{[^}]*\} from "(?:\./|\.\./kit/|\.\./components/kit/)(\w+)\.js";', re.MULTILINE)
REMARK = re.compile(r"^\s*(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
BESIDE = re.compile(r"\s// [^\n\"'`]*$", re.MULTILINE)  # behind a line; no text open there could end after it
INDENT = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)
CONFIG = ROOT / ".streamlit/config.toml"
AROUND = "box-sizing: border-box; max-width: 1060px; padding: 16px; background: var(--st-background-color);"


@cache
def module(*names: str) -> str:
    """An ES module of these components, as anywidget asks for it."""
    styles = {name: style(name) for name in names}
    clothes = {scheme: f"{AROUND} {variables(scheme)}" for scheme in ("light", "dark")}
    given = f"kinds, styles: {json.dumps(styles)}, themes: {json.dumps(clothes)}"
    return f"{code(names, 'widget')}\nexport default {{ render: renderer({{ {given} }}) }};\n"


@cache
def code(names: tuple[str, ...], place: str) -> str:
    """What these components need of the kit, the adapter to a "widget" or a "file", and each component in a scope of
    its own."""
    kit = [source(COMPONENTS / f"kit/{name}.js") for name in needed(names)]
    adapter = [source(ADAPTERS / f"{name}.js") for name in ("mount", place)]
    own = {name: "\n".join(map(source, modules(name))).replace("export default", "return") for name in names}
    kinds = ",\n".join(f"{name}: (() => {{\n{code}\n}})()" for name, code in own.items())
    return "\n".join([*kit, *adapter, f"const kinds = {{\n{kinds}\n}};"])


def needed(names: tuple[str, ...]) -> list[str]:
    """The modules of the kit that the adapter and these components import, and those that these import."""
    asked = [ADAPTERS / "mount.js", *(path for name in names for path in modules(name))]
    found = {"streamlit"}
    while asked:
        for name in set(NEEDS.findall(asked.pop().read_text(encoding="utf-8"))).intersection(KIT) - found:
            found.add(name)
            asked.append(COMPONENTS / f"kit/{name}.js")
    return [name for name in KIT if name in found and name != "streamlit"]


def modules(name: str) -> list[Path]:
    """The modules of a component, each behind those that it needs; the last is the component itself."""
    folder, found = COMPONENTS / name, {}

    def take(path: Path) -> None:
        for beside in BESIDE_IT.findall(path.read_text(encoding="utf-8")):
            if folder / f"{beside}.js" not in found:
                take(folder / f"{beside}.js")
        found[path] = None

    take(folder / f"{name}.js")
    return list(found)


def source(path: Path) -> str:
    """A module without what it imports and exports by name, its remarks and its margins."""
    code = IMPORT.sub("", path.read_text(encoding="utf-8"))
    code = re.sub(r"^export (?!default)", "", code, flags=re.MULTILINE)
    return INDENT.sub("", BESIDE.sub("", REMARK.sub("", code)))


def style(name: str) -> str:
    """A component's whole style."""
    return kit_style() + own_style(name)


def kit_style() -> str:
    """What stands in every picture, before its own."""
    return rules(COMPONENTS / "kit/kit.css")


def own_style(name: str) -> str:
    """What only this component has; "" where that is nothing."""
    file = COMPONENTS / f"{name}/{name}.css"
    return rules(file) if name != "kit" and file.is_file() else ""


def rules(file: Path) -> str:
    """A stylesheet without remarks and margins: a rule a line."""
    return re.sub(r"/\*.*?\*/|\s+(?=\s)|(?<=[;{])\s", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


@cache
def variables(scheme: str) -> str:
    """The site's fonts, and its colours in "light" or "dark", as Streamlit gives them to a picture: --st-…: …;"""
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    fonts = {name: theme[name] for name in ("font", "headingFont", "codeFont")}
    plain = {name: value for name, value in theme[scheme].items() if isinstance(value, str)}
    lists = {name: ",".join(value) for name, value in theme[scheme].items() if isinstance(value, list)}
    return " ".join(f"--st-{dashed(name)}: {value};" for name, value in {**fonts, **plain, **lists}.items())


def dashed(name: str) -> str:
    """primaryColor -> primary-color."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name)
