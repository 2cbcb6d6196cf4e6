"""Open it: what a layer computes, with this token's numbers; the code, the shapes, another implementation."""

import numpy as np

from core.model.config import Config
from core.model.places import Place
from core.model.residual import RESIDUALS
from core.views.encoder import WORDS, places
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.encoder.context import StageContext
from pages.stages.encoder.repeat import repeat

NORMS = {"layer": r"\mathrm{LN}", "rms": r"\mathrm{RMSNorm}"}
LAYER = {  # by where the norms stand
    "post": r"y = {norm}\big(x + \mathrm{attention}(x)\big), \qquad z = {norm}\big(y + \mathrm{FFN}(y)\big)",
    "pre": r"y = x + \mathrm{attention}\big({norm}(x)\big), \qquad z = y + \mathrm{FFN}\big({norm}(y)\big)",
}


def opened(context: StageContext) -> Opened:
    page, place = context.page, context.place
    taps = tuple(dict.fromkeys([*(place.tap(word) for word in WORDS), page.model.leaving(place)]))
    run, own = Cells(page).run(*taps), Place(context.stack, context.layer - 1)
    layer, network = (type(page.model.parts[name]) for name in (str(own), own.tap("feedforward")))
    return Opened(
        formula=formula(context),
        code=(layer.forward, RESIDUALS[page.model.config.norm].forward, network.forward),
        shapes=[(tap, run.dims(tap), run[tap].shape) for tap in taps],
        compare=lambda: (
            page.t("compared_what", most=short(compare.largest_state(*context.key))),
            compare.state_difference(*context.key),
        ),
        table=lambda: table(context),
        table_name="encoder-shares.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    config = context.page.model.config
    lines = [LAYER[config.norm].replace("{norm}", NORMS[config.normalization]), network_of(config)]
    if not context.hidden:
        at, here = context.token_of(context.stack), context.here
        ratio = rf"\frac{{{short(float(here.written[at]))}}}{{{short(float(here.before[at]))}}}"
        delta = r"\frac{\lVert\Delta\rVert}{\lVert x\rVert}"
        lines.append(rf"{delta} = {ratio} = {short(float(here.share[at]))}")
    return r"\begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}"


def network_of(config: Config) -> str:
    """The feed-forward network, which may have a gate, and may have no biases."""
    if config.activation == "swiglu":
        wide, narrow = r"\mathrm{silu}(y W_{\mathrm{gate}}) \odot y W_{\mathrm{up}}", r"W_{\mathrm{down}}"
        return rf"\mathrm{{FFN}}(y) = \big({wide}\big)\, {narrow}"
    wide, narrow = (r"y W_1 + b_1", r"W_2 + b_2") if config.bias else ("y W_1", "W_2")
    return rf"\mathrm{{FFN}}(y) = f({wide})\, {narrow}"


def table(context: StageContext) -> str:
    """The share written by each sub-layer of the encoder for each token; what may not be seen yet stays empty."""
    own = [place for place in places(context.page.model) if place.stack == context.reader]
    shares = np.stack(
        [context.view.at(context.reader, int(place.layer or 0) + 1, place.part).share for place in own], axis=1
    )
    shown = shares.copy()
    for token, column in np.ndindex(*shares.shape):
        if context.hides(context.reader, int(own[column].layer or 0) + 1, token):
            shown[token, column] = np.nan
    return csv(shown, context.page.tokens, [str(place) for place in own])
