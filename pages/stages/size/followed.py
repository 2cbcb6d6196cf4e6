"""What is followed: one count, its products with their numbers, held against a live model of that shape."""

from core.derivation.size import derive_count, derive_total
from core.derivation.steps import Derivation, Step
from core.figures.followed import Followed, Line
from core.lessons.size import BYTES, KEPT_FOR_ADAM, total
from core.views.live import countable, held, run
from pages.shared.number import follow
from pages.shared.words.numbers import grouped
from pages.stages.size.context import StageContext
from pages.stages.size.numbers import bytes_of, counted


def followed(context: StageContext) -> Followed:
    t, id = context.t, f"{context.show}/{context.part}"
    where = t(f"parts.{context.show}.{context.part}")
    if context.veiled:
        return one_matrix(context) if context.show == "parameters" else follow.hidden(t, id, "")
    derivation = derived(context)
    value = int(derivation.steps[-1].value)
    steps = [line(context, step) for step in derivation.steps]
    last = vars(steps[-1])
    steps[-1] = Line(**{**last, "check": check(context, value - int(derivation.captured))})
    shown = bytes_of(value) if context.show == "memory" else counted(value)
    return Followed(id, t("follow"), where, shown, grouped(value), steps)


def one_matrix(context: StageContext) -> Followed:
    """While a question is open: a matrix of attention, which has several in every layer, and what is left to do."""
    t = context.t
    tables = list(next(count for count in context.counts if count.id == "attention").tables)
    rows, columns = tables[0]
    value = grouped(rows * columns)
    steps = [
        Line(f"{grouped(rows)} × {grouped(columns)}", value, reason=t("made.matrix")),
        Line(t("made.times" if len(set(tables)) == 1 else "made.others"), "?", reason=t("made.part")),
    ]
    return Followed("matrix", t("follow"), t("made.one"), value, value, steps, note=t("veiled_step"))


def derived(context: StageContext) -> Derivation:
    recounted = count_live(context) if checked(context) else None
    if context.part in context.totals:
        counts = context.totals[context.part]
        held = total(counts) if recounted is None else sum(recounted[count.id] for count in counts)
        return derive_total(counts, held)
    count = next(count for count in context.counts if count.id == context.part)
    return derive_count(count, count.value if recounted is None else recounted[count.id])


def checked(context: StageContext) -> bool:
    return countable(context.shape)


def count_live(context: StageContext) -> dict[str, int]:
    """The same counts of a live model: its parameters, what PyTorch counts while it runs, what passed its taps."""
    shape = context.shape
    if context.show == "memory":
        return of_memory(context)
    found = held(shape) if context.show == "parameters" else run(shape).work
    batch = shape.batch if context.show == "work" else 1
    return {count.id: batch * found.get(count.id, 0) for count in context.counts}


def of_memory(context: StageContext) -> dict[str, int]:
    precision, batch, found = context.view.precision, context.shape.batch, run(context.shape)
    size, numbers = BYTES[precision], sum(held(context.shape).values())
    return {
        "weights": numbers * size,
        "gradients": numbers * size,
        "adam": numbers * KEPT_FOR_ADAM.get(precision, 0),
        "activations": sum(found.kept.values()) * batch * size,
        "cache": found.cache * batch * size,
    }


def check(context: StageContext, difference: int) -> str:
    if checked(context):
        return context.t(f"checked.{context.show}", difference=grouped(difference))
    return context.t("checked.not" if context.shape.turns else "checked.odd")


def line(context: StageContext, step: Step) -> Line:
    t, value = context.t, int(step.value)
    kind, _, name = step.id.partition(".")
    if kind == "part":
        return Line(t(f"parts.{context.show}.{name}"), counted(value), grouped(value))
    words = f"counted.{name}"
    operation = step.parts.get("letters", "")
    numbers = str(step.parts.get("numbers", ""))
    told = counted(value)  # a single number is the result itself
    lines = [f"= {numbers}"] if operation and numbers and numbers != told else []
    operation = str(operation or numbers or t("counted.none"))
    return Line(operation, counted(value), grouped(value), lines=lines, reason=t(words) if words in t else "")
