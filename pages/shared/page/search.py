"""What pages that are searched have in common: their head, the groups to choose from, and the box."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.shared.address import visit
from pages.shared.address.address import Parameter, choice, words
from pages.shared.address.visit import bind
from pages.shared.page.parts import write
from pages.shared.page.stage import Stage, StageContext

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


def controls(context: StageContext, name: str, slugs: Sequence[str]) -> str:
    """The stops to choose from, and the box; what is looked for."""
    t, find = context.t, context.values["find"] or ""
    st.segmented_control(
        t("groups_label"),
        [ALL, *slugs],
        format_func=lambda id: t("all") if id == ALL else t.stage(id),
        required=True,
        **bind(context, name),
    )
    st.text_input(
        t("find"), max_chars=LONGEST, width=480, **visit.controlled("find_in", find, partial(take, context.page.stage))
    )
    return find


def take(stage: Stage, text: str) -> None:
    visit.apply(stage, {"find": text.strip() or None})
