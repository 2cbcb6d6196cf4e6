"""The stages behind the columns of the sheet."""

import streamlit as st

from core.figures.sheet import Door
from pages.stages.overview.context import StageContext

LEADS_TO = {
    "ids": "tokens",
    "row": "embedding",
    "scaled": "input",
    "sum": "input",
    "enter": "layernorm",
    "encoder": "attention",
    "self": "attention",
    "causal": "attention",
    "cross": "translation",
}


def door(context: StageContext, id: str, number: int = 0) -> Door | None:
    """The stage behind a column; None where it does not exist yet."""
    slug = LEADS_TO[id]
    if slug not in context.page.links:
        return None
    return Door(door_id(id, number), context.page.href(slug, **opens_on(id, number)))


def door_id(id: str, number: int = 0) -> str:
    return f"{id}-{number}"


def opens_on(id: str, number: int) -> dict[str, str]:
    """What a door selects behind it: a layer opens without the veil of a question that is asked of another."""
    layer = {"layer": str(number), "guess": "skip"} if number else {}
    return {"kind": id, **layer} if id == "self" else layer


def draw(context: StageContext) -> None:
    """One link for each door, out of sight. The picture clicks them, so that Back works as after any path link."""
    page, view = context.page, context.view
    columns = [("ids", 0), *((depth.id, 0) for depth in view.depths if depth.id in LEADS_TO)]
    with st.container(key="doors"):
        for id, number in [*columns, *((looking.kind, looking.layer) for looking in view.attention)]:
            slug = LEADS_TO[id]
            if slug in page.links:
                with st.container(key=f"door-{door_id(id, number)}"):
                    parameters = {**page.address.link(), **opens_on(id, number)}
                    st.page_link(page.links[slug], label=page.t.stage(slug), query_params=parameters)
