"""Step by step: one token through every sub-layer of the encoder, with both of each layer's norms."""

from core.derivation import Cell
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.views.encoder import Sublayer
from pages.shared.number.number_links import measured
from pages.shared.page.parts import amount, folded, heading, paragraph, table, write
from pages.shared.pictures import components
from pages.stages.encoder.context import StageContext, lowest

MOST = 32  # other tokens that are drawn; the two that turned most and least are named
COLUMNS = ("before", "written", "share", "added", "after", "kept")


def draw(context: StageContext) -> None:
    t = context.t
    own = [one for one in context.view.sublayers if one.place.stack == context.reader]
    head = ["", *(t(f"walk.{name}") for name in COLUMNS)]
    marked = [i for i, one in enumerate(own) if one.place.layer == context.layer - 1]
    most = max(float(one.share[context.pos]) for one in own if not hidden(context, one))
    write(
        heading(t, "walk"),
        paragraph(t, "walk.said", token=context.name_of(context.reader)),
        table([row(context, one, most) for one in own], head, marked=marked),
        paragraph(t, "walk.norms"),
        f"<h3>{t.html('walk.moved')}</h3>",
        paragraph(t, "walk.moved_said"),
    )
    components.curves(key="turned", data=turned(context).pack())
    write(folded(context.t.html("numbers"), table([moved(context)], heads(context), kind="sums")))


def turned(context: StageContext) -> Curves:
    """Each token's cosine with itself where it entered, the selected one's before the others."""
    t, lines = context.t, list(context.view.moved.T)
    own = lines.pop(context.pos)
    others = lines[:MOST]
    tokens = [context.page.name(i) for i in range(len(context.view.tokens)) if i != context.pos]
    ends = [float(line[-1]) for line in others]
    named = {ends.index(end) for end in (min(ends, default=0), max(ends, default=0)) if end in ends}
    faint = [Series(tokens[i] if i in named else "", "faint", quiet=True) for i in range(len(others))]
    return Curves(
        x=Along(len(own), t("residual.depth")),
        y=Upwards(low=lowest(own, *others), high=1.0),
        series=[*faint, Series(context.name_of(context.reader))],
        values=[*others, own],
        words=CurvesWords(t("walk.moved")),
        height=230,
        ends=True,
    )


def moved(context: StageContext) -> list[object]:
    """The cosines of the selected token, which can be followed."""
    i, (enters, *layers) = context.pos, context.page.model.depths()
    cosines = (
        measured(context, float(value), "cosine", Cell(enters, (i, None)), Cell(tap, (i, None)))
        for value, tap in zip(context.view.moved[1:, i], layers, strict=True)
    )
    return [context.name_of(context.reader), *cosines]


def heads(context: StageContext) -> list[str]:
    return [context.t("walk.token"), *(context.t("depths.layer", layer=i) for i in range(1, context.view.layers + 1))]


def hidden(context: StageContext, one: Sublayer) -> bool:
    return context.hides(context.reader, int(one.place.layer or 0) + 1, context.pos)


def row(context: StageContext, one: Sublayer, most: float) -> list[object]:
    """The numbers of a sub-layer; its share as a bar, beside the largest that is shown."""
    layer = int(one.place.layer or 0) + 1
    name = context.t("walk.place", layer=layer, part=context.t(f"parts.{one.place.part}"))
    if hidden(context, one):
        return [name, *["…"] * len(COLUMNS)]
    found = {column: passed(context, one, column) for column in COLUMNS}
    return [name, *(amount(x, most) if column == "share" else x for column, x in found.items())]


def passed(context: StageContext, one: Sublayer, column: str) -> float:
    """A number of the table: what was measured of a row can be pressed."""
    value, leaving = float(getattr(one, column)[context.pos]), context.page.model.leaving(one.place)
    taps = {"before": one.place.tap("skip"), "written": one.place.tap("output"), "added": one.place.tap("residual")}
    rows = {name: Cell(tap, (context.pos, None)) for name, tap in {**taps, "after": leaving}.items()}
    if column in rows:
        return measured(context, value, "length", rows[column])
    if column == "kept":
        return measured(context, value, "cosine", rows["before"], rows["after"])
    return measured(context, value, "ratio", rows["written"], rows["before"])
