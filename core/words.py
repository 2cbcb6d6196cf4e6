"""The words of the site, from assets/lessons: `[zh]` and `[en]` side by side, the shared ones in `_common.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

from .counting import agreed
from .files import ASSETS

LESSONS = ASSETS / "lessons"
LANGUAGES = ("zh", "en")
NAMED = re.compile(r"\{(\w+)\}")


@cache
def lesson(slug: str) -> dict[str, dict[str, str]]:
    """One file of lessons: language -> dotted key -> text; nothing for a page that has no words of its own."""
    if not (LESSONS / f"{slug}.toml").is_file():
        return {language: {} for language in LANGUAGES}
    raw = tomllib.loads((LESSONS / f"{slug}.toml").read_text(encoding="utf-8"))
    return {language: dict(flat(raw[language])) for language in LANGUAGES}


def flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested tables as dotted keys."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


def help_of(page: str, language: str, name: str) -> str | None:
    """What a control does, by its name; None where nobody says."""
    said = lesson("help")[language]
    return next((said[key] for key in (f"{page}.{name}", f"every.{name}") if key in said), None)


class Words:
    """The words of one page in one language, plain: `t("lines.head", layer=3, head=9)`."""

    def __init__(self, language: str, slug: str):
        self.language, self.slug = language, slug
        self.words = lesson("_common")[language] | lesson(slug)[language]

    def __call__(self, key: str, **values: object) -> str:
        """A text; what nobody gives stays as it is, for a picture to fill in."""
        text = agreed(self.words[key], values)
        return NAMED.sub(lambda found: str(values.get(found[1], found[0])), text)

    def __contains__(self, key: str) -> bool:
        return key in self.words

    def help(self, name: str) -> str:
        """What a control inside a picture does, by its name; empty where nobody says."""
        return help_of(self.slug, self.language, name) or ""
