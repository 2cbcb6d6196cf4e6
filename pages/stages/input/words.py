"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled token."""

from collections.abc import Sequence

import numpy as np

from core.derivation import Cell, RunSpec
from core.derivation.input import cell_of
from core.text.token import named
from core.views.input import InputView, multiplies
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import Place, write_lead
from pages.shared.words.numbers import grouped
from pages.stages.input.context import StageContext


def write(lead: Place, _: Place, context: StageContext) -> None:
    """Into the place made before: the lead turns with the switches."""
    key, facts = lead_of(context)
    write_lead(context, lead, key, **facts)


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    """What is added, in one dimension of one token, with its numbers."""
    now, token, dim = context.view.now, context.opening, context.opening_dim
    values = {name: float(now.part(name)[token, dim]) for name in (*now.names, "sum")}
    digits = decimals([values[name] for name in now.names], values["sum"])
    numbers = {name: in_sum(context, name, token, dim, digits) for name in values}
    facts = {"name": context.page.name(token), "at": token, "dim": dim, "d_model": now.d_model, **numbers}
    facts["row"] = context.t("row.scaled", d_model=now.d_model) if now.scaled else context.t("row.plain")
    kind = "segment" if "segment" in now.names else "position"
    if context.view.added:
        return f"lead.{kind}", facts
    return "lead.joined", {**facts, "wide": grouped(now.d_model * len(now.names))}


def given_of(view: InputView) -> RunSpec:
    """The run it is of: said of every number, because the page follows now the one, now the other."""
    return RunSpec(edits=view.edits)


def decimals(parts: Sequence[float], total: float) -> int:
    """So many that the parts as they are written add up to the sum as it is written, and no sum is written as nothing;
    four where none of a few do.

    >>> decimals([0.0254, 0.0034, 0.0244], 0.0532)
    4
    """
    adds_up = (n for n in (3, 4, 5, 6) if round(sum(round(part, n) for part in parts), n) == round(total, n))
    fits = (n for n in adds_up if round(total, n) or not total)
    return next(fits, 4)


def in_sum(context: StageContext, name: str, token: int, dim: int, digits: int) -> str | float:
    """A summand or the sum, with as many decimals as the others; it can be pressed."""
    now = context.view.now
    value = float(now.part(name)[token, dim])
    text = f"{value:.{digits}f}".replace("-", "−")
    return number(context, value, Cell(now.taps[name], (token, dim)), text, given_of(now))


def notices(context: StageContext) -> list[str]:
    """What the sums of this sentence show; while the question is open, nothing that answers it."""
    t, own, (a, b) = context.t, context.view.own, context.pair
    said = (
        [t.html("notice.segment", norm=mean_length(context, own, "segment", float(own.norms("segment").mean())))]
        if "segment" in own.names
        else []
    )
    if own.ids[a] == own.ids[b] and a != b and not set(context.pair) & set(context.asked.rows):
        cosines = {kind: own_cosine(context, kind, a, b) for kind in ("token", "sum", "output")}
        added = t("notice.added_segment" if "segment" in own.names else "notice.added_position")
        said.append(t.html("notice.twins", added=added, a=context.page.name(a), b=context.page.name(b), **cosines))
    return [*as_it_is(context), *said, *shares(context), t.html("notice.context")]


def as_it_is(context: StageContext) -> list[str]:
    """Whatever the switches make of the sum, what is said is of the model's own."""
    return [context.t.html("notice.as_is")] if context.view.moved else []


def own_cosine(context: StageContext, kind: str, a: int, b: int) -> float:
    """How alike two tokens are in the model as it is."""
    return cosine_of(context, context.view.own, kind, a, b, context.view.own.cosine(kind, a, b))


def cosine_of(context: StageContext, view: InputView, kind: str, a: int, b: int, value: float) -> float:
    """How alike two tokens are; what did not pass a tap cannot be followed."""
    one, other = (cell_of(view, kind, i) for i in (a, b))
    return measured(context, value, "cosine", one, other, given=given_of(view)) if one and other else value


def mean_length(context: StageContext, view: InputView, name: str, value: float) -> float:
    """How long the rows of a part are, on average; what did not pass a tap cannot be followed."""
    return of_all(context, view, "lengths", value, name)


def of_all(context: StageContext, view: InputView, kind: str, value: float, *names: str) -> float:
    """What is measured of all rows of some parts."""
    if not set(names) <= set(view.taps):
        return value
    return measured(
        context, value, kind, *(Cell(view.taps[name], (None, None)) for name in names), given=given_of(view)
    )


def shares(context: StageContext) -> list[str]:
    """How much of the sum is position, by squares of norms, and what that does not say."""
    t, own = context.t, context.view.own
    if len(own.tokens) < 2:
        return []
    common = of_all(context, own, "common", own.common(), "position")
    facts = {
        "share": position_share(context, own, own.share()),
        "common": common,
        "bare": bare_share(context, own, own.bare_share()),
    }
    said = [t.html("notice.share", **facts)]
    norms = own.norms("position")
    longest = int(norms.argmax())
    if own.learned and norms[longest] ** 2 > (norms**2).sum() / 2:  # as that of [CLS]
        said.append(t.html("notice.longest", **longest_said(context, longest, norms)))
    return said


def longest_said(context: StageContext, longest: int, norms: np.ndarray) -> dict[str, object]:
    """What of the positions' squares belongs to the longest alone, and the share without it."""
    own, given = context.view.own, given_of(context.view.own)
    position, token = (Cell(own.taps[name], (None, None)) for name in ("position", "token"))
    row, part = Cell(position.name, (longest, None)), float(norms[longest] ** 2 / (norms**2).sum())
    rest = own.share([i for i in range(len(norms)) if i != longest])
    return {
        "first": context.page.name(longest),
        "norm": measured(context, float(norms[longest]), "length", row, given=given),
        "part": measured(context, part, "portion", row, position, given=given),
        "rest": measured(context, rest, "energy_but", position, token, row, given=given),
    }


def position_share(context: StageContext, view: InputView, value: float) -> float:
    """The position's share of the squared norms of all tokens; it can be followed."""
    return of_all(context, view, "energy", value, "position", "token")


def bare_share(context: StageContext, view: InputView, value: float) -> float:
    """The same without what all positions have in common."""
    return of_all(context, view, "bare", value, "position", "token")


def asked(context: StageContext) -> dict[str, object]:
    """The cosines that the answer names can be followed."""
    question, own = context.question, context.view.own
    if question is None:
        return {}
    names = [named(own.tokens, i) for i in range(len(own.tokens))]
    a, b = names.index(str(question.facts["a"])), question.row
    kinds = {"before": "token", "after": "sum", "positions": "position"}
    return {name: own_cosine(context, kind, a, b) for name, kind in kinds.items()}


def attempt(context: StageContext) -> tuple[str, dict[str, object]]:
    """The other way round with √d, alone, and what follows from it."""
    other = "off" if multiplies(context.page.model) else "on"
    patch = {"sqrt": other, "positions": None, "join": None, "section": "switches"}
    return context.t(f"notice.try_{other}"), patch
