"""The stages behind the boxes: links out of sight, which the picture clicks, so that Back works as after any other."""

import streamlit as st

from core.figures.depth import Door
from pages.stages.encoder.look import Look

LEADS_TO = {
    "tokens": "tokens",
    "embedding": "embedding",
    "position": "position",
    "input": "input",
    "norm": "layernorm",
    "attention": "attention",
    "self": "attention",
    "causal": "attention",
    "heads": "heads",
    "heads_self": "heads",
    "heads_cross": "heads",
    "cross": "translation",
    "output": "output",
}


def door(look: Look, id: str) -> Door | None:
    """To the stage behind a kind of box; None where it does not exist yet."""
    slug = LEADS_TO[id]
    return Door(id, look.page.href(slug, **opens_on(look, id))) if slug in look.page.links else None


def opens_on(look: Look, id: str) -> dict[str, str]:
    """An attention opens on the layer that is looked at here, without the veil of its question."""
    if LEADS_TO[id] not in ("attention", "heads"):
        return {}
    kind = {"kind": id.removeprefix("heads_")} if id in ("self", "heads_self", "heads_cross") else {}
    return {**kind, "layer": str(look.layer), "guess": "skip"}


def draw(look: Look) -> None:
    page = look.page
    with st.container(key="doors"):
        for id, slug in LEADS_TO.items():
            if slug in page.links and (page.translates or not id.endswith(("self", "cross"))):
                with st.container(key=f"door-{id}"):
                    parameters = {**page.address.link(), **opens_on(look, id)}
                    st.page_link(page.links[slug], label=page.t.stage(slug), query_params=parameters)
