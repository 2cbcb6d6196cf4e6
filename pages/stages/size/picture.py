"""What the picture is given, and the controls above it."""

from collections.abc import Sequence

from core.figures.controls import Control, Controls, More
from core.figures.shares import Share, Shares
from core.lessons.size import BYTES, TRAINING, Count, total
from core.views.size import SHOWN
from pages.shared.words.numbers import grouped
from pages.stages.size.context import LIMITS, SIZES, StageContext, known_models, name_of
from pages.stages.size.numbers import bytes_of, counted, percent

STACKS = ("encoder", "decoder", "llama", "both")


def shares(context: StageContext) -> Shares:
    t, totals = context.t, context.totals
    largest = max(1, total(totals["train" if "train" in totals else next(iter(totals))]))
    rows = [row(context, count.id, [count], largest) for count in context.counts]
    rows += [row(context, id, counts, largest, True) for id, counts in totals.items()]
    head = [context.name, t("head.share"), t(f"head.{context.show}"), t("head.step") if context.show == "work" else ""]
    return Shares(
        "part", context.first if not context.veiled else "all", rows, head, t("shares_label"), caption(context)
    )


def row(context: StageContext, id: str, counts: Sequence[Count], largest: int, whole: bool = False) -> Share:
    name = context.t(f"parts.{context.show}.{id}")
    if context.veiled:
        return Share(id, name, "", total=whole)
    value = total(counts)
    written = bytes_of(value) if context.show == "memory" else counted(value)
    also = counted(TRAINING * value) if context.show == "work" else ""
    return Share(id, name, written, percent(value / largest), value / largest, also, whole)


def caption(context: StageContext) -> str:
    """What is counted, and what is not."""
    if context.veiled:
        return context.t("veiled_counts")
    if context.show == "memory":
        return context.t(f"caption.memory_{context.view.precision}")
    turned = context.show == "parameters" and context.shape.gated
    return context.t("caption.parameters_turned" if turned else f"caption.{context.show}")


def choices(context: StageContext) -> Controls:
    """The models people speak of, by what they have; another one takes its own sizes along."""
    t, models = context.t, known_models()
    kept = {**dict.fromkeys(SIZES), "stack": None, "tied": None}
    opening = context.page.address.table["preset"].default

    def of(stack: str) -> Control:
        options = [(id, name_of(t, id)) for id, one in models.items() if one.shape.stack == stack]
        return Control("preset", t(f"stacks.{stack}"), options, first=opening, also=kept)

    return Controls([of(stack) for stack in STACKS if any(one.shape.stack == stack for one in models.values())])


def controls(context: StageContext) -> Controls:
    t, table = context.t, context.page.address.table
    shown = Control("show", t("show"), [(id, t(f"shown.{id}")) for id in SHOWN], first=SHOWN[0], also={"part": None})
    stack = Control(
        "stack", t("stack"), [(id, t(f"stacks.{id}")) for id in STACKS], first=table["stack"].default,
        usual=table["stack"].default, stepper=True,
    )  # fmt: skip
    ties = Control("tied", t("ties"), [(id, t(f"tie.{id}")) for id in ("on", "off")], first="on", usual="on")
    sizes = Control("precision", t("precision"), [(id, id) for id in BYTES], first="fp32", usual="fp32")
    more = [*(typed(context, name) for name in SIZES[3:]), stack, *([ties] if context.shape.writes else []), sizes]
    return Controls([shown, *(typed(context, name) for name in SIZES[:3])], More(t("more"), more))


def typed(context: StageContext, name: str) -> Control:
    """A number to type; where it is not the model's own, what waits behind "more" stays open."""
    low, high = LIMITS[name]
    refusal = context.t("typed_refusal", low=grouped(low), high=grouped(high))
    usual = context.page.address.table[name].default
    return Control(name, context.t(f"sizes.{name}"), number=(low, high), refusal=refusal, usual=usual)
