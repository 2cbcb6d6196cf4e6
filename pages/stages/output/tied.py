"""One table at both ends: what that saves, for any V and d, where it is used, and how the gradient comes to it from
there."""

from itertools import pairwise

import numpy as np

from core.derivation import Cell, Weight
from core.derivation.flow import TABLE
from core.derivation.measures.words import LIKELY
from core.figures.flow import Flow, FlowWords, Line, Node
from core.views.output import Ends, ends, parameters
from pages.shared.address.address import whole
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.output.context import StageContext, rows_of, run_of

MOST_ROWS, MOST_WIDTH = 1_000_000, 20_000
LARGEST = 32_000_000  # bytes of a table of which copies are made
EACH = 5  # rows of the table that are listed


def parameters_of(page, view):
    rows, width = rows_of(page)
    return {"V": whole(1, MOST_ROWS, rows), "d": whole(1, MOST_WIDTH, width)}


@cached.shared
def gradients(name: str, text: str) -> Ends:
    return ends(cached.model(name), run_of(name, text))


def draw(context: StageContext) -> None:
    t = context.t
    write(
        heading(t, "tied"), paragraph(t, "tied.said", V=grouped(rows_of(context.page)[0]), d=rows_of(context.page)[1])
    )
    controls("counting", typed(t, "V", "V", 1, MOST_ROWS), typed(t, "d", "d", 1, MOST_WIDTH))
    write(
        table(counted(context), [t("tied.kind"), t("tied.formula"), t("tied.count")], kind="sums"),
        paragraph(t, "tied.cost"),
        paragraph(t, "tied.shape"),
    )
    without = context.view.table.nbytes > LARGEST or len(context.view.given) < 2
    found = None if without else gradients(*context.key)
    components.flow(key="uses", data=uses(context, found).data())
    if found is None:
        return
    tied = measured(context, float(np.linalg.norm(found.tied)), "gradient_all", Weight(TABLE, (None, None)))
    loss = measured(context, found.loss, "loss", Cell(LIKELY, (None, None)))
    facts = {"loss": loss, "difference": found.difference, "tied": tied}
    write(
        f"<h3>{t.html('tied.gradient')}</h3>",
        paragraph(t, "tied.ends", **facts),
        table(doors(context, found), [t("tied.door"), t("tied.rows"), t("tied.norm")], kind="sums"),
        paragraph(t, "tied.sum", **facts),
        paragraph(t, "tied.row_said"),
        table(
            rows(context, found), [t("tied.word"), *(t(f"tied.{name}") for name in (*found.names, "both"))], kind="sums"
        ),
    )


def uses(context: StageContext, found: Ends | None) -> Flow:
    """The table, once, and every place where this sentence uses it; a line from it is as wide as the gradient that
    comes back along it is long."""
    t, run, stacks = context.t, run_of(*context.key), context.page.model.stacks
    vocab, d = rows_of(context.page)
    read, written = len(run.tokens), len(context.view.given)
    names = ("source", "target", "output") if context.page.translates else ("source", "output")
    last = len(names) - 1  # the column of the table; the output stands below it and the decoder
    nodes = [Node("table", t("tied.table"), 0, last, number=f"{grouped(vocab)} × {d}")]
    counts = {"source": read, "target": written}
    nodes += [Node(name, t(f"tied.{name}"), 1, i, number=f"{counts[name]} × {d}") for i, name in enumerate(names[:-1])]
    for i, (name, stack) in enumerate(stacks.items()):
        title = t(f"tied.{name}", n=stack.layers) if context.page.translates else t("tied.layers", n=stack.layers)
        nodes.append(Node(name, title, 2 + i, i, number=f"{counts[names[i]]} × {d}"))
    below = 2 + len(stacks)
    nodes.append(Node("state", t("tied.state"), below, last - 1, number=f"{written} × {d}"))
    nodes.append(Node("output", t("tied.logits"), below + 1, last - 1, 2, f"{written} × {grouped(vocab)}"))
    norms = [float(np.linalg.norm(each)) for each in found.each] if found else [0.0] * len(names)
    lines = [Line("table", name, norm / (max(norms) or 1)) for name, norm in zip(names, norms, strict=True)]
    lines += [Line(*ends) for ends in zip(names, stacks, strict=False)]
    lines += [Line(*ends) for ends in pairwise((*stacks, "state", "output"))]
    caption = t("tied.uses") + (t("tied.widths") if found else "")
    return Flow(len(names), nodes, lines, FlowWords(t("tied.uses_label"), caption))


def counted(context: StageContext) -> list[list[object]]:
    t = context.t
    given = context.values["V"], context.values["d"]
    apart, tied = parameters(*given)
    return [
        [t("tied.apart"), "2Vd + V", grouped(apart)],
        [t("tied.tied"), "Vd + V", grouped(tied)],
        [t("tied.saved"), "Vd", grouped(apart - tied)],
    ]


def doors(context: StageContext, found: Ends) -> list[list[object]]:
    whole = Weight(TABLE, (None, None))
    norms = [
        measured(context, float(np.linalg.norm(each)), f"gradient_{name}_all", whole)
        for name, each in zip(found.names, found.each, strict=True)
    ]
    names = [context.t(f"tied.{name}") for name in found.names]
    return [[name, grouped(len(found.touched(i))), norms[i]] for i, name in enumerate(names)]


def rows(context: StageContext, found: Ends) -> list[list[object]]:
    """The rows of the table that the gradient moves most: how much comes through each door."""
    total = np.linalg.norm(found.tied, axis=-1)
    ids = np.argsort(-total)[:EACH].tolist()
    return [
        [context.piece(id), *through_doors(context, found, id), row_of(context, id, float(total[id]))] for id in ids
    ]


def row_of(context: StageContext, id: int, length: float) -> float:
    return measured(context, length, "gradient_row", Weight(TABLE, (id, None)))


def through_doors(context: StageContext, found: Ends, id: int) -> list[float]:
    """How long what comes to a row through each door is."""
    lengths = [float(np.linalg.norm(each[id])) for each in found.each]
    return [
        measured(context, length, f"gradient_{name}_row", Weight(TABLE, (id, None))) if length else length
        for name, length in zip(found.names, lengths, strict=True)
    ]


SECTION = Section(draw, parameters_of, redraws=("V", "d"))
