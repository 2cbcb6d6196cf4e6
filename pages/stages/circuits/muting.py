"""Mute it: the parts that the sum names write nothing, and what then comes out; where the sum misleads, it says so."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.capture import capture
from core.derivation import Cell, Measure, RunSpec
from core.derivation.origins import Source, within
from core.edits import Edit, mute, silence
from core.figures.controls import Control
from core.ranking import largest
from core.views.circuits import STACK, CircuitsView, Part
from pages.shared.address.address import Parameter
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.page.whole_model import spreads
from pages.shared.server import cached
from pages.stages.circuits.context import StageContext

NETWORK = "n"  # in an id, instead of a head
OFFERED = 6  # parts: in one row
MOST = 8  # muted at once
WORDS = 5  # rows of the table
BAR = 260  # pixels of its longest bar
APART = 0.25  # of what the sum names: further from it, what came out is called something else
LITTLE = 0.05  # of a logit: less is no difference


@dataclass(frozen=True, eq=False)
class Outcome:
    """The last row of a run, as the model is or with parts muted. [vocab] each."""

    logits: np.ndarray
    probabilities: np.ndarray

    @property
    def best(self) -> list[int]:
        return largest(self.logits, WORDS).tolist()


def parameters(page: PageContext, view: CircuitsView) -> Mapping[str, Parameter]:
    first = view.found.parts[view.first_head]

    def read(raw: str) -> str | None:
        if raw == "none":
            return raw
        named = [part for name in raw.split(",") if (part := part_of(name)) in view.found.parts]
        return ",".join(dict.fromkeys(map(id_of, named[:MOST]))) or None

    return {"muted": Parameter(read, id_of(first), "none, 2.5, 2.5,3.n", "sentence", usual=True)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "muting"), paragraph(t, "muting.said"))
    muted = chosen(context)
    offered = dict.fromkeys([*strongest(context), *muted])
    names = [("none", t("muting.none")), *((id_of(part), context.name(part)) for part in offered)]
    controls("muting", Control("muted", t("muting.parts"), names, several=True, none="none"))
    if not muted:
        return write(paragraph(t, "muting.nothing"))
    edits = tuple(map(edit_of, muted))
    before, after = (outcome(*context.page.key, context.token, made) for made in ((), edits))
    write(said(context, muted, edits, after), table(rows(context, before, after, edits), heads_of(context)))
    spreads(context, *edits)


def id_of(part: Part) -> str:
    """A head as its layer and itself, 24.5; a network as 30.n."""
    return f"{int(part.layer or 0) + 1}.{NETWORK if part.head is None else part.head + 1}"


def part_of(id: str) -> Part | None:
    """The same read back; None for what is none."""
    found = re.fullmatch(rf"([1-9][0-9]{{0,3}})\.([1-9][0-9]{{0,3}}|{NETWORK})", id)
    if found is None:
        return None
    layer, head = found.groups()
    if head == NETWORK:
        return Part("feedforward", int(layer) - 1)
    return Part("head", int(layer) - 1, int(head) - 1)


def edit_of(part: Part) -> Edit:
    layer = int(part.layer or 0) + 1
    return silence(STACK, layer, "feedforward") if part.head is None else mute("causal", layer, part.head + 1)


def strongest(context: StageContext) -> list[Part]:
    """The heads and networks that add or take most."""
    found = context.view.found
    return [part for i in found.ranked if (part := found.parts[i]).kind in ("head", "feedforward")][:OFFERED]


def chosen(context: StageContext) -> list[Part]:
    ids = [] if context.values["muted"] == "none" else context.values["muted"].split(",")
    return [part for id in ids if (part := part_of(id))]


@cached.shared
def outcome(name: str, text: str, token: int, edits: tuple[Edit, ...]) -> Outcome:
    """Of a run that nobody keeps: there may be one for every choice of parts."""
    run = capture(cached.model(name), text, only=("output.logits", "output.probabilities"), edits=edits)
    return Outcome(run["output.logits"][token].copy(), run["output.probabilities"][token].copy())


def said(context: StageContext, muted: Sequence[Part], edits: tuple[Edit, ...], after: Outcome) -> str:
    """What the sum names, and by how much the logit, or the gap, really changed: whether the two agree."""
    found, given = context.view.found, RunSpec(edits=edits)
    named = sum(float(found.values[found.parts.index(part)]) for part in muted)
    logits = [float(after.logits[cell.index[1]]) for cell in context.logits]
    now = logits[0] - sum(logits[1:])
    fell: float = found.captured - now
    key, off = agreement(named, fell) + ("_up" if fell < 0 else ""), abs(named - fell)
    places = decimals(fell)
    change: object = fixed(abs(fell), places)
    if len(context.logits) == 1:
        (cell,) = context.logits
        ends = (cell, within(cell, given))
        source: Source = cell
        change = number(context, abs(fell), Measure("gap", ends if fell < 0 else ends[::-1]), fixed(abs(fell), places))
    else:
        source = Measure("gap", context.logits)
    own = context.added(found.parts.index(muted[0])) if len(muted) == 1 else named
    left = number(context, now, source, fixed(now, places + 1), given=given)
    total = number(context, found.captured, context.source(None), fixed(found.captured, places + 1))
    what = context.t("muting.logit" if len(context.logits) == 1 else "muting.gap", word=context.word)
    facts = {"total": total, "now": left, "change": change, "what": what, "named": own, "off": off}
    return paragraph(context.t, f"muting.{key}", **facts, later=later(context, muted))


def later(context: StageContext, muted: Sequence[Part]) -> str:
    """What answers to the muted parts: after the last network there is the norm alone."""
    last = Part("feedforward", context.view.layers - 1)
    return context.t("muting.later_last" if set(muted) == {last} else "muting.later")


def decimals(change: float) -> int:
    """Behind the point, for a change to keep two digits: between two and four."""
    return min(max(1 - math.floor(math.log10(abs(change) or 1)), 2), 5)


def fixed(x: float, places: int) -> str:
    return f"{x:.{places}f}".replace("-", "−")


def agreement(named: float, fell: float) -> str:
    """Whether what was taken out is missing: as named, less, more, or the other way round."""
    if abs(named - fell) <= max(LITTLE, APART * abs(named)):
        return "as_named"
    if named * fell < 0:
        return "other_way"
    return "made_up" if abs(fell) < abs(named) else "more"


def heads_of(context: StageContext) -> list[str]:
    return [context.t(f"muting.{name}") for name in ("word", "before", "after")]


def rows(context: StageContext, before: Outcome, after: Outcome, edits: tuple[Edit, ...]) -> list[list[object]]:
    """The words that were first, and those that are."""
    given = RunSpec(edits=edits)
    found = context.view.found
    asked = (found.word, *(() if found.against is None else (found.against,)))
    ids = sorted({*before.best, *after.best, *asked}, key=lambda id: -before.probabilities[id])

    def likely(id: int, at: Outcome, given: RunSpec | None) -> float:
        return number(
            context, float(at.probabilities[id]), Cell("output.probabilities", (context.token, id)), given=given
        )

    both = [(likely(id, before, None), likely(id, after, given)) for id in ids]
    most = max(map(max, both))
    return [
        [context.say(id), *(amount(one, most, longest=BAR) for one in pair)] for id, pair in zip(ids, both, strict=True)
    ]


SECTION = Section(draw, parameters, redraws=("muted",))
