"""Layer by layer: the state on its way through the decoder, read through the table after every sub-layer."""

import html
from dataclasses import dataclass

import numpy as np

from core.figures.curves import Along, Curves, CurvesWords, Look, Series, Upwards
from core.ranking import largest
from core.views.circuits import STACK, lens
from core.views.output import Depth, OutputView
from pages.shared.page.parts import Html, door, heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, written
from pages.stages.output.context import StageContext, read_at, view_of

BEST = 3


@dataclass(frozen=True)
class Reading:
    """What the table says of a state: the first few words with their shares, and the place of the written one."""

    best: tuple[tuple[int, float], ...]
    rank: int


@cached.shared
def readings(name: str, text: str, row: int) -> list[Reading]:
    """At every depth of a row."""
    view = view_of(name, text)
    return [reading(view, row, depth) for depth in range(len(view.depths))]


def reading(view: OutputView, row: int, depth: int) -> Reading:
    shares = view.shares(depth, row)
    written = view.written[row].id if row < len(view.written) else view.best(len(view.depths) - 1, row)
    best = largest(shares, BEST).tolist()
    return Reading(tuple((id, float(shares[id])) for id in best), view.rank(depth, row, written))


def draw(context: StageContext) -> None:
    if not context.layers:
        write(heading(context.t, "depth"), paragraph(context.t, "depth.one"))
        if not context.hidden:
            components.curves(key="slopes", data=slopes(context).pack())
        return door(context.page, "circuits", context.t("depth.door"), "lens")
    t, view, found = context.t, context.view, readings(*context.key, context.row)
    rows = [row_of(context, i, depth, found[i]) for i, depth in enumerate(view.depths)]
    ends = [i for i, depth in enumerate(view.depths) if view.depths.index(view.whole[depth.layer]) == i]
    head = [t(f"depth.{name}") for name in ("after", "first", "second", "third", "rank")]
    write(heading(t, "depth"), paragraph(t, "depth.said", given=context.given, word=context.word, n=context.row))
    if not any(context.hides(i, context.row) for i in range(len(view.depths))):
        components.curves(key="slopes", data=slopes(context).pack())
    write(
        table(rows, head, kind="depths", marked=ends),
        *turn(context, found),
        paragraph(t, "depth.norm"),
    )


def slopes(context: StageContext) -> Curves:
    """The ranks of the words that lead in the end, from depth to depth."""
    t, view, row = context.t, context.view, context.row
    last = [id for id, _ in readings(*context.key, row)[-1].best]
    if context.layers:
        ranks = [[view.rank(depth, row, id) for depth in range(len(view.depths))] for id in last]
    else:
        ranks = [normalised(*context.key, row, id) for id in last]
    looks: tuple[Look, ...] = ("accent", "second", "faint")
    return Curves(
        x=Along(len(ranks[0]), t("depth.axis")),
        y=Upwards(low=1, log=True, down=True),
        series=[Series(context.piece(id), look) for id, look in zip(last, looks, strict=True)],
        values=[np.array(line, np.float32) for line in ranks],
        words=CurvesWords(t("depth.label"), t.html("depth.caption")),
        height=220,
        ends=True,
    )


@cached.shared
def normalised(name: str, text: str, row: int, word: int) -> list[int]:
    """The rank of a word at every state of a row, each put through the norm at the end first."""
    model = cached.model(name)
    run = cached.capture(name, text, only=model.stream(STACK))
    return [int(rank) + 1 for rank in lens(run, model, row, word, count=1).rank]


def row_of(context: StageContext, i: int, depth: Depth, found: Reading) -> list[object]:
    name = depth_name(context, depth)
    if context.hides(i, context.row):
        return [name, *[context.t("matrix.veiled")] * (BEST + 1)]
    return [name, *(chip(context, i, id, share) for id, share in found.best), grouped(found.rank)]


def chip(context: StageContext, depth: int, id: int, share: float) -> Html:
    number = read_at(context, depth, id, share)
    return Html(f"<b>{html.escape(context.piece(id))}</b> {written(number)}")


def depth_name(context: StageContext, depth: Depth) -> str:
    if not depth.part:
        return context.t("depths.start")
    return context.t("depth.place", layer=depth.layer, part=context.t(f"depth.{depth.part}"))


def turn(context: StageContext, found: list[Reading]) -> list[str]:
    """From where on the word that is written leads for good; while the question is open, nothing."""
    ranks = [one.rank for one in found]
    if context.row in context.asked.rows or ranks[-1] != 1:
        return []
    first = next(i for i in range(len(ranks)) if set(ranks[i:]) == {1})
    facts = {"word": context.word, "place": depth_name(context, context.view.depths[first]), "before": ranks[0]}
    return [paragraph(context.t, f"depth.{turning(ranks, first)}", **facts)]


def turning(ranks: list[int], first: int) -> str:
    if first == 0:
        return "turn_none"
    if first < len(ranks) - 1:
        return "turn"
    return "turn_again" if 1 in ranks[:first] else "turn_last"
