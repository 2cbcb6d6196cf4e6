"""A temperature at which the best word has less than half; the depth at which a word leads; the least sure row."""

from ..views.output import OutputView
from .exercise import Exercise, Patch, Values, Verdict

TEMPERATURES = ("0.5", "1", "1.25", "1.5", "2", "4")
HALF = 0.5


def end(view: OutputView) -> int:
    return len(view.depths) - 1


def cooled(view: OutputView, row: int, temperature: str) -> float:
    """The share of the best word at the end of the decoder."""
    return float(view.shares(end(view), row, float(temperature)).max())


def word(view: OutputView, row: int) -> str:
    return view.written[row].text if row < len(view.written) else "…"


def below_half(view: OutputView, values: Values) -> Verdict:
    """A word that has more than half at T = 1: has it less than half at this temperature?"""
    row, warmth = values["q"], str(values["temperature"])
    before, now = cooled(view, row, "1"), cooled(view, row, warmth)
    facts = {"read": view.given[row].text, "word": word(view, row), "before": before, "now": now, "T": warmth}
    if before <= HALF:
        return Verdict(False, facts, "other")
    return Verdict(now < HALF, facts)


def warm_enough(view: OutputView, values: Values) -> Patch | None:
    """Of this row, or else of another, the lowest temperature that does it."""
    for row in dict.fromkeys((values["q"], *range(len(view.given)))):
        for temperature in TEMPERATURES:
            if cooled(view, row, "1") > HALF > cooled(view, row, temperature):
                return {"q": row, "temperature": temperature, "depth": None, "word": None}
    return None


def leads_from(view: OutputView, row: int) -> int | None:
    """The first whole layer from which on the word that is written is first; None where it is not even at the end."""
    id, first = (view.written[row].id if row < len(view.written) else -1), None
    for layer in range(len(view.whole)):
        leads = view.best(view.at(layer), row) == id
        first = (layer if first is None else first) if leads else None
    return first


def leads_never(view: OutputView, row: int, before: int) -> bool:
    """Whether the word that is written is first at no whole layer before this one."""
    return all(view.best(view.at(layer), row) != view.written[row].id for layer in range(before))


def leads(view: OutputView, values: Values) -> Verdict:
    """Is the first depth selected from which on the written word is first?"""
    row, layer = values["q"], values["depth"]
    first = leads_from(view, row)
    facts = {"word": word(view, row), "layer": layer}
    if first is None:
        return Verdict(False, facts, "never")
    depth = view.at(layer)
    facts |= {
        "rank": view.rank(depth, row, view.written[row].id),
        "share": float(view.shares(depth, row)[view.written[row].id]),
    }
    if layer == first:
        end = "right_last" if leads_never(view, row, layer) else "right_again"
        return Verdict(True, facts, end if layer == len(view.whole) - 1 else "")
    early = "passing" if facts["rank"] == 1 else "early"
    return Verdict(False, facts, early if layer < first else "late")


def where_it_leads(view: OutputView, values: Values) -> Patch | None:
    for row in dict.fromkeys((values["q"], *range(len(view.written)))):
        if (first := leads_from(view, row)) is not None:
            return {"q": row, "depth": first, "word": None}
    return None


def least_sure(view: OutputView, values: Values) -> Verdict:
    """Is that row selected in which the best word has the smallest share?"""
    shares = view.likely.max(-1)
    here = float(shares[values["q"]])
    facts = {"read": view.given[values["q"]].text, "share": here, "less": int((shares < here).sum())}
    return Verdict(bool(here <= shares.min()), facts)


def the_least_sure(view: OutputView, values: Values) -> Patch:
    return {"q": int(view.likely.max(-1).argmin()), "depth": None, "word": None, "temperature": None}


EXERCISES = (
    Exercise("half", below_half, warm_enough),
    Exercise("leads", leads, where_it_leads, fits=lambda model: model.translates),
    Exercise("unsure", least_sure, the_least_sure),
)
