"""One table at both doors, or two: what tying saves."""

from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.words.numbers import grouped
from pages.stages.size.look import Look
from pages.stages.size.numbers import percent


def draw(look: Look) -> None:
    t, (v, d) = look.t, (look.shape.vocab, look.shape.d_model)
    apart, tied = 2 * v * d + v, v * d + v
    rows = [
        [t("tied.apart"), "2 · V · d + V", f"2 × {v:,} × {d:,} + {v:,}", grouped(apart)],
        [t("tied.tied"), "V · d + V", f"{v:,} × {d:,} + {v:,}", grouped(tied)],
        [t("tied.saved"), "V · d", f"{v:,} × {d:,}", f"{grouped(apart - tied)} · {percent((apart - tied) / apart)}"],
    ]
    write(
        heading(t, "tied"),
        paragraph(t, "tied.said"),
        table(rows, ["", t("head_of.formula"), t("head_of.numbers"), t("head_of.count")], "", (2,)),
        paragraph(t, "tied.bias", v=f"{v:,}", d=f"{d:,}"),
        paragraph(t, f"tied.{look.shape.stack}"),
    )
