"""Where the norms sit: post-norm, pre-norm and on the input, on the same weights and the same sentence."""

from contextlib import nullcontext

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.figures.blocks import Arrangement, Blocks, BlocksWords, Stack, StackWords, State, Sublayer
from core.figures.controls import Control, Controls, numbered
from core.model import places
from core.views import arrangements as views
from core.views.arrangements import ARRANGEMENTS, ArrangementView
from pages.shared.number.number_links import measured
from pages.shared.page.parts import door, heading, paragraphs, write
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import Html, in_prose, short
from pages.shared.words.texts import Texts
from pages.stages.layernorm.context import StageContext

LARGEST = float(np.finfo(np.float32).max)
WRITTEN = 80  # characters of what a model writes with its norms elsewhere; it may never come to an end


def draw(context: StageContext) -> None:
    """Three diagrams of one layer, of the encoder or the decoder, lit up by the spread of each state."""
    t, page = context.t, context.page
    stacks = [t.html("where.stacks")] if page.translates else []
    write(heading(t, "where"), paragraphs([t.html("where.said", model=page.model_name), *stacks]))
    components.controls(key="layers", data=controls(context).data())
    with nullcontext() if ran(page) else st.spinner(t("where.running")):
        found = {norm: arranged(*page.key, norm) for norm in ARRANGEMENTS}
    components.blocks(key="blocks", data=blocks(context, found).data())
    texts = {norm: shortened(view.text_out or "–") for norm, view in found.items()}
    made = [t.html("where.writes", **texts)] if page.translates else []
    whose = t.html("where.encoder") if page.translates else ""
    write(
        paragraphs(
            [
                t.together((whose, t.html("where.measured", **measures(context, found)))),
                *made,
                t.html("where.check"),
                t.html("where.history"),
            ]
        )
    )
    door(page, "encoder", t("where.door"), "residual")


def controls(context: StageContext) -> Controls:
    t = context.t
    layer = Control("layer", t("layer"), numbered(context.page.model.config.layers))
    stack = Control("stack", t("where.stack"), [(stack, t(f"place.{stack}")) for stack in context.page.model.stacks])
    return Controls([stack, layer] if context.page.translates else [layer])


def shortened(text: str) -> str:
    return text if len(text) <= WRITTEN else text[:WRITTEN].rsplit(" ", 1)[0] + " …"


# ---- the numbers in sentences, which can be followed


def measures(context: StageContext, found: dict[str, ArrangementView]) -> dict[str, object]:
    """Where the reader's stream begins and ends in each arrangement, and how its last states agree with the own."""
    facts: dict[str, object] = {}
    for norm, view in found.items():
        facts |= {f"{norm}_{end}": value for end, value in ends(context, norm, view.outputs()).items()}
    t, own = context.t, found[context.page.model.config.norm]
    cosines = []
    for norm in ARRANGEMENTS:
        if norm != own.norm:
            last = within(Cell(found[norm].top, (None, None)), RunSpec(norm=norm))
            cosine = found[norm].agreement(own)
            if not np.isfinite(cosine):  # of states that have outgrown single precision
                continue
            cosine = measured(context, cosine, "agree", last, Cell(own.top, (None, None)))
            cosines.append(f"{t.html(f'where.short_{norm}')} {in_prose(cosine)}")
    return facts | {"cosines": Html(t("comma").join(cosines))}


def ends(context: StageContext, norm: str, stream: list[float]) -> dict[str, float | str]:
    """The deviation of what enters the encoder's layers, and of what its last one hands on."""
    depths = context.page.model.depths()
    taps = {"first": (0, depths[0]), "last": (-1, depths[-1])}
    given = None if norm == context.page.model.config.norm else RunSpec(norm=norm)
    return {
        end: measured(context, stream[i], "widths", Cell(tap, (None, None)), given=given)
        if np.isfinite(stream[i])
        else said(stream[i])
        for end, (i, tap) in taps.items()
    }


# ---- the three runs


def ran(page: PageContext) -> bool:
    return all(arranged.known(*page.key, norm) for norm in ARRANGEMENTS)


@cached.shared
def arranged(name: str, text: str, norm: str) -> ArrangementView:
    from core import capture
    from core.capture import named_by

    elsewhere = cached.arranged(name, norm)
    taps = named_by(elsewhere, views.ARRANGEMENT_TAPS)
    return views.arrangement_view(capture(elsewhere, text, only=taps), elsewhere)


# ---- the picture


def blocks(context: StageContext, found: dict[str, ArrangementView]) -> Blocks:
    t = context.t
    every = [drawn(x) for arrangement in found.values() for x in arrangement.spreads.values() if drawn(x) > 0]
    return Blocks(
        param="layer",
        stack="stack",
        low=0.8 * min(every),
        high=max(every),
        stacks={stack: stack_of(context, found, stack) for stack in context.page.model.stacks},
        words=BlocksWords(t("where.norm"), t("where.in"), t("where.diagram"), t("layer")),
    )


def drawn(spread: float) -> float:
    """As it can be drawn: what has outgrown single precision is as large as that goes."""
    return spread if np.isfinite(spread) else LARGEST


def said(spread: float) -> float | str:
    """As it is written; what has outgrown single precision is more than its largest number."""
    return spread if np.isfinite(spread) else f"> {short(LARGEST, 2)}"


def stack_of(context: StageContext, found: dict[str, ArrangementView], stack: str) -> Stack:
    t, layers = context.t, context.page.model.stacks[stack].layers
    return Stack(
        layers=layers,
        parts=[Sublayer(part, t(f"where.{part}")) for part in context.page.model.stacks[stack].parts],
        words=StackWords(t("where.entrance"), t("where.exit", layers=layers)),
        arrangements=[
            Arrangement(
                id=norm,
                norm=norm,
                title=t(f"arrangements.{norm}"),
                formula=t(f"where.formula_{norm}"),
                note=t(f"where.note_{norm}"),
                entrance=context.places[0].part == "embedding" or norm == "input",
                exit=norm == "pre",
                stream=[*map(drawn, found[norm].outputs(stack))],
                states=[states(t, found[norm], context.page.model.stacks[stack], i) for i in range(layers)],
            )
            for norm in ARRANGEMENTS
        ],
    )


def states(t: Texts, arrangement: ArrangementView, stack: places.Stack, layer: int) -> list[State]:
    """The states of one layer, in the order the data meet them."""
    taps = {}
    for part in stack.parts:
        at = f"{stack.name}.{layer}.{part}"
        taps |= {f"{part}.in": f"{at}.skip", f"{part}.output": f"{at}.output"}
        taps |= {f"{part}.residual": f"{at}.residual", f"{part}.norm": f"{at}.norm.output"}
    taps["exit"] = f"{stack.name}.norm.output"
    spreads = arrangement.spreads
    return [State(id, state_name(t, id), drawn(spreads[tap])) for id, tap in taps.items() if tap in spreads]


def state_name(t: Texts, id: str) -> str:
    part, _, state = id.rpartition(".")
    return f"{t(f'where.{part}')} · {t(f'state.{state}')}" if part else t(f"state.{state}")
