"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled token."""

import numpy as np

from core.derivation import Cell, RunSpec
from core.derivation.input import cell_of
from core.text.token import named
from core.views.input import InputView, multiplies
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import Place, write_lead
from pages.shared.words.numbers import grouped
from pages.stages.input.look import Look


def write(lead: Place, _: Place, look: Look) -> None:
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


def given_of(view: InputView) -> RunSpec:
    """The run it is of: said of every number, because the page follows now the one, now the other."""
    return RunSpec(edits=view.edits)


def in_sum(look: Look, name: str, token: int, dim: int) -> str | float:
    """A summand or the sum, with as many decimals as the others; it can be pressed."""
    now = look.view.now
    value = float(now.part(name)[token, dim])
    text = f"{value:.3f}".replace("-", "−")
    return number(look, value, Cell(now.taps[name], (token, dim)), text, given_of(now))


def notices(look: Look) -> list[str]:
    """What the sums of this sentence show; while the question is open, nothing that answers it."""
    t, own, (a, b) = look.t, look.view.own, look.pair
    said = (
        [t.html("notice.segment", norm=mean_length(look, own, "segment", float(own.norms("segment").mean())))]
        if "segment" in own.names
        else []
    )
    if own.ids[a] == own.ids[b] and a != b and not set(look.pair) & set(look.asked.rows):
        cosines = {kind: own_cosine(look, kind, a, b) for kind in ("token", "sum", "output")}
        said.append(t.html("notice.twins", a=look.page.name(a), b=look.page.name(b), **cosines))
    return [*said, *shares(look), t.html("notice.context")]


def own_cosine(look: Look, kind: str, a: int, b: int) -> float:
    """How alike two tokens are in the model as it is."""
    return cosine_of(look, look.view.own, kind, a, b, look.view.own.cosine(kind, a, b))


def cosine_of(look: Look, view: InputView, kind: str, a: int, b: int, value: float) -> float:
    """How alike two tokens are; what did not pass a tap cannot be followed."""
    one, other = (cell_of(view, kind, i) for i in (a, b))
    return measured(look, value, "cosine", one, other, given=given_of(view)) if one and other else value


def mean_length(look: Look, view: InputView, name: str, value: float) -> float:
    """How long the rows of a part are, on average; what did not pass a tap cannot be followed."""
    return of_all(look, view, "lengths", value, name)


def of_all(look: Look, view: InputView, kind: str, value: float, *names: str) -> float:
    """What is measured of all rows of some parts."""
    if not set(names) <= set(view.taps):
        return value
    return measured(look, value, kind, *(Cell(view.taps[name], (None, None)) for name in names), given=given_of(view))


def shares(look: Look) -> list[str]:
    """How much of the sum is position, by squares of norms, and what that does not say."""
    t, own = look.t, look.view.own
    if len(own.tokens) < 2:
        return []
    common = of_all(look, own, "common", own.common(), "position")
    facts = {
        "share": position_share(look, own, own.share()),
        "common": common,
        "bare": bare_share(look, own, own.bare_share()),
    }
    said = [t.html("notice.share", **facts)]
    norms = own.norms("position")
    longest = int(norms.argmax())
    if own.learned:
        said.append(t.html("notice.longest", **longest_said(look, longest, norms)))
    return said


def longest_said(look: Look, longest: int, norms: np.ndarray) -> dict[str, object]:
    """What of the positions' squares belongs to the longest alone, and the share without it."""
    own, given = look.view.own, given_of(look.view.own)
    position, token = (Cell(own.taps[name], (None, None)) for name in ("position", "token"))
    row, part = Cell(position.name, (longest, None)), float(norms[longest] ** 2 / (norms**2).sum())
    rest = own.share([i for i in range(len(norms)) if i != longest])
    return {
        "first": look.page.name(longest),
        "norm": measured(look, float(norms[longest]), "length", row, given=given),
        "part": measured(look, part, "portion", row, position, given=given),
        "rest": measured(look, rest, "energy_but", position, token, row, given=given),
    }


def position_share(look: Look, view: InputView, value: float) -> float:
    """The position's share of the squared norms of all tokens; it can be followed."""
    return of_all(look, view, "energy", value, "position", "token")


def bare_share(look: Look, view: InputView, value: float) -> float:
    """The same without what all positions have in common."""
    return of_all(look, view, "bare", value, "position", "token")


def asked(look: Look) -> dict[str, object]:
    """The cosines that the answer names can be followed."""
    question, own = look.question, look.view.own
    if question is None:
        return {}
    names = [named(own.tokens, i) for i in range(len(own.tokens))]
    a, b = names.index(str(question.facts["a"])), question.row
    kinds = {"before": "token", "after": "sum", "positions": "position"}
    return {name: own_cosine(look, kind, a, b) for name, kind in kinds.items()}


def attempt(look: Look) -> tuple[str, dict[str, object]]:
    """The other way round with √d, alone, and what follows from it."""
    other = "off" if multiplies(look.page.model) else "on"
    patch = {"sqrt": other, "positions": None, "join": None, "section": "switches"}
    return look.t(f"notice.try_{other}"), patch
