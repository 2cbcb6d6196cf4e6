"""The sentences: what the lead says, what to notice, the thing to try."""

from streamlit.delta_generator import DeltaGenerator

from core.views import position as views
from pages.shared.parts import write_lead
from pages.stages.position.look import Look


def write(lead: DeltaGenerator, look: Look) -> None:
    """Into a place made before: this sentence follows the selection."""
    stands = look.pos < look.tokens
    who = look.t(
        f"who.{'token' if stands else 'nobody'}", token=look.page.name(look.pos) if stands else "", position=look.pos
    )
    key = f"lead_{'open' if look.veiled else look.own_kind}"
    write_lead(look, lead, key, d_model=look.d_model, clocks=look.d_model // 2, position=look.pos, who=who)


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
