"""How many layers: a stack of the visitor's own height, built and run on this very sentence."""

import numpy as np

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.views.stacked import MOST, Stacked, stacked
from pages.shared.address.address import Table, whole
from pages.shared.page.context import PageContext
from pages.shared.page.parts import door, heading, paragraph, refusal, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.encoder.context import StageContext, lowest

HIGHEST, USUAL, SEEDS = 24, 6, 99  # BERT-large's layers; those of Vaswani et al. 2017


def parameters(page: PageContext, view: object) -> Table:
    return {"layers": whole(1, HIGHEST, USUAL), "seed": whole(0, SEEDS, 0)}


@cached.shared
def run_of(name: str, text: str, layers: int, seed: int) -> Stacked:
    model = cached.model(name)
    return stacked(model, cached.capture(name, text, only=(model.reader.entrance,)), layers, seed)


def draw(context: StageContext) -> None:
    t, layers = context.t, context.values["layers"]
    found = run_of(*context.key, layers, context.values["seed"])
    n, d = found.shape
    facts = {"n": n, "d": d, "layers": layers, "each": grouped(found.layer), "total": grouped(found.parameters)}
    write(heading(t, "height"), paragraph(t, "height.said", **facts))
    components.controls(key="height_controls", data=controls(context).data())
    refusal(context)
    write(paragraph(t, "height.found", **facts))
    if n > 1:
        components.curves(key="height", data=curves(context, found).pack())
        write(paragraph(t, "height.alike", start=float(found.alike[0]), last=float(found.alike[-1]), layers=layers))
    if len(context.view.tokens) > MOST:
        write(f"<p class='note'>{t.html('height.cut', most=MOST)}</p>")
    write(paragraph(t, "height.honest"))
    door(context.page, "training", t("height.door"))


def controls(context: StageContext) -> Controls:
    t = context.t

    def one(name: str, low: int, high: int, usual: int) -> Control:
        told = t("height.refusal", low=low, high=high)
        return Control(name, t(f"height.{name}"), number=(low, high), refusal=told, usual=usual)

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
    )


SECTION = Section(draw, parameters, ("layers", "seed"))
