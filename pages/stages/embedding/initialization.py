"""How rows begin, four ways, and how training left them; and norms against ids."""

import streamlit as st

from core.derivation import Weight
from core.derivation.flow import TABLE
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.views.beginnings import Table, begun, described, drawing, spearman_of_scripts, spearman_of_words, stretch
from core.views.embedding import table as table_of
from core.views.entries import ordinary
from core.views.learning import snapshot
from pages.shared.number.number_links import measured
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.embedding.context import StageContext

OF_ALL = ("table_width", "largest", "table_length")
CLEAR = 0.3  # a correlation worth speaking of
SCRIPTS = ("cjk", "latin")


def draw(context: StageContext) -> None:
    t, model = context.t, context.page.address.model
    write(heading(t, "begin"), paragraph(t, "begin.said"))
    with st.spinner(t("begin.drawing")):
        found = tables(model)
    components.curves(key="norms", data=norms(context, found).pack())
    write(*said(context, found["trained"]))
    head = [t(f"begin.{name}") for name in ("how", "std", "largest", "norm", "spearman")]
    rows = [[t(f"begin.ways.{name}"), *numbers(context, name, one)] for name, one in found.items()]
    write(table(rows, head, kind="sums", marked=[len(rows) - 1]), paragraph(t, "begin.variance", root=0.02**0.5))
    door(context.page, "training", t("begin.door"), "contest", what="frequent")


def numbers(context: StageContext, name: str, one: Table) -> list[float | str]:
    """What is said of a table; of the one that was trained it can be followed."""
    said = [one.std, one.largest, one.mean]
    if name == "trained":
        whole = Weight(TABLE, (None, None))
        said = [measured(context, x, kind, whole) for x, kind in zip(said, OF_ALL, strict=True)]
    return [*said, f"{round(one.spearman, 2) + 0:.2f}".replace("-", "−")]


@cached.shared
def tables(name: str) -> dict[str, Table]:
    """A table of this model's size drawn in each way; its own before training, where that was kept; and trained."""
    model = cached.model(name)
    trained, front = table_of(model), ordinary(model.tokenizer.pieces)
    vocab, d_model = trained.shape
    found = {kind: begun(kind, vocab, d_model, front) for kind in drawing(d_model)}
    if model.words is not None:
        found["own"] = described(snapshot(model, 0).table, front)
    return {**found, "trained": described(trained, front)}


def norms(context: StageContext, found: dict[str, Table]) -> Curves:
    """Of each stretch of ids the norms in the middle, before and after training."""
    t, view = context.t, context.view
    trained, before = found["trained"], found.get("own", found["bert"])
    names = "own" if "own" in found else "bert"
    step = stretch(view.vocab)
    return Curves(
        x=Along(len(trained.middle), t("begin.id"), step=step),
        y=Upwards(low=0),
        series=[
            Series(t("begin.lines.low"), "band"),
            Series(t("begin.lines.high"), "band"),
            Series(t("begin.lines.trained")),
            Series(t(f"begin.lines.{names}"), "second"),
        ],
        values=[trained.low, trained.high, trained.middle, before.middle],
        height=230,
        words=CurvesWords(t("begin.label"), t.html("begin.caption", step=step)),
    )


def said(context: StageContext, trained: Table) -> list[str]:
    t = context.t
    told = [
        step_said(context, trained) or paragraph(t, f"begin.{sign_of(trained.spearman)}", spearman=trained.spearman)
    ]
    if frequent := context.page.opening.get("frequent"):
        words = t("comma").join(context.view.pieces[slice(*frequent)])
        told.append(paragraph(t, "begin.frequent", first=str(frequent[0]), words=words))
        size, among = among_words(context.page.address.model)
        told.append(paragraph(t, f"begin.words_{sign_of(among)}", size=grouped(size), spearman=among))
    return [*told, paragraph(t, "begin.practice")]


def step_said(context: StageContext, trained: Table) -> str:
    """Where all of the correlation is that rows of two scripts, one behind the other, have different sizes."""
    found = among_scripts(context.page.address.model)
    if not found.keys() >= set(SCRIPTS) or sign_of(trained.spearman) == "neither":
        return ""
    (_, han, short), (_, latin, long) = (found[script] for script in SCRIPTS)
    if {sign_of(han), sign_of(latin)} != {"neither"}:
        return ""
    facts = {"spearman": trained.spearman, "han": han, "latin": latin, "han_norm": short, "latin_norm": long}
    return paragraph(context.t, "begin.step", **facts)


@cached.shared
def among_scripts(name: str) -> dict[str, tuple[int, float, float]]:
    model = cached.model(name)
    return spearman_of_scripts(table_of(model), model.tokenizer.pieces)


def sign_of(correlation: float) -> str:
    return "falls" if correlation < -CLEAR else "rises" if correlation > CLEAR else "neither"


@cached.shared
def among_words(name: str) -> tuple[int, float]:
    model = cached.model(name)
    return spearman_of_words(table_of(model), model.tokenizer.pieces)


SECTION = Section(draw)
