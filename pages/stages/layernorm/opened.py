"""Open it: the formula with this cell's numbers, the code, the shapes."""

import re

import numpy as np

from core.derivation.layernorm import derive
from core.lessons.norm import BatchNorm, RMSNorm
from core.model.norm import LayerNorm
from core.model.residual import PostNorm, PreNorm, WithoutNorm
from core.views import layernorm as views
from core.views.layernorm import SPREAD, NormView
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.layernorm.context import StageContext, view_of
from pages.stages.layernorm.repeat import repeat

MODULES = {"layer": LayerNorm, "rms": RMSNorm, "batch": BatchNorm, "none": WithoutNorm}
GENERAL = {
    "layer": r"\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta \\ & "
    r"\mu = \frac{1}{d}\sum_i x_i, \quad \sigma^2 = \frac{1}{d}\sum_i (x_i - \mu)^2",
    "rms": r"\mathrm{RMSNorm}(x) = \gamma \odot \frac{x}{\sqrt{\frac{1}{d}\sum_i x_i^2 + \varepsilon}}",
    "batch": r"\mathrm{BN}(x)_i = \gamma_i\, \frac{x_i - \mu_i}{\sqrt{\sigma_i^2 + \varepsilon}} + \beta_i \\ & "
    r"\mu_i = \frac{1}{n}\sum_t x_{ti}, \quad \sigma_i^2 = \frac{1}{n}\sum_t (x_{ti} - \mu_i)^2",
    "none": r"x",
}


def opened(context: StageContext) -> Opened:
    t, view, row = context.t, context.view, context.row
    lanes = [part for part in views.LANES if not context.hides(context.given, part)]
    rows = np.stack(
        [getattr(context.ran, part)[row] for part in lanes] + [getattr(view, part) for part in view.learned]
    )
    own = context.method == view.kind
    norm = type(context.page.model.parts[str(view.place)]) if own else MODULES[context.method]
    return Opened(
        formula=formula(context),
        code=(norm.forward, PostNorm.forward, PreNorm.forward, NormView.ran),
        shapes=shapes(context),
        compare=lambda: (t("compared.norms", norms=len(context.places)), largest_difference(context)),
        compared="compared.said",
        table=lambda: csv(rows, [*lanes, *view.learned], [str(i) for i in range(view.d_model)]),
        table_name=f"{view.place}-{row}.csv",
        repeat=repeat,
    )


def shapes(context: StageContext) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """From what is added up to what comes out."""
    view, place, dims = context.view, context.view.place, context.page.model.tap_dims
    own = view.captured
    captured = {"mean": own.mean, SPREAD[view.kind]: own.variance, "normalized": own.normalized}
    if view.kind == "rms":
        del captured["mean"]
    taps = {
        **view.summands,
        views.given(context.page.model, place): view.captured.before,
        **{f"{place}.{part}": array for part, array in captured.items()},
    }
    return [
        *((tap, dims[tap], array.shape) for tap, array in taps.items()),
        *((f"{place}.{part}", ("d_model",), getattr(view, part).shape) for part in view.learned),
        (f"{place}.output", dims[f"{place}.output"], view.captured.after.shape),
    ]


def largest_difference(context: StageContext) -> float:
    """torch.nn.LayerNorm beside ours, over what each norm was given."""
    return max(views.torch_difference(view_of(*context.key, place)) for place in context.places)


def formula(context: StageContext) -> str:
    """The general formula and, under it, the numbers of the cell that is selected."""
    general = GENERAL[context.method]
    if context.hides(context.given, "after") or context.method not in ("layer", "rms"):
        return rf"\begin{{aligned}} & {general} \end{{aligned}}"
    *_, normalized, after = derive(context.view, context.ran, "after", context.row, context.values["dim"]).steps
    parts = {**normalized.parts, **after.parts}
    part = {name: short(value) for name, value in parts.items() if not isinstance(value, str)}
    small = re.sub(r"1e-(\d+)", r"10^{-\1}", str(parts["epsilon"]))
    if context.method == "rms":
        fraction = rf"\frac{{{part['x']}}}{{\sqrt{{{part['mean_square']} + {small}}}}}"
    else:
        fraction = rf"\frac{{{part['x']} - ({part['mean']})}}{{\sqrt{{{part['variance']} + {small}}}}}"
    moved = rf" + ({part['beta']})" if "beta" in part else ""
    numbers = rf"{part['gamma']} \cdot {fraction}{moved} = {short(after.value)}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \end{{aligned}}"
