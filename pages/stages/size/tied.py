"""One table at both doors, or two: what tying saves."""

from pages.shared.page.parts import Html, amount, heading, paragraph, table, write
from pages.stages.size.context import StageContext
from pages.stages.size.numbers import percent


def draw(context: StageContext) -> None:
    t, (v, d) = context.t, (context.shape.vocab, context.shape.d_model)
    apart, tied, saved = 2 * v * d + v, v * d + v, v * d
    rows = [
        [t("tied.apart"), "2 · V · d + V", f"2 × {v:,} × {d:,} + {v:,}", amount(apart, apart)],
        [t("tied.tied"), "V · d + V", f"{v:,} × {d:,} + {v:,}", amount(tied, apart)],
        [t("tied.saved"), "V · d", f"{v:,} × {d:,}", Html(f"{amount(saved, apart)} {percent(saved / apart)}")],
    ]
    write(
        heading(t, "tied"),
        paragraph(t, "tied.said"),
        *([paragraph(t, "tied.encoder")] if context.shape.stack == "encoder" else []),
        table(rows, ["", t("head_of.formula"), t("head_of.numbers"), t("head_of.count")], "named", (2,)),
        paragraph(t, "tied.bias", v=f"{v:,}", d=f"{d:,}"),
        *([] if context.shape.stack == "encoder" else [paragraph(t, f"tied.{context.shape.stack}")]),
        *(paragraph(t, key) for key in now(context)),
    )


def now(context: StageContext) -> list[str]:
    """Whether the shape in the picture ties its tables; an encoder has one only."""
    shape = context.shape
    return [] if shape.stack == "encoder" else [f"tied.now_{'on' if shape.tied else 'off'}"]
