"""The sentences to open on, and the way back to them."""

import tomllib
from functools import cache

from core.files import ASSETS


@cache
def read(name: str) -> dict:
    """A file of assets/samples. A page is run anew at each click: there it would be parsed each time."""
    return tomllib.loads((ASSETS / f"samples/{name}.toml").read_text(encoding="utf-8"))


_SAMPLES = read("sentences")


def example(language: str) -> str:
    """The path's own sentence."""
    return _SAMPLES[language]["example"]


def is_example(text: str) -> bool:
    """Whether it is what either site opens on, and nobody's own sentence."""
    return any(text == samples["example"] for samples in _SAMPLES.values())


def presets(slug: str, language: str) -> list[str]:
    """Sentences that show something on this stage: the visitor's language first, then the stage's own."""
    other = "en" if language == "zh" else "zh"
    return list(dict.fromkeys([*_of(slug, language), *_of(slug, other)[:3]]))


def _of(slug: str, language: str) -> list[str]:
    samples = _SAMPLES[language]
    return [samples["example"], *samples["stages"].get(slug, []), *samples["everywhere"]]
