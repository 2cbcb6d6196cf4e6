"""Open it: what a layer computes, with this token's numbers; the code, the shapes, another implementation."""

import numpy as np

from core.model.encoder import EncoderLayer
from core.model.feedforward import FeedForward
from core.model.residual import PostNorm
from core.views.encoder import WORDS, places
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.encoder.look import Look
from pages.stages.encoder.repeat import repeat

GENERAL = (
    r"y = \mathrm{LN}\big(x + \mathrm{attention}(x)\big), \qquad z = \mathrm{LN}\big(y + \mathrm{FFN}(y)\big)",
    r"\mathrm{FFN}(y) = f(y W_1 + b_1)\, W_2 + b_2",
)


def opened(look: Look) -> Opened:
    page, place = look.page, look.place
    taps = (*(place.tap(word) for word in WORDS), look.page.model.leaving(place))
    run = Cells(page).run(*taps)
    return Opened(
        formula=formula(look),
        code=(EncoderLayer.forward, PostNorm.forward, FeedForward.forward),
        shapes=[(tap, run.dims(tap), run[tap].shape) for tap in taps],
        compare=lambda: (page.t("compared_what"), compare.state_difference(*look.key)),
        table=lambda: table(look),
        table_name="encoder-shares.csv",
        captured=not look.veiled,
        repeat=repeat,
    )


def formula(look: Look) -> str:
    lines: list[str] = [*GENERAL]
    if not look.hidden:
        at, here = look.token_of(look.stack), look.here
        ratio = rf"\frac{{{short(float(here.written[at]))}}}{{{short(float(here.before[at]))}}}"
        delta = r"\frac{\lVert\Delta\rVert}{\lVert x\rVert}"
        lines.append(rf"{delta} = {ratio} = {short(float(here.share[at]))}")
    return r"\begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}"


def table(look: Look) -> str:
    """The share written by each sub-layer of the encoder for each token; what may not be seen yet stays empty."""
    own = [place for place in places(look.page.model) if place.stack == look.reader]
    shares = np.stack([look.view.at(look.reader, int(place.layer or 0) + 1, place.part).share for place in own], axis=1)
    shown = shares.copy()
    for token, column in np.ndindex(*shares.shape):
        if look.hides(look.reader, int(own[column].layer or 0) + 1, token):
            shown[token, column] = np.nan
    return csv(shown, look.page.tokens, [str(place) for place in own])
