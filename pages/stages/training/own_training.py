"""Your own training: the settings in the address, a process of its own, and its curves as they grow."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.figures.controls import Control, Controls, More
from core.figures.runs import Runs
from core.model.position import RELATIVE
from core.training import runs as trained
from core.training.recorded import NORMS
from core.training.runs import Setting
from core.training.tasks import TASKS
from pages.shared.address import visit
from pages.shared.address.address import Parameter, Repair, choice, whole
from pages.shared.page.parts import heading, paragraph, refusal, write
from pages.shared.page.stage import SECTION, PageContext
from pages.shared.pictures import components
from pages.shared.server import cached, trainings
from pages.shared.server.jobs import Busy
from pages.shared.server.trainings import Training
from pages.shared.words.numbers import grouped, percent
from pages.shared.words.texts import Texts
from pages.stages.training.context import Descents, StageContext, family
from pages.stages.training.runs_picture import CURVE, curve, drawn

GLANCE = 0.8  # seconds between two looks at how far it is
WARMUP = 40  # steps, where there is one
FEW = 200  # lines, where there are only so many
RATES = ("0.0003", "0.001", "0.003", "0.01", "0.03", "0.1", "1", "100")
OPTIONS = {
    "task": tuple(TASKS),
    "norm": NORMS,
    "layers": ("1", "2", "4", "6", "8"),
    "width": ("8", "16", "32", "64", "128"),
    "rate": RATES,
    "warmup": ("yes", "no"),
    "position": ("sinusoidal", "learned", *RELATIVE, "none"),
    "tied": ("yes", "no"),
    "residual": ("yes", "no"),
    "heads": ("1", "2", "4"),
    "dropout": ("0", "0.1", "0.5"),
    "root_k": ("yes", "no"),
    "root_d": ("yes", "no"),
    "lines": ("fresh", "few"),
    "table": ("root", "0.02", "0.1414", "1"),
}
FIRST = {"layers": "2", "width": "32", "rate": "0.003", "heads": "4"}  # of the others, their first option
STEPS = (20, 2000, 240)  # at least, at most, at first
SEEDS = 99
SEEN = 5  # of the options, at first sight
NAMES = (*(f"my_{name}" for name in (*OPTIONS, "steps", "seed")),)


def parameters(page: PageContext, view: Descents) -> dict[str, Parameter]:
    options = {f"my_{name}": choice(*ids, default=FIRST.get(name, ids[0])) for name, ids in OPTIONS.items()}
    return {**options, "my_steps": whole(*STEPS), "my_seed": whole(0, SEEDS, 0), **CURVE}


def setting_of(values: Mapping[str, Any]) -> Setting:
    """What the address asks for."""
    my = {name: values[f"my_{name}"] for name in (*OPTIONS, "steps", "seed")}
    return Setting(
        task=my["task"],
        norm=my["norm"],
        layers=int(my["layers"]),
        d_model=int(my["width"]),
        position=my["position"],
        tied=my["tied"] == "yes",
        residual=my["residual"] == "yes",
        heads=int(my["heads"]),
        dropout=float(my["dropout"]),
        root_k=my["root_k"] == "yes",
        root_d=my["root_d"] == "yes",
        warmup=WARMUP if my["warmup"] == "yes" else 0,
        rate=float(my["rate"]),
        steps=my["steps"],
        few=FEW if my["lines"] == "few" else 0,
        seed=my["seed"],
        table=0.0 if my["table"] == "root" else float(my["table"]),
    )


def draw(context: StageContext) -> None:
    t, setting = context.t, setting_of(context.values)
    write(heading(t, "own"), paragraph(t, "own.said", at_once=trainings.AT_ONCE, queue=trainings.QUEUE))
    components.controls(key="own_controls", data=controls(context).data())
    refusal(context)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(t("own.start"), key="own_start", type="primary", on_click=partial(start, setting))
        facts = {"parameters": grouped(parameters_of(setting)), "steps": setting.steps}
        said = t.html("own.size", task=t(f"runs.{setting.task}"), **facts)
        st.html(f"<span class='soft'>{said}</span>")
    components.controls(key="own_curve", data=Controls([curve(t)]).data())
    if mine := trainings.of():
        watched(t, any(not training.over for training in mine))
    else:
        components.runs(key="own_example", data=example(t).pack())


def example(t: Texts) -> Runs:
    """Until something is trained: the recorded run of the settings that the section opens with."""
    run = family("norm2").runs["post"]
    names = {"post": called(t, run.setting)}
    return drawn(t, {"post": run}, names, steps=run.setting.steps, selects=(None, None), seeds=t("own.example"))


@cached.shared
def parameters_of(setting: Setting) -> int:
    return trained.parameters(setting)


def controls(context: StageContext) -> Controls:
    t = context.t

    def one(name: str) -> Control:
        options = [(id, t(f"own.options.{name}.{id}") if named(t, name, id) else id) for id in OPTIONS[name]]
        first = FIRST.get(name, OPTIONS[name][0])
        return Control(f"my_{name}", t(f"own.names.{name}"), options, first=first, usual=first)

    steps = whole_number(t, "steps", *STEPS)
    seed = whole_number(t, "seed", 0, SEEDS, 0)
    every = [one(name) for name in OPTIONS]
    return Controls([*every[:SEEN], steps], More(t("own.more"), [*every[SEEN:], seed]))


def whole_number(t: Texts, name: str, low: int, high: int, usual: int) -> Control:
    refusal = t("own.refusal", low=low, high=high)
    return Control(f"my_{name}", t(f"own.names.{name}"), number=(low, high), refusal=refusal, usual=usual)


def named(t: Texts, name: str, id: str) -> bool:
    return f"own.options.{name}.{id}" in t


# ---- what the buttons do


def start(setting: Setting) -> None:
    try:
        trainings.start(setting)
    except Busy:
        visit.refuse(Repair("trainings_busy", {"queue": trainings.QUEUE, "share": trainings.SHARE}))
    visit.redraw([SECTION])


def press(do, training: Training) -> None:
    try:
        do(training)
    except Busy:
        visit.refuse(Repair("trainings_paused", {"paused": trainings.PAUSED}))
    visit.redraw([SECTION])


# ---- as it grows


def watched(t: Texts, under_way: bool) -> None:
    """This tab's trainings beside each other, looked at again and again while one is under way."""

    @st.fragment(key="own_runs", run_every=GLANCE if under_way else None)
    def watch() -> None:
        mine = trainings.of()
        now = next((training for training in mine if not training.over), None)
        if under_way and now is None:
            visit.redraw([SECTION])
        if now is not None:
            bar(t, now)
        elif mine:
            write(f"<p class='said'>{outcome(t, mine[-1])}</p>")
        picture(t, mine)

    watch()


def bar(t: Texts, training: Training) -> None:
    """How far it is, or which in line; and the buttons."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, training.log.step / training.setting.steps), state(t, training))
        if training.state == "running":
            st.button(t("own.pause"), key="own_pause", on_click=partial(press, trainings.pause, training))
        if training.state == "paused":
            st.button(t("own.resume"), key="own_resume", on_click=partial(press, trainings.resume, training))
        st.button(t("own.cancel"), key="own_cancel", on_click=partial(press, trainings.end, training))


def state(t: Texts, training: Training) -> str:
    facts = {"step": training.log.step, "steps": training.setting.steps, "seconds": round(training.seconds)}
    key = training.state
    if key == "running" and not training.log.step:
        key = "begins"
    return t(f"own.states.{key}", place=trainings.place(training), **facts)


def outcome(t: Texts, training: Training) -> str:
    """How one that is over ended; one that blew up says so."""
    log, setting = training.log, training.setting
    facts: dict[str, object] = {"step": log.step, "steps": setting.steps, "seconds": round(training.seconds)}
    if training.state == "silent":
        return t.html("own.over.silent", limit=trainings.ANSWER)
    if not log.loss:
        return t.html(f"own.over.{'failed' if training.state == 'failed' else 'nothing'}")
    facts |= {"loss": log.loss[-1], "first": log.loss[0], "guess": setting.guessing, "rate": f"{setting.rate:g}"}
    facts |= {"held": log.held[-1], "right": f"{percent(log.right[-1])}\u00a0%"}
    if log.blown:
        return t.html("own.over.blown", **{**facts, "rate": f"{setting.rate_at(log.step):g}"})
    said = t.html(f"own.over.{training.state}", **facts)
    return t.together((said, t.html("own.over.guessing", **facts))) if log.held[-1] >= setting.guessing else said


def picture(t: Texts, mine: list[Training]) -> None:
    """The newest is the one whose matrix is seen."""
    grown = {f"{i}": run for i, training in enumerate(mine) if (run := trainings.run(training)) is not None}
    if not grown:
        return
    newest_first = dict(reversed(grown.items()))
    names = {id: called(t, run.setting) for id, run in newest_first.items()}
    steps = max(run.setting.steps for run in newest_first.values())
    figure = drawn(
        t,
        newest_first,
        names,
        steps=steps,
        selects=(None, None),
        seeds=t("own.note"),
    )
    components.runs(key="own_picture", data=figure.pack())


def called(t: Texts, setting: Setting) -> str:
    """A setting by what is not usual in it."""
    usual = Setting()
    said = [t(f"runs.{setting.task}"), t(f"runs.{setting.norm}"), t("own.layers", layers=setting.layers)]
    said += [f"d = {setting.d_model}"] if setting.d_model != usual.d_model else []
    said += [t("own.rate", rate=f"{setting.rate:g}")] if setting.rate != usual.rate else []
    said += [] if setting.warmup else [t("own.cold")]
    said += [t(f"own.options.position.{setting.position}")] if setting.position != usual.position else []
    said += [] if setting.tied else [t("runs.apart")]
    said += [] if setting.residual else [t("own.uncarried")]
    said += [t(f"runs.h{setting.heads}")] if setting.heads != usual.heads else []
    said += [t("own.dropout", share=f"{setting.dropout:g}")] if setting.dropout else []
    said += [] if setting.root_k else [t("runs.no_k")]
    said += [] if setting.root_d else [t("runs.no_d")]
    said += [t("own.few", few=setting.few)] if setting.few else []
    said += [t("own.table", table=f"{setting.table:g}")] if setting.table else []
    said += [t("own.seed", seed=setting.seed)] if setting.seed else []
    return t("between").join(said)
