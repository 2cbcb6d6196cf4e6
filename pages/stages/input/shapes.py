"""The input as a pipeline that runs, in shapes of one's own: every step's tensor, and what PyTorch refuses."""

import html
import math
from collections.abc import Mapping, Sequence

from core.figures.controls import Control
from core.views.pipeline import pipeline
from pages.shared.address.address import Table, whole
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import Html, heading, paragraph, refusal, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts
from pages.stages.input.context import StageContext

SIZES = {  # least, most, at first: the largest are computed in a moment
    "batch": (1, 32, 32),
    "length": (1, 64, 5),
    "dims": (1, 1024, 768),
    "vocab": (1, 30_522, 1000),
    "split": (1, 16, 12),
}
UNIT = 5  # pixels that a side grows by when its size doubles
BEHIND, SEEN = 4, 4  # pixels from one sentence of a batch to the next, and how many are seen


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
            Html(f"<b>{' × '.join(map(str, stop.array.shape))}</b>"),
            block(stop.array.shape),
        )
        for stop in run.stops
    ]
    code, error = run.failed
    if error:
        rows.append((t("stops.split"), Html(f"<pre>{html.escape(code)}</pre>"), Html("–"), Html("")))
    position, added = run.stop("position").array, run.stop("total").array
    shapes = {"small": said(position.shape), "large": said(added.shape), "first": said((sizes["batch"], sizes["dims"]))}
    held = {"own": grouped(position.nbytes), "whole": grouped(added.nbytes), "stride": str(run.stride)}
    fits, added_to = "refused" if run.refused else "fits", "broadcast" if sizes["batch"] > 1 else "broadcast_one"
    write(
        table(rows, kind="lines"),
        paragraph(t, "pipeline_split", d=sizes["dims"], heads=sizes["split"], error=error) if error else "",
        paragraph(t, f"pipeline_{added_to}", batch=sizes["batch"], **shapes, **held),
        paragraph(t, f"pipeline_{fits}", refused=run.refused, wrong=said(run.wrong), **shapes),
    )


def boxes(t: Texts, sizes: Mapping[str, tuple[int, int, int]]) -> list[Control]:
    """For each whole number: its least, its most and its first."""
    return [typed(t, name, t(f"sizes.{name}"), low, high) for name, (low, high, _) in sizes.items()]


def said(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it."""
    return str(tuple(shape))


def block(shape: Sequence[int]) -> Html:
    """A tensor as a block: the last size across, the one before it down, on a log scale; the sentences of a batch one
    behind the other, the heads side by side, as wide together as what they were cut from."""
    batch, heads = (shape[0] if len(shape) > 2 else 1), (shape[1] if len(shape) > 3 else 1)
    wide, high = (UNIT * math.log2(1 + n) for n in (heads * shape[-1], shape[-2]))
    behind = BEHIND * (min(batch, SEEN) - 1)
    boxes = [
        f"<span style='left:{back + head * wide / heads:.1f}px;top:{behind - back}px;"
        f"width:{wide / heads:.1f}px;height:{high:.1f}px'></span>"
        for back in range(behind, -1, -BEHIND)
        for head in range(heads)
    ]
    size = f"width:{wide + behind:.0f}px;height:{high + behind:.0f}px"
    return Html(f"<div class='tensor' style='{size}'>{''.join(boxes)}</div>")


SECTION = Section(draw, parameters, tuple(SIZES))
