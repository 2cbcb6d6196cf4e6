"""Open it: what a layer computes, with this token's numbers; the code, the shapes, another implementation."""

import numpy as np

from core.model.config import Config
from core.model.places import Place
from core.model.residual import RESIDUALS
from core.views.encoder import WORDS, places
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.encoder.look import Look
from pages.stages.encoder.repeat import repeat

NORMS = {"layer": r"\mathrm{LN}", "rms": r"\mathrm{RMSNorm}"}
LAYER = {  # by where the norms stand
    "post": r"y = {norm}\big(x + \mathrm{attention}(x)\big), \qquad z = {norm}\big(y + \mathrm{FFN}(y)\big)",
    "pre": r"y = x + \mathrm{attention}\big({norm}(x)\big), \qquad z = y + \mathrm{FFN}\big({norm}(y)\big)",
}


def opened(look: Look) -> Opened:
    page, place = look.page, look.place
    taps = tuple(dict.fromkeys([*(place.tap(word) for word in WORDS), page.model.leaving(place)]))
    run, own = Cells(page).run(*taps), Place(look.stack, look.layer - 1)
    layer, network = (type(page.model.parts[name]) for name in (str(own), own.tap("feedforward")))
    return Opened(
        formula=formula(look),
        code=(layer.forward, RESIDUALS[page.model.config.norm].forward, network.forward),
        shapes=[(tap, run.dims(tap), run[tap].shape) for tap in taps],
        compare=lambda: (
            page.t("compared_what", most=short(compare.largest_state(*look.key))),
            compare.state_difference(*look.key),
        ),
        table=lambda: table(look),
        table_name="encoder-shares.csv",
        captured=not look.veiled,
        repeat=repeat,
    )


def formula(look: Look) -> str:
    config = look.page.model.config
    lines = [LAYER[config.norm].replace("{norm}", NORMS[config.normalization]), network_of(config)]
    if not look.hidden:
        at, here = look.token_of(look.stack), look.here
        ratio = rf"\frac{{{short(float(here.written[at]))}}}{{{short(float(here.before[at]))}}}"
        delta = r"\frac{\lVert\Delta\rVert}{\lVert x\rVert}"
        lines.append(rf"{delta} = {ratio} = {short(float(here.share[at]))}")
    return r"\begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}"


def network_of(config: Config) -> str:
    """The feed-forward network, which may have a gate, and may have no biases."""
    if config.activation == "swiglu":
        wide, narrow = r"\mathrm{silu}(y W_g) \odot y W_u", r"W_d"
        return rf"\mathrm{{FFN}}(y) = \big({wide}\big)\, {narrow}"
    wide, narrow = (r"y W_1 + b_1", r"W_2 + b_2") if config.bias else ("y W_1", "W_2")
    return rf"\mathrm{{FFN}}(y) = f({wide})\, {narrow}"


def table(look: Look) -> str:
    """The share written by each sub-layer of the encoder for each token; what may not be seen yet stays empty."""
    own = [place for place in places(look.page.model) if place.stack == look.reader]
    shares = np.stack([look.view.at(look.reader, int(place.layer or 0) + 1, place.part).share for place in own], axis=1)
    shown = shares.copy()
    for token, column in np.ndindex(*shares.shape):
        if look.hides(look.reader, int(own[column].layer or 0) + 1, token):
            shown[token, column] = np.nan
    return csv(shown, look.page.tokens, [str(place) for place in own])
