"""The sentences to open on, and the way back to them."""

import tomllib
from pathlib import Path

_SAMPLES = tomllib.loads((Path(__file__).parents[2] / "assets/samples/sentences.toml").read_text(encoding="utf-8"))

EXAMPLE: str = _SAMPLES["example"]


def presets(slug: str) -> list[str]:
    """Sentences that show something on this stage, the stage's own first."""
    own = _SAMPLES["stages"].get(slug, [])
    return list(dict.fromkeys([EXAMPLE, *own, *_SAMPLES["everywhere"]]))
