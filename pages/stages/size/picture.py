"""What the picture is given, and the controls above it."""

from collections import Counter
from collections.abc import Sequence
from math import prod

from core.figures.controls import Control, Controls, More
from core.figures.shares import Share, Shares
from core.figures.treemap import Part, Treemap
from core.lessons.size import BYTES, TRAINING, Count, parameters, total
from core.views.size import SHOWN
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped
from pages.stages.size.context import LIMITS, SIZES, StageContext, known_models, name_of
from pages.stages.size.numbers import bytes_of, counted, percent

BESIDE = 20  # times the chosen model
FEWEST = 7  # models in a list
SPECK = 0.005  # of the whole, from which on the small parts together are drawn, in grey (treemap.js)
SMALL = 0.03  # of the whole: there is no room for a name in the picture
ATTENTION = ("attention", "cross", "projections", "mixing", "cross_projections", "cross_mixing")
POSITIONS = {"llama": "_turned", "both": "_computed"}  # which have no table
STACKS = ("encoder", "decoder", "llama", "both")


def largest(context: StageContext) -> int:
    return max(1, total(list(context.totals.values())[-1]))


def rows_of(context: StageContext) -> list[Share]:
    """Every part, and what they add up to."""
    rows = [row(context, count.id, [count]) for count in context.counts]
    return rows + [row(context, id, counts, True) for id, counts in context.totals.items()]


def shares(context: StageContext) -> Shares:
    """What the picture above has no room for."""
    t, whole = context.t, largest(context)
    small = {count.id for count in context.counts if 0 < count.value < SMALL * whole}
    rows = [one for one in rows_of(context) if one.total or (one.id in small and not context.veiled)]
    together = sum(count.value for count in context.counts if count.id in small)
    grey = len(small) > 1 and together >= SPECK * whole and not context.veiled
    head = [
        t("head.small_grey" if grey else "head.small") if small else context.name,
        t("head.share"),
        t(f"head.{context.show}"),
        t("head.step") if context.show == "work" else "",
    ]
    first, head = ("", []) if context.veiled else (context.first, head)
    return Shares("part", first, rows, head, t("shares_label"), caption(context), bare=True)


def treemap(context: StageContext) -> Treemap:
    """The parts of the largest total."""
    counts, whole = list(context.totals.values())[-1], largest(context)
    if context.veiled:
        counts = [count for count in counts if count.value >= SMALL * whole]
    drawn = made_of if context.veiled else part
    parts = [drawn(context, count, whole) for count in counts if count.value]
    t, made = context.t, any(one.made for one in parts)
    notes = [t(f"made.{name}") if made else "" for name in ("note", "cut")]
    return Treemap("part", context.first, parts, t("treemap"), context.veiled, t("head.small"), *notes)


def made_of(context: StageContext, count: Count, whole: int) -> Part:
    """While a question is open: what there is to multiply, and no product."""
    t, name = context.t, context.t(f"parts.{context.show}.{count.id}")
    if context.show != "parameters":
        return Part(count.id, name, "", "?", 0, side_of(count))
    tables = list(count.tables)
    sizes = Counter(tuple(sorted(size)) for size in tables)
    first = {tuple(sorted(size)): size for size in reversed(tables)}
    words = [
        t("made.of", n=n, rows=grouped(first[size][0]), columns=grouped(first[size][1])) for size, n in sizes.items()
    ]
    layers = prod(number for name, number in count.times if not name.isdigit())
    words += [t("made.layers", n=grouped(layers))] if layers > 1 else []
    of_one = [" × ".join(map(grouped, (*[n][: n > 1], *first[size]))) for size, n in sizes.items()]
    asked = " × ".join([added(of_one, layers > 1), *[grouped(layers)][: layers > 1]])
    return Part(count.id, name, "", f"{asked} = ?", 0, side_of(count), tables, layers, words)


def added(terms: Sequence[str], factor: bool) -> str:
    """Their sum; in brackets where several of them are a `factor`."""
    whole = " + ".join(terms)
    return f"({whole})" if factor and len(terms) > 1 else whole


def part(context: StageContext, count: Count, whole: int) -> Part:
    written = bytes_of(count.value) if context.show == "memory" else counted(count.value)
    share = count.value / whole
    name = context.t(f"parts.{context.show}.{count.id}")
    return Part(count.id, name, written, percent(share), share, side_of(count))


def side_of(count: Count) -> str:
    return "attention" if count.id in ATTENTION else count.id


def models(context: StageContext) -> Shares:
    """The largest first, up to BESIDE times the chosen one: beside a larger one it would be a speck."""
    known = {id: total(parameters(one.shape)) for id, one in known_models().items()}
    known[context.values["preset"]] = total(context.view.counts["parameters"])
    own = known[context.values["preset"]]
    larger = sorted(count for count in known.values() if count > own)
    near = [count for count in larger if count <= BESIDE * own]
    rows = sum(count <= own for count in known.values()) + len(near)
    most = max([own, *near, *larger[len(near) : len(near) + max(1, FEWEST - rows)]])
    ordered = sorted((id for id, count in known.items() if count <= most), key=lambda id: -known[id])
    names = {id: name_of(context.t, id) for id in ordered} | {context.values["preset"]: context.name}
    rows = [Share(id, names[id], counted(known[id]), share=known[id] / most) for id in ordered]
    head = [beside_some(context, len(known) - len(ordered)), "", context.t("head.parameters"), ""]
    return Shares("preset", context.values["preset"], rows, head, context.t("beside_label"))


def beside_some(context: StageContext, left: int) -> str:
    return context.t("beside_some", left=left) if left else context.t("beside")


def beside(context: StageContext) -> None:
    """Whole models, below the number."""
    if context.show == "parameters":
        components.shares(key="models_beside", data=models(context).data())


def row(context: StageContext, id: str, counts: Sequence[Count], whole: bool = False) -> Share:
    name = context.t(f"parts.{context.show}.{id}")
    value = total(counts)
    written = bytes_of(value) if context.show == "memory" else counted(value)
    also = counted(TRAINING * value) if context.show == "work" else ""
    share = value / largest(context)
    return Share(id, name, written, percent(share) if share < 1 else "", share, also, whole)


def caption(context: StageContext) -> str:
    """What is counted, and what is not; while a question is open, how what there is to count is drawn."""
    if context.veiled and context.show == "parameters":
        return context.t("made.scale")
    if context.show == "memory":
        return context.t(f"caption.memory_{context.view.precision}")
    where = "" if context.show == "work" else POSITIONS.get(context.shape.stack, "")
    return context.t(f"caption.{context.show}{where}", length=grouped(context.shape.length))


def choice_of_model(context: StageContext) -> Control:
    """The models people speak of, by what they have; another one takes its own sizes along."""
    t, models = context.t, known_models()
    kept = {**dict.fromkeys(SIZES), "stack": None, "tied": None}
    stack = {id: one.shape.stack for id, one in models.items()}
    ordered = sorted(stack, key=lambda id: STACKS.index(stack[id]))
    options, groups = [(id, name_of(t, id)) for id in ordered], [t(f"stacks.{stack[id]}") for id in ordered]
    opening = context.page.address.table["preset"].default
    return Control("preset", t("preset"), options, opening, kept, stepper="list", groups=groups)


def controls(context: StageContext) -> Controls:
    t, table = context.t, context.page.address.table
    shown = Control("show", t("show"), [(id, t(f"shown.{id}")) for id in SHOWN], first=SHOWN[0], also={"part": None})
    stack = Control(
        "stack", t("stack"), [(id, t(f"stacks.{id}")) for id in STACKS], first=table["stack"].default,
        usual=table["stack"].default, stepper=True,
    )  # fmt: skip
    own = table["tied"].default
    ties = Control("tied", t("ties"), [(id, t(f"tie.{id}")) for id in ("on", "off")], first=own, usual=own)
    sizes = Control("precision", t("precision"), [(id, id) for id in BYTES], first="fp32", usual="fp32")
    more = [*(typed(context, name) for name in SIZES), stack, *([ties] if context.shape.writes else []), sizes]
    return Controls([shown, choice_of_model(context)], More(t("more"), more))


def typed(context: StageContext, name: str) -> Control:
    """A number to type; where it is not the model's own, what waits behind "more" stays open."""
    low, high = LIMITS[name]
    refusal = context.t("typed_refusal", low=grouped(low), high=grouped(high))
    usual = context.page.address.table[name].default
    return Control(name, context.t(f"sizes.{name}"), number=(low, high), refusal=refusal, usual=usual)
