"""Open it: the formula with this word's numbers, the code, the shapes."""

import numpy as np

from core.views.circuits import END, Reading, contributions, row_of, weight, written
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.circuits.context import StageContext, run_of, view_taps
from pages.stages.circuits.repeat import repeat

GENERAL = r"z_w = \sum_{p} x_p \cdot \frac{\gamma \odot E_w}{\sqrt{\overline{x^2} + \varepsilon}}"
CENTRED = (
    r"z_w = \beta \cdot E_w + \sum_{p} (x_p - \overline{x_p}) \cdot"
    r" \frac{\gamma \odot E_w}{\sqrt{\sigma^2 + \varepsilon}}"
)


def opened(context: StageContext) -> Opened:
    run = run_of(*context.page.key)
    taps = [
        tap for tap in view_taps(context.model) if tap.startswith(("embedding", "decoder.0.", "decoder.norm", "output"))
    ]
    return Opened(
        formula=formula(context),
        code=(contributions, Reading, written),
        shapes=[(tap, run.dims(tap), run[tap].shape) for tap in taps],
        compare=lambda: (context.t("compared_what"), difference(context)),
        compared="compared",
        other="PyTorch",
        table=lambda: table(context),
        table_name=f"circuits-{context.token}.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def difference(context: StageContext) -> float:
    """Between the sum and the logit of PyTorch's own norm, of all that the parts wrote."""
    from core.reference.reading import logit

    found, model = context.view.found, context.model
    states = [state for _, state in written(run_of(*context.page.key), model, found.token)]
    row = row_of(model, found.word) - (0 if found.against is None else row_of(model, found.against))
    layer = model.config.normalization == "layer"
    gamma, beta = weight(model, str(END), "gamma"), weight(model, str(END), "beta") if layer else None
    return abs(found.total - logit(np.stack(states), row, gamma, beta, model.config.epsilon))


def formula(context: StageContext) -> str:
    """In general and, under it, the largest parts of this sum."""
    general = GENERAL if context.model.config.normalization == "rms" else CENTRED
    if context.veiled:
        return general
    found = context.view.found
    terms = [short(float(found.values[i])) for i in found.ranked[:3]]
    joined = " + ".join(f"({term})" if term.startswith("−") else term for term in terms)
    return rf"\begin{{aligned}} & {general} \\ & {joined} + \dots = {short(found.total)} \end{{aligned}}"


def table(context: StageContext) -> str:
    """Every part with what it adds; where nothing may be seen yet, empty cells."""
    found = context.view.found
    values = found.values[:, None]
    shown = np.full_like(values, np.nan) if context.veiled else values
    return csv(shown, [context.name(part) for part in found.parts], ["adds"])
