"""A causal model is told no position and tells order all the same: two orders read by networks with random weights."""

import streamlit as st

from core.figures.controls import Controls
from core.text.token import named
from core.views import causal as views
from core.views.lengths import lengths
from core.views.orders import SAME
from pages.shared.address.address import Table, whole
from pages.shared.page.parts import LONGEST, amount, paragraphs, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.position.context import PositionView, StageContext
from pages.stages.position.parts import begin, typed
from pages.stages.position.scenes import Pair, scene

DRAWS = 10_000  # seeds to draw weights by
SHOWN = 24  # tokens in the table


def parameters(page: PageContext, view: PositionView) -> Table:
    return {"draw": whole(0, DRAWS, 0)}


def draw(context: StageContext) -> None:
    t, pairs = context.t, context.view.pairs
    if context.veiled:  # whether order can be told is what is asked
        return write(f"<p class='soft'>{t.html('causal.veiled')}</p>")
    begin(t, "causal")
    components.controls(key="causal_controls", data=Controls([typed(t, "draw", 0, DRAWS)]).data())
    if pairs:
        name = context.values["order"] if context.values["order"] in pairs else next(iter(pairs))
        pair = pairs[name]
        orders = t.html("causal.pair", scene=t(f"scenes.{name}"), one=pair.text, other=pair.swapped)
        write(f"<p class='soft'>{orders}</p>")
        left, right = st.columns([1, 1.1], gap="large")
        with left:
            write(rows(context, name))
        with right:
            write(paragraphs(said(context, name)))
    losses = {name: kind.truncated for name, kind in lengths().kinds.items() if name in ("none", "learned")}
    write(paragraphs([t.html("causal.so", **losses)]))


SECTION = Section(draw, parameters, ("draw", "order"))


def made(context: StageContext, name: str) -> views.Causal:
    return read(context.page.address.model, context.view.pairs[name], context.values["draw"])


@cached.shared
def read(name: str, pair: Pair, seed: int) -> views.Causal:
    first, second = (cached.ids(name, text) for text in pair.texts)
    return views.causal(first, second, scene(name, pair).partner, seed)


def rows(context: StageContext, name: str) -> str:
    """Each token: how far its vectors of the two orders are apart, looking both ways and looking back; a
    bar where that is more than rounding."""
    t, found = context.t, made(context, name)
    tokens = scene(context.page.address.model, context.view.pairs[name]).tokens[0]
    both, most = (found.both_ways, found.back), float(max(found.both_ways.max(), found.back.max()))
    bar = lambda share: amount(share, most, longest=LONGEST * (share > SAME))  # noqa: E731
    shown = range(min(SHOWN, len(tokens)))
    lines = [[named(tokens, i), *(bar(float(share[i])) for share in both)] for i in shown]
    return table(lines, ["", t("causal.both_ways"), t("causal.back")])


def said(context: StageContext, name: str) -> list[str]:
    """How many tokens changed, for either; and a token said over and over, which it cannot tell."""
    t, found = context.t, made(context, name)
    changed = {id: int((share > SAME).sum()) for id, share in (("both", found.both_ways), ("past", found.back))}
    facts = {"of": len(found.back), "seed": context.values["draw"], **changed}
    key = "causal.told" if changed["past"] else "causal.not_told"
    return [t.html(key, **facts), t.html("causal.repeated", same=found.same_token)]
