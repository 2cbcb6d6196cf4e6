"""What can go wrong for a reason a person can mend: a code and its parameters, and the words of each code.

The words stand in assets/lessons/_common.toml, in both languages; those of one page's own errors in that page's lesson.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from .counting import agreed
from .files import ASSETS

WORDS = ASSETS / "lessons/_common.toml"


@cache
def words_of(language: str) -> dict[str, str]:
    """Code -> sentence, in "zh" or "en"."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))[language]["errors"]


class InputError(ValueError):
    """An input that cannot be used. `code` names the sentence, `parameters` what stands in it."""

    def __init__(self, code: str, **parameters: object):
        self.code, self.parameters = code, parameters
        details = ", ".join(f"{key} = {value!r}" for key, value in parameters.items())
        super().__init__(f"{code.replace('_', ' ')}: {details}" if details else code.replace("_", " "))

    def words(self, language: str) -> str:
        """What is wrong, as a sentence in "zh" or "en"; the code itself where no sentence is written for it.

        >>> InputError("reads_no_pair", model="translator").words("en")
        'translator reads one text at a time: it takes no pair.'
        """
        said = words_of(language).get(self.code)
        return agreed(said, self.parameters).format(**self.parameters) if said else str(self)

    def __reduce__(self) -> tuple:
        return _again, (type(self), self.code, self.parameters)


class UnknownTap(InputError, KeyError):
    """A tap that was asked for by a name that is none, or that was not kept. Also a KeyError, as of any mapping."""

    __str__ = ValueError.__str__  # a KeyError's would put the sentence in quotes


class WeightsError(RuntimeError):
    """Weights that are missing or not the ones we know; the message says what to do."""


def must_be(path: Path, said: Mapping[str, object], honoured: Mapping[str, Sequence[object]]) -> None:
    """Raise InputError where a file says what is not honoured here. What it does not say is as we know it."""
    for setting, known in honoured.items():
        value = said.get(setting)
        if value is not None and value not in known:
            allowed = " / ".join(map(str, known))
            raise InputError("not_honoured", file=path.name, setting=setting, value=str(value), known=allowed)


def _again(kind: type[InputError], code: str, parameters: dict[str, object]) -> InputError:
    return kind(code, **parameters)
