"""A page opens on little: what stands there before anything is opened can be read in a minute; and each section and
each page says what it is for."""

import html
import re
from collections.abc import Callable

import pytest

from core.stages import STAGES
from pages.shared.words.texts import LANGUAGES, lesson
from pages.stages import stages
from tests.pages.conftest import Opened

MOST = {"en": 250, "zh": 350}  # words, characters
LINE = {"en": 20, "zh": 32}  # of what one section holds
UNIT: dict[str, Callable[[str], list[str]]] = {
    "en": lambda text: re.findall(r"[A-Za-z][\w'’-]*", text),
    "zh": lambda text: re.findall(r"[一-鿿]", text),
}
SLUGS = [stage.slug for stage in STAGES]


def prose(page: Opened) -> str:
    """What is said in sentences on a page, and its title; tables and the list of sections are looked up, not read."""
    bodies = [element.proto.body for element in page.app.get("html")]
    said = [
        html.unescape(re.sub(r"<[^>]+>", " ", body)) for body in bodies if not re.search("<style|<script|<table", body)
    ]
    return " ".join([*said, *(title.value for title in page.app.title)])


@pytest.mark.parametrize(("slug", "lang"), [(slug, lang) for slug in SLUGS for lang in LANGUAGES])
def test_a_page_opens_on_little(slug: str, lang: str) -> None:
    """Of its own example in this language, the question answered."""
    said = prose(Opened(slug, lang, text=None, guess="skip"))
    assert len(UNIT[lang](said)) <= MOST[lang]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_section_and_every_page_says_what_it_is_for(slug: str) -> None:
    stage = stages()[slug]
    for lang in LANGUAGES:
        words = lesson(slug)[lang]
        assert [
            id for id in stage.sections if not 3 <= len(UNIT[lang](words.get(f"inside.{id}", ""))) <= LINE[lang]
        ] == []
        assert len(stage.recap) == 3 and all(words[f"recap.{name}"] for name in stage.recap)
