"""One vocabulary for two languages: special tokens, then the source's characters, then the target's words."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

SPECIALS = ("[PAD]", "[UNK]", "[BOS]", "[EOS]")


@dataclass(frozen=True)
class SharedVocabulary:
    """What stands in the rows of the translator's one table.

    Attributes:
        source: the characters that a source may be made of.
        target: the words that a target may be made of.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.pieces)) != len(self.pieces):
            raise ValueError("a piece stands twice in the vocabulary")

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> "SharedVocabulary":
        """Read a `vocabulary.json`.

        Raises:
            OSError: it cannot be read.
            ValueError: it is no such vocabulary.
        """
        try:
            raw = json.loads(Path(path).read_text(encoding="utf-8"))
            special, source, target = (strings(raw[key]) for key in ("special", "source", "target"))
        except (KeyError, TypeError) as error:
            raise ValueError(f"no vocabulary of characters and words: {error!r}") from error
        if special != SPECIALS:
            raise ValueError(f"the special tokens must be {', '.join(SPECIALS)}")
        return cls(source, target)

    def write(self, path: str | PathLike[str]) -> None:
        """Write it as `from_file` reads it."""
        raw = {"special": SPECIALS, "source": self.source, "target": self.target}
        Path(path).write_text(json.dumps(raw, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The piece at `i` has id `i`."""
        return SPECIALS + self.source + self.target

    def source_ids(self) -> dict[str, int]:
        """Character -> id, without the special tokens."""
        return {piece: id for id, piece in enumerate(self.source, len(SPECIALS))}

    def target_ids(self) -> dict[str, int]:
        """Word -> id, without the special tokens."""
        return {piece: id for id, piece in enumerate(self.target, len(SPECIALS) + len(self.source))}


def strings(raw: Sequence[str]) -> tuple[str, ...]:
    if isinstance(raw, str) or not all(isinstance(piece, str) for piece in raw):
        raise TypeError("a list of strings is wanted")
    return tuple(raw)
