"""The map: how its words are arranged, here and now or, where there are many, in the background."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.views.maps import SNAPSHOTS, Map, Plan, draw
from core.views.meaning import WordSet
from pages.shared import cached, jobs, state
from pages.shared.page import Page

AT_ONCE = 300  # words: more are arranged in the background, with progress


def plan_of(values: dict) -> Plan:
    return Plan(
        values["map"], int(values["perplexity"]), values["metric"], values["start"], values["seed"],
        int(values["dimensions"]), int(values["snapshot"]),
    )  # fmt: skip


def map_key(name: str, words: WordSet, plan: Plan) -> tuple:
    return "map", name, tuple(word.ids for word in words.words), plan.fitted(len(words.words))


def made(name: str, words: WordSet, plan: Plan) -> Map:
    """The map, from the cache or drawn here and now."""
    return cached.remember(map_key(name, words, plan), lambda: draw(words.vectors, plan))


def drawn(page: Page, words: WordSet, plan: Plan) -> tuple[Map, jobs.Job | None]:
    """The map and, where it is still being arranged, the job; until then the latest snapshot there is.

    Raises Busy where too many maps are waiting.
    """
    name, plan = page.address.model, plan.fitted(len(words.words))
    if plan.method == "pca" or plan.iterations == 0 or cached.known(map_key(name, words, plan)):
        return made(name, words, plan), None
    few = len(words.words) <= AT_ONCE
    stops = [n for n in SNAPSHOTS[1:] if n <= plan.iterations]
    plans = [replace(plan, iterations=n) for n in (stops[-1:] if few else stops)]
    job = jobs.ask(map_key(name, words, plan), [partial(made, name, words, each) for each in plans])
    if few:
        with st.spinner(page.t("arranging", n=len(words.words))):
            job.wait()
        return made(name, words, plan), None
    finished = [each for each in plans if cached.known(map_key(name, words, each))]
    return made(name, words, finished[-1] if finished else replace(plan, iterations=0)), job


def progress(page: Page, job: jobs.Job) -> None:
    """How far the map is; it redraws itself at each snapshot."""
    seen = job.done

    @st.fragment(run_every=0.8)
    def watch() -> None:
        if job.over or job.done != seen:
            st.rerun(scope="app")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), page.t("arranging_part", done=job.done, all=len(job.steps)))
            st.button(page.t("cancel"), key="cancel", on_click=cancelled)

    watch()


def cancelled() -> None:
    jobs.leave()
    state.change(map="pca")
