"""LayerNorm of one small vector that the visitor types: every step in a table, PyTorch's beside ours."""

import re
from collections.abc import Sequence

import numpy as np

from core.errors import InputError
from core.figures.controls import Control
from core.views.by_hand import MOST, ByHand, by_hand, vector
from core.views.norms import written
from pages.shared.address.address import Parameter, choice
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.shared.words.numbers import short
from pages.shared.words.texts import Texts
from pages.stages.layernorm.context import StageContext

SMALL = "1, 2, 3, 4"
LONGEST = 200  # characters of all numbers
NEAR = 11  # percent of the line from one number that is written to the next
BETWEEN = re.compile(r"\s*[,，、;；]\s*|\s+")  # two numbers
EPSILONS = ("1e-12", "1e-5", "1e-3", "0.1")
ROUNDED = 1e-12  # what two numbers may differ by from rounding alone


def parameters(page, view):
    """The numbers as they were typed; and ε: 1e-5 is what torch.nn.LayerNorm takes."""
    typed = Parameter(lambda raw: raw if len(raw) <= LONGEST else None, SMALL, SMALL)
    return {"vector": typed, "small": choice(*EPSILONS, default="1e-5")}


def draw(context: StageContext) -> None:
    t, eps = context.t, float(context.values["small"])
    write(heading(t, "hand"), paragraphs([t.html("hand.said", limit=MOST)]))
    box = text_box(context, "vector", t("hand.x"), LONGEST, first=SMALL)
    controls("hand", box, Control("small", "ε", [(id, id) for id in EPSILONS]))
    hand, problem = computed(t, entries(context.values["vector"]), eps)
    if hand is None:
        return write(f"<p class='note'>{problem}</p>")
    write(line_of(t, hand), steps(t, hand), paragraphs(words(t, hand, eps)))


def entries(typed: str) -> list[str]:
    """What stands between commas or spaces, Chinese ones too.

    >>> entries(" 1,-2，3、4 5"), entries("1,,2"), entries(" ")
    (['1', '-2', '3', '4', '5'], ['1', '', '2'], [])
    """
    return BETWEEN.split(typed.strip()) if typed.strip() else []


def computed(t: Texts, typed: Sequence[str], eps: float) -> tuple[ByHand | None, str]:
    """The calculation; or what is wrong with the numbers, places as people count them."""
    try:
        return by_hand(vector(typed), eps), ""
    except InputError as error:
        facts = dict(error.parameters)
        if "place" in facts:
            facts["place"] = int(str(facts["place"])) + 1
        return None, t.html(f"hand.{error.code}", **facts)


def line_of(t: Texts, hand: ByHand) -> str:
    """The numbers on one line with two scales: above it as they were, below it normalised; the mean is 0, and one
    standard deviation to either side is shaded. Nothing where all are equal."""
    spread = np.ptp(hand.values)
    if not spread:
        return ""
    order = np.argsort(hand.values)
    places, last = 9 + 82 * (hand.values - hand.values.min()) / spread, -NEAR
    drawn = [f"<s style='left:{(low := place_of(hand, -1)):.2f}%;width:{place_of(hand, 1) - low:.2f}%'></s>"]
    drawn += [f"<u style='left:{place_of(hand, 0):.2f}%'><b>μ</b><em>0</em></u>"]
    for i in order:
        at = float(places[i])
        said = at - last >= NEAR and abs(at - place_of(hand, 0)) >= NEAR / 2
        names = f"<b>{short(float(hand.values[i]))}</b><em>{short(float(hand.normalized[i]))}</em>" if said else ""
        last = at if said else last
        drawn.append(f"<i style='left:{at:.2f}%'>{names}</i>")
    return f"<div class='two-scales' aria-hidden='true'>{''.join(drawn)}</div><p class='soft'>{t.html('hand.line')}</p>"


def place_of(hand: ByHand, deviations: float) -> float:
    """So many deviations from the mean, in percent of the line, whose numbers stand from 9 to 91."""
    at = hand.mean + deviations * hand.variance**0.5
    return float(9 + 82 * (at - hand.values.min()) / np.ptp(hand.values))


def steps(t: Texts, hand: ByHand) -> str:
    """The vector after every step: a row a step, a column a number."""
    rows = {
        "x": hand.values,
        "centred": hand.centred,
        "square": np.square(hand.centred),
        "normalized": hand.normalized,
        "theirs": hand.theirs,
        "difference": np.abs(hand.normalized - hand.theirs),
    }
    return table([[t(f"hand.{name}"), *map(float, row)] for name, row in rows.items()], kind="named")


def words(t: Texts, hand: ByHand, eps: float) -> list[str]:
    """Mean and variance with the numbers in them; what a single number or a constant vector does."""
    d = len(hand.values)
    typed = [f"{value:g}".replace("-", "−") for value in hand.values]
    total = " + ".join(f"({number})" if number.startswith("−") else number for number in typed)
    squares = " + ".join(short(float(value)) for value in np.square(hand.centred))
    said = [
        t.html("hand.mean_line", total=total, d=d, mean=hand.mean),
        t.html("hand.variance_line", squares=squares, d=d, variance=hand.variance, epsilon=written(eps)),
    ]
    if d == 1:
        return [*said, t.html("hand.single")]
    if len(set(hand.values)) == 1:
        return [*said[:1], t.html("hand.constant", epsilon=written(eps))]
    if hand.variance == 0:
        return [*said, t.html("hand.underflow", epsilon=written(eps))]
    unbiased = hand.unbiased or 0.0
    facts = {"wrong": float(hand.centred[0] / np.sqrt(unbiased + eps)), "right": float(hand.normalized[0])}
    alike = short(facts["wrong"]) == short(facts["right"]) or abs(facts["wrong"] - facts["right"]) < ROUNDED
    key = "biased_same" if alike else "biased"
    return [*said, t.html(f"hand.{key}", d=d, fewer=d - 1, unbiased=unbiased, **facts)]
