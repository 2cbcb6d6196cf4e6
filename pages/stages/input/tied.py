"""Why adding is the same as laying side by side with one W."""

import streamlit as st

from core.derivation import Cell, Weight
from core.edits import Edit
from core.model.places import attention_at
from core.views.input import Kept, OneMap, kept, one_map
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.input.context import StageContext, view_of
from pages.stages.input.words import given_of

LETTERS = {"token": "e", "position": "p", "segment": "s"}
FORMULA = {
    2: r"W(e + p) = We + Wp = \begin{bmatrix} W & W \end{bmatrix} \begin{bmatrix} e \\ p \end{bmatrix}",
    3: r"W(e + p + s) = We + Wp + Ws = \begin{bmatrix} W & W & W \end{bmatrix}"
    r"\begin{bmatrix} e \\ p \\ s \end{bmatrix}",
}
UNITS = 2  # rows of the table


@cached.shared
def one_map_of(name: str, text: str, edits: tuple[Edit, ...], token: int) -> OneMap:
    return one_map(view_of(name, text, edits), cached.model(name), token)


@cached.shared
def kept_of(name: str, text: str, edits: tuple[Edit, ...]) -> Kept:
    return kept(view_of(name, text, edits), cached.model(name))


def draw(context: StageContext) -> None:
    t, now, token = context.t, context.view.now, context.opening
    made = one_map_of(*context.key, context.view.edits, token)
    d, parts = now.d_model, len(now.names)
    said = paragraph(t, "tied_said", token=context.page.name(token), d_model=d, wide=grouped(parts * d))
    write(heading(t, "tied"), said)
    left, right = st.columns(2, gap="medium", vertical_alignment="center")
    left.html(blocks(context))
    right.latex(FORMULA[parts])
    facts = {"units": d, "difference": made.difference, "shape": f"{made.wide[0]} × {made.wide[1]}"}
    sizes = {"narrow": f"{made.shape[0] * made.shape[1]:,}", "broad": f"{made.wide[0] * made.wide[1]:,}"}
    checked = paragraph(t, "tied_checked", **facts, **sizes)
    write(table(rows(context, made), heads(context), kind="sums"), checked, still_there(context))


def still_there(context: StageContext) -> str:
    """How far the sums still tell what was added."""
    found, model = kept_of(*context.key, context.view.edits), context.page.model
    facts = {"n": len(context.view.now.tokens), "vocab": grouped(model.config.vocab), "tokens": found.tokens}
    if found.places is None:
        return paragraph(context.t, "tied_kept_token", **facts)
    return paragraph(context.t, "tied_kept", **facts, places=found.places)


def blocks(context: StageContext) -> str:
    """Both ways as blocks: the parts one below the other, added up, above one W; side by side, each above its own."""
    t, names = context.t, context.view.now.names
    parts = [f"<i class='{name}'>{LETTERS[name]}</i>" for name in names]
    total = " + ".join(LETTERS[name] for name in names)
    added = f"{'<u>+</u>'.join(parts)}<u>=</u><i class='sum'>{total}</i><u>×</u><b>W</b>"
    joined = f"<div>{''.join(parts)}</div><u>×</u><div>{'<b>W</b>' * len(names)}</div>"
    ways = [(t.html("joins.add"), added), (t.html("joins.concat"), joined)]
    drawn = "".join(f"<figure><figcaption>{name}</figcaption>{inside}</figure>" for name, inside in ways)
    label = t.html("tied.label", d=context.view.now.d_model)
    return f"<div class='blocks' role='img' aria-label='{label}'>{drawn}</div>"


def heads(context: StageContext) -> list[str]:
    each = [f"W {LETTERS[name]}" for name in context.view.now.names]
    return [context.t("tied.unit"), *each, *(context.t(f"tied.{way}") for way in ("summed", "of_sum", "of_joined"))]


def rows(context: StageContext, made: OneMap) -> list[list[object]]:
    names = context.view.now.names
    return [
        [
            str(i),
            *(product(context, name, i, float(x)) for name, x in zip(names, made.each[:, i], strict=True)),
            float(made.summed[i]),
            product(context, "sum", i, float(made.of_sum[i])),
            float(made.of_joined[i]),
        ]
        for i in range(UNITS)
    ]


def product(context: StageContext, name: str, column: int, value: float) -> float:
    """What a part comes to in one column of W; it can be followed."""
    row = Cell(context.view.now.taps[name], (context.opening, None))
    matrix = Weight(f"{attention_at('encoder', 0)}.to_query.weight", (column, None))
    return measured(context, value, "dot", row, matrix, given=given_of(context.view.now))
