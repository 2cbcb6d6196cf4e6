"""A training in a process of its own, which goes on only as long as it is told to.

`python -m core.training.live` reads a setting as one line of JSON, then for each further line it trains for a moment
and writes what was new as one line of JSON. It ends with its input, so it never outlives who asked for it.
"""

import base64
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import numpy as np

from .runs import Log, Setting, parameters, train

MOMENT = 0.25  # seconds
NICE = 15  # whoever looks at a page comes first
LISTS = ("loss", "gradient", "lines", "looks", "held", "right")


def news(log: Log, known: Mapping[str, int]) -> dict[str, Any]:
    """What is new since so many of each list were known."""
    matrices = [encoded(matrix) for matrix in log.matrices[known.get("matrices", 0) :]]
    lists = {name: getattr(log, name)[known.get(name, 0) :] for name in LISTS}
    return {**lists, "matrices": matrices, "blown": log.blown}


def lengths(log: Log) -> dict[str, int]:
    """How many of each list there are."""
    return {name: len(getattr(log, name)) for name in (*LISTS, "matrices")}


def take(log: Log, news: Mapping[str, Any]) -> None:
    """The other side: what was new goes into a log of one's own."""
    for name in LISTS:
        getattr(log, name).extend(news[name])
    log.matrices.extend(map(decoded, news["matrices"]))
    log.blown = news["blown"]


def encoded(matrix: np.ndarray) -> dict[str, Any]:
    """A matrix in half precision."""
    return {"shape": matrix.shape, "bytes": base64.b64encode(matrix.astype("<f2").tobytes()).decode()}


def decoded(given: Mapping[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(given["bytes"]), "<f2").astype(np.float32).reshape(given["shape"])


def moments(setting: Setting) -> Iterator[dict[str, Any]]:
    """What was new in each moment of a training; the last says that it is done."""
    import torch

    torch.set_num_threads(1)
    count = parameters(setting)
    log, known, until = Log(), {}, time.monotonic() + MOMENT
    for _ in train(setting, log):
        if time.monotonic() >= until:
            yield {**news(log, known), "parameters": count, "done": False}
            known, until = lengths(log), time.monotonic() + MOMENT
    yield {**news(log, known), "parameters": count, "done": True}


def main() -> None:
    with suppress(AttributeError, OSError):  # where there is no such thing
        os.nice(NICE)
    setting = Setting(**json.loads(sys.stdin.readline()))
    moment = moments(setting)
    for _ in sys.stdin:
        said = next(moment)
        print(json.dumps(said), flush=True)
        if said["done"]:
            break


def asked(setting: Setting) -> str:
    """The first line of its input."""
    return json.dumps(asdict(setting)) + "\n"


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        main()
