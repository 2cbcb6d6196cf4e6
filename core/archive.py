"""A whole capture in one file that describes itself; core/lessons/load_capture.py reads it, with NumPy alone."""

import json
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np
import torch

from .capture import Capture
from .version import VERSION
from .zoo import SOURCES

ABOUT = "about"  # the key of the description; all others are tap names


def save(run: Capture, file: BinaryIO, compressed: bool = True) -> None:
    """Write every tap that was kept, float32, and `about`: one JSON text that says what they are."""
    write = np.savez_compressed if compressed else np.savez
    arrays: dict[str, Any] = {name: run[name] for name in run.names()}
    write(file, allow_pickle=False, **arrays, **{ABOUT: np.array(json.dumps(about(run), ensure_ascii=False))})


def about(run: Capture) -> dict[str, Any]:
    """What a capture is of: text, tokens, model, edits, versions; and of each tap the names of its axes, each with the
    row of tokens that stands along it ("tokens", "target_in"), or None.
    """
    source = SOURCES.get(run.model)
    return {
        "format": 1,
        "text": run.text,
        "pair": run.pair,
        "text_out": run.text_out,
        "model": {"id": run.model, **({"title": source.title, "sha256": source.sha256} if source else {})},
        "edits": [edit.id for edit in run.edits],
        "truncated": run.truncated,
        "versions": {"see-through-transformer": VERSION, "torch": torch.__version__, "numpy": np.__version__},
        "tokens": [asdict(token) for token in run.tokens],
        "target_in": [asdict(token) for token in run.target_in],
        "target_out": [asdict(token) for token in run.target_out],
        "taps": {name: [[dim, along(run, name, dim)] for dim in run.dims(name)] for name in run.names()},
    }


def along(run: Capture, name: str, dim: str) -> str | None:
    """Which row of tokens stands along an axis of a tap."""
    side = run.side(name, dim)
    return None if not side else "target_in" if side is run.target_in else "tokens"
