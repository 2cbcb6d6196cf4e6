"""The cache: keys and values of tokens that were read are kept; what that saves, counted and measured on this run."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.edits import lift_mask
from core.figures.controls import Control, Controls
from core.figures.matrix import Axis, Matrix
from core.model.places import attention_at
from core.run_spec import RunSpec
from core.views.generation import GenerationView, generation_view, kept, products
from core.writing import Sampling, Step, Writing
from pages.shared.address import visit
from pages.shared.address.address import choice, whole
from pages.shared.address.visit import on_press
from pages.shared.number.cell_path import FITS, RUN, run_prefix
from pages.shared.page.parts import heading, paragraph, paragraphs, table, write
from pages.shared.page.stage import SECTION as PIECE
from pages.shared.page.stage import PageContext, Section, Stage
from pages.shared.page.whole_model import spreads
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached, jobs
from pages.shared.server.jobs import Job
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import Texts
from pages.stages.generation.context import StageContext, beside

KINDS = ("key", "value")
TALL = 320  # pixels
GLANCE = 0.5  # seconds between two looks at how far it is


def first_group(page: PageContext) -> int:
    """What the address counts heads from: those that share keys, from 0; others, from 1."""
    return int(page.model.tap_dims[places(page)[0].tap("key")][0] == "head")


def places(page: PageContext):
    return [attention_at(page.model.attentions[0], layer) for layer in range(page.model.config.layers)]


def parameters(page: PageContext, view: GenerationView):
    first, groups = first_group(page), page.model.config.groups or page.model.config.heads
    return {
        "kv": choice(*KINDS, default="key"),
        "group": whole(first, first + groups - 1, first),
        "timed": whole(0, view.room, None, ends="sentence"),
    }


def draw(context: StageContext) -> None:
    t, steps = context.t, context.steps
    write(heading(t, "cache"), paragraph(t, "cache.said"))
    if not steps:
        return write(paragraphs([t.html("cache.none")]))
    components.controls(key="kept_controls", data=controls(context).data())
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        components.matrix(key="kept", data=picture(context).pack())
    config = context.page.model.config
    groups = config.groups or config.heads
    each = 2 * config.layers * groups * config.d_head
    facts = {
        "layers": config.layers,
        "groups": groups,
        "d_head": config.d_head,
        "each": grouped(each),
        "bytes": grouped(4 * each),
        "n": held(context),
        "all": grouped(4 * each * held(context)),
    }
    by = config.heads // groups
    shared = [paragraph(t, "cache.shared", heads=config.heads, by=by)] if by > 1 else []
    with right:
        write(
            paragraph(t, "cache.holds", **facts),
            *shared,
            table(counted(context), [t(f"cache.{x}") for x in HEAD], "named"),
        )
        if len(steps) == 1:
            write(paragraph(t, "cache.first"))
        spreads(context, lift_mask())
        timing(context)


HEAD = ("way", "read", "products")


def held(context: StageContext) -> int:
    """Tokens whose keys and values are there: the newest is read when the next is written."""
    return context.given + len(context.steps) - 1


def controls(context: StageContext) -> Controls:
    t, config, first = context.t, context.page.model.config, first_group(context.page)
    groups = [(first + i, str(i + 1)) for i in range(config.groups or config.heads)]
    kinds = [(kind, t(f"cache.{kind}")) for kind in KINDS]
    return Controls([Control("kv", t("cache.what"), kinds), Control("group", t("cache.group"), groups, stepper=True)])


def picture(context: StageContext) -> Matrix:
    """Rows are layers, columns the tokens that were read."""
    t, first, count = context.t, first_group(context.page), held(context)
    lengths = kept(context.view, count)
    planes = {f"{kind}/{first + g}": lengths[i, g] for i, kind in enumerate(KINDS) for g in range(lengths.shape[1])}
    layers = lengths.shape[2]
    labels = [context.name(id) for id in context.view.ids(context.steps)[:count]]
    trail = f"{run_prefix(RunSpec(context.whole))}{RUN}length.decoder.{{row}}.attention.{{kv}}.{{group}}.{{column}}"
    return Matrix(
        id="kept",
        fragment=PIECE,
        name=("kv", "group"),
        planes=planes,
        rows=Axis("kept_layer", layers, [t("cache.layer", layer=i + 1) for i in range(layers)], from_=1, room=8),
        columns=Axis("kept_token", count, labels),
        tall=min(TALL, 22 * layers),
        still=True,
        trail=trail if len(trail) < FITS and count <= context.sure and not context.veiled else "",
        words=matrix_words(t, "cache.label", caption=t("cache.caption")),
    )


def counted(context: StageContext) -> list[list[object]]:
    """Tokens read and multiply-adds, of all steps together."""
    t, model, n = context.t, context.page.model, context.given
    count = len(context.steps)
    with_it = products(model, n) + sum(products(model, 1, n + i) for i in range(count - 1))
    without = sum(products(model, n + i) for i in range(count))
    return [
        [t("cache.with"), grouped(n + count - 1), grouped(with_it)],
        [t("cache.without"), grouped(sum(n + i for i in range(count))), grouped(without)],
    ]


def timing(context: StageContext) -> None:
    """The same steps in both ways, measured when somebody asks."""
    t, n = context.t, len(context.steps)
    if context.values["timed"] != n:
        st.button(t("cache.measure", n=n), key="measure", type="tertiary", on_click=on_press(context, timed=n))
        return
    race = race_of(*context.key, context.view.chat, context.view.sampling)
    key = ("race", *context.key, context.view.chat, context.view.sampling)
    job = beside(key, race.ways[1].made, n, race.run)
    if job:
        return watch(t, job, context.page.stage)
    steps = race.steps[:n]
    if len(steps) < n:
        return write(paragraphs([t.html("busy")]))
    ours, theirs = (sum(step.seconds for step in way) for way in zip(*steps, strict=True))
    same = t("cache.same" if all(one.id == other.id for one, other in steps) else "cache.other")
    write(
        paragraph(t, "cache.took", n=n, ours=short(ours), theirs=short(theirs), times=short(theirs / ours), same=same)
    )


def watch(t: Texts, job: Job, stage: Stage) -> None:
    """How far it is, and a button to stop it."""

    @st.fragment(key="race", run_every=GLANCE)
    def glance() -> None:
        if job.over:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), t("cache.progress", done=job.done, all=len(job.steps)))
            st.button(t("picture.stop"), key="stop_race", on_click=partial(stop, stage))

    glance()


def stop(stage: Stage) -> None:
    jobs.leave()
    visit.apply(stage, {"timed": None})


@dataclass(frozen=True, eq=False)
class Race:
    """One text gone on with twice, with a cache and without, step by step, so that both meet the machine alike."""

    ways: tuple[Writing, Writing]

    @property
    def nbytes(self) -> int:
        return sum(way.nbytes for way in self.ways)

    @property
    def steps(self) -> tuple[tuple[Step, Step], ...]:
        return tuple(zip(self.ways[0].made, self.ways[1].made, strict=False))

    def run(self, number: int) -> None:
        for way in self.ways:
            way[number]


@cached.shared
def race_of(model: str, text: str, asked: bool, sampling: Sampling) -> Race:
    def way(cached_: bool) -> Writing:
        return generation_view(cached.model(model), text, sampling, asked, cached=cached_).writing

    return Race((way(True), way(False)))


SECTION = Section(draw, parameters, redraws=("n", "timed", "temperature", "topk", "topp", "seed"))
