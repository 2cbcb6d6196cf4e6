"""The sentences about one weight: the lead, the answers, what to notice, what to try."""

from collections.abc import Mapping, Sequence

from core.training.runs import Setting
from core.views.descent import RATES, STEPS
from pages.shared.words.numbers import grouped
from pages.stages.training.context import USUAL, StageContext
from pages.stages.training.picture import named


def lead(context: StageContext) -> tuple[str, Mapping[str, object]]:
    descent = context.view.of[USUAL]
    return "lead", {
        "lines": Setting().batch,
        "parameters": grouped(descent.parameters),
        "loss": near(descent.losses[0]),
        "weight": named(descent),
        "value": near(descent.weights[0]),
    }


def asked(context: StageContext) -> Mapping[str, object]:
    """The question's own numbers, with as many digits as one reads."""
    facts = context.question.facts if context.question else {}
    return {name: near(fact) for name, fact in facts.items() if isinstance(fact, float)}


def near(value: float) -> str:
    """Two digits behind the point: all of them stand beside the picture."""
    return f"{value:.2f}".replace("-", "−")


def notices(context: StageContext) -> Sequence[str]:
    if context.covered:
        return []
    usual, large, small = (context.view.of[rate] for rate in (USUAL, max(RATES), min(RATES)))
    facts = {"steps": STEPS, "usual": f"{USUAL:g}", "large": f"{large.rate:g}", "small": f"{small.rate:g}"}
    facts |= {"lowest": near(usual.losses[-2]), "start": near(usual.losses[0]), "slope": float(usual.gradients[-2])}
    facts |= {"high": near(large.losses[1:-1].max()), "slow": near(small.losses[-2])}
    seen = ["notice.loop", "notice.valley"]
    return [context.t.html(key, **facts) for key in (seen if context.veiled else [*seen, "notice.rate"])]


def attempt(context: StageContext) -> tuple[str, Mapping[str, object]]:
    if context.veiled:
        return context.t("try_step"), {"times": 1}
    return context.t("try_rate", rate=f"{max(RATES):g}"), {"rate": f"{max(RATES):g}", "times": 3}
