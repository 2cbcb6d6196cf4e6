"""A model that nobody has written a word about: a decoder alone, pre-norm, with random weights.

Every page shows it, without an exception, without a sentence about another model where this one is meant.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import zoo
from core.zoo import SOURCES, Source
from pages.shared.server import cached
from pages.stages import pages
from tests.profiles import some
from tests.tiny import TEXT, tiny

ROOT = Path(__file__).parents[2]
NAME = "tiny"
# Stages and sections that are about one model, whichever reads: these name it.
ABOUT = {("tokens", section) for section in (None, "pair", "holes", "count", "scripts")}
ABOUT |= {("meaning", section) for section in ("grew", "gradient", "languages")}
ABOUT |= {("embedding", "ids"), ("embedding", "begin"), ("position", "learned"), ("size", "models"), ("size", None)}
ABOUT |= {
    ("input", "dropout"),
    ("overview", None),
    ("vocabulary", "use"),
    ("vocabulary", "origin"),
    ("segmentation", None),
}
OTHERS = (
    "translation",
    "output",
    "generation",
    "training",
    "claims",
    "glossary",
    "credits",
)  # which are about certain models
SHOWN = [slug for slug in pages() if slug not in OTHERS]


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """It is one of the models there are: a line in each of the two tables."""
    source = Source(NAME, "Tiny", "", "tests", "MIT", 1000, NAME, chinese=True, can=frozenset(), known_sha256="0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(zoo.LOADERS, NAME, lambda source: tiny("pre", id=NAME))
        patch.setitem(SOURCES, NAME, source)
        cached.model(NAME)
        yield


@pytest.mark.parametrize("slug", pages())
def test_every_page_and_section_shows_it(opened, slug: str) -> None:
    for section in (None, *some(list(pages()[slug].sections))):
        chosen = {"section": section} if section else {}
        page = opened(slug, "zh", text=TEXT, model=NAME, guess="skip", **chosen)
        if slug in SHOWN and (slug, section) not in ABOUT and (slug, None) not in ABOUT:
            said = re.sub(r"<[^>]+>", " ", page.html)
            assert not re.search("MiniLM|翻译模型|译文", said), (
                section,
                re.findall(".{30}(?:MiniLM|翻译模型|译文).{30}", said),
            )


@pytest.mark.parametrize("slug", SHOWN)
def test_while_a_question_is_open(opened, slug: str) -> None:
    opened(slug, "en", text=TEXT, model=NAME)


def named(file: Path) -> list[str]:
    """The texts in a file that are the id of a model, or say something of one by its id."""
    ids = re.compile(rf"(?:^|[./]){'(?:' + '|'.join(SOURCES) + ')'}(?:$|[./])")
    constants = (
        node.value for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)
    )
    return [value for value in constants if isinstance(value, str) and "\n" not in value and ids.search(value)]


@pytest.mark.parametrize("folder", ["pages", "core/views", "core/questions", "core/exercises", "core/figures"])
def test_no_file_asks_which_model_it_is(folder: str) -> None:
    found = {str(file): names for file in (ROOT / folder).rglob("*.py") if (names := named(file))}
    assert not found
