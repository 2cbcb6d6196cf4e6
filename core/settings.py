"""What whoever runs the site may set: environment variables, SEETHROUGH_*, each in one line of one table.

README.md has the same table for people. The site reads all of them when it starts and does not start with a wrong one.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

PREFIX = "SEETHROUGH_"
SERVER = re.compile(r"(rediss?|unix)://\S+")
ORIGIN = re.compile(r"https?://[\w.*-]+(:\d+)?|\*")
T = TypeVar("T")


class SettingError(ValueError):
    """A setting that cannot be used: its name, its value and what it may be, in one sentence."""


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One environment variable. `read` raises ValueError where a value is not what is `allowed`."""

    name: str
    default: str
    allowed: str
    read: Callable[[str], T]

    def __call__(self) -> T:
        said = os.environ.get(self.name, self.default)
        try:
            return self.read(said)
        except ValueError:
            raise self.wrong() from None

    def wrong(self, why: str = "") -> SettingError:
        """What is said of its value; `why` where only whoever uses it can know."""
        said = os.environ.get(self.name, self.default)
        return SettingError(f"{self.name} is {said!r}{why and f' ({why})'}; it may be {self.allowed}.")


def names(said: str) -> tuple[str, ...]:
    """Names with commas between; nothing is none of them."""
    return tuple(name for each in said.split(",") if (name := each.strip()))


def folder(said: str) -> Path:
    """An absolute path; nothing is where caches of this user usually are."""
    if not said:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "see-through"
    if not Path(said).is_absolute():
        raise ValueError(said)
    return Path(said)


def origins(said: str) -> tuple[str, ...]:
    """Where other sites stand: https://moodle.example.org, with commas between."""
    if not all(map(ORIGIN.fullmatch, names(said))):
        raise ValueError(said)
    return names(said)


def origin(said: str) -> str:
    """Where this site stands, as others see it; nothing where the browser knows."""
    if said and (said == "*" or not ORIGIN.fullmatch(said)):
        raise ValueError(said)
    return said


def server(said: str) -> str:
    """Where a server of Redis's protocol is; nothing where there is none."""
    if said and not SERVER.fullmatch(said):
        raise ValueError(said)
    return said


MODELS = Setting(
    f"{PREFIX}MODELS",
    "smollm2,poet",
    "any of smollm2, poet and folders with a model of the families named in README.md, with commas between",
    names,
)
CACHE = Setting(f"{PREFIX}CACHE", "", "the absolute path of a folder that can be written", folder)
FRAME_ANCESTORS = Setting(
    f"{PREFIX}FRAME_ANCESTORS",
    "",
    "origins such as https://moodle.example.org, with commas between, or * for all",
    origins,
)
ROOMS = Setting(
    f"{PREFIX}ROOMS",
    "",
    "the address of a Redis or Valkey that replicas share, such as redis://redis:6379/0",
    server,
)
ADDRESS = Setting(
    f"{PREFIX}ADDRESS",
    "",
    "the address by which a class reaches the site, such as http://192.168.1.5:8501",
    origin,
)
ALL: tuple[Setting, ...] = (MODELS, CACHE, FRAME_ANCESTORS, ROOMS, ADDRESS)


def check() -> None:
    """Read everything that is set. Raises SettingError at what is wrong, or has a name that is no setting's."""
    known = [setting.name for setting in ALL]
    for name, value in os.environ.items():
        if name.startswith(PREFIX) and name not in known:
            raise SettingError(f"{name} is {value!r}, and there is no such setting, only {', '.join(known)}.")
    for setting in ALL:
        setting()
