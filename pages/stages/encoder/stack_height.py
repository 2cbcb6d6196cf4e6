"""How many layers: a stack of the visitor's own height, built and run on this very sentence."""

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.figures.diagram import Box, Column, Diagram, DiagramWords, Group
from core.views.stacked import MOST, Stacked, stacked
from pages.shared.address.address import Table, whole
from pages.shared.page import parts
from pages.shared.page.parts import heading, paragraph, refusal, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.stages.encoder.context import StageContext, lowest
from pages.stages.encoder.doors import door
from pages.stages.encoder.picture import DOORS, passed

HIGHEST, USUAL, SEEDS = 24, 6, 99  # BERT-large's layers; those of Vaswani et al. 2017


def parameters(page: PageContext, view: object) -> Table:
    return {"layers": whole(1, HIGHEST, USUAL), "built": whole(1, HIGHEST, 1), "seed": whole(0, SEEDS, 0)}


@cached.shared
def run_of(name: str, text: str, layers: int, seed: int) -> Stacked:
    model = cached.model(name)
    return stacked(
        model, cached.capture(name, text, only=(model.reader.entrance, "decoder.embedding.output")), layers, seed
    )


def draw(context: StageContext) -> None:
    t, layers = context.t, context.values["layers"]
    found = run_of(*context.key, layers, context.values["seed"])
    n, d = found.shape
    facts = {"n": n, "d": d, "layers": layers, "each": grouped(found.layer), "total": grouped(found.parameters)}
    write(heading(t, "height"), paragraph(t, "height.said", **facts))
    components.controls(key="height_controls", data=controls(context).data())
    refusal(context)
    left, right = st.columns([1.25, 1] if context.page.translates else [1, 1.25], gap="large")
    with left:
        components.diagram(key="height_diagram", data=diagram(context, found).data())
    with right:
        write(paragraph(t, said_of("found", layers), **facts), writer_said(context, found))
        if n > 1:
            components.curves(key="height", data=curves(context, found).pack())
    if n > 1:
        write(paragraph(t, "height.alike", start=float(found.alike[0]), last=float(found.alike[-1]), layers=layers))
    if len(context.view.tokens) > MOST:
        write(f"<p class='note'>{t.html('height.cut', most=MOST)}</p>")
    write(paragraph(t, "height.honest"))
    parts.door(context.page, "training", t("height.door"))


def writer_said(context: StageContext, found: Stacked) -> str:
    """What a layer of the other stack has, where there is one."""
    layers, each = context.values["layers"], found.written_layer
    facts = {"each": grouped(each), "layers": layers, "total": grouped(each * layers)}
    return paragraph(context.t, said_of("found_writer", layers), **facts) if each else ""


def said_of(what: str, layers: int) -> str:
    """One layer is not counted twice."""
    return f"height.{what}{'_one' if layers == 1 else ''}"


def diagram(context: StageContext, found: Stacked) -> Diagram:
    """The stacks that were built, and of one of their layers how long what each sub-layer adds is."""
    t, model, layers = context.t, context.page.model, context.values["layers"]
    layer, (n, d) = min(context.values["built"], layers), found.shape
    sizes = {"encoder": n, "decoder": min(MOST, len(context.view.given))}

    def column(id: str, stack: str) -> Column:
        names = [t("height.enters", layer=layer), t("height.leaves", layer=layers)]
        ends = [Box(f"built-{id}-{end}", name, f"{sizes[id]} × {d}") for end, name in enumerate(names)]
        groups = [group(id, part) for part in model.stacks[stack].parts]
        name, count = t(f"stacks.{stack}"), t("diagram.count", n=layers)
        return Column(f"built-{id}", name, layers, count, ends[:1], groups, ends[1:], passed(t, layer, layers))

    def group(id: str, part: str) -> Group:
        share = short(found.shares[f"{id}.{layer - 1}.{part}"])
        leads = door(context, DOORS[part]) if part in DOORS else None
        opens = "network" if part == "feedforward" else ""
        box = Box(f"built-{id}-{part}", t(f"parts.{part}"), share, t("height.share"), "×", leads, section=opens)
        norm = Box(f"built-{id}-{part}-norm", t("diagram.norm"), door=door(context, "norm"))
        return Group(box, norm, memory=part == "cross_attention")

    columns = [column("encoder", context.reader), *([column("decoder", "decoder")] if len(found.written) else [])]
    said = t("height.diagram", layer=layer)
    words = DiagramWords(t("height.label"), t("layer"), t("diagram.pass"), t("diagram.times"), said)
    return Diagram(columns, words, param="built")


def controls(context: StageContext) -> Controls:
    t = context.t

    def one(name: str, low: int, high: int, usual: int) -> Control:
        told = t("height.refusal", low=low, high=high)
        return Control(name, t(f"height.{name}"), number=(low, high), refusal=told, usual=usual, also={"built": None})

    return Controls([one("layers", 1, HIGHEST, USUAL), one("seed", 0, SEEDS, 0)])


def curves(context: StageContext, found: Stacked) -> Curves:
    """The drawn stack beside this model's own, each as far as it goes."""
    t, own = context.t, context.view.alike
    longest = max(len(found.alike), len(own))
    values = [np.pad(line, (0, longest - len(line)), constant_values=np.nan) for line in (found.alike, own)]
    names = [t("height.drawn", n=len(found.alike) - 1), t("height.trained", n=len(own) - 1)]
    return Curves(
        x=Along(longest, t("residual.depth")),
        y=Upwards(low=lowest(found.alike, own), high=1.0),
        series=[Series(names[0], "second"), Series(names[1], "accent")],
        values=values,
        words=CurvesWords(t("residual.label"), t.html("height.caption")),
        height=230,
        ends=not np.isnan([line[-1] for line in values]).any(),  # of one that ends earlier, a name would stand apart
    )


SECTION = Section(draw, parameters, ("layers", "built", "seed"))
