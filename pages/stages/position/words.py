"""The sentences: what the lead says, what to notice, the thing to try."""

from core.views import position as views
from pages.shared.page.parts import paragraph
from pages.shared.words.texts import clip
from pages.stages.position.context import StageContext
from pages.stages.position.scenes import example_of

QUOTED = 90  # characters of each sentence in the lead


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    """Why a model must be told at all: by the two words that the picture exchanges."""
    pair = context.view.pairs.get(context.values["order"]) or example_of(context.page.address.model)
    if context.veiled:
        return "lead_open", {"one": clip(pair.text, QUOTED), "other": clip(pair.swapped, QUOTED)}
    return "lead_told", {"first": pair.first, "second": pair.second}


def own_numbers(context: StageContext) -> str:
    """What this model adds."""
    facts = {"d_model": context.d_model, "clocks": context.d_model // 2, "rows": len(context.waves.rows)}
    return paragraph(context.t, f"own_numbers.{context.own_kind}", **facts)


def notices(context: StageContext) -> list[str]:
    t, d, lengths, rows = context.t, context.d_model, views.wavelengths(context.d_model), len(context.waves.rows)
    ends = {"first": float(lengths[0]), "last": float(lengths[-1])}
    return [
        t.html("notice.fast", dim=d - 2, step=float(views.rates(d)[-1]), **ends),
        t.html(
            f"notice.{context.own_kind}{'_seen' if context.values['kind'] == 'learned' else ''}", d_model=d, rows=rows
        ),
    ]


def attempt(context: StageContext) -> tuple[str, dict]:
    """One thing to try: what the model learned instead of waves, or the slowest clock."""
    if context.values["kind"] == "learned":
        return context.t("notice.try_waves"), {"kind": "sinusoidal"}
    if len(context.view.tables) > 1:
        return context.t("notice.try_learned"), {"kind": "learned"}
    return context.t("notice.try_slow", dim=context.d_model - 2), {"dim": context.d_model - 2}
