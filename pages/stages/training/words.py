"""The sentences about one weight: the lead, what to notice, what to try."""

from collections.abc import Mapping, Sequence

from core.training.runs import Setting
from core.training.tasks import END
from core.views.descent import RATES, STEPS, Descent
from pages.shared.words.numbers import grouped
from pages.stages.training.context import USUAL, StageContext


def lead(context: StageContext) -> tuple[str, Mapping[str, object]]:
    descent = context.view.of[USUAL]
    counts = {"lines": Setting().batch, "parameters": grouped(descent.parameters)}
    return "lead", {"loss": float(descent.losses[0]), **counts}


def named(descent: Descent) -> str:
    """The weight as the field writes it: its place in the table."""
    return f"E[{END}, {descent.dim}]"


def near(value: float) -> str:
    """Two digits behind the point."""
    return f"{value:.2f}".replace("-", "−")


def notices(context: StageContext) -> Sequence[str]:
    if context.covered:
        return []
    usual, large, small = (context.view.of[rate] for rate in (USUAL, max(RATES), min(RATES)))
    rates = {"steps": STEPS, "usual": f"{USUAL:g}", "large": f"{large.rate:g}", "small": f"{small.rate:g}"}
    losses = {"start": usual.losses[0], "lowest": usual.losses[-2]}
    losses |= {"high": large.losses[1:-1].max(), "slow": small.losses[-2], "slope": usual.gradients[-2]}
    weight = {"dim": usual.dim, "weight": named(usual).replace(" ", "\u00a0")}
    facts = {**rates, **weight, **{name: float(loss) for name, loss in losses.items()}}
    seen = ["notice.loop", "notice.valley"]
    return [context.t.html(key, **facts) for key in (seen if context.veiled else [*seen, "notice.rate"])]


def attempt(context: StageContext) -> tuple[str, Mapping[str, object]] | None:
    if context.covered:  # no step is seen
        return None
    if context.veiled:
        return context.t("try_step"), {"times": 1}
    rate = f"{USUAL if context.descent.rate == max(RATES) else max(RATES):g}"
    return context.t("try_rate", rate=rate), {"rate": rate, "times": 3}
