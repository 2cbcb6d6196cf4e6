"""Attention's parameters in one layer: of one head, of all heads, with W^O."""

from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.words.numbers import grouped
from pages.stages.size.look import Look


def draw(look: Look) -> None:
    t, d, h = look.t, look.shape.d_model, look.shape.heads
    one = d // h
    rows = [
        [t("head_of.one"), "3 · d · d / h", f"3 × {d:,} × {one:,}", grouped(3 * d * one)],
        [t("head_of.all"), "h · 3 · d · d / h = 3 · d²", f"{h:,} × {grouped(3 * d * one)}", grouped(3 * d * d)],
        [t("head_of.joined"), "4 · d²", f"{grouped(3 * d * d)} + {d:,} × {d:,}", grouped(4 * d * d)],
        [t("head_of.biases"), "4 · d² + 4 · d", f"{grouped(4 * d * d)} + 4 × {d:,}", grouped(4 * d * d + 4 * d)],
    ]
    write(
        heading(t, "head_of"),
        paragraph(t, "head_of.said", d=f"{d:,}", h=f"{h:,}", one=f"{one:,}"),
        table(rows, ["", t("head_of.formula"), t("head_of.numbers"), t("head_of.count")], "", (2,)),
        paragraph(t, "head_of.wrong", wrong=grouped(3 * d * d), right=grouped(3 * d * one), h=h),
    )
