"""Attention's parameters in one layer: of one head, of all heads, with W^O."""

from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.words.numbers import grouped
from pages.stages.size.context import StageContext


def draw(context: StageContext) -> None:
    t, d, h = context.t, context.shape.d_model, context.shape.heads
    one = d // h
    if context.shape.gated:
        return draw_groups(context, one)
    most = 4 * d * d + 4 * d
    rows = [
        [t("head_of.one"), "3 · d · d / h", f"3 × {d:,} × {one:,}", amount(3 * d * one, most)],
        [t("head_of.all"), "h · 3 · d · d / h = 3 · d²", f"{h:,} × {grouped(3 * d * one)}", amount(3 * d * d, most)],
        [t("head_of.joined"), "4 · d²", f"{grouped(3 * d * d)} + {d:,} × {d:,}", amount(4 * d * d, most)],
        [t("head_of.biases"), "4 · d² + 4 · d", f"{grouped(4 * d * d)} + 4 × {d:,}", amount(most, most)],
    ]
    key = "head_of.wrong" if h > 1 else "head_of.alone"
    write(
        heading(t, "head_of"),
        paragraph(t, "head_of.said", d=f"{d:,}", h=f"{h:,}", one=f"{one:,}"),
        table(rows, ["", t("head_of.formula"), t("head_of.numbers"), t("head_of.count")], "named", (2,)),
        paragraph(t, key, wrong=grouped(3 * d * d), right=grouped(3 * d * one), h=h),
    )


def draw_groups(context: StageContext, one: int) -> None:
    """The same where the heads of a group share their keys and values, and nothing has a bias."""
    t, d, keys = context.t, context.shape.d_model, context.shape.keys
    most = 2 * d * (d + keys)
    rows = [
        [t("head_of.query"), "d · d / h", f"{d:,} × {one:,}", amount(d * one, most)],
        [t("head_of.group"), "2 · d · d / h", f"2 × {d:,} × {one:,}", amount(2 * d * one, most)],
        [t("head_of.all"), "d² + 2 · d · d_kv", f"{d:,}² + 2 × {d:,} × {keys:,}", amount(d * d + 2 * d * keys, most)],
        [
            t("head_of.joined"),
            "2 · d² + 2 · d · d_kv",
            f"2 × {d:,}² + 2 × {d:,} × {keys:,}",
            amount(most, most),
        ],
    ]
    facts = {
        "d": f"{d:,}",
        "h": f"{context.shape.heads:,}",
        "one": f"{one:,}",
        "keys": f"{keys:,}",
        "groups": keys // one,
    }
    write(
        heading(t, "head_of"),
        paragraph(t, "head_of.said_groups", **facts),
        table(rows, ["", t("head_of.formula"), t("head_of.numbers"), t("head_of.count")], "named", (2,)),
    )
