"""The sentences: what the lead says, what to notice, and what to try."""

from collections.abc import Mapping
from math import ceil

from core.lessons.size import MIXING, TRAIN, USE, crossing_length, longer, share, total, work
from pages.shared.page.parts import Place, say
from pages.shared.words.numbers import grouped
from pages.stages.size.context import SIZES, StageContext, known_models
from pages.stages.size.numbers import bytes_of, percent, rounded

ONE_CARD = 80 * 10**9  # bytes of a large accelerator (NVIDIA A100 80GB, data sheet)


def write(lead: Place, noticed: Place, context: StageContext) -> None:
    """Into places made before: what is said follows the shape."""
    say(context, lead, noticed, opening(context), notices(context))


def opening(context: StageContext) -> tuple[str, Mapping[str, object]]:
    """Of the shape that is calculated."""
    if context.veiled:
        own = context.name == context.page.model_name
        return "lead_open" if own else "lead_open_other", {"model": context.name, "tokens": len(context.page.tokens)}
    view = context.view
    parameters, step = total(view.counts["parameters"]), total(view.counts["work"])
    largest = max(view.counts["parameters"], key=lambda count: count.value)
    return "lead_both" if context.shape.cross else "lead", {
        "model": context.name,
        "count": rounded(context.t, parameters),
        "largest": context.t(f"parts.largest.{largest.id}"),
        "share": percent(largest.value / parameters),
        "length": grouped(context.shape.length),
        "work": rounded(context.t, step),
    }


def notices(context: StageContext) -> list[str]:
    t, shape, view = context.t, context.shape, context.view
    if context.veiled:
        return [t.html("notice.counted")]
    crossing, ratio = crossing_length(shape), shape.d_ff / shape.d_model
    kind = "both" if shape.cross else "gated" if shape.gated else "six" if ratio == 4 else "one"
    facts = {
        "crossing": grouped(round(crossing)),
        "equals": "=" if crossing == int(crossing) else "≈",
        "length": grouped(shape.length),
        **shares_at(context),
    }
    said = [t.html("notice.kinds"), t.html(f"notice.crossing_{kind}", **facts)]
    said.append(sentence_said(context))
    table, everything = view.of("parameters", "token"), total(view.counts["parameters"])
    used = view.of("work", "output") if shape.tied else 0
    facts = {"share": percent(table / everything), "output": percent(used / total(view.counts["work"]))}
    said.append(t.html("notice.table_tied" if used else "notice.table", **facts))
    if "train" in (sums := memory_totals(context)):
        facts = {"use": bytes_of(sums["use"]), "train": bytes_of(sums["train"]), "times": sums["train"] / sums["use"]}
        said.append(t.html("notice.training", **facts))
        if sums["train"] > ONE_CARD:
            said.append(
                t.html("notice.cards", train=bytes_of(sums["train"]), cards=grouped(-(-sums["train"] // ONE_CARD)))
            )
    if shape.d_model == 1 and not shape.gated:  # RMSNorm subtracts no mean
        said.append(t.html("notice.one"))
    elif shape.d_model % 2 and shape.cross:
        said.append(t.html("notice.odd", d=shape.d_model))
    return said


def memory_totals(context: StageContext) -> dict[str, int]:
    counts = context.view.counts["memory"]
    sums = {"use": share(counts, USE)}
    return sums if context.view.precision == "int8" else {**sums, "train": share(counts, TRAIN)}


def shares_at(context: StageContext) -> dict[str, object]:
    return {"share": percent(share(context.view.counts["work"], MIXING) / total(context.view.counts["work"]))}


def sentence_said(context: StageContext) -> str:
    """What the visitor's own sentence takes in the model that reads it, and writes as much where it has both stacks."""
    shape = longer(known_models()[context.page.address.model].shape, max(1, len(context.page.tokens)))
    return context.t.html(
        "notice.sentence_both" if shape.cross else "notice.sentence",
        tokens=len(context.page.tokens),
        work=rounded(context.t, total(work(shape))),
        model=context.page.model_name,
        share=percent(share(work(shape), MIXING) / total(work(shape))),
    )


def to_try(context: StageContext) -> tuple[str, Mapping[str, object]]:
    """The length at which attention's n² has overtaken; back, where something was changed."""
    if context.view.changed or context.values["preset"] != context.page.address.table["preset"].default:
        back = dict.fromkeys((*SIZES, "preset", "stack", "tied", "precision", "part"))
        return context.t("try_back"), {**back, "show": None}
    crossing = min(ceil(crossing_length(context.shape)), 10**9)
    return context.t("try", length=grouped(crossing)), {"n": crossing, "show": "work", "part": "mixing"}
