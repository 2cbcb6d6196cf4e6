"""The input as a pipeline that runs, in shapes of one's own: every step's tensor, and what PyTorch refuses."""

import html
from collections.abc import Mapping

import numpy as np

from core.figures.controls import Control
from core.views.pipeline import pipeline
from pages.shared.address.address import Table, whole
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import Html, heading, paragraph, refusal, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import Texts
from pages.stages.input.context import StageContext

SIZES = {  # least, most, at first: the largest are computed in a moment
    "batch": (1, 32, 32),
    "length": (1, 64, 5),
    "dims": (1, 1024, 768),
    "vocab": (1, 30_522, 1000),
    "split": (1, 16, 12),
}
FIRST = 2  # numbers of a tensor


def parameters(page, view) -> Table:
    return {name: whole(*sizes) for name, sizes in SIZES.items()}


@cached.shared
def ran(batch: int, length: int, dims: int, vocab: int, split: int):
    return pipeline(batch=batch, n=length, d_model=dims, vocab=vocab, heads=split)


def draw(context: StageContext) -> None:
    t, sizes = context.t, {name: context.values[name] for name in SIZES}
    run = ran(**sizes)
    write(heading(t, "pipeline"), paragraph(t, "pipeline_said"))
    controls("sizes", *boxes(t, SIZES))
    refusal(context)
    rows = [
        (
            t(f"stops.{stop.name}"),
            Html(f"<pre>{html.escape(stop.code)}</pre>"),
            Html(f"<b>{' × '.join(map(str, stop.array.shape))}</b><br><span class=soft>{numbers(stop.array)}</span>"),
        )
        for stop in run.stops
    ]
    code, error = run.failed
    if error:
        rows.append((t("stops.split"), Html(f"<pre>{html.escape(code)}</pre>"), Html("–")))
    position, added = run.stop("position").array, run.stop("total").array
    shapes = {"small": said(position.shape), "large": said(added.shape), "first": said((sizes["batch"], sizes["dims"]))}
    held = {"own": grouped(position.nbytes), "whole": grouped(added.nbytes), "stride": str(run.stride)}
    fits = "refused" if run.refused else "fits"
    write(
        table(rows, kind="lines"),
        paragraph(t, "pipeline_split", d=sizes["dims"], heads=sizes["split"], error=error) if error else "",
        paragraph(t, "pipeline_broadcast", batch=sizes["batch"], **shapes, **held),
        paragraph(t, f"pipeline_{fits}", refused=run.refused, wrong=said(run.wrong), **shapes),
    )


def boxes(t: Texts, sizes: Mapping[str, tuple[int, int, int]]) -> list[Control]:
    """For each whole number: its least, its most and its first."""
    return [typed(t, name, t(f"sizes.{name}"), low, high) for name, (low, high, _) in sizes.items()]


def said(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it."""
    return str(tuple(shape))


def numbers(array: np.ndarray) -> str:
    """The first of a tensor's numbers."""
    first = array.reshape(-1, array.shape[-1])[0, :FIRST]
    said = ", ".join(str(x) if array.dtype.kind == "i" else short(float(x)) for x in first)
    return html.escape(f"[{said}{', …' if array.shape[-1] > len(first) else ''}]")


SECTION = Section(draw, parameters, tuple(SIZES))
