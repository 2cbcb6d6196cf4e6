"""How the words of the map are arranged, here and now or, where there are many, in the background."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.views.maps import SNAPSHOTS, Map, Plan, draw
from core.views.meaning import Group
from pages.shared.address import visit
from pages.shared.page.drawing import fault
from pages.shared.page.stage import PICTURE, Stage
from pages.shared.server import cached, jobs
from pages.stages.meaning.context import StageContext, words_of

AT_ONCE = 300  # words: more are arranged in the background, with progress
GLANCE = 0.8  # seconds between two looks at how far it is


def plan_of(values: Mapping[str, Any]) -> Plan:
    return Plan(
        method=values["map"],
        perplexity=int(values["perplexity"]),
        metric=values["metric"],
        start=values["start"],
        seed=values["seed"],
        dimensions=int(values["dimensions"]),
        iterations=int(values["snapshot"]),
    )


@cached.shared
def map_of(model: str, groups: tuple[Group, ...], plan: Plan) -> Map:
    return draw(words_of(model, groups).vectors, plan)


def made(context: StageContext, plan: Plan) -> Map:
    """The map, from the cache or drawn here and now."""
    return map_of(context.model, context.groups, plan.fitted(len(context.words.words)))


def arranged(context: StageContext, plan: Plan) -> tuple[Map, jobs.Job | None]:
    """The map and, where it is still being arranged, the job; until then the latest snapshot there is.

    Raises Busy where too many maps are waiting.
    """
    words, of = context.words.words, (context.model, context.groups)
    plan = plan.fitted(len(words))
    if plan.method == "pca" or plan.iterations == 0 or map_of.known(*of, plan):
        return map_of(*of, plan), None
    few = len(words) <= AT_ONCE
    stops = [n for n in SNAPSHOTS[1:] if n <= plan.iterations]
    plans = [replace(plan, iterations=n) for n in (stops[-1:] if few else stops)]
    job = jobs.ask(map_of.key(*of, plan), [partial(map_of, *of, each) for each in plans])
    if few:
        with st.spinner(context.t("arranging", n=len(words))):
            job.wait()
        return map_of(*of, plan), None
    finished = [each for each in plans if map_of.known(*of, each)]
    return map_of(*of, finished[-1] if finished else replace(plan, iterations=0)), job


def progress(context: StageContext, job: jobs.Job) -> None:
    """How far the map is; the picture is drawn anew at each snapshot."""
    t, stage, seen = context.t, context.page.stage, job.done

    @st.fragment(key="progress", run_every=GLANCE)
    def watch() -> None:
        if job.error:  # asked for again, it would fail again
            return fault(t)
        if job.over or job.done != seen:
            visit.redraw([PICTURE])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), t("arranging_part", done=job.done, all=len(job.steps)))
            st.button(t("cancel"), key="cancel", on_click=partial(cancel, stage))

    watch()


def cancel(stage: Stage) -> None:
    jobs.leave()
    visit.apply(stage, {"map": "pca"})
