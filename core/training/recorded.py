"""The trainings that the page opens on: families of runs that differ in one thing, each from three first weights.

`python -m core.training.recorded` runs them all and writes assets/experiments/training.npz and its card, training.json;
with --missing it runs those that are not there yet, and keeps the others.
"""

import argparse
import json
import math
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..files import EXPERIMENTS
from .runs import LOOK_AT, LOOK_EVERY, WIDE, Log, Setting, parameters, train

COMMAND = "python -m core.training.recorded"
SEEDS = (0, 1, 2)  # of the first, all is kept; of the others the curves alone, those of every step to three digits
KEPT = (0, 30, 100)  # steps whose matrix is kept, besides the last
TABLE_EVERY = 50  # steps between two copies of a learned table of positions
NORMS = ("post", "pre", "none")
DEPTHS = (2, 4, 6, 8)
WIDTHS = (128, 64, 32, 16, 8, 4)
HEADS = (1, 2, 4, 8)
DROPOUTS = {"drop0": 0.0, "drop10": 0.1, "drop50": 0.5}
FREQUENT = {"alike": 1.0, "quarter": 0.25, "fourfold": 4.0}  # the first rows of frequent tokens
OFTEN, SELDOM = ("loss", "gradient"), ("held", "right")  # at every step, at every look
CURVES = (*OFTEN, *SELDOM)


def families() -> dict[str, dict[str, Setting]]:
    """What differs -> a name for each run -> its setting. The same setting may stand in two families."""
    base = Setting()
    norms = {f"norm{layers}": {norm: replace(base, norm=norm, layers=layers) for norm in NORMS} for layers in DEPTHS}
    one_head = replace(base, d_model=64, heads=1, steps=300)
    hot = replace(base, layers=4, rate=0.01, steps=300)
    turned = replace(base, task="reverse", d_model=64, steps=400)
    pre = replace(base, norm="pre")
    wide = replace(base, d_model=64)
    by_heart = replace(wide, few=100, steps=600)
    return {
        **norms,
        "residual": {
            f"{name}{layers}": replace(pre, layers=layers, residual=residual)
            for layers in (2, 6)
            for name, residual in (("kept", True), ("cut", False))
        },
        "feedforward": {
            "bent": pre,
            "unbent": replace(pre, feedforward="linear"),
            "silent": replace(pre, feedforward="none"),
        },
        "heads": {f"h{heads}": replace(wide, heads=heads) for heads in HEADS},
        "dropout": {name: replace(by_heart, dropout=share) for name, share in DROPOUTS.items()},
        "scale": {
            "both": one_head,
            "no_k": replace(one_head, root_k=False),
            "no_d": replace(one_head, root_d=False),
            "neither": replace(one_head, root_k=False, root_d=False),
        },
        "tied": {"tied": base, "apart": replace(base, tied=False)},
        "frequent": {name: replace(base, frequent=times) for name, times in FREQUENT.items()},
        "warmup": {
            "post_warm": replace(hot, warmup=60),
            "post_cold": replace(hot, warmup=0),
            "pre_warm": replace(hot, warmup=60, norm="pre"),
            "pre_cold": replace(hot, warmup=0, norm="pre"),
        },
        "width": {f"d{d}": replace(base, d_model=d, few=200, steps=400) for d in WIDTHS},
        "position": {
            "sinusoidal": turned,
            "learned": replace(turned, position="learned"),
            "orderless": replace(turned, position="none"),
        },
        "task": {
            "numerals": replace(turned, task="numerals"),
            "copy": replace(turned, task="copy"),
            "reverse": turned,
        },
    }


@dataclass(frozen=True, eq=False)
class Run:
    """One setting's run, and the curves of the same from other first weights.

    Shapes: `loss`, `gradient` [step]; `lines` [step, line], sums of −ln p; `held`, `right` [look]; `matrices` [kept,
    row, column] after each of `kept` steps; `positions` [copy, position, d_model], a learned table every TABLE_EVERY
    steps, else empty.
    """

    setting: Setting
    parameters: int
    loss: np.ndarray
    gradient: np.ndarray
    lines: np.ndarray
    looks: tuple[int, ...]
    held: np.ndarray
    right: np.ndarray
    kept: tuple[int, ...]
    matrices: np.ndarray
    others: tuple[Mapping[str, np.ndarray], ...] = ()
    positions: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0), np.float16))
    blown: bool = False

    @property
    def nbytes(self) -> int:
        arrays = (self.loss, self.gradient, self.lines, self.matrices, self.positions)
        return sum(array.nbytes for array in arrays) + 8000

    @property
    def seeds(self) -> list[Mapping[str, np.ndarray]]:
        """The curves from every first weights."""
        return [{name: getattr(self, name) for name in CURVES}, *self.others]

    @property
    def ends(self) -> list[float]:
        """The last held-out loss, from each first weights."""
        return [float(curves["held"][-1]) for curves in self.seeds]


def run_of(setting: Setting, log: Log, parameters: int, kept: tuple[int, ...] | None = None) -> Run:
    """A log as arrays, with the matrices of the steps `kept`, or of every look."""
    chosen = [i for i, look in enumerate(log.looks) if kept is None or look in (*kept, log.step)]
    loss, gradient, lines, held, right = (
        np.array(values, np.float32) for values in (log.loss, log.gradient, log.lines, log.held, log.right)
    )
    matrices = np.stack([log.matrices[i] for i in chosen]).astype(np.float16)
    steps = tuple(log.looks[i] for i in chosen)
    looks = tuple(log.looks)
    run = Run(setting, parameters, loss, gradient, lines, looks, held, right, steps, matrices, blown=log.blown)
    if not log.positions:
        return run
    tables = [table for look, table in zip(looks, log.positions, strict=True) if look % TABLE_EVERY == 0]
    return replace(run, positions=np.stack(tables).astype(np.float16))


def name_of(setting: Setting) -> str:
    """What is not as usual: layers=8,norm=none."""
    usual = asdict(Setting())
    return ",".join(f"{name}={value}" for name, value in asdict(setting).items() if value != usual[name]) or "usual"


# ---- read


@cache
def card() -> Mapping[str, Any]:
    """When, how and on what it was run."""
    return json.loads((EXPERIMENTS / "training.json").read_text(encoding="utf-8"))


@cache
def family(name: str) -> Mapping[str, Run]:
    """The runs of one family, by their names."""
    with np.load(EXPERIMENTS / "training.npz") as file:
        return {run: read(file, setting) for run, setting in families()[name].items()}


def read(file: Mapping[str, np.ndarray], setting: Setting) -> Run:
    """A run out of its two arrays, which hold everything one behind the other."""
    name = name_of(setting)
    facts = card()["runs"][name]
    kept, side = tuple(facts["kept"]), min(WIDE, setting.d_model)
    looks = tuple(dict.fromkeys((*range(0, setting.steps, LOOK_EVERY), setting.steps)))
    exact, half = Reader(file[name]), Reader(file[f"{name}/half"].astype(np.float32))
    loss, gradient = exact.next(setting.steps), exact.next(setting.steps)
    held, right = exact.next(len(looks)), exact.next(len(looks))
    lines = exact.next(setting.steps, setting.batch)
    seldom = [{curve: exact.next(len(looks)) for curve in SELDOM} for _ in SEEDS[1:]]
    matrices = half.next(len(kept), side, side)
    others = tuple({**{curve: np.exp(half.next(setting.steps)) for curve in OFTEN}, **rest} for rest in seldom)
    run = Run(setting, facts["parameters"], loss, gradient, lines, looks, held, right, kept, matrices, others)
    return replace(run, positions=file[f"{name}/positions"]) if f"{name}/positions" in file else run


class Reader:
    """Takes one array after the other from a long one."""

    def __init__(self, numbers: np.ndarray):
        self.numbers, self.at = numbers, 0

    def next(self, *shape: int) -> np.ndarray:
        begin, self.at = self.at, self.at + math.prod(shape)
        return self.numbers[begin : self.at].reshape(shape)


# ---- made


def record(setting: Setting, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Run a setting from every first weights, into `arrays`; returns what the card says of it."""
    first, *others = runs = [whole(replace(setting, seed=seed)) for seed in SEEDS]
    if {len(run.loss) for run in runs} != {setting.steps}:
        raise ValueError(f"{name_of(setting)} ended early: it cannot be compared")
    exact = [*(getattr(first, curve) for curve in CURVES), first.lines]
    exact += [getattr(other, curve) for other in others for curve in SELDOM]
    half = [first.matrices, *(np.log(getattr(other, curve)) for other in others for curve in OFTEN)]
    arrays[name_of(setting)] = joined(exact).astype(np.float32)
    arrays[f"{name_of(setting)}/half"] = joined(half).astype(np.float16)
    if first.positions.size:
        arrays[f"{name_of(setting)}/positions"] = first.positions
    return {"parameters": first.parameters, "kept": first.kept}


def joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([array.ravel() for array in arrays])


def whole(setting: Setting) -> Run:
    """A run from its beginning to its end."""
    *_, log = train(setting)
    return run_of(setting, log, parameters(setting), KEPT)


def there(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, Any], float]:
    """What a folder holds already: its arrays, what the card says of each run, and how many seconds they took."""
    facts = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    with np.load(folder / "training.npz") as file:
        return dict(file), facts["runs"], facts["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Run the trainings that the page opens on.")
    parser.add_argument("--out", type=Path, default=EXPERIMENTS)
    parser.add_argument("--missing", action="store_true", help="run what is not in the folder yet, keep the rest")
    asked = parser.parse_args()
    folder = asked.out
    arrays: dict[str, np.ndarray] = {}
    runs: dict[str, Any] = {}
    seconds = 0.0
    if asked.missing:
        arrays, runs, seconds = there(folder)
    began = time.monotonic() - seconds
    torch.set_num_threads(1)
    for runs_of_family in families().values():
        for setting in runs_of_family.values():
            if name_of(setting) not in runs:
                runs[name_of(setting)] = record(setting, arrays)
                print(name_of(setting), f"{time.monotonic() - began:.0f} s", flush=True)
    about = {
        "command": COMMAND,
        "date": date.today().isoformat(),
        "seconds": round(time.monotonic() - began),
        "threads": torch.get_num_threads(),
        "seeds": list(SEEDS),
        "look": {"every": LOOK_EVERY, "at": LOOK_AT},
        "matrix": WIDE,
        "versions": {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__},
        "machine": platform.machine(),
        "runs": runs,
    }
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "training.npz", **arrays)  # type: ignore[arg-type]
    (folder / "training.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(f"{len(runs)} runs, {about['seconds']} s, {(folder / 'training.npz').stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
