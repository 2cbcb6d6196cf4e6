"""X, W^Q, W^K, W^V: blocks of the real matrices around one dimension, and one number followed through all of them."""

import html
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.derivation import Cell, Weight
from core.figures.controls import Control, Controls
from core.figures.followed import Followed
from core.model.places import attention_at
from core.text.token import named
from pages.shared.address.address import choice
from pages.shared.number import follow
from pages.shared.number.follow import number as follow_number
from pages.shared.number.number_links import measured, number, projected
from pages.shared.page.parts import header, heading, paragraphs, write
from pages.shared.page.stage import piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import window
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short, written
from pages.shared.words.texts import Texts, typeset
from pages.stages.attention.context import StageContext

INNER, OUTER = 3, 1  # of a block: numbers of x, and of a query
FOLLOWS = "map_followed"
LETTERS = {"query": ("q", "Q"), "key": ("k", "K"), "value": ("v", "V")}


@dataclass(frozen=True, eq=False)
class Block:
    """x · W + b = y, as much of it as there is room for. Numbers of x count along d_model, columns along d_head."""

    part: str
    token: int
    inner: np.ndarray  # which numbers of x
    outer: np.ndarray  # which dimensions of the head
    x: np.ndarray  # [inner]
    weight: np.ndarray  # [inner, outer]
    bias: np.ndarray  # [outer]
    result: np.ndarray  # [outer]
    column: int  # of the whole W: the followed dimension's
    largest: int  # the number of x whose product is the largest


def block_of(context: StageContext, part: str, dim: int) -> Block:
    """Around dimension `dim` of the selected head, and around the product that weighs most in it."""
    view, head = context.view, context.head - 1
    token = context.values["q" if part == "query" else "k"]
    x = (view.asking if part == "query" else view.answering)[token]
    projection = view.projections[part]
    group = view.group(part, head)
    column = group * view.d_head + dim
    largest = int(np.abs(x * projection.weight[column]).argmax())
    inner, outer = around(len(x), largest, INNER), around(view.d_head, dim, OUTER)
    columns = group * view.d_head + outer
    return Block(
        part=part,
        token=token,
        inner=inner,
        outer=outer,
        x=x[inner],
        weight=projection.weight[columns][:, inner].T,
        bias=projection.bias[columns],
        result=view.made[part][group, token, outer],
        column=column,
        largest=largest,
    )


def around(count: int, place: int, wanted: int) -> np.ndarray:
    """So many neighbours, as far as there are any."""
    return np.arange(count)[window(count, place, wanted)]


def parameters(page, view):
    return {"map": choice(*LETTERS, default="query")}


def draw(context: StageContext) -> None:
    write(heading(context.t, "maps"))
    components.controls(key="dims", data=controls(context.t, context.view.d_head))
    piece(context, FOLLOWS, product)
    write(said_of(context.only("head", "q", "k", "dim")))


def product(context: StageContext) -> None:
    """One of the three: all that is multiplied, the sum, and the numbers around the largest product."""
    above, below = product_of(context.only("head", "q", "k", "dim", "map"))
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        write(above, below)
    with right:
        follow.draw(followed, None, FOLLOWS, context)


@cached.shared
def product_of(context: StageContext) -> tuple[str, str]:
    """What stands above the followed number and below it."""
    block = block_of(context, context.values["map"], context.values["dim"])
    return strips(context, block), line(context, block)


@cached.shared
def said_of(context: StageContext) -> str:
    return paragraphs([*words(context), shapes_said(context), *began(context)])


def strips(context: StageContext, block: Block) -> str:
    """All numbers of x, and below each the number of W that it is multiplied by; below those come the products."""
    t, view, asks = context.t, context.view, block.part == "query"
    x = (view.asking if asks else view.answering)[block.token]
    facts = {"token": named(view.tokens if asks else view.key_tokens, block.token), "d": len(x)}
    facts |= {"upper": LETTERS[block.part][1], "column": block.column}
    both = {"entering": x, "column": view.projections[block.part].weight[block.column]}
    drawn = (
        f"<figcaption>{typeset(html.escape(t(f'maps.{name}', **facts)))}</figcaption><div>{bars(values)}</div>"
        for name, values in both.items()
    )
    return f"<figure class='factors'>{''.join(drawn)}</figure>"


def bars(values: np.ndarray) -> str:
    """Up and down from the middle, the largest as far as there is room."""
    shares = values / (np.abs(values).max() or 1.0)
    return "".join(f"<{'ib'[share < 0]} style='--v:{abs(share):.2f}'></{'ib'[share < 0]}>" for share in shares.tolist())


@cached.shared
def controls(t: Texts, d_head: int) -> dict:
    made = [
        Control("dim", t("maps.dim"), [(i, str(i)) for i in range(d_head)], stepper="always", plain=True),
        Control("map", t("maps.follow"), [(part, letter) for part, (letter, _) in LETTERS.items()]),
    ]
    return Controls(made).data()


def followed(context: StageContext) -> Followed:
    """Where q, k or v of the followed dimension comes from, with doors all the way back to the table."""
    t, view, part, dim = context.t, context.view, context.values["map"], context.values["dim"]
    row = context.values["q" if part == "query" else "k"]
    names = {"row": named(view.tokens if part == "query" else view.key_tokens, row), "column": dim}
    names |= {"layer": context.layer, "head": context.head}
    id, where = f"{context.kind}/{context.layer}/{context.head}/{part}/{row}/{dim}", t("follow_where_wide", **names)
    return follow_number(context, context.number_of(part, row, dim), id, where)


def shapes_said(context: StageContext) -> str:
    """What is how large; the sources say that Q is d × d/h and that a head reads a slice of x: neither is so."""
    view, d = context.view, context.view.asking.shape[1]
    first, groups = (context.head - 1) * view.d_head, len(view.made["key"])
    facts = {
        "n": len(view.queries),
        "d": d,
        "d_head": view.d_head,
        "head": context.head,
        "heads": view.heads,
        "first": first,
        "last": first + view.d_head - 1,
        "one": grouped(3 * d * view.d_head),
        "all": grouped(3 * d * d),
        "output": grouped(4 * d * d),
        "m": len(view.keys),
        "source": context.t("maps.cross", m=len(view.keys), d=d) if context.kind == "cross" else "",
        "steps": grouped(len(view.queries) * len(view.keys) * view.d_head),
    }
    if groups == view.heads:
        return context.t.html("maps.said", **facts)
    narrow = groups * view.d_head
    facts |= {"groups": groups, "narrow": narrow, "group": view.group("key", context.head - 1) + 1}
    facts |= {
        "share": view.heads // groups,
        "all": grouped(d * (d + 2 * narrow)),
        "output": grouped(2 * d * (d + narrow)),
    }
    return context.t.html("maps.said_grouped", **facts)


def began(context: StageContext) -> list[str]:
    """What the numbers of W^Q were before training, where we trained it (Xavier: Glorot & Bengio 2010)."""
    if not context.page.translates:
        return []
    weight = context.view.projections["query"].weight
    facts = {"bound": math.sqrt(6 / sum(weight.shape)), "spread": float(weight.std())}
    return [context.t.html("maps.began", start=facts["bound"] / math.sqrt(3), **facts)]


def line(context: StageContext, block: Block) -> str:
    """One of the three multiplications."""
    letter, upper = LETTERS[block.part]
    tokens = context.view.tokens if block.part == "query" else context.view.key_tokens
    name = html.escape(named(tokens, block.token))
    on = int(np.flatnonzero(block.outer == context.values["dim"])[0])
    row = int(np.flatnonzero(block.inner == block.largest)[0])
    first = block.column - context.values["dim"]
    x, weight, bias, result = origins(context, block)
    columns = first + block.outer
    before, after = (["…"] * cut for cut in cuts(context, block))
    row += len(before)
    inner = [*("" for _ in before), *block.inner, *("" for _ in after)]
    left = [[*before, *x[0], *after]]
    right = [*([each] * len(columns) for each in before), *weight, *([each] * len(columns) for each in after)]
    parts = [
        captioned(f"x({name})", grid(left, [""], inner, marked={(0, row)})),
        "<span>·</span>",
        captioned(f"W<sup>{upper}</sup>", grid(right, inner, columns, column=on, row=row)),
        *(
            ["<span>+</span>", captioned(f"b<sup>{upper}</sup>", grid(bias, [""], columns, marked={(0, on)}))]
            if bias
            else []
        ),
        "<span>=</span>",
        captioned(f"{letter}({name})", grid(result, [""], block.outer, marked={(0, on)})),
    ]
    return f"<div class='maps product'>{''.join(parts)}</div>"


def cuts(context: StageContext, block: Block) -> tuple[bool, bool]:
    """Whether there is more of x and of W before what is shown, and after it."""
    return bool(block.inner[0]), bool(block.inner[-1] + 1 < context.page.model.config.d_model)


def origins(context: StageContext, block: Block) -> tuple[list[list[float]], ...]:
    """x, W, b and their result, every number of which can be pressed."""
    view, token = context.view, block.token
    entering = view.taps["asking" if block.part == "query" else "answering"]
    linear = f"{attention_at(view.kind, view.layer)}.to_{block.part}"
    columns = [int(column) for column in block.column - context.values["dim"] + block.outer]

    def learned(value: float, name: str, *index: int) -> float:
        return number(context, value, Weight(f"{linear}.{name}", index))  # torch keeps W the other way round

    return (
        [[number(context, x, Cell(entering, (token, int(i)))) for i, x in zip(block.inner, block.x, strict=True)]],
        [
            [learned(w, "weight", column, int(i)) for column, w in zip(columns, row, strict=True)]
            for i, row in zip(block.inner, block.weight, strict=True)
        ],
        [[learned(b, "bias", column) for column, b in zip(columns, block.bias, strict=True)]]
        if has_bias(context)
        else [],
        [[projected(context, view, block.part, context.head - 1, token, int(dim)) for dim in block.outer]],
    )


def has_bias(context: StageContext) -> bool:
    return context.page.model.config.bias


def captioned(caption: str, inside: str) -> str:
    return f"<figure><figcaption>{caption}</figcaption>{inside}</figure>"


def grid(
    values: Sequence[Sequence[float | str]],
    rows: Iterable[object],
    columns: Iterable[object],
    marked: Collection[tuple[int, int]] = (),
    row: int = -1,
    column: int = -1,
) -> str:
    """A block of numbers under their indices; what is followed stands out."""

    def cell(i: int, j: int) -> str:
        on = (i, j) in marked or (i, j) == (row, column)
        kind = " class=on" if on else " class=along" if j == column else ""
        value = values[i][j]
        return f"<td{kind}>{value if isinstance(value, str) else written(value)}</td>"

    head = "".join(map(header, ("", *columns)))
    body = "".join(
        f"<tr>{header(name)}{''.join(cell(i, j) for j in range(len(values[i])))}</tr>" for i, name in enumerate(rows)
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def biased(context: StageContext, linear: str, column: int) -> dict[str, float]:
    """The bias that is added, where there is one."""
    if not has_bias(context):
        return {}
    bias = float(context.view.projections["query"].bias[column])
    return {"bias": number(context, bias, Weight(f"{linear}.bias", (column,)))}


def words(context: StageContext) -> list[str]:
    """The followed number in the sum it is in, from x to the context."""
    t, view = context.t, context.view
    q, k, dim = (context.values[name] for name in ("q", "k", "dim"))
    block = block_of(context, "query", dim)
    x, weight = view.asking[q], view.projections["query"].weight[block.column]
    place, linear = block.largest, f"{attention_at(view.kind, view.layer)}.to_query"
    names = {"token": named(view.tokens, q), "other": named(view.key_tokens, k), "dim": dim, "d": len(x)}
    product = float(x[place] * weight[place])
    said = [
        t.html(
            "maps.query" if has_bias(context) else "maps.query_plain",
            place=place,
            x=number(context, x[place], Cell(view.taps["asking"], (q, place))),
            weight=number(context, weight[place], Weight(f"{linear}.weight", (block.column, place))),
            product=product,
            rest=float(x @ weight) - product,
            others=len(x) - 1,
            **biased(context, linear, block.column),
            value=projected(context, view, "query", context.head - 1, q, dim),
            **names,
        )
    ]
    if q in context.veil:
        return [*said, t.html("veiled_step")]
    a, b, score = context.at("query", q, dim), context.at("key", k, dim), context.at("scores", q, k)
    weight_, v = context.at("weights", q, k), context.at("value", k, dim)
    rows = (Cell(view.taps[name], (context.head - 1, i, None)) for name, i in (("query", q), ("key", k)))
    whole = measured(context, score * math.sqrt(view.d_head), "dot", *rows)
    facts = {"q": a, "k": b, "product": a * b, "whole": whole, "d_head": view.d_head}
    if view.turned:
        before = projected(context, view, "query", context.head - 1, q, dim)
        said.append(t.html(f"maps.{turning(q, before, a)}", value=before, q=a, position=q, **names))
    mixed = {"weight": weight_, "v": v, "part": weight_ * v, "context": context.at("context", q, dim)}
    return [*said, t.html("maps.score", score=score, **facts, **names), t.html("maps.context", **mixed, **names)]


def turning(position: int, before: float, after: float) -> str:
    """What the turn does to a number, as far as its digits show it."""
    if position == 0:
        return "turned_not"
    return "turned_slow" if short(before) == short(after) else "turned"
