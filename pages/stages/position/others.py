"""Other ways of telling positions, on the same sentence: what each adds to one head's scores, any two side by side."""

import numpy as np
import streamlit as st

from core.derivation.variants import derive_score
from core.edits import zero_positions
from core.figures.controls import Control, Controls, numbered
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.figures.followed import Followed
from core.figures.matrix import Axis, Matrix
from core.model.position import RELATIVE
from core.model.relative import SELF_ATTENTIONS, slopes
from core.text.token import named
from core.views import variants as views
from core.views.variants import Variant
from pages.shared.address.address import Table, choice, index, whole
from pages.shared.number.follow import follow, headed
from pages.shared.page.parts import code, paragraphs, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import Texts
from pages.stages.position.context import WINDOW, PositionView, StageContext
from pages.stages.position.parts import begin, lines

SIDES = ("left", "right")
SHOWN = ("added", "scores")
SELECTED = ("q", "k")
CHOSEN = (*SIDES, "head", "adds")


def parameters(page: PageContext, view: PositionView) -> Table:
    kinds = views.kinds(page.model)
    tokens = min(WINDOW, len(page.tokens))
    return {
        "left": choice(*kinds, default=page.model.config.position),
        "right": choice(*kinds, default="alibi"),
        "head": whole(1, page.model.config.heads, 1),
        "adds": choice(*SHOWN, default="added"),
        "q": index(tokens, tokens - 1),
        "k": index(tokens, 0),
    }


def draw(context: StageContext) -> None:
    t = context.t
    begin(t, "others", seed=views.SEED)
    components.controls(key="others_controls", data=controls(context).data())
    sides = [variant_of(context, context.values[side]) for side in SIDES]
    for column, side, of in zip(st.columns(2, gap="medium"), SIDES, sides, strict=True):
        with column:
            components.matrix(key=f"others_{side}", data=matrix(context, side, of, sides).pack())
            write(paragraphs(said(context, of)))
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.curves(key="others_curve", data=curve(context, sides).pack())
    with right:
        follow(context, followed, key="others_pair")
    write(costs(context, sides))
    kind = context.values["left"]
    if kind in SELF_ATTENTIONS:
        code(SELF_ATTENTIONS[kind].score)


SECTION = Section(draw, parameters, CHOSEN, pieces={"others_pair": SELECTED})


def tokens_shown(context: StageContext) -> int:
    return min(WINDOW, context.tokens)


def variant_of(context: StageContext, kind: str) -> Variant:
    return made_with(*context.key, kind, tokens_shown(context))


@cached.shared
def made_with(name: str, text: str, kind: str, count: int) -> Variant:
    model = cached.model(name)
    bare = cached.capture(name, text, only=views.taps(model), edits=(zero_positions(),))
    own = cached.capture(name, text, only=views.taps(model))
    return views.variant(model, kind, bare, own, count)


def controls(context: StageContext) -> Controls:
    t, kinds = context.t, views.kinds(context.page.model)
    options = [(kind, t(f"others.kinds.{kind}")) for kind in kinds]
    table = context.page.address.table
    sides = [
        Control(side, t(f"others.{side}"), options, first=table[side].default, stepper=True, plain=True)
        for side in SIDES
    ]
    heads = Control("head", t("others.head"), numbered(context.page.model.config.heads), first=1, stepper="always")
    shows = Control("adds", t("others.adds"), [(id, t(f"others.shown.{id}")) for id in SHOWN], first=SHOWN[0])
    return Controls([*sides, heads, shows])


def plane(context: StageContext, of: Variant) -> np.ndarray:
    return (of.added if context.values["adds"] == "added" else of.scores)[context.values["head"] - 1]


def matrix(context: StageContext, side: str, of: Variant, both: list[Variant]) -> Matrix:
    """What one of them adds to this head's scores, or the scores; both on one scale."""
    t, n = context.t, tokens_shown(context)
    reach = max(float(np.abs(plane(context, one)).max()) for one in both)
    title = t(f"others.title_{context.values['adds']}", kind=t(f"others.kinds.{of.kind}"), head=context.values["head"])
    cut = t("others.cut", shown=n) if n < context.tokens else ""
    return Matrix(
        id=f"others_{side}",
        fragment="section",
        planes={"": plane(context, of)},
        rows=Axis.part("q", context.page.tokens, slice(0, n)),
        columns=Axis.part("k", context.page.tokens, slice(0, n)),
        reach=reach or 1.0,
        signed=True,
        side=390,
        tall=390,
        words=matrix_words(t, "others.label", caption=" ".join(filter(None, (title, cut)))),
    )


def curve(context: StageContext, both: list[Variant]) -> Curves:
    """The mean of what is added, by distance, of both on one scale; of ALiBi, whose heads differ by their slope alone,
    the other heads' as well."""
    t, n, head = context.t, tokens_shown(context), context.values["head"] - 1
    looks = ("accent", "second")
    sloped = next((one for one in both if one.kind == "alibi"), None)
    others = [] if sloped is None else [i for i in range(len(sloped.scores)) if i != head]
    return Curves(
        x=Along(2 * n - 1, t("others.distance"), from_=1 - n),
        y=Upwards(),
        series=[
            *(Series(t("others.other_heads") if i == others[0] else "", "faint", quiet=True) for i in others),
            *(Series(t(f"others.kinds.{one.kind}"), ink) for one, ink in zip(both, looks, strict=True)),
        ],
        values=[*(sloped.by_distance(i) for i in others if sloped), *(one.by_distance(head) for one in both)],
        height=230,
        words=CurvesWords(t("others.curve"), t.html("others.curve_caption", head=head + 1)),
    )


def said(context: StageContext, one: Variant) -> list[str]:
    """Where it acts and what it does."""
    if one.kind == "none" and context.veiled:
        return []
    head = context.values["head"]
    every = slopes(context.page.model.config.heads).tolist()
    slope, steepest = (f"{value:.4g}" for value in (every[head - 1], max(every)))
    which = "steepest" if slope == steepest else "flatter"
    its = context.t(f"others.slope.{which}", head=head, slope=slope, steepest=steepest)
    return [context.t.html(f"others.said.{one.kind}", seed=views.SEED, its=its)]


def followed(context: StageContext) -> Followed:
    """One score with the positions told as at the left."""
    t, (q, k), head = context.t, (context.values[name] for name in SELECTED), context.values["head"]
    of = variant_of(context, context.values["left"])
    derivation = derive_score(context.page.model, of, head - 1, q, k)
    own = of.kind == context.own_kind
    words = Texts(t.language, "cells")
    check = "check.captured" if own else "check.module"
    steps = lines(t, derivation, check, labels=lambda i: words("name.dim", dim=i))
    place = t("others.pair", asks=named(context.page.tokens, q), answers=named(context.page.tokens, k), head=head)
    title = f"others.follow_{'own' if own else 'score'}"
    return headed(t, f"{of.kind}/{head}/{q}/{k}", place, derivation, steps, title)


def costs(context: StageContext, both: list[Variant]) -> str:
    """Every kind there is: where it acts, what it learns, whose it is."""
    t, rows, marked = context.t, [], []
    layers = context.page.model.config.layers
    for kind in views.kinds(context.page.model):
        one = variant_of(context, kind)
        if kind in [of.kind for of in both]:
            marked.append(len(rows))
        count = one.parameters * (layers if kind in RELATIVE else 1)
        rows.append([t(f"others.{of}.{kind}") for of in ("kinds", "place", "formula")] + [grouped(count)])
        rows[-1] += [short(float(np.abs(one.added).max())), t(f"others.source.{kind}")]
    head = ["", *(t(f"others.columns.{name}") for name in ("place", "formula", "parameters", "most", "source"))]
    return table(rows, head, "named", marked)
