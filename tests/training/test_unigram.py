"""The pieces that are committed are those their command makes."""

from pathlib import Path

import pytest

from core.text.unigram import PIECES
from core.training import unigram


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.thorough
def test_the_command_makes_the_committed_pieces(tmp_path: Path) -> None:
    made = tmp_path / "pieces.tsv"
    unigram.save(unigram.train(), made)
    new, old = (dict(line.rsplit("\t", 1) for line in read(path)) for path in (made, PIECES))
    stale = "the presets have changed since: python -m core.training.unigram"
    assert len(old) == unigram.SIZE and new.keys() == old.keys(), stale
    assert all(abs(float(new[piece]) - float(old[piece])) < 0.01 for piece in old)
    assert sum(new[piece] != old[piece] for piece in old) < 100
    assert made.stat().st_size < 320_000


def test_spaces_are_there_to_learn_from() -> None:
    assert "The cat sat on the mat." in set(unigram.presets())
