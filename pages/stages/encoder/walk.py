"""Step by step: one token through every sub-layer of the encoder, with both of each layer's norms."""

from pages.shared.parts import heading, paragraph, table, write
from pages.stages.encoder.look import Look

COLUMNS = ("before", "written", "share", "added", "after", "kept")


def draw(look: Look) -> None:
    t = look.t
    own = [one for one in look.view.sublayers if one.place.stack == "encoder"]
    head = ["", *(t(f"walk.{name}") for name in COLUMNS)]
    marked = [i for i, one in enumerate(own) if one.place.layer == look.layer - 1]
    write(
        heading(t, "walk"),
        paragraph(t, "walk.said", token=look.name_of("encoder")),
        table([row(look, one) for one in own], head, kind="sums", marked=marked),
        paragraph(t, "walk.norms"),
    )


def row(look: Look, one) -> list[object]:
    layer = int(one.place.layer or 0) + 1
    name = look.t("walk.place", layer=layer, part=look.t(f"parts.{one.place.part}"))
    if look.hides("encoder", layer, look.pos):
        return [name, *["…"] * len(COLUMNS)]
    return [name, *(float(getattr(one, column)[look.pos]) for column in COLUMNS)]
