"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled token."""

from streamlit.delta_generator import DeltaGenerator

from core.views.input import InputView, multiplies
from pages.shared.numbers import grouped
from pages.shared.parts import write_lead
from pages.stages.input.look import Look, other_way, view_of


def write(lead: DeltaGenerator, look: Look) -> None:
    """Into the place made before: the lead turns with the switches."""
    key, facts = lead_of(look)
    write_lead(look, lead, key, **facts)


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    now, i = look.view.now, look.opening
    more = look.t("and_segment") if len(now.names) > 2 else ""
    facts: dict[str, object] = {"token": look.page.name(i), "d_model": now.d_model, "more": more}
    if look.veiled:
        return "lead_open", facts
    return "lead" if look.view.added else "lead_join", {
        **facts,
        "token_norm": float(now.norms("token")[i]),
        "position_norm": float(now.norms("position")[i]),
        "share": float(now.shares()[i]),
        "wide": grouped(now.d_model * len(now.names)),
    }


def notices(look: Look) -> list[str]:
    """What the sums of this sentence show; while the question is open, nothing that answers it."""
    t, own, (a, b) = look.t, look.view.own, look.pair
    said = [] if look.veiled else [share_notice(look)]
    if own.ids[a] == own.ids[b] and a != b and not set(look.pair) & set(look.asked.rows):
        cosines = {kind: own.cosine(kind, a, b) for kind in ("token", "sum", "output")}
        said.append(t.html("notice.twins", a=look.page.name(a), b=look.page.name(b), **cosines))
    if "segment" in own.names:
        said.append(t.html("notice.segment", norm=float(own.norms("segment").mean())))
    return [*said, t.html("notice.context")]


def share_notice(look: Look) -> str:
    own, page = look.view.own, look.page
    facts = {"share": own.share(), "other": view_of(page, other_way(page)).share(), "d_model": own.d_model}
    if multiplies(page.model):
        return look.t.html("notice.share_scaled", **facts)
    norms = own.norms("position")
    longest = int(norms.argmax())
    others = [i for i in range(len(norms)) if i != longest]
    part = percent(float(norms[longest] ** 2 / (norms**2).sum()))
    first = {"first": page.name(longest), "rest": own.share(others), "norm": float(norms[longest]), "part": part}
    return look.t.html("notice.share_plain", **facts, **first)


def percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def rest_share(view: InputView) -> float:
    """The position's share of all tokens but the first."""
    return view.share(range(1, len(view.tokens)))


def attempt(look: Look) -> tuple[str, dict[str, object]]:
    """The other way round with √d, alone."""
    setting = "off" if look.values["sqrt"] == "on" else "on"
    usual = (setting == "on") == multiplies(look.page.model)
    return look.t(f"notice.try_{setting}"), {"sqrt": None if usual else setting, "positions": None, "join": None}
