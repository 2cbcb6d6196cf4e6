"""By chance: temperature, then top-k, then top-p, then one number that decides; and whole translations drawn so."""

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.figures.controls import Control
from core.figures.stretches import Before, Stretch, Stretches
from core.ranking import largest
from core.views.output import Rules, Sampled, sampled
from pages.shared.address.address import choice, whole
from pages.shared.address.visit import on_press
from pages.shared.number.number_links import measured
from pages.shared.number.translation_numbers import log_of, run_of
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.renderings import ID
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.output.context import TEMPERATURES, StageContext, warm

KS = ("all", "1", "2", "5", "20", "100")
PS = ("1", "0.99", "0.95", "0.9", "0.5")
SEEDS = 9999
SHOWN = 6  # candidates in the table
STAGES = "plain", "warm", "topk", "topp"  # what each of a draw's steps is called
TRANSLATIONS = 4


def parameters(page, view):
    return {
        "topk": choice(*KS, default="all"),
        "topp": choice(*PS, default="1"),
        "seed": whole(0, SEEDS, 1),
    }


def draw(context: StageContext) -> None:
    t = context.t
    if context.hides(len(context.view.depths) - 1, context.row):
        return write(heading(t, "draw"), paragraph(t, "veiled_step"))
    write(heading(t, "draw"), paragraph(t, "draw.said"))
    choices(context)
    write(paragraph(t, "draw.row", n=context.row + 1, given=context.given))
    components.stretches(key="stretches", data=stretches(context).data())
    write(
        table(
            rows(context),
            [t(f"draw.{name}") for name in ("word", "plain", *(STAGES[i] for i in changing(context)))],
            "sums",
            mark(context),
        ),
        drawn(context),
        *(sentences(context) if context.page.translates else []),
    )


def sentences(context: StageContext) -> list[str]:
    """Whole translations."""
    t = context.t
    said = paragraph(t, "draw.sentences", T=context.values["temperature"])
    listed = table(translations(context), [t(f"draw.{name}") for name in ("seed", "text", "log")])
    same = len({one.text for one in samples(context)}) == 1
    limited = context.rules.k is not None or context.rules.p < 1
    return [said, listed, *([paragraph(t, "draw.same" if limited else "draw.same_free")] if same else [])]


def choices(context: StageContext) -> None:
    t = context.t
    controls(
        "drawing",
        Control("temperature", t("temperature"), [(id, id) for id in TEMPERATURES]),
        Control("topk", "top-k", [(id, t("draw.all") if id == "all" else id) for id in KS]),
        Control("topp", "top-p", [(id, id) for id in PS]),
        typed(t, "seed", t("draw.seed"), 0, SEEDS),
    )
    again = (context.values["seed"] + 1) % (SEEDS + 1)
    st.button(t("draw.again"), key="again", type="tertiary", on_click=on_press(context, seed=again))


def candidates(context: StageContext) -> list[int]:
    """The likeliest words, and the one that was drawn."""
    best = largest(context.picked.stages[0], SHOWN).tolist()
    return list(dict.fromkeys([*best, context.picked.id]))


def stretches(context: StageContext) -> Stretches:
    """The candidates, each where it lies between 0 and 1, the likeliest first; above, where they lay before each step
    that moved them."""
    t, picked = context.t, context.picked
    order = ends_of(picked.stages[0])
    ids = sorted(candidates(context), key=lambda id: order[id])
    made = [0, *changing(context)]
    *before, last = [Before(t(f"draw.{STAGES[i]}"), placed(context, picked.stages[i], ids)) for i in made]
    said = f"u = {picked.u:.4f}: {context.piece(picked.id)}"
    rest = t("picture.rest", others=grouped(len(order) - len(ids)))
    return Stretches(last.rows, picked.u, ids.index(picked.id), t("draw.bar"), said, last.name, before, rest)


def changing(context: StageContext) -> list[int]:
    """The steps that leave other probabilities than they found."""
    stages = context.picked.stages
    return [i for i in range(1, len(stages)) if not np.array_equal(stages[i], stages[i - 1])]


def placed(context: StageContext, stage: np.ndarray, ids: list[int]) -> list[Stretch]:
    """One that is cut off has no length: it lies at the end of what was kept."""
    ends = ends_of(stage)
    return [Stretch(context.piece(id), ends[id] - float(stage[id]), ends[id]) for id in ids]


def ends_of(last: np.ndarray) -> list[float]:
    """Of each word, where its stretch ends."""
    order = np.argsort(-last, kind="stable")
    ends = np.empty(len(last))
    ends[order] = last[order].cumsum()
    return ends.tolist()


def rows(context: StageContext) -> list[list[object]]:
    stages = context.picked.stages
    return [
        [
            context.piece(id),
            context.at("probabilities", id),
            *(share(context, stages[i], id) if stages[i][id] else "—" for i in changing(context)),
        ]
        for id in candidates(context)
    ]


def share(context: StageContext, stage: np.ndarray, id: int) -> float:
    """What is left is cut off where the last word is that was kept, and then shared out; at T = 1 of the model's own
    probabilities."""
    value = float(stage[id])
    least = min(np.flatnonzero(stage).tolist(), key=lambda id: stage[id])
    if context.temperature != 1:
        return warm(context, value, id, least)
    if stage.all():
        return context.at("probabilities", id)
    return measured(context, value, "kept", Cell(LIKELY, (context.row, id)), Cell(LIKELY, (context.row, least)))


def mark(context: StageContext) -> list[int]:
    return [candidates(context).index(context.picked.id)]


def drawn(context: StageContext) -> str:
    picked = context.picked
    kept = [int((stage > 0).sum()) for stage in picked.stages]
    facts = {
        "u": f"{picked.u:.4f}",
        "word": context.piece(picked.id),
        "share": share(context, picked.stages[-1], picked.id),
        "all": grouped(kept[1]),
        "topk": grouped(kept[2]),
        "topp": grouped(kept[3]),
    }
    return paragraph(context.t, "draw.u" if kept[3] < kept[1] else "draw.u_all", **facts)


def samples(context: StageContext) -> list[Sampled]:
    return drawn_so(context.text, context.rules, context.values["seed"])


@cached.shared
def drawn_so(text: str, rules: Rules, seed: int) -> list[Sampled]:
    seeds = [(seed + i) % (SEEDS + 1) for i in range(TRANSLATIONS)]
    return sampled(cached.model(ID), cached.ids(ID, text), rules, seeds)


def translations(context: StageContext) -> list[list[object]]:
    cut = {True: " …", False: ""}
    return [[str(one.seed), one.text + cut[one.cut], log(context, one)] for one in samples(context)]


def log(context: StageContext, one: Sampled) -> float:
    return log_of(context, one.log_probability, run_of(context, context.text, one.ids), len(one.ids) - 1)


SECTION = Section(draw, parameters, redraws=("topk", "topp", "seed", "temperature", "q"))
