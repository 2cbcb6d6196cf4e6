"""A whole capture in one file that describes itself: `load` gives the run back, and core/lessons/load_capture.py reads
it with NumPy alone."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np

from .capture import Capture, fitting, network_rows
from .edits import read
from .errors import InputError
from .text.token import Token
from .version import VERSION
from .zoo import SOURCES, Model, load_model

ABOUT = "about"  # the key of the description; all others are tap names


def save(run: Capture, file: str | Path | BinaryIO, compressed: bool = True) -> None:
    """Write every tap that was kept, float32, and `about`: one JSON text that says what they are."""
    if isinstance(file, str | Path):
        with open(file, "wb") as opened:
            return save(run, opened, compressed)
    write = np.savez_compressed if compressed else np.savez
    arrays: dict[str, Any] = {name: run[name] for name in run.names()}
    write(file, allow_pickle=False, **arrays, **{ABOUT: np.array(json.dumps(about(run), ensure_ascii=False))})


def load(file: str | Path | BinaryIO, model: Model | None = None) -> Capture:
    """The run in a file that `save` wrote, with its model, so that every number of it can be followed again; `model` is
    one that was loaded already.

    Raises InputError for a file that holds no capture, for a model whose weights are not those of the run, and for one
    that is not here; and as `load_model` does.
    """
    try:
        with np.load(file, allow_pickle=False) as kept:
            said = json.loads(str(kept[ABOUT]))
            arrays = {name: kept[name] for name in kept.files if name != ABOUT}
        tokens, given, wanted = (
            tuple(Token(**token) for token in said[row]) for row in ("tokens", "target_in", "target_out")
        )
        known, edits = said["model"], read(said["edits"])
    except (EOFError, KeyError, TypeError, ValueError, BadZipFile) as error:
        raise InputError("no_capture", file=str(file)[:200]) from error
    model = model or load_model(known["id"])
    if known["id"] != model.id or known.get("sha256") not in (None, getattr(SOURCES.get(model.id), "sha256", None)):
        raise InputError("another_model", model=known["id"], other=model.id)
    for array in arrays.values():
        array.flags.writeable = False
    padding = said.get("padding", 0)
    return Capture(
        model.id,
        said["text"],
        said["pair"],
        tokens,
        said["truncated"],
        arrays,
        model.tap_dims,
        given,
        wanted,
        said["text_out"],
        said.get("cut", False),
        fitting(model, edits),
        model,
        padding,
        network_rows(model, tokens, padding, given),
    )


def about(run: Capture) -> dict[str, Any]:
    """What a capture is of: text, tokens, model, edits, versions; and of each tap the names of its axes, each with the
    row of tokens that stands along it ("tokens", "target_in"), or None.
    """
    import torch

    source = SOURCES.get(run.model)
    return {
        "format": 1,
        "text": run.text,
        "pair": run.pair,
        "text_out": run.text_out,
        "model": {"id": run.model, **({"title": source.title, "sha256": source.sha256} if source else {})},
        "edits": [edit.id for edit in run.edits],
        "truncated": run.truncated,
        "padding": run.padding,
        "cut": run.cut,
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
