"""What a weight is not: importance. Beside each weight, how long the vector is that it brings along."""

import numpy as np
import streamlit as st

from core.text.token import named
from pages.shared.address.visit import on_press
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.stages.attention.look import Look
from pages.stages.attention.words import clearest_apart, head_that_takes_elsewhere

MOST = 12  # keys in the table


def draw(look: Look) -> None:
    t, row = look.t, row_of(look)
    write(heading(t, "importance"), paragraphs([t.html("importance.said")]))
    if row in look.veil:
        write(paragraphs([t.html("veiled_step")]))
        return
    keys = shown(look, row)
    heads = [t(f"importance.columns.{name}") for name in ("key", "weight", "length", "brought", "share")]
    most = int(look.view.taken[look.head - 1, row])
    rows = [line(look, row, int(k)) for k in keys]
    write(table(rows, heads, kind="sums", marked=[list(keys).index(most)]), paragraphs(words(look, row, len(keys))))
    elsewhere(look)


def row_of(look: Look) -> int:
    """The selected row where it tells something, else the one in which weight and contribution part most clearly."""
    view, q = look.view, look.values["q"]
    if q not in look.veil and view.most[look.head - 1, q] != view.taken[look.head - 1, q]:
        return q
    found = clearest_apart(look, look.head)
    return q if found is None else found


def shown(look: Look, row: int) -> np.ndarray:
    """All keys, or those that are looked at or taken most, in the order of the sentence."""
    view, h = look.view, look.head - 1
    count = len(view.keys)
    if count <= MOST:
        return np.arange(count)
    largest = np.maximum(view.weights[h, row], view.contribution(h)[row])
    return np.sort(np.argsort(-largest, kind="stable")[:MOST])


def line(look: Look, row: int, key: int) -> list[object]:
    weight, long = look.at("weights", row, key), length(look, row, key)
    return [
        named(look.view.key_tokens, key),
        weight,
        long,
        look.brings("taken", weight * long, row, key),
        share(look, row, key),
    ]


def words(look: Look, row: int, count: int) -> list[str]:
    t, view, h = look.t, look.view, look.head - 1
    looked, taken = int(view.most[h, row]), int(view.taken[h, row])
    names = {"token": named(view.tokens, row), "looked": named(view.key_tokens, looked)}
    facts = {"weight": look.at("weights", row, looked), "share": share(look, row, looked)}
    lengths = {"length": length(look, row, looked), "other_length": length(look, row, taken)}
    said = [] if count == len(view.keys) else [t.html("importance.window", count=count, n=len(view.keys))]
    if looked == taken:
        return [*said, t.html("importance.same", **names, **facts), t.html("importance.further")]
    other = {"taken": named(view.key_tokens, taken), "most": share(look, row, taken)}
    return [*said, t.html("importance.apart", **names, **facts, **lengths, **other), t.html("importance.further")]


def share(look: Look, row: int, key: int) -> float:
    return look.brings("share", float(look.view.contribution(look.head - 1)[row, key]), row, key)


def length(look: Look, row: int, key: int) -> float:
    return look.brings("carried", float(look.view.carried[look.head - 1, key]), row, key)


def elsewhere(look: Look) -> None:
    """A head in which the two part, where they do not in this one."""
    if clearest_apart(look, look.head) is not None or look.veil:
        return
    if head := head_that_takes_elsewhere(look):
        press = on_press(look, head=head)
        st.button(look.t("importance.elsewhere", head=head), key="elsewhere", type="tertiary", on_click=press)
