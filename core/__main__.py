"""The shape table, in a terminal: python -m core "The cat sat on the mat." A translator says its translation, too.

`--follow 'encoder.2.attention.weights[8,5,6]'` says how one number was made instead, and with `--back` the whole way
from it to a table. `--edits`, `--measures` and `--list` say which there are; `--json` says all of it to a program.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import archive, capture, load_model
from .capture import Capture
from .derivation import Cell, depth, derive, path, products
from .derivation.listed import edits, measures
from .derivation.reading import value
from .edits import parse
from .errors import InputError, WeightsError
from .model.places import ATTENTIONS, SUBLAYERS
from .version import VERSION
from .zoo import ABSENT, KNOWN, SOURCES, Model, model_for


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns 0, or 2 where text, model or file cannot be used."""
    parser, chosen = arguments_of(arguments)
    listed = chosen.edits or chosen.measures or chosen.list
    if chosen.text is None and not listed:
        parser.error("a text is wanted, or - to read it from standard input")
    if chosen.back and chosen.follow is None:
        parser.error("--back goes with --follow: which number is to be followed back?")
    try:
        if listed:
            print_models() if chosen.list else (print_edits if chosen.edits else print_measures)(language())
        else:
            show(chosen, sys.stdin.read().removesuffix("\n") if chosen.text == "-" else str(chosen.text))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read along has seen enough, as in "… | head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except InputError as error:
        print(error.words(language()), file=sys.stderr)
        return 2
    except (WeightsError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def arguments_of(arguments: list[str] | None) -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    """The parser, and what it read."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}", description="Every tensor inside a Transformer, for one text."
    )
    parser.add_argument("text", nargs="?", help="- reads it from standard input")
    parser.add_argument("--pair", help="a second text, as segment 1")
    parser.add_argument("--model", help=f"{', '.join(SOURCES)}, or a folder (default: the one that reads the text)")
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help='taps to keep, like "encoder.2.*"; repeatable'
    )
    parser.add_argument("--save", metavar="FILE.npz", help="also write every array; the keys are tap names")
    parser.add_argument(
        "--follow",
        metavar="CELL",
        help='how one number was made: "encoder.2.attention.weights[8,5,6]"; layers and heads are counted from 0',
    )
    parser.add_argument("--back", action="store_true", help="with --follow: the way back, to where it ends")
    parser.add_argument(
        "--edit",
        action="append",
        metavar="ID",
        default=[],
        help='change the model first: "mute:encoder.3.9"; layers and heads are counted from 1; repeatable',
    )
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    parser.add_argument("--list", action="store_true", help="which models there are")
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--edits", action="store_true", help="which edits there are")
    parser.add_argument("--measures", action="store_true", help="what can be measured of whole rows, in Python")
    return parser, parser.parse_args(arguments)


def show(chosen: argparse.Namespace, text: str) -> None:
    """Print what was asked of a text. Raises InputError, WeightsError, OSError."""
    only = tuple(chosen.only) if chosen.only else None
    cell = Cell.parse(chosen.follow) if chosen.follow is not None else None
    changes = tuple(map(parse, chosen.edit))
    model = load_model(chosen.model or model_for(text))
    check_something(model, text, chosen.pair)
    run = capture(model, text, chosen.pair, only=only, edits=changes)
    if chosen.save:
        archive.save(run, chosen.save, compressed=False)
    if chosen.json:
        said = table(run) if cell is None else way(run, cell) if chosen.back else steps(run, cell)
        print(json.dumps(said, ensure_ascii=False, default=str))
        return
    print_tokens(run)
    print_changes(run)
    if cell is None:
        print_taps(run)
    elif chosen.back:
        print_path(run, cell)
    else:
        print_steps(run, cell)
    if chosen.save:
        print(f"\n{len(run.names())} arrays written to {chosen.save}")


def check_something(model: Model, *texts: str | None) -> None:
    """Raise InputError where there is nothing to read in any of the texts."""
    if not any(token.end for text in texts if text for token in model.tokenizer.trace(text).tokens):
        raise InputError("nothing_to_read")


def language() -> str:
    """The terminal's, where it is one of ours."""
    said = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if said.startswith("zh") else "en"


def print_tokens(run: Capture) -> None:
    """The tokens, how many were cut, and the translation where there is one."""
    print(f"{len(run.tokens)} tokens:", *(f"{token.text}({token.id})" for token in run.tokens))
    if run.truncated:
        print(f"{run.truncated} more were cut: the model has no positions for them.")
    if run.text_out is not None:
        print(f"translation: {run.text_out}{' … (cut: there was no room for more)' if run.cut else ''}")
    print()


def print_changes(run: Capture) -> None:
    """Each edit, and the tap it acts on: in its id layers and heads count from 1, in the names of taps from 0."""
    for edit in run.edits:
        print(f"edit {edit.id}: changes {edit.pattern}")
    if run.edits:
        print("In an edit’s id layers and heads are counted from 1; in the names of taps, and in [ ], from 0.\n")


def print_edits(language: str) -> None:
    """How each edit is written, and what it does."""
    for form, said in edits(language).items():
        print(f"{form:36}  {said}")
    print(f"\nkind: {', '.join(ATTENTIONS)}")
    for stack, sublayers in SUBLAYERS.items():
        print(f"sublayer of stack {stack}: {', '.join(sublayers)}")
    print("layer and head are counted from 1")


def print_measures(language: str) -> None:
    """Each measure, what it is of, and what it is called."""
    print('Measure("cosine", (Cell("encoder.5.output", (2, None)), …)): None is a whole axis, shown as ":" here\n')
    for kind, (of, said) in measures(language).items():
        print(f"{kind:28}  {of:24}  {said}")


def print_models() -> None:
    """Each model, what it is, and whether it is here."""
    for id, source in KNOWN.items():
        print(f"{id:12}  {source.title:28}  {source.parameters:>12,}  {ABSENT.get(id, '')}".rstrip())


def taps(run: Capture) -> Iterator[dict[str, Any]]:
    """Of each tap name, dimensions, shape, and mean and standard deviation of its finite values."""
    for name in run:
        finite = run[name][np.isfinite(run[name])]
        shape, mean, std = run[name].shape, float(finite.mean()), float(finite.std())
        yield {"name": name, "dims": run.dims(name), "shape": shape, "mean": mean, "std": std}


def print_taps(run: Capture) -> None:
    """One line a tap."""
    width = max((len(name) for name in run.names()), default=4)
    print(f"{'tap':{width}}  {'dims':22}  {'shape':>14}  {'mean':>10}  {'std':>10}")
    for tap in taps(run):
        dims, shape = ", ".join(tap["dims"]), " x ".join(map(str, tap["shape"]))
        print(f"{tap['name']:{width}}  {dims:22}  {shape:>14}  {tap['mean']:10.4f}  {tap['std']:10.4f}")


# ---- the same for a program


def table(run: Capture) -> dict[str, Any]:
    """What a run is of, and its taps."""
    return {**archive.about(run), "taps": [*taps(run)]}


def steps(run: Capture, cell: Cell) -> dict[str, Any]:
    """One number, and every step to it."""
    derivation = derive(run, cell)
    return {
        "cell": cell,
        "captured": derivation.captured,
        "difference": derivation.difference,
        "edits": derivation.edits,
        "steps": [
            {
                "id": step.id,
                "value": step.value,
                "at": step.at,
                "parts": step.parts,
                "of": step.of,
                "terms": [
                    {"left": x.left, "right": x.right, "value": x.value, "left_of": x.left_of, "right_of": x.right_of}
                    for x in step.largest
                ],
                "count": step.count,
                "rest": step.rest,
            }
            for step in derivation.steps
        ],
    }


def way(run: Capture, cell: Cell) -> list[dict[str, Any]]:
    """The way back along the largest terms."""
    stops = path(run, cell)
    return [{"cell": stop.cell, "captured": stop.derivation.captured, "end": stop.end} for stop in stops]


def print_steps(run: Capture, cell: Cell) -> None:
    """One number: every step to it, and what each number in a step is called."""
    derivation = derive(run, cell)
    print(f"{cell} = {derivation.captured:.7g}")
    for step in derivation.steps:
        print(f"\n  {step.id} = {step.value:.7g}{f'  {step.at}' if step.at else ''}")
        for name, part in step.parts.items():
            said = f"{part:.7g}" if isinstance(part, float) else part
            print(f"    {name} = {said}{f'  {step.of[name]}' if name in step.of else ''}")
        for term in step.largest:
            origins = " · ".join(str(origin) for origin in (term.left_of, term.right_of) if origin)
            print(f"    {term.left:.7g}, {term.right:.7g} -> {term.value:.7g}  {origins}")
        if step.count > len(step.largest) > 0:
            print(f"    {step.count - len(step.largest)} more: {step.rest:.7g}")
    if derivation.edits:
        print(f"\nchanged here by the edit {', '.join(derivation.edits)}")
    print(f"\nrecomputed - captured = {derivation.difference:.3g}")
    print(f"{products(run, cell):,} products lie under it, {depth(run, cell)} steps deep")


def print_path(run: Capture, cell: Cell) -> None:
    """The way back along the largest terms: one line a number."""
    for stop in path(run, cell):
        edited = f"  (changed here by the edit {', '.join(stop.derivation.edits)})" if stop.derivation.edits else ""
        print(f"{stop.derivation.captured:14.7g}  {stop.cell}{edited}")
        if stop.end:
            print(f"{value(run, stop.end):14.7g}  {stop.end}, learned")


if __name__ == "__main__":
    sys.exit(main())
