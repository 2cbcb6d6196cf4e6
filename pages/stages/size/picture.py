"""What the picture is given, and the controls above it."""

from collections.abc import Sequence

from core.figures.controls import Control, Controls, More
from core.figures.shares import Share, Shares
from core.lessons.size import BYTES, TRAINING, Count, total
from core.views.size import SHOWN
from pages.shared.words.numbers import grouped
from pages.stages.size.look import LIMITS, SIZES, Look, known_models, name_of
from pages.stages.size.numbers import bytes_of, counted, percent

STACKS = ("encoder", "decoder", "llama", "both")


def shares(look: Look) -> Shares:
    t, totals = look.t, look.totals
    largest = max(1, total(totals["train" if "train" in totals else next(iter(totals))]))
    rows = [row(look, count.id, [count], largest) for count in look.counts]
    rows += [row(look, id, counts, largest, True) for id, counts in totals.items()]
    head = [look.name, t("head.share"), t(f"head.{look.show}"), t("head.step") if look.show == "work" else ""]
    return Shares("part", look.first if not look.veiled else "all", rows, head, t("shares_label"), caption(look))


def row(look: Look, id: str, counts: Sequence[Count], largest: int, whole: bool = False) -> Share:
    name = look.t(f"parts.{look.show}.{id}")
    if look.veiled:
        return Share(id, name, "", total=whole)
    value = total(counts)
    written = bytes_of(value) if look.show == "memory" else counted(value)
    also = counted(TRAINING * value) if look.show == "work" else ""
    return Share(id, name, written, percent(value / largest), value / largest, also, whole)


def caption(look: Look) -> str:
    """What is counted, and what is not."""
    if look.veiled:
        return look.t("veiled_counts")
    if look.show == "memory":
        return look.t(f"caption.memory_{look.view.precision}")
    turned = look.show == "parameters" and look.shape.gated
    return look.t("caption.parameters_turned" if turned else f"caption.{look.show}")


def choices(look: Look) -> Controls:
    """The models people speak of, by what they have; another one takes its own sizes along."""
    t, models = look.t, known_models()
    kept = {**dict.fromkeys(SIZES), "stack": None, "tied": None}
    opening = look.page.address.table["preset"].default

    def of(stack: str) -> Control:
        options = [(id, name_of(t, id)) for id, one in models.items() if one.shape.stack == stack]
        return Control("preset", t(f"stacks.{stack}"), options, first=opening, also=kept)

    return Controls([of(stack) for stack in STACKS if any(one.shape.stack == stack for one in models.values())])


def controls(look: Look) -> Controls:
    t, table = look.t, look.page.address.table
    shown = Control("show", t("show"), [(id, t(f"shown.{id}")) for id in SHOWN], first=SHOWN[0], also={"part": None})
    stack = Control(
        "stack", t("stack"), [(id, t(f"stacks.{id}")) for id in STACKS], first=table["stack"].default,
        usual=table["stack"].default, stepper=True,
    )  # fmt: skip
    ties = Control("tied", t("ties"), [(id, t(f"tie.{id}")) for id in ("on", "off")], first="on", usual="on")
    sizes = Control("precision", t("precision"), [(id, id) for id in BYTES], first="fp32", usual="fp32")
    more = [*(typed(look, name) for name in SIZES[3:]), stack, *([ties] if look.shape.writes else []), sizes]
    return Controls([shown, *(typed(look, name) for name in SIZES[:3])], More(t("more"), more))


def typed(look: Look, name: str) -> Control:
    """A number to type; where it is not the model's own, what waits behind "more" stays open."""
    low, high = LIMITS[name]
    refusal = look.t("typed_refusal", low=grouped(low), high=grouped(high))
    usual = look.page.address.table[name].default
    return Control(name, look.t(f"sizes.{name}"), number=(low, high), refusal=refusal, usual=usual)
