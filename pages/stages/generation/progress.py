"""How far something is that is made beside the page, and a button to stop it."""

from collections.abc import Callable

import streamlit as st

from pages.shared.address import visit
from pages.shared.server.jobs import Job
from pages.shared.words.texts import Texts

GLANCE = 0.4  # seconds


def watch(t: Texts, job: Job, piece: str, stop: Callable[[], None]) -> None:
    """What it is for is drawn anew as it comes on."""
    seen = job.done

    @st.fragment(key=f"progress_{piece}", run_every=GLANCE)
    def glance() -> None:
        if job.over or job.done != seen:
            visit.redraw([piece])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), t("progress", done=job.done, all=len(job.steps)))
            st.button(t("picture.stop"), key=f"stop_{piece}", on_click=stop)

    glance()
