"""What every browser must understand of the stylesheets."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STYLED = [
    path
    for folder, kinds in {"assets": ("css", "js"), "pages": ("py",), "core": ("py",)}.items()
    for kind in kinds
    for path in (ROOT / folder).rglob(f"*.{kind}")
]
# The shorthand with more than a line: WebKit drops it whole, and then nothing shows what can be pressed.
SHORTHAND = re.compile(r"text-?decoration:\s*[\"'`]?[\w-]+\s+[^;\"'`\n]+", re.IGNORECASE)


# The sheet has a theme of its own: there orange is also what an experiment changed.
PICTURES = [path for path in STYLED if path.parent.parent.name == "components" and path.parent.name != "sheet"]
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def test_orange_is_what_is_negative_and_nothing_else() -> None:
    rules = [rule for path in PICTURES if path.suffix == ".css" for rule in RULE.findall(path.read_text("utf-8"))]
    orange = [selector.strip() for selector, said in rules if "--st-orange" in said]
    assert len(orange) >= 2 and all("negative" in selector or ".below" in selector for selector in orange), orange
    drawn = [line for path in PICTURES if path.suffix == ".js" for line in path.read_text("utf-8").splitlines()]
    orange = [line for line in drawn if "--st-orange" in line]
    assert orange and all("negative" in line for line in orange), orange


def test_an_underline_is_dotted_in_every_browser() -> None:
    assert SHORTHAND.search("a { text-decoration: underline dotted red; }")
    assert not SHORTHAND.search("a { text-decoration: underline; }")
    found = {path.name: SHORTHAND.findall(path.read_text(encoding="utf-8")) for path in STYLED}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert sum("text-decoration-style: dotted" in path.read_text(encoding="utf-8") for path in STYLED) >= 5
