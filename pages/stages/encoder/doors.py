"""The stages behind the boxes: links out of sight, which the picture clicks, so that Back works as after any other."""

import streamlit as st

from core.figures.sheet import Door
from pages.stages.encoder.context import StageContext

LEADS_TO = {
    "input": "input",
    "norm": "layernorm",
    "attention": "attention",
    "self": "attention",
    "causal": "attention",
    "heads": "heads",
    "cross": "translation",
    "output": "output",
}


def door(context: StageContext, id: str) -> Door | None:
    """To the stage behind a kind of box; None where it does not exist yet."""
    slug = LEADS_TO[id]
    return Door(id, context.page.href(slug, **opens_on(context, id))) if slug in context.page.links else None


def opens_on(context: StageContext, id: str) -> dict[str, str]:
    """An attention opens on the layer that is looked at here, without the veil of its question."""
    if LEADS_TO[id] not in ("attention", "heads"):
        return {}
    kind = {"kind": id} if id == "self" else {}
    return {**kind, "layer": str(context.layer), "guess": "skip"}


def draw(context: StageContext) -> None:
    page = context.page
    with st.container(key="doors"):
        for id, slug in LEADS_TO.items():
            if slug in page.links and (page.translates or id not in ("self", "cross")):
                with st.container(key=f"door-{id}"):
                    parameters = {**page.address.link(), **opens_on(context, id)}
                    st.page_link(page.links[slug], label=page.t.stage(slug), query_params=parameters)
