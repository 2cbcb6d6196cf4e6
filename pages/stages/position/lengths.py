"""Beyond the length of training: the recorded run, a curve for each way of telling positions."""

from math import exp

import numpy as np
import streamlit as st

from core.derivation import Recorded
from core.derivation.recorded import record
from core.figures.controls import Control, Controls, numbered
from core.figures.curves import Along, Curves, CurvesWords, Level, Mark, Series, Upwards
from core.training import lengths as trained
from core.views.lengths import Kind, learned_bias, lengths
from pages.shared.address.address import Table, choice, whole
from pages.shared.number.number_links import number
from pages.shared.page.parts import code, command, folded, paragraph, paragraphs, table, write
from pages.shared.page.stage import PageContext, Section, piece
from pages.shared.pictures import components
from pages.shared.words.numbers import short
from pages.shared.words.texts import Texts
from pages.stages.position.context import PositionView, StageContext
from pages.stages.position.parts import begin

SIDES = ("one", "other")
FARTHEST = 127  # words back, of what T5 learned


def parameters(page: PageContext, view: PositionView) -> Table:
    kinds = tuple(lengths().kinds)
    sides = {"one": choice(*kinds, default="sinusoidal"), "other": choice(*kinds, default="alibi")}
    return {**sides, "t5_head": whole(1, int(lengths().settings["heads"]), 1)}


def draw(context: StageContext) -> None:
    t, run = context.t, lengths()
    begin(t, "lengths", length=run.length, most=run.length * run.times[-1])
    options = [(kind, t(f"others.kinds.{kind}")) for kind in run.kinds]
    defaults = context.page.address.table
    sides = [
        Control(side, t(f"lengths.{side}"), options, first=defaults[side].default, stepper="list") for side in SIDES
    ]
    components.controls(key="lengths_controls", data=Controls(sides).data())
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        components.curves(key="lengths_curve", data=curve(context).pack())
        write(paragraph(t, "lengths.three"))
    with right:
        write(paragraphs(said(context)), three_ways(context))
    piece(context, "t5", learned)
    write(folded(t.html("lengths.made"), paragraph(t, "lengths.card", **card()) + command(run.command)))
    code(trained.at_length, trained.with_memory)


SECTION = Section(draw, parameters, SIDES, pieces={"t5": ("t5_head",)})


def name_of(t: Texts, one: Kind) -> str:
    return t(f"others.kinds.{one.kind}")


def chosen(context: StageContext) -> list[Kind]:
    return [lengths().kinds[context.values[side]] for side in SIDES]


def curve(context: StageContext) -> Curves:
    t, run, two = context.t, lengths(), chosen(context)
    everything = np.concatenate([kind.losses for kind in run.kinds.values()])
    return Curves(
        x=Along(len(run.times), t("lengths.words"), from_=run.length, step=run.length),
        y=Upwards(float(np.floor(np.nanmin(everything) * 10) / 10), float(np.nanmax(everything))),
        series=[Series(name_of(t, one), ink) for one, ink in zip(two, ("accent", "second"), strict=True)],
        values=[one.losses for one in two],
        marks=[
            Mark(run.length, one.truncated, f"{name_of(t, one)} {short(one.truncated)}")
            for one in two
            if np.isnan(one.losses[1])
        ],
        levels=[Level(run.kinds["none"].truncated, t("lengths.none"))],
        height=260,
        ends=True,
        words=CurvesWords(t("lengths.label"), t.html("lengths.caption", **perplexity(context, two[0]))),
    )


def perplexity(context: StageContext, one: Kind) -> dict[str, object]:
    loss, kind = one.truncated, context.t(f"others.kinds.{one.kind}")
    return {"kind": kind, "length": lengths().length, "loss": short(loss), "perplexity": f"{exp(loss):.1f}"}


def learned(context: StageContext) -> None:
    """What T5's model learned to add for each distance, in either layer of one head."""
    t, run, head = context.t, lengths(), context.values["t5_head"]
    write(f"<h2 class='part'>{t.html('lengths.t5')}</h2>")
    heads = Control("t5_head", t("others.head"), numbered(int(run.settings["heads"])), first=1)
    components.controls(key="t5_controls", data=Controls([heads]).data())
    bias = learned_bias(run, head - 1, FARTHEST)
    looks = ("accent", "second")
    drawn = Curves(
        x=Along(FARTHEST + 1, t("lengths.back")),
        y=Upwards(),
        series=[Series(t("lengths.layer", layer=i + 1), ink) for i, ink in enumerate(looks)],
        values=list(bias),
        marks=[Mark(run.length - 1, float(bias[0, run.length - 1]), t("lengths.met", last=run.length - 1), "start")],
        height=220,
        ends=True,
        words=CurvesWords(t("lengths.t5_label"), t.html("lengths.t5_caption", head=head)),
    )
    components.curves(key="t5_curve", data=drawn.pack())
    near, far = (float(bias[:, part].mean()) for part in (slice(1, 3), slice(9, run.length)))
    facts = {"near": near, "far": far, "last": run.length - 1, "length": run.length, "most": run.length * run.times[-1]}
    ends = {"at_once": float(run.kinds["t5"].losses[-1]), "as_met": run.as_met, "short": run.kinds["t5"].truncated}
    write(paragraph(t, "lengths.t5_said", **facts), paragraph(t, "lengths.t5_test", **ends, **facts))


def said(context: StageContext) -> list[str]:
    """What became of each of the two."""
    t, run, found = context.t, lengths(), []
    for kind in dict.fromkeys(k.kind for k in chosen(context)):
        one = run.kinds[kind]
        first, last = (noted(context, kind, "losses", at) for at in (0, len(one.losses) - 1))
        facts = {"kind": t(f"others.kinds.{kind}"), "first": first, "words": run.length * run.times[-1]}
        if np.isnan(one.losses[-1]):
            found.append(t.html("lengths.ends", rows=run.length, **facts))
            continue
        change, lowest, highest = float(one.losses[-1]) - one.truncated, *extremes(one.losses)
        settled = run.length * run.times[settles(one.losses)]
        found.append(
            t.html(
                f"lengths.{course(one.losses)}",
                last=last,
                change=abs(change),
                length=run.length,
                enough=settled,
                held=str(HELD),
                low=noted(context, kind, "losses", lowest),
                low_at=run.length * run.times[lowest],
                high=noted(context, kind, "losses", highest),
                high_at=run.length * run.times[highest],
                **facts,
            )
        )
    return found


def course(losses: np.ndarray) -> str:
    """What becomes of the loss from the shortest text to the longest: only what goes one way is said to."""
    change, steps = float(losses[-1] - losses[0]), np.diff(losses)
    if (np.abs(losses - losses[0]) < HELD).all():
        return "holds"
    if (steps > 0).all() or (steps < 0).all():
        return "rises" if change > 0 else "falls"
    return "falls_early" if change <= -HELD and settles(losses) < len(losses) - 1 else "uneven"


def settles(losses: np.ndarray) -> int:
    """From where on it stays as it is at the end."""
    apart = np.flatnonzero(np.abs(losses - losses[-1]) >= HELD)
    return int(apart[-1]) + 1 if len(apart) else 0


def extremes(losses: np.ndarray) -> tuple[int, int]:
    return int(losses.argmin()), int(losses.argmax())


HELD = 0.01  # nats a word that count as no change


def three_ways(context: StageContext) -> str:
    """The same last words of the same long texts: truncated, read at once, read with a memory of the segment before."""
    t, run = context.t, lengths()
    rows = [
        [
            t(f"others.kinds.{one.kind}"),
            noted(context, one.kind, "losses", 0),
            noted(context, one.kind, "losses", len(one.losses) - 1),
            noted(context, one.kind, "memory"),
        ]
        for one in run.kinds.values()
    ]
    marked = [i for i, one in enumerate(run.kinds) if one in (context.values["one"], context.values["other"])]
    head = ["", *(t(f"lengths.{name}") for name in ("truncated", "at_once", "memory"))]
    return table(rows, head, "sums", marked)


def noted(context: StageContext, kind: str, of: str, *at: int) -> float | str:
    """A loss that was written down; a dash where there is none."""
    name = f"recorded.lengths.kinds.{list(lengths().kinds).index(kind)}.{of}"
    loss = float(record(name)[at])
    return "–" if np.isnan(loss) else number(context, loss, Recorded(name, at))


def card() -> dict[str, object]:
    run = lengths()
    of = ("d_model", "heads", "layers", "steps", "batch", "held_out", "vocab")
    return {"date": run.date, "seed": run.seed, "length": run.length, **{name: run.settings[name] for name in of}}
