"""The one diagram: both stacks, their boxes with this sentence's numbers, each a door to its stage."""

from core.derivation import Cell, Measure, Source
from core.figures.diagram import Also, Box, Column, Diagram, DiagramWords, Group
from pages.shared.number.number_links import number
from pages.shared.words.numbers import Number, short
from pages.stages.encoder.doors import door
from pages.stages.encoder.look import Look

DOORS = {"attention": "attention", "self_attention": "self", "cross_attention": "cross"}
HEADS = {"attention": "heads", "self_attention": "heads_self", "cross_attention": "heads_cross"}

DECODER = ("self_attention", "cross_attention", "feedforward")  # of the original, where a model has none


def diagram(look: Look) -> Diagram:
    t, page = look.t, look.page
    words = DiagramWords(
        label=t("diagram.label"),
        layer=t("layer"),
        pass_=t("diagram.pass"),
        times=t("diagram.times"),
        caption=t("diagram.caption", layer=look.layer, token=look.name_of(look.reader)),
    )
    beside = [decoder(look)] if page.translates else [ghost(look)] if page.model.objective == "compare" else []
    return Diagram([reader(look), *beside], words)


def reader(look: Look) -> Column:
    """The stack that reads; what stands above it is handed to another stack, is the end, or says the next token."""
    t, objective = look.t, look.page.model.objective
    last = Box("last", t("diagram.last"), str(look.page.model.config.d_model), t("diagram.width"))
    return Column(
        id=look.reader,
        name=t(f"diagram.{look.reader}", token=look.name_of(look.reader)),
        layers=look.view.layers,
        below=entrance(look, look.reader),
        groups=groups(look, look.reader),
        above=[last] if objective == "compare" else [output(look, look.pos)] if objective == "next" else [],
    )


def output(look: Look, row: int) -> Box:
    """The token that is said to be next, with its probability."""
    t, found = look.t, look.view.written[row]
    trail = begun(look, found.probability, Cell("output.probabilities", (row, found.id)))
    said = f"{found.text} {short(found.probability)}"
    return Box("output", t("diagram.output"), said, t("diagram.next"), door(look, "output"), trail=trail)


def decoder(look: Look) -> Column:
    t = look.t
    return Column(
        id="decoder",
        name=t("diagram.decoder", token=look.name_of("decoder")),
        layers=look.page.model.config.decoder_layers,
        below=entrance(look, "decoder"),
        groups=groups(look, "decoder"),
        above=[output(look, look.row)],
    )


def ghost(look: Look) -> Column:
    """What a model that only reads does not have."""
    t = look.t
    return Column(
        id="none",
        name=t("diagram.ghost"),
        layers=6,
        below=[Box("ghost-in", t("diagram.target"))],
        groups=[
            Group(Box(f"ghost-{part}", t(f"parts.{part}")), Box(f"ghost-{part}-norm", t("diagram.norm")))
            for part in DECODER
        ],
        above=[Box("ghost-out", t("diagram.output"))],
        ghost=True,
    )


def entrance(look: Look, stack: str) -> list[Box]:
    """From the token to what enters the first layer."""
    t, own = look.t, stack == look.reader
    at = look.token_of(stack)
    size = float(look.view.entering[0 if own else 1][at])
    tap = look.page.model.depths()[0] if own else "decoder.embedding.output"
    trail = begun(look, size, Measure("length", (Cell(tap, (at, None)),)))
    there = look.page.model.tap_dims
    name = "sum_norm" if "embedding.norm.output" in there else "sum"
    position = Box(f"{stack}-position", t("diagram.position"), door=door(look, "position"))
    return [
        Box(f"{stack}-token", look.name_of(stack), door=door(look, "tokens")),
        Box(f"{stack}-row", t("diagram.embedding"), door=door(look, "embedding")),
        *([position] if "embedding.position" in there else []),  # else attention is told
        Box(f"{stack}-sum", t(f"diagram.{name}"), short(size), t("diagram.length"), door(look, "input"), trail=trail),
    ]


def begun(look: Look, value: float, source: Source) -> str:
    """The trail that a number begins that nothing here selects."""
    found = number(look, value, source)
    return found.trail if isinstance(found, Number) else ""


def groups(look: Look, stack: str) -> list[Group]:
    return [group(look, stack, part) for part in look.page.model.stacks[stack].parts]


def group(look: Look, stack: str, part: str) -> Group:
    t, at = look.t, look.token_of(stack)
    found = look.view.at(stack, look.layer, part)
    hidden = look.hides(stack, look.layer, at)
    share, kept = ("…", "…") if hidden else (short(float(found.share[at])), short(float(found.kept[at])))
    leads, heads = (door(look, doors[part]) if part in doors else None for doors in (DOORS, HEADS))
    id, before = f"{stack}.{part}", Cell(found.place.tap("skip"), (at, None))
    alike = Measure("cosine", (before, Cell(look.page.model.leaving(found.place), (at, None))))
    trail = begun(look, float(found.kept[at]), alike)
    return Group(
        part=Box(
            id,
            t(f"parts.{part}"),
            share,
            t("diagram.share"),
            leads,
            Also(t.stage("heads"), heads) if heads else None,
            "network" if part == "feedforward" else "",
            {"part": id},
        ),
        norm=Box(f"{id}.norm", t("diagram.norm"), kept, t("diagram.kept"), door(look, "norm"), trail=trail),
        memory=part == "cross_attention",
    )
