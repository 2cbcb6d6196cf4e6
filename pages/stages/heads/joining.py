"""Split after the projection, not before; and how the heads come together: side by side, · W^O."""

import html
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from core.derivation import Cell, Origin, Weight
from core.edits import Edit
from core.figures.matrix import Axis, Matrix
from core.model.places import attention_at
from core.text.token import named
from core.training import recorded
from core.views.joined import Cut, Joined, cut, joined, single
from pages.shared.number import number_links
from pages.shared.number.number_links import attended
from pages.shared.page.parts import LONGEST, Html, folded, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import dimensions, matrix_words
from pages.shared.server import cached
from pages.shared.server.base_path import base_path
from pages.shared.words.numbers import grouped, written
from pages.shared.words.texts import Texts
from pages.stages.heads.context import StageContext

DIMS = 6  # that are listed
HIGH = 22  # pixels of a head's row
NEAR = 0.01  # of its length: as far as one row of weights may be off to suffice


def split(context: StageContext) -> None:
    """The same query by three ways."""
    t, view, config = context.t, context.attention(), context.page.model.config
    q, d, d_head = context.cell[0], config.d_model, view.d_head
    ways = cut(view, context.head - 1, q)
    facts = {"layer": context.layer, "head": context.head, "token": named(context.heads.tokens, q), "d_model": d}
    first = (context.head - 1) * d_head
    facts |= {"d_head": d_head, "first": first, "last": first + d_head - 1}
    rows = [
        [
            t(f"split.{name}", **facts),
            *(mapped(context, name, dim, x) for dim, x in enumerate(getattr(ways, name)[:DIMS])),
            "…",
        ]
        for name in ("after", "own", "before")
    ]
    rows.append([t("split.captured", **facts), *captured(context, q, min(DIMS, d_head)), "…"])
    same, other = (float(abs(way - ways.captured).max()) for way in (ways.own, ways.before))
    numbers = table(rows, ["", *(t("split.dim", dim=i) for i in range(DIMS)), ""], "ways")
    write(heading(t, "split"), paragraph(t, "split.said", **facts))
    components.matrix(key="split_ways", data=drawn(context, ways).pack())
    write(
        folded(t.html("split.numbers", count=DIMS), numbers),
        paragraph(t, "split.differ", same=same, other=other, **facts),
        paragraph(t, "split.shapes", **facts),
        table(sizes(context), [t(f"split.columns.{name}") for name in ("what", "shape", "count")]),
    )


def drawn(context: StageContext, ways: Cut) -> Matrix:
    """The whole query by each way."""
    t, names = context.t, ("after", "own", "before", "captured")
    plane = np.array([getattr(ways, name) for name in names], np.float32)
    return Matrix(
        id="split_ways",
        fragment="section",
        planes={"": plane},
        rows=Axis("row", len(names), [t(f"split.rows.{name}") for name in names], room=13),
        columns=dimensions(t, plane.shape[1], "column"),
        signed=True,
        tall=HIGH * len(names),
        still=True,
        words=matrix_words(t, "split.label", caption=t("split.caption", d_head=plane.shape[1])),
    )


def captured(context: StageContext, token: int, dims: int) -> list[float]:
    """The first numbers of its query, as the model made them."""
    view, head = context.attention(), context.head - 1
    return [number_links.projected(context, view, "query", head, token, dim, context.given) for dim in range(dims)]


def mapped(context: StageContext, way: str, dim: int, value: float) -> float:
    """One number of a query, from all of x or from the head's own slice of it; it can be followed."""
    view, column = context.attention(), (context.head - 1) * context.attention().d_head + dim
    matrix = Weight(f"{attention_at(context.kind, context.layer - 1)}.to_query.weight", (column, None))
    kind, x = "mapped_part" if way == "before" else "mapped", Cell(view.taps["asking"], (context.cell[0], None))
    return number_links.measured(context, float(value), kind, x, matrix, given=context.given)


def sizes(context: StageContext) -> list[list[str]]:
    """Matrices of this model's attention, biases left out."""
    t, config = context.t, context.page.model.config
    d, d_head, n = config.d_model, config.d_head, len(context.heads.queries)
    narrow = (config.groups or config.heads) * d_head
    every = t(
        "split.sizes.heads" if narrow == d else "split.sizes.heads_grouped", heads=config.heads, groups=config.groups
    )
    return [
        [t("split.sizes.one"), f"{d} × {d_head}", grouped(d * d_head)],
        [t("split.sizes.query"), f"{n} × {d_head}", grouped(n * d_head)],
        [t("split.sizes.head"), f"3 × {d} × {d_head}", grouped(3 * d * d_head)],
        [every, *shaped(d, narrow, 1)],
        [t("split.sizes.layer"), *shaped(d, narrow, 2)],
    ]


def shaped(d: int, narrow: int, wide: int) -> list[str]:
    """W^Q and, where `wide` is 2, W^O besides W^K and W^V: how large, and how many numbers."""
    if narrow == d:
        return [f"{wide + 2} × {d} × {d}", grouped((wide + 2) * d * d)]
    first = f"{d} × {d}" if wide == 1 else f"{wide} × {d} × {d}"
    return [f"{first} + 2 × {d} × {narrow}", grouped(wide * d * d + 2 * d * narrow)]


SPLIT = Section(split, redraws=("kind", "edit", "layer", "head", "q"))


def join(context: StageContext) -> None:
    t = context.t
    if context.veiled:
        return write(heading(t, "joined"), paragraph(t, "known.veiled"))
    q, found = context.cell[0], joined_at(context)
    weights = context.attention().weights[:, q]  # head, key
    shares, lengths = found.shares, found.lengths
    place = attention_at(context.kind, context.layer - 1)
    b_o = Weight(f"{place}.to_output.bias", (None,))

    def context_of(head: int) -> Cell:
        return Cell(place.tap("context"), (head, q, None))

    rows: list[list[object]] = []
    parts: list[float] = []
    for head in range(len(weights)):
        best = int(weights[head].argmax())
        weight = attended(context, context.attention(), "weights", head, q, best, given=context.given)
        looks = Html(f"{html.escape(named(context.heads.key_tokens, best))} {written(weight)}")
        length = number_links.measured(context, float(lengths[head]), "writes", context_of(head), given=context.given)
        share = part_of(context, context_of(head), float(shares[head]))
        rows.append([f"{context.layer}.{head + 1}", looks, length])
        parts.append(share)
    if context.page.model.config.bias:
        bias = number_links.measured(context, float(np.linalg.norm(found.bias)), "length", b_o, given=context.given)
        rows.append(["b_O", "", bias])
        parts.append(part_of(context, b_o, float(shares[-1])))
    rows = [[*row, drawn] for row, drawn in zip([*rows, [t("joined.sum"), "", ""]], bars(parts), strict=True)]
    facts = {"token": named(context.heads.tokens, q), "layer": context.layer, "difference": found.difference}
    order = shares[:-1].argsort()[::-1]
    share = part_of(context, context_of(int(order[0])), float(shares[order[0]]))
    facts |= {"most": f"{context.layer}.{order[0] + 1}", "share": share}
    heads = context.heads.heads
    facts |= {"heads": heads, "d_head": context.page.model.config.d_head, "d_model": context.page.model.config.d_model}
    plain = "" if context.page.model.config.bias else "_plain"
    head = [t(f"joined.columns.{name}") for name in ("head", "looks", "length", "share")]
    write(heading(t, "joined"), paragraph(t, f"joined.said{plain}", **facts))
    left, right = st.columns([1, 2], gap="medium")
    with left:
        components.matrix(key="joined_contexts", data=contexts(context).pack())
    with right:
        components.matrix(key="joined_written", data=added(context, found).pack())
    left, right = st.columns([1.25, 1], gap="medium")
    with left:
        write(table(rows, head, marked=[context.head - 1]))
    with right:
        write(
            paragraph(t, f"joined.{'adds_up' if lengths.any() else 'silent'}{plain}", **facts),
            f"<p class='said'>{trail(context)}</p>",
            paragraph(t, "joined.not_importance"),
            alone(context),
        )


def contexts(context: StageContext) -> Matrix:
    """What each head has from the selected token's row of weights: what is concatenated."""
    view, t = context.attention(), context.t
    plane = view.context[:, context.cell[0]]
    return Matrix(
        id="joined_contexts",
        fragment="section",
        planes={"": plane},
        rows=head_rows(context),
        columns=dimensions(t, plane.shape[1], "column"),
        signed=True,
        tall=HIGH * len(plane),
        still=True,
        words=matrix_words(t, "joined.contexts_label", caption=t("joined.contexts_caption", d_head=plane.shape[1])),
    )


def added(context: StageContext, found: Joined) -> Matrix:
    """Each head's part through its own rows of W^O, the bias, and last their sum; a column leads to that number."""
    t, config = context.t, context.page.model.config
    bias = [found.bias] if config.bias else []
    parts = np.array([*found.heads, *bias])
    plane = np.append(parts, parts.sum(0, keepdims=True), axis=0)
    names = [*([t("joined.bias")] if config.bias else []), t("joined.sum")]
    return Matrix(
        id="joined_written",
        fragment="section",
        planes={"": plane.astype(np.float32)},
        rows=head_rows(context, *names),
        columns=dimensions(t, plane.shape[1]),
        reach=float(np.quantile(np.abs(plane), 0.995)),
        signed=True,
        tall=HIGH * len(plane),
        still=True,
        trail=number_of_output(context, "{column}"),
        words=matrix_words(
            t, "joined.written_label", caption=t(f"joined.written_caption{'_bias' if config.bias else ''}")
        ),
    )


def head_rows(context: StageContext, *more: str) -> Axis:
    names = [f"{context.layer}.{head}" for head in range(1, context.heads.heads + 1)]
    return Axis("row", len(names) + len(more), [*names, *more], room=5)


def alone(context: StageContext) -> str:
    """What a single head as wide as all of them could not do at the selected token."""
    t, q = context.t, context.cell[0]
    if len(context.attention().may_look(q)) < 2:
        return ""
    error = single_of(*context.key, context.layer, context.kind, context.edits, q)
    facts = {"token": named(context.heads.tokens, q), "error": error, "d_model": context.page.model.config.d_model}
    title = f"<h3>{t.html('joined.single')}</h3>"
    key = "joined.single_near" if error < NEAR else "joined.single_said"
    return title + paragraph(t, key, heads=context.heads.heads, **facts) + from_scratch(t)


def from_scratch(t: Texts) -> str:
    """What equally large networks learned with one head and with four, where the runs do not overlap."""
    one, four = (recorded.family("heads")[id] for id in ("h1", "h4"))
    if max(four.ends) >= min(one.ends):
        return ""
    facts = {"layers": one.setting.layers, "steps": str(len(one.loss)), "trainings": len(one.ends)}
    return paragraph(t, "joined.single_trained", one=fmean(one.ends), four=fmean(four.ends), **facts)


@cached.shared
def single_of(name: str, text: str, layer: int, kind: str, edits: tuple[Edit, ...], q: int) -> float:
    return single(cached.attention(name, text, layer, kind, edits), q).error


JOINED = Section(join, redraws=("kind", "edit", "layer", "head", "q"))


def joined_at(context: StageContext) -> Joined:
    return joined_of(*context.key, context.layer, context.kind, context.edits, context.cell[0])


@cached.shared
def joined_of(name: str, text: str, layer: int, kind: str, edits: tuple[Edit, ...], q: int) -> Joined:
    tap = attention_at(kind, layer - 1).tap("output")
    run = cached.capture(name, text, only=(tap,), edits=edits)
    return joined(cached.attention(name, text, layer, kind, edits), run[tap], q)


def part_of(context: StageContext, of: Origin, share: float) -> float:
    """How much of the output at the selected token a head's context or the bias is; it can be followed."""
    output = Cell(attention_at(context.kind, context.layer - 1).tap("output"), (context.cell[0], None))
    return number_links.measured(
        context, share, "part" if isinstance(of, Weight) else "joins", of, output, given=context.given
    )


def bars(shares: Sequence[float]) -> list[Html]:
    """Shares as numbers, and a bar each, which begins where the one before it ends; one against the sum goes back.
    Last, the sum."""
    ends = np.cumsum([0.0, *shares])
    low, whole = float(ends.min()), float(np.ptp(ends))
    drawn = [bar(share, min(pair) - low, whole) for share, pair in zip(shares, pairwise(ends), strict=True)]
    return [*drawn, bar(float(ends[-1]), -low, whole)]


def bar(share: float, begin: float, whole: float) -> Html:
    kind = "against" if share < 0 else "with"
    long, after = (LONGEST * x / whole for x in (abs(share), begin))
    style = f"--long:{max(1.0, long):.1f};--after:{after:.1f}"
    return Html(
        f"<span class='amount' style='min-width:88px'>{written(share)}</span><i class='{kind}' style='{style}'></i>"
    )


def number_of_output(context: StageContext, dim: str) -> str:
    """One number of the output at the selected token, as a trail begins with it."""
    stack, _, part = str(attention_at(context.kind, context.layer - 1)).split(".")
    return f"{stack}.{context.layer}.{part}.output.{context.cell[0]}.{dim}"


def trail(context: StageContext) -> str:
    """A link that follows one number of the output, back through every head."""
    query = {**context.page.address.canonical(), "guess": "skip", "trail": number_of_output(context, "0")}
    href = html.escape(f"{base_path()}/heads?{urlencode(query)}")
    return f"<a href='{href}'>{context.t.html('joined.follow')}</a>"
