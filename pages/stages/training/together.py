"""Every weight takes its step at once: the loss over sixty steps, by each learning rate."""

from collections.abc import Mapping

import numpy as np

from core.figures.curves import Along, Curves, CurvesWords, Look, Mark, Series, Upwards
from core.training.runs import Setting
from core.training.tasks import vocabulary
from core.views.descent import RATES, ROUNDS, together
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import PROSE, grouped, short
from pages.stages.training.context import StageContext
from pages.stages.training.words import near

HIGHEST = 1000  # of a loss that is drawn
LOOKS: tuple[Look, ...] = ("faint", "accent", "second")  # of the three learning rates


@cached.shared
def losses(rate: float) -> np.ndarray:
    return together(rate)


def draw(context: StageContext) -> None:
    t, descent = context.t, context.descent
    write(heading(t, "together"), paragraph(t, "together.said", parameters=grouped(descent.parameters), steps=ROUNDS))
    if context.veiled:
        return write(f"<p class='soft'>{t.html('gradient.covered')}</p>")
    found = {rate: losses(rate) for rate in RATES}
    components.curves(key="together", data=curves(context, found).pack())
    said = [paragraph(t, f"together.{outcome(one)}", **facts(one, rate)) for rate, one in found.items()]
    read = [paragraph(t, f"together.{key}", **beginning(found[min(RATES)][0])) for key in ("guess", "worse", "why")]
    write(*said, paragraph(t, "together.real"), *read)


def beginning(loss: float) -> dict[str, object]:
    """The untrained network beside a random guess; and the slopes of −ln p and of 1 − p there, along the right
    token's score: p − 1, and −p(1 − p)."""
    size, p = len(vocabulary(Setting().task)), float(np.exp(-loss))
    guess = {"size": size, "guess": near(np.log(size)), "loss": near(loss)}
    numbers = {"p": p, "even": 1 / size, "steep": p - 1, "flat": -p * (1 - p)}
    return {**guess, **{name: short(number, PROSE) for name, number in numbers.items()}}


def outcome(found: np.ndarray) -> str:
    """Whether it stays below its beginning, rises above it on the way, or does not come back."""
    if not np.isfinite(found).all() or found[-1] > found[0]:
        return "lost"
    return "fell" if found.argmax() == 0 else "uneven"


def facts(found: np.ndarray, rate: float) -> dict[str, object]:
    seen = found[np.isfinite(found)]
    steps = np.diff(seen)
    ends = {"first": near(found[0]), "second": near(found[1]), "last": near(seen[-1])}
    return {
        **ends,
        "rate": f"{rate:g}",
        "steps": len(found) - 1,
        "high": float(seen.max()),
        "down": int((steps < 0).sum()),
    }


def curves(context: StageContext, found: Mapping[float, np.ndarray]) -> Curves:
    t = context.t
    words = CurvesWords(t("together.label"), t.html("together.caption", highest=grouped(HIGHEST)))
    values = [np.where(one <= HIGHEST, one, np.nan) for one in found.values()]
    series = [Series(f"η = {rate:g}", look) for rate, look in zip(found, LOOKS, strict=True)]
    lost = [(one, each.name) for one, each in zip(values, series, strict=True) if np.isnan(one[-1])]
    last = [(np.flatnonzero(np.isfinite(one))[-1], one, name) for one, name in lost]
    marks = [Mark(int(at), float(one[at]), name) for at, one, name in last]
    axes = Along(ROUNDS + 1, t("descent.steps")), Upwards(log=True)
    return Curves(*axes, series, values, words, 260, marks=marks, ends=True)
