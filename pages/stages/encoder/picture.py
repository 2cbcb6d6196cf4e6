"""The stream of one token, or the one diagram: both stacks, their boxes with this sentence's numbers, each a door to
its stage."""

from core.derivation import Cell, Measure, Source
from core.figures.controls import Control, Controls, numbered
from core.figures.diagram import Also, Box, Column, Diagram, DiagramWords, Group
from pages.shared.number.number_links import number
from pages.shared.pictures import components
from pages.shared.words.numbers import PROSE, Number, short
from pages.shared.words.texts import Texts
from pages.stages.encoder.context import SHOWN, StageContext, layers_of
from pages.stages.encoder.doors import door
from pages.stages.encoder.river import river

DOORS = {"attention": "attention", "self_attention": "self", "cross_attention": "cross"}


def picture(context: StageContext) -> None:
    """The stream of the selected token through all layers, or what the layer looked at is built of."""
    if context.blocks:
        components.diagram(key="diagram", data=diagram(context).data())
    else:
        components.river(key="river", data=river(context).data())


def controls(context: StageContext) -> Controls:
    t = context.t
    shown = [(id, t(f"shown.{id}")) for id in SHOWN]
    return Controls(
        [Control("layer", t("layer"), numbered(layers_of(context.page))), Control("shown", t("shown.label"), shown)]
    )


def diagram(context: StageContext) -> Diagram:
    t, page = context.t, context.page
    words = DiagramWords(
        label=t("diagram.label"),
        layer=t("layer"),
        pass_=t("diagram.pass"),
        times=t("diagram.times"),
        caption=t("diagram.caption", layer=context.layer, token=context.name_of(context.reader)),
    )
    beside = [decoder(context)] if page.translates else []
    return Diagram([reader(context), *beside], words)


def reader(context: StageContext) -> Column:
    """The stack that reads; what stands above it is handed to another stack, is the end, or says the next token."""
    t, objective = context.t, context.page.model.objective
    return Column(
        id=context.reader,
        name=t(f"diagram.{context.reader}", token=context.name_of(context.reader)),
        layers=context.view.layers,
        count=t("diagram.count", n=context.view.layers),
        below=entrance(context, context.reader),
        groups=groups(context, context.reader),
        above=[output(context, context.pos)] if objective == "next" else [last(context)],
        rest=passed(t, context.layer, context.view.layers),
    )


def last(context: StageContext) -> Box:
    """The token's last state."""
    t, size = context.t, float(context.view.leaving[context.pos])
    hidden = context.hides(context.reader, context.view.layers, context.pos)
    length = Measure("length", (Cell(context.page.model.depths()[-1], (context.pos, None)),))
    trail = "" if hidden else begun(context, size, length)
    said = "…" if hidden else short(size, PROSE)
    return Box("last", t("diagram.last"), said, t("diagram.length"), t("diagram.long"), trail=trail)


def output(context: StageContext, row: int) -> Box:
    """The token that is said to be next, with its probability."""
    t, found = context.t, context.view.written[row]
    trail = begun(context, found.probability, Cell("output.probabilities", (row, found.id)))
    said = f"{found.text} {short(found.probability, PROSE)}"
    return Box("output", t("diagram.output"), said, t("diagram.next"), door=door(context, "output"), trail=trail)


def decoder(context: StageContext) -> Column:
    t = context.t
    return Column(
        id="decoder",
        name=t("diagram.decoder", token=context.name_of("decoder")),
        layers=context.page.model.config.decoder_layers,
        count=t("diagram.count", n=context.page.model.config.decoder_layers),
        below=entrance(context, "decoder"),
        groups=groups(context, "decoder"),
        above=[output(context, context.row)],
        rest=passed(t, context.layer, context.page.model.config.decoder_layers),
    )


def entrance(context: StageContext, stack: str) -> list[Box]:
    """What enters the layer that is open."""
    t, at, first = context.t, context.token_of(stack), context.page.model.stacks[stack].parts[0]
    found = context.view.at(stack, context.layer, first)
    size = float(found.before[at])
    trail = begun(context, size, Measure("length", (Cell(found.place.tap("skip"), (at, None)),)))
    leads = door(context, "input") if context.layer == 1 else None
    name = t("diagram.enters", layer=context.layer)
    said, unit = t("diagram.length"), t("diagram.long")
    return [Box(f"{stack}-enters", name, short(size, PROSE), said, unit, leads, trail=trail)]


def passed(t: Texts, open: int, layers: int) -> str:
    """The layers between the one that is open and what stands above it."""
    first, last = open + 1, layers
    if first > last:
        return ""
    return t("diagram.rest", first=first, last=last) if first < last else t("diagram.rest_one", layer=last)


def begun(context: StageContext, value: float, source: Source) -> str:
    """The trail that a number begins that nothing here selects."""
    found = number(context, value, source)
    return found.trail if isinstance(found, Number) else ""


def groups(context: StageContext, stack: str) -> list[Group]:
    return [group(context, stack, part) for part in context.page.model.stacks[stack].parts]


def group(context: StageContext, stack: str, part: str) -> Group:
    t, at = context.t, context.token_of(stack)
    found = context.view.at(stack, context.layer, part)
    hidden = context.hides(stack, context.layer, at)
    share = "…" if hidden else short(float(found.share[at]), PROSE)
    leads = door(context, DOORS[part]) if part in DOORS else None
    heads = door(context, "heads") if part == "attention" and not context.page.translates else None  # room for both
    id = f"{stack}.{part}"
    return Group(
        part=Box(
            id,
            t(f"parts.{part}"),
            share,
            t("diagram.share"),
            "×",
            leads,
            Also(t.stage("heads"), heads) if heads else None,
            "network" if part == "feedforward" else "",
            {"part": id},
        ),
        norm=Box(f"{id}.norm", t("diagram.norm"), door=door(context, "norm")),
        memory=part == "cross_attention",
    )
