"""The shape table, in a terminal: python -m core "The cat sat on the mat." A translator says its translation, too."""

import argparse
import sys

import numpy as np

from core import capture, load_model
from core.capture import Capture
from core.errors import InputError, WeightsError
from core.zoo import SOURCES, model_for


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns 0, or 2 where text, model or file cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m core", description="Every tensor inside a Transformer, for one text."
    )
    parser.add_argument("text")
    parser.add_argument("--pair", help="a second text, as segment 1")
    parser.add_argument("--model", help=f"{', '.join(SOURCES)}, or a folder (default: the one that reads the text)")
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help='taps to keep, like "encoder.2.*"; repeatable'
    )
    parser.add_argument("--save", metavar="FILE.npz", help="also write every array; the keys are tap names")
    chosen = parser.parse_args(arguments)
    only = tuple(chosen.only) if chosen.only else None
    try:
        run = capture(load_model(chosen.model or model_for(chosen.text)), chosen.text, chosen.pair, only=only)
        print_tokens(run)
        print_taps(run)
        if chosen.save:
            with open(chosen.save, "wb") as file:
                np.savez(file, **{name: run[name] for name in run.names()})  # type: ignore[arg-type]
            print(f"\n{len(run.names())} arrays written to {chosen.save}")
    except (InputError, WeightsError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def print_tokens(run: Capture) -> None:
    """The tokens, how many were cut, and the translation where there is one."""
    print(f"{len(run.tokens)} tokens:", *(f"{token.text}({token.id})" for token in run.tokens))
    if run.truncated:
        print(f"{run.truncated} more were cut: the model has no positions for them.")
    if run.text_out is not None:
        print(f"translation: {run.text_out}{' … (cut: there was no room for more)' if run.cut else ''}")
    print()


def print_taps(run: Capture) -> None:
    """One line a tap: name, dimensions, shape, and mean and standard deviation of its finite values."""
    width = max((len(name) for name in run.names()), default=4)
    print(f"{'tap':{width}}  {'dims':22}  {'shape':>14}  {'mean':>10}  {'std':>10}")
    for name in run.names():
        array = run[name]
        finite = array[np.isfinite(array)]
        dims, shape = ", ".join(run.dims(name)), " x ".join(map(str, array.shape))
        print(f"{name:{width}}  {dims:22}  {shape:>14}  {finite.mean():10.4f}  {finite.std():10.4f}")


if __name__ == "__main__":
    sys.exit(main())
