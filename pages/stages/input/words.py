"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled token."""

from core.derivation import Cell
from core.derivation.input import cell_of
from core.text.token import named
from core.views.input import multiplies
from pages.shared.doors import measured, number
from pages.shared.numbers import grouped
from pages.shared.parts import Place, write_lead
from pages.stages.input.look import Look


def write(lead: Place, look: Look) -> None:
    """Into the place made before: the lead turns with the switches."""
    key, facts = lead_of(look)
    write_lead(look, lead, key, **facts)


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    """What is added, in one dimension of one token, with its numbers."""
    now, token, dim = look.view.now, look.opening, look.opening_dim
    numbers = {name: in_sum(look, name, token, dim) for name in (*now.names, "sum")}
    facts = {"name": look.page.name(token), "at": token, "dim": dim, "d_model": now.d_model, **numbers}
    facts["row"] = look.t("row.scaled" if now.scaled else "row.plain")
    kind = "segment" if "segment" in now.names else "position"
    if look.view.added:
        return f"lead.{kind}", facts
    return "lead.joined", {**facts, "wide": grouped(now.d_model * len(now.names))}


def in_sum(look: Look, name: str, token: int, dim: int) -> str | float:
    """A summand or the sum, with as many decimals as the others; of the model as it is it can be pressed."""
    now = look.view.now
    value = float(now.part(name)[token, dim])
    text = f"{value:.3f}".replace("-", "−")
    tap = f"embedding.{'scaled' if name == 'token' and now.scaled else name}"
    own = not look.view.edits and tap in look.page.model.tap_dims
    return number(look, value, Cell(tap, (token, dim)), text) if own else text


def notices(look: Look) -> list[str]:
    """What the sums of this sentence show; while the question is open, nothing that answers it."""
    t, own, (a, b) = look.t, look.view.own, look.pair
    said = (
        [t.html("notice.segment", norm=mean_length(look, "segment", float(own.norms("segment").mean())))]
        if "segment" in own.names
        else []
    )
    if own.ids[a] == own.ids[b] and a != b and not set(look.pair) & set(look.asked.rows):
        cosines = {kind: cosine_of(look, kind, a, b) for kind in ("token", "sum", "output")}
        said.append(t.html("notice.twins", a=look.page.name(a), b=look.page.name(b), **cosines))
    return [*said, *shares(look), t.html("notice.context")]


def cosine_of(look: Look, kind: str, a: int, b: int) -> float:
    """How alike two tokens are; of the model as it is that can be followed."""
    own, value = look.view.own, look.view.own.cosine(kind, a, b)
    one, other = (cell_of(own, kind, i) for i in (a, b))
    return measured(look, value, "cosine", one, other) if one and other and not look.view.edits else value


def mean_length(look: Look, name: str, value: float) -> float:
    """How long the rows of a part are, on average."""
    return measured(look, value, "lengths", Cell(look.view.own.taps[name], (None, None)))


def shares(look: Look) -> list[str]:
    """How much of the sum is position, by squares of norms, and what that does not say."""
    t, own = look.t, look.view.own
    if len(own.tokens) < 2:
        return []
    facts = {"share": position_share(look), "common": percent(own.common()), "bare": own.bare_share()}
    said = [t.html("notice.share", **facts)]
    norms = own.norms("position")
    longest = int(norms.argmax())
    if own.learned:
        others = [i for i in range(len(norms)) if i != longest]
        part = percent(float(norms[longest] ** 2 / (norms**2).sum()))
        first = {
            "first": look.page.name(longest),
            "rest": own.share(others),
            "norm": measured(look, float(norms[longest]), "length", Cell(own.taps["position"], (longest, None))),
        }
        said.append(t.html("notice.longest", part=part, **first))
    return said


def position_share(look: Look) -> float:
    """The position's share of the squared norms of all tokens; it can be followed."""
    own = look.view.own
    whole = [Cell(own.taps[name], (None, None)) for name in ("position", "token")]
    return measured(look, own.share(), "energy", *whole)


def asked(look: Look) -> dict[str, object]:
    """The cosines that the answer names can be followed."""
    question, own = look.question, look.view.own
    if question is None:
        return {}
    names = [named(own.tokens, i) for i in range(len(own.tokens))]
    a, b = names.index(str(question.facts["a"])), question.row
    kinds = {"before": "token", "after": "sum", "positions": "position"}
    return {name: cosine_of(look, kind, a, b) for name, kind in kinds.items()}


def percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def attempt(look: Look) -> tuple[str, dict[str, object]]:
    """The other way round with √d, alone, and what follows from it."""
    other = "off" if multiplies(look.page.model) else "on"
    patch = {"sqrt": other, "positions": None, "join": None, "section": "switches"}
    return look.t(f"notice.try_{other}"), patch
