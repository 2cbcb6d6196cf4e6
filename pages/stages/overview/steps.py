"""The way of a sentence in words: one step a line, and the shape of what there is after it."""

from collections.abc import Iterator

from pages.shared.page.parts import folded, table, write
from pages.shared.words.numbers import grouped
from pages.stages.overview.context import StageContext


def draw(context: StageContext) -> None:
    t = context.t
    rows = [(t(f"steps.{step}"), " × ".join(map(grouped, shape))) for step, shape in steps(context)]
    write(folded(t.html("steps.title"), table(rows, [t("steps.step"), t("steps.shape")], "prose")))


def steps(context: StageContext) -> Iterator[tuple[str, tuple[int, ...]]]:
    """From the characters to the probabilities, or to the last states of a model that does not write."""
    config, read, text = context.page.model.config, context.view.read, context.page.text
    written = len(context.view.rows) - read
    yield "characters", (len(text),)
    yield "ids", (read,)
    yield "rows", (read, config.d_model)
    if any(depth.id == "sum" for depth in context.view.depths):
        yield "added_segmented" if config.segments else "added", (read, config.d_model)
    else:
        yield "turned", (config.heads, read, config.d_head)
    yield "attention", (config.heads, read, read)
    yield "feedforward", (read, config.d_ff)
    yield "states", (read, config.d_model)
    if written:
        yield "decoder", (written, config.d_model)
        yield "cross", (config.heads, written, read)
    if "output.logits" in context.page.model.tap_dims:
        yield "probabilities", (written or read, config.vocab)
