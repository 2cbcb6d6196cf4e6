"""What is followed: one count, its products with their numbers, held against a live model of that shape."""

from core.derivation.size import derive_count, derive_total
from core.derivation.steps import Derivation, Step
from core.figures.followed import Followed, Line
from core.lessons.size import BYTES, KEPT_FOR_ADAM, total
from core.views.live import countable, held, run
from pages.shared.number import follow
from pages.shared.words.numbers import grouped
from pages.stages.size.look import Look
from pages.stages.size.numbers import bytes_of, counted


def followed(look: Look) -> Followed:
    t, id = look.t, f"{look.show}/{look.part}"
    where = t(f"parts.{look.show}.{look.part}")
    if look.veiled:
        return follow.hidden(t, id, "")
    derivation = derived(look)
    value = int(derivation.steps[-1].value)
    steps = [line(look, step) for step in derivation.steps]
    last = vars(steps[-1])
    steps[-1] = Line(**{**last, "check": check(look, value - int(derivation.captured))})
    shown = bytes_of(value) if look.show == "memory" else counted(value)
    return Followed(id, t("follow"), where, shown, grouped(value), steps)


def derived(look: Look) -> Derivation:
    recounted = count_live(look) if checked(look) else None
    if look.part in look.totals:
        counts = look.totals[look.part]
        held = total(counts) if recounted is None else sum(recounted[count.id] for count in counts)
        return derive_total(counts, held)
    count = next(count for count in look.counts if count.id == look.part)
    return derive_count(count, count.value if recounted is None else recounted[count.id])


def checked(look: Look) -> bool:
    return countable(look.shape)


def count_live(look: Look) -> dict[str, int]:
    """The same counts of a live model: its parameters, what PyTorch counts while it runs, what passed its taps."""
    shape = look.shape
    if look.show == "memory":
        return of_memory(look)
    found = held(shape) if look.show == "parameters" else run(shape).work
    batch = shape.batch if look.show == "work" else 1
    return {count.id: batch * found.get(count.id, 0) for count in look.counts}


def of_memory(look: Look) -> dict[str, int]:
    precision, batch, found = look.view.precision, look.shape.batch, run(look.shape)
    size, numbers = BYTES[precision], sum(held(look.shape).values())
    return {
        "weights": numbers * size,
        "gradients": numbers * size,
        "adam": numbers * KEPT_FOR_ADAM.get(precision, 0),
        "activations": sum(found.kept.values()) * batch * size,
        "cache": found.cache * batch * size,
    }


def check(look: Look, difference: int) -> str:
    if checked(look):
        return look.t(f"checked.{look.show}", difference=grouped(difference))
    return look.t("checked.not" if look.shape.turns else "checked.odd")


def line(look: Look, step: Step) -> Line:
    t, value = look.t, int(step.value)
    kind, _, name = step.id.partition(".")
    if kind == "part":
        return Line(t(f"parts.{look.show}.{name}"), counted(value), grouped(value))
    words = f"counted.{name}"
    operation = step.parts.get("letters", "")
    numbers = str(step.parts.get("numbers", ""))
    lines = [f"= {numbers}"] if operation and numbers else []
    operation = str(operation or numbers or t("counted.none"))
    return Line(operation, counted(value), grouped(value), lines=lines, reason=t(words) if words in t else "")
