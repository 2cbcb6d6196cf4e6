"""Step by step: one token through every sub-layer of the encoder, with both of each layer's norms."""

from core.derivation import Cell
from core.text.token import named
from core.views.encoder import Sublayer
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraph, table, write
from pages.stages.encoder.context import StageContext

MOST = 32  # tokens in a table
COLUMNS = ("before", "written", "share", "added", "after", "kept")


def draw(context: StageContext) -> None:
    t = context.t
    own = [one for one in context.view.sublayers if one.place.stack == context.reader]
    head = ["", *(t(f"walk.{name}") for name in COLUMNS)]
    marked = [i for i, one in enumerate(own) if one.place.layer == context.layer - 1]
    write(
        heading(t, "walk"),
        paragraph(t, "walk.said", token=context.name_of(context.reader)),
        table([row(context, one) for one in own], head, kind="sums", marked=marked),
        paragraph(t, "walk.norms"),
        f"<h3>{t.html('walk.moved')}</h3>",
        paragraph(t, "walk.moved_said"),
        table(moved(context), heads(context), kind="sums", marked=[context.pos] if context.pos < MOST else []),
    )


def moved(context: StageContext) -> list[list[object]]:
    """Each token's cosine with itself where it entered, after each layer."""
    tokens = [token.text for token in context.view.tokens]
    shown = range(min(MOST, len(tokens)))
    enters, *layers = context.page.model.depths()
    return [
        [
            named(tokens, i),
            *(
                measured(context, float(value), "cosine", Cell(enters, (i, None)), Cell(tap, (i, None)))
                for value, tap in zip(context.view.moved[1:, i], layers, strict=True)
            ),
        ]
        for i in shown
    ]


def heads(context: StageContext) -> list[str]:
    return [context.t("walk.token"), *(context.t("depths.layer", layer=i) for i in range(1, context.view.layers + 1))]


def row(context: StageContext, one: Sublayer) -> list[object]:
    layer = int(one.place.layer or 0) + 1
    name = context.t("walk.place", layer=layer, part=context.t(f"parts.{one.place.part}"))
    if context.hides(context.reader, layer, context.pos):
        return [name, *["…"] * len(COLUMNS)]
    return [name, *(passed(context, one, column) for column in COLUMNS)]


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
