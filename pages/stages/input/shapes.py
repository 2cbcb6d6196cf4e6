"""The input as a pipeline that runs: shapes on the way, and what broadcasting refuses."""

import html

import numpy as np

from core.views.pipeline import pipeline
from pages.shared.page.parts import Html, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.input.context import StageContext

ran = cached.shared(pipeline)


def draw(context: StageContext) -> None:
    t, run = context.t, ran()
    rows = [
        (
            t(f"stops.{stop.name}"),
            Html(f"<pre>{html.escape(stop.code)}</pre>"),
            Html(f"{' × '.join(map(str, stop.array.shape))}<br>{numbers(stop.array)}"),
        )
        for stop in run.stops
    ]
    position, added = run.stop("position").array, run.stop("total").array
    sizes = {"own": f"{position.nbytes:,}", "whole": f"{added.nbytes:,}", "stride": str(run.stride)}
    write(
        heading(t, "pipeline"),
        paragraph(t, "pipeline_said"),
        table(rows, kind="lines"),
        paragraph(t, "pipeline_broadcast", batch=added.shape[0], **sizes),
        paragraph(t, "pipeline_refused", refused=run.refused),
    )


def numbers(array: np.ndarray) -> str:
    """The first of a tensor's numbers."""
    first = array.reshape(-1, array.shape[-1])[0, :3]
    said = ", ".join(str(x) if array.dtype.kind == "i" else short(float(x)) for x in first)
    return html.escape(f"[{said}{', …' if array.shape[-1] > len(first) else ''}]")
