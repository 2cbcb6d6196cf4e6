"""Open it: the formula with this shape's numbers, the code, other people's model of it, the counts as a table."""

from core.lessons import size
from core.lessons.size import TRAINING, total
from core.views import live
from pages.shared.page.opened import Opened, lines
from pages.shared.words.numbers import grouped
from pages.stages.size.context import StageContext
from pages.stages.size.repeat import repeat

DEEPEST = 128  # layers of a model that is built whole; of a deeper one, one layer, counted as often as it is there


def opened(context: StageContext) -> Opened:
    t, s = context.t, context.shape
    whole = s.layers <= DEEPEST and live.countable(s)
    functions = {"parameters": size.parameters, "work": size.work, "memory": size.memory}
    return Opened(
        formula=formula(context),
        code=(functions[context.show], live.run if context.show != "parameters" else live.held, live.build),
        shapes=shapes(context),
        compare=lambda: (t("compared_what"), float(difference(context))) if whole else (t("compared_what"), 0.0),
        compared="compared" if whole else "compared_not",
        table=lambda: table(context),
        table_name="size.csv",
        other=t(f"others.{s.stack}"),
        of_model=False,
        repeat=repeat,
    )


def difference(context: StageContext) -> int:
    """Our count of all parameters less that of other people's code, built on the meta device with every layer."""
    from core.reference.sizes import of_shape

    s = context.shape
    theirs = of_shape(s.stack, s.vocab, s.d_model, s.heads, s.layers, s.d_ff, s.length, s.tied, s.groups)
    return total(context.view.counts["parameters"]) - theirs


def shapes(context: StageContext) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """The matrices of one layer and of the tables."""
    s = context.shape
    d, ff, keys = s.d_model, s.d_ff, s.keys
    rows = [("E", ("V", "d"), (s.vocab, d))]
    if s.gated:
        inner = [("W^Q", ("d", "h · d_head"), (d, d)), *((f"W^{name}", ("d", "d_kv"), (d, keys)) for name in "KV")]
        outer = [("W^O", ("h · d_head", "d"), (d, d)), *((name, ("d", "d_ff"), (d, ff)) for name in ("W_gate", "W_up"))]
        return [*rows, *inner, *outer, ("W_down", ("d_ff", "d"), (ff, d))]
    if not s.cross:
        rows.append(("P", ("L", "d"), (s.length, d)))
    rows += [(f"W^{name}", ("d", "h · d_head"), (d, d)) for name in "QKV"]
    return [*rows, ("W^O", ("h · d_head", "d"), (d, d)), ("W₁", ("d", "d_ff"), (d, ff)), ("W₂", ("d_ff", "d"), (ff, d))]


def formula(context: StageContext) -> str:
    """The part that is followed: its products, and how often."""
    count = next((count for count in context.counts if count.id == context.part), context.counts[0])
    if not count.products:
        return "0"
    letters = " + ".join(r" \cdot ".join(symbol(name) for name, _ in p.factors) for p in count.products)
    numbers = " + ".join(r" \cdot ".join(latex(n) for _, n in p.factors) for p in count.products)
    several = len(count.products) > 1
    for name, n in (factor for factor in count.times if factor != ("B", 1)):
        letters, numbers = rf"{symbol(name)} \, ({letters})", rf"{latex(n)} \, ({numbers})"
    if several or count.times:
        numbers = numbers.replace(" + ", r" \\ & \quad + ")
        letters = letters.replace(" + ", r" \\ & \quad + ") if len(letters) > 60 else letters
    return rf"\begin{{aligned}} & {letters} \\ & = {numbers} \\ & = {latex(count.value)} \end{{aligned}}"


def symbol(name: str) -> str:
    return {"d_ff": r"d_{\mathrm{ff}}", "d_kv": r"d_{\mathrm{kv}}", "bytes": r"\mathrm{bytes}"}.get(name, name)


def latex(n: int) -> str:
    return grouped(n).replace(",", "{,}")


def table(context: StageContext) -> str:
    """Every count of the three: one a line."""
    every = [(show, count) for show, counts in context.view.counts.items() for count in counts]
    rows = ([show, one.id, one.value, TRAINING * one.value if show == "work" else ""] for show, one in every)
    return lines(["counted", "part", "value", "a training step"], rows)
