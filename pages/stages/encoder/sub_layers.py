"""Step by step: one token through every sub-layer of the encoder, with both of each layer's norms."""

from core.derivation import Cell
from core.text.token import named
from core.views.encoder import Sublayer
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraph, table, write
from pages.stages.encoder.look import Look

MOST = 32  # tokens in a table
COLUMNS = ("before", "written", "share", "added", "after", "kept")


def draw(look: Look) -> None:
    t = look.t
    own = [one for one in look.view.sublayers if one.place.stack == look.reader]
    head = ["", *(t(f"walk.{name}") for name in COLUMNS)]
    marked = [i for i, one in enumerate(own) if one.place.layer == look.layer - 1]
    write(
        heading(t, "walk"),
        paragraph(t, "walk.said", token=look.name_of(look.reader)),
        table([row(look, one) for one in own], head, kind="sums", marked=marked),
        paragraph(t, "walk.norms"),
        f"<h3>{t.html('walk.moved')}</h3>",
        paragraph(t, "walk.moved_said"),
        table(moved(look), heads(look), kind="sums", marked=[look.pos] if look.pos < MOST else []),
    )


def moved(look: Look) -> list[list[object]]:
    """Each token's cosine with itself where it entered, after each layer."""
    tokens = [token.text for token in look.view.tokens]
    shown = range(min(MOST, len(tokens)))
    enters, *layers = look.page.model.depths()
    return [
        [
            named(tokens, i),
            *(
                measured(look, float(value), "cosine", Cell(enters, (i, None)), Cell(tap, (i, None)))
                for value, tap in zip(look.view.moved[1:, i], layers, strict=True)
            ),
        ]
        for i in shown
    ]


def heads(look: Look) -> list[str]:
    return [look.t("walk.token"), *(look.t("depths.layer", layer=i) for i in range(1, look.view.layers + 1))]


def row(look: Look, one: Sublayer) -> list[object]:
    layer = int(one.place.layer or 0) + 1
    name = look.t("walk.place", layer=layer, part=look.t(f"parts.{one.place.part}"))
    if look.hides(look.reader, layer, look.pos):
        return [name, *["…"] * len(COLUMNS)]
    return [name, *(passed(look, one, column) for column in COLUMNS)]


def passed(look: Look, one: Sublayer, column: str) -> float:
    """A number of the table: what was measured of a row can be pressed."""
    value, leaving = float(getattr(one, column)[look.pos]), look.page.model.leaving(one.place)
    taps = {"before": one.place.tap("skip"), "written": one.place.tap("output"), "added": one.place.tap("residual")}
    rows = {name: Cell(tap, (look.pos, None)) for name, tap in {**taps, "after": leaving}.items()}
    if column in rows:
        return measured(look, value, "length", rows[column])
    if column == "kept":
        return measured(look, value, "cosine", rows["before"], rows["after"])
    return measured(look, value, "ratio", rows["written"], rows["before"])
