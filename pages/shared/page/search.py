"""What pages that are searched have in common: their head, the groups to choose from, and the box."""

from collections.abc import Sequence

import streamlit as st

from core.figures.controls import Control
from pages.shared.address.address import Parameter, choice, words
from pages.shared.page import controls as page_controls
from pages.shared.page import notes
from pages.shared.page.parts import write
from pages.shared.page.stage import StageContext

ALL = "all"
LONGEST = 80  # characters that are looked for
FIND = words(LONGEST, None)


def groups(slugs: Sequence[str]) -> Parameter:
    """All, or those of one stop."""
    return choice(ALL, *slugs, default=ALL)


def head(context: StageContext, count: int) -> None:
    """The question and the lead, which says how many there are."""
    st.title(context.t("question"), anchor=False)
    with st.container(key="lead"):
        write(f"<div class='place lead'><p>{context.t.html('lead', count=count)}</p></div>")
    notes.draw(context)


def controls(context: StageContext, name: str, slugs: Sequence[str]) -> str:
    """The stops to choose from, and the box; what is looked for."""
    t = context.t
    stops = [(ALL, t("all")), *((slug, t.stage(slug)) for slug in slugs)]
    page_controls.controls(
        "search",
        Control(name, t("groups_label"), stops, ALL, stepper="list"),
        Control("find", t("find"), text=LONGEST),
    )
    return (context.values["find"] or "").strip()
