"""The sentences to open on, and the way back to them."""

import tomllib
from pathlib import Path

_SAMPLES = tomllib.loads((Path(__file__).parents[2] / "assets/samples/sentences.toml").read_text(encoding="utf-8"))


def example(language: str) -> str:
    """The path's own sentence."""
    return _SAMPLES[language]["example"]


def presets(slug: str, language: str) -> list[str]:
    """Sentences that show something on this stage: the visitor's language first, then the stage's own."""
    other = "en" if language == "zh" else "zh"
    return list(dict.fromkeys([*_of(slug, language), *_of(slug, other)[:3]]))


def _of(slug: str, language: str) -> list[str]:
    samples = _SAMPLES[language]
    return [samples["example"], *samples["stages"].get(slug, []), *samples["everywhere"]]
