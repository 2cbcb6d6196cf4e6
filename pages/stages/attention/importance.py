"""What a weight is not: importance. Beside each weight, how long the vector is that it brings along."""

from typing import Any

import numpy as np
import streamlit as st

from core.text.token import named
from pages.shared.address.visit import on_press
from pages.shared.page.parts import amount, heading, paragraphs, table, write
from pages.stages.attention.context import StageContext
from pages.stages.attention.words import clearest_apart, head_that_takes_elsewhere

MOST = 12  # keys in the table
BAR = 128  # pixels of the longest


def draw(context: StageContext) -> None:
    t, row = context.t, row_of(context)
    write(heading(t, "importance"), paragraphs([t.html("importance.said")]))
    if row in context.veil:
        write(paragraphs([t.html("veiled_step")]))
        return
    keys = shown(context, row)
    heads = [t(f"importance.columns.{name}") for name in ("key", "weight", "length", "brought", "share")]
    most = int(context.view.taken[context.head - 1, row])
    h = context.head - 1
    longest = float(max(context.view.weights[h, row].max(), context.view.contribution(h)[row].max()))
    rows = [drawn(line(context, row, int(k)), longest) for k in keys]
    left, right = st.columns([1.65, 1], gap="medium")
    with left:
        write(table(rows, heads, "named", marked=[list(keys).index(most)]))
    with right:
        write(paragraphs(words(context, row, len(keys))))
        elsewhere(context)


def row_of(context: StageContext) -> int:
    """The selected row where it tells something, else the one in which weight and contribution part most clearly."""
    view, q = context.view, context.values["q"]
    if q not in context.veil and view.most[context.head - 1, q] != view.taken[context.head - 1, q]:
        return q
    found = clearest_apart(context, context.head)
    return q if found is None else found


def shown(context: StageContext, row: int) -> np.ndarray:
    """All keys, or those that are looked at or taken most, in the order of the sentence."""
    view, h = context.view, context.head - 1
    count = len(view.keys)
    if count <= MOST:
        return np.arange(count)
    largest = np.maximum(view.weights[h, row], view.contribution(h)[row])
    return np.sort(np.argsort(-largest, kind="stable")[:MOST])


def drawn(cells: list[Any], longest: float) -> list[object]:
    """A key's weight and its contribution with bars, on one scale."""
    name, weight, *between, share = cells
    return [name, amount(weight, longest, longest=BAR), *between, amount(share, longest, longest=BAR)]


def line(context: StageContext, row: int, key: int) -> list[Any]:
    weight, long = context.at("weights", row, key), length(context, row, key)
    return [
        named(context.view.key_tokens, key),
        weight,
        long,
        context.brings("taken", weight * long, row, key),
        share(context, row, key),
    ]


def words(context: StageContext, row: int, count: int) -> list[str]:
    t, view, h = context.t, context.view, context.head - 1
    looked, taken = int(view.most[h, row]), int(view.taken[h, row])
    names = {"token": named(view.tokens, row), "looked": named(view.key_tokens, looked)}
    facts = {"weight": context.at("weights", row, looked), "share": share(context, row, looked)}
    lengths = {"length": length(context, row, looked), "other_length": length(context, row, taken)}
    said = [] if count == len(view.keys) else [t.html("importance.window", count=count, n=len(view.keys))]
    if len(view.may_look(row)) == 1:
        return [t.html("importance.alone", **names)]
    if looked == taken:
        return [*said, t.html("importance.same", **names, **facts), t.html("importance.further")]
    other = {"taken": named(view.key_tokens, taken), "most": share(context, row, taken)}
    apart = t.html("importance.apart", **names, **facts, **lengths, **other)
    sink = [t.html("importance.sink")] if looked == 0 or view.key_tokens[looked] == "[SEP]" else []
    return [*said, apart, *sink, t.html("importance.further")]


def share(context: StageContext, row: int, key: int) -> float:
    return context.brings("share", float(context.view.contribution(context.head - 1)[row, key]), row, key)


def length(context: StageContext, row: int, key: int) -> float:
    return context.brings("carried", float(context.view.carried[context.head - 1, key]), row, key)


def elsewhere(context: StageContext) -> None:
    """A head in which the two part, where they do not in this one."""
    if clearest_apart(context, context.head) is not None or context.veil:
        return
    if head := head_that_takes_elsewhere(context):
        press = on_press(context, head=head)
        st.button(context.t("importance.elsewhere", head=head), key="elsewhere", type="tertiary", on_click=press)
