"""Open it: the formula with this pair's numbers, the code, other code on the same words, the merges as a table."""

from core.reference import trainers
from core.text import merging
from pages.shared.page.opened import Opened, lines
from pages.shared.words.numbers import short
from pages.stages.vocabulary.context import StageContext
from pages.stages.vocabulary.repeat import repeat

GENERAL = {
    "score": r"\operatorname{score}(x, y) = \frac{\operatorname{freq}(xy)}"
    r"{\operatorname{freq}(x)\,\operatorname{freq}(y)}",
    "frequency": r"(x, y)^{*} = \operatorname*{arg\,max}_{(x, y)} \operatorname{freq}(xy)",
}
COLUMNS = ("step", "left", "right", "merged", "frequency", "left_frequency", "right_frequency", "score", "tied", "new")


def opened(context: StageContext) -> Opened:
    t, training = context.t, context.training
    library = trainers.of_library(context.rule, context.ties)
    return Opened(
        formula=formula(context),
        code=(merging.State.step, merging.State.values, merging.State.merge_in, merging.spell),
        shapes=[
            ("words", ("word",), (len(training.words),)),
            ("alphabet", ("piece",), (len(training.alphabet),)),
            ("merges", ("merge",), (len(training.merges),)),
            ("vocabulary", ("piece",), (len(training.vocabulary),)),
        ],
        compare=lambda: (t("compared_what"), float(trainers.difference(training, context.ties))),
        compared="compared_library" if library else "compared_anew",
        table=lambda: table(context),
        table_name="merges.csv",
        other=t("other_library" if library else "other_anew"),
        of_model=False,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    general = GENERAL["score" if context.rule == "score" else "frequency"]
    c = context.candidate
    if c is None:
        return general
    numbers = rf"\operatorname{{freq}}(xy) = {c.frequency}"
    if context.rule == "score":
        numbers = rf"\frac{{{c.frequency}}}{{{c.of_left} \times {c.of_right}}} = {short(c.score)}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \end{{aligned}}"


def table(context: StageContext) -> str:
    """The merges: one a line."""
    rows: list[list[object]] = []
    for i, merge in enumerate(context.training.merges, 1):
        left, right, *counts = best = merge.candidates[0]
        rows.append([i, left, right, merge.made, *counts, repr(best.score), merge.tied, int(merge.new)])
    return lines(COLUMNS, rows)
