"""Open it: the formula with this path's numbers, the code, jieba itself over the same words, the graph as a table."""

from math import log

from core.reference import jieba
from core.text import segmentation, word_graph
from core.text.word_graph import Path
from pages.shared.page.opened import Opened, lines
from pages.shared.words.numbers import short
from pages.stages.segmentation.context import StageContext
from pages.stages.segmentation.repeat import repeat

GENERAL = (
    r"\max_{w_1 \cdots w_m = \text{text}} \ \sum_{i=1}^{m} \ln\frac{f(w_i)}{N}"
    r"\qquad r_s = \max_{(s,e)} \left( \ln\frac{f(s{:}e)}{N} + r_e \right)"
)
COLUMNS = ("start", "end", "word", "frequency", "log_probability", "tag", "on_best_path")
MOST_FRACTIONS = 6  # in a formula that can be read


def opened(context: StageContext) -> Opened:
    t, view = context.t, context.view
    return Opened(
        formula=formula(view.paths[context.way], view.dictionary.total),
        code=(word_graph.ends, word_graph.best_paths, segmentation.second_step, segmentation.hidden),
        shapes=[
            ("text", ("character",), (len(view.text),)),
            ("edges", ("word",), (len(view.edges),)),
            ("path", ("word",), (len(view.paths[0].edges),)),
            ("words", ("word",), (len(view.words),)),
            ("agreement", ("method", "method"), view.agreement.shape),
        ],
        compare=lambda: (
            t("compared_what"),
            jieba.difference(view.text, view.dictionary, context.hmm, context.mode, view.shown),
        ),
        compared="compared",
        table=lambda: table(context),
        table_name="graph.csv",
        other=t("other_jieba"),
        of_model=False,
        repeat=repeat,
    )


def formula(path: Path, total: int) -> str:
    if not 0 < len(path.edges) <= MOST_FRACTIONS:
        return GENERAL
    fractions = " + ".join(rf"\ln\tfrac{{{max(1, e.frequency)}}}{{N}}" for e in path.edges)
    numbers = rf"{fractions} = {short(path.log_probability)}"
    named = rf"N = {total:,}".replace(",", r"{,}") + rf", \quad \ln N = {short(log(total))}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {numbers} \\ & {named} \end{{aligned}}"


def table(context: StageContext) -> str:
    """The graph: a word a line."""
    best = set(context.view.paths[0].edges)
    rows = (
        [e.start, e.end, e.text, e.frequency, repr(e.log_probability), context.tag(e.text), int(e in best)]
        for e in context.view.edges
    )
    return lines(COLUMNS, rows)
