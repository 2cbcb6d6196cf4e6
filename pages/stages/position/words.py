"""The sentences: what the lead says, what to notice, the thing to try."""

from core.views import position as views
from pages.shared.page.parts import paragraph
from pages.stages.position.look import Look
from pages.stages.position.scenes import example_of


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    """Why a model must be told at all: the shortest sentence that shows it."""
    example = example_of(look.page.address.model)
    return f"lead_{'open' if look.veiled else 'told'}", {"one": example.text, "other": example.swapped}


def own_numbers(look: Look) -> str:
    """What this model adds."""
    facts = {"d_model": look.d_model, "clocks": look.d_model // 2, "rows": len(look.waves.rows)}
    return paragraph(look.t, f"own_numbers.{look.own_kind}", **facts)


def notices(look: Look) -> list[str]:
    t, d, lengths, rows = look.t, look.d_model, views.wavelengths(look.d_model), len(look.waves.rows)
    ends = {"first": float(lengths[0]), "last": float(lengths[-1])}
    return [
        t.html("notice.fast", dim=d - 2, step=float(views.rates(d)[-1]), **ends),
        t.html(f"notice.{look.own_kind}{'_seen' if look.values['kind'] == 'learned' else ''}", d_model=d, rows=rows),
    ]


def attempt(look: Look) -> tuple[str, dict]:
    """One thing to try: what the model learned instead of waves, or the slowest clock."""
    if look.values["kind"] == "learned":
        return look.t("notice.try_waves"), {"kind": "sinusoidal"}
    if len(look.view.tables) > 1:
        return look.t("notice.try_learned"), {"kind": "learned"}
    return look.t("notice.try_slow", dim=look.d_model - 2), {"dim": look.d_model - 2}
