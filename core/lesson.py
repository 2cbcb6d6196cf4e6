"""What a model brings to be taught by: its own words, sentences and examples, beside its weights.

`lesson.toml` in the model's folder has `[zh.<stage>]` and `[en.<stage>]`, what this model's visitors are told there
instead of what is true of any model ("common" for every page); `[stages.<stage>]`, what the stage opens on;
`[exercises]`, by stage a sentence that has a solution; `without`, exercises that none has. A model without one is shown
all the same.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from .files import MODELS


@dataclass(frozen=True)
class Lesson:
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # language -> stage -> words by their keys
    stages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # stage -> what it opens on
    exercises: Mapping[str, str] = field(default_factory=dict)  # stage -> sentence
    without: Sequence[str] = ()  # exercises, "<stage>.<id>", that no sentence of it solves


@cache
def lesson_of(model: str) -> Lesson:
    """The lesson of a model, by its id or its folder."""
    file = next((file for at in (MODELS / model, Path(model)) if (file := at / "lesson.toml").is_file()), None)
    if file is None or not model:
        return Lesson()
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    return Lesson(
        {language: raw[language] for language in ("zh", "en") if language in raw},
        raw.get("stages", {}),
        raw.get("exercises", {}),
        raw.get("without", ()),
    )
