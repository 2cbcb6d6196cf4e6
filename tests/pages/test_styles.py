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


def test_an_underline_is_dotted_in_every_browser() -> None:
    assert SHORTHAND.search("a { text-decoration: underline dotted red; }")
    assert not SHORTHAND.search("a { text-decoration: underline; }")
    found = {path.name: SHORTHAND.findall(path.read_text(encoding="utf-8")) for path in STYLED}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert sum("text-decoration-style: dotted" in path.read_text(encoding="utf-8") for path in STYLED) >= 5
