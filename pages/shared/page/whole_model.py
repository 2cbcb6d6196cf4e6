"""From an experiment of a page to the sheet of the whole model, with the same thing changed there."""

import streamlit as st

from core.edits import Edit
from core.views.encoder import without
from core.zoo import Model
from pages.shared.page.edits import changes, ids_of, written
from pages.shared.page.stage import StageContext
from pages.shared.words.texts import Texts

SHEET = "overview"
ALONE = ("zero", "cut", "lift", "drop_sqrt_dk")  # changes that say all there is to say of one model
LINKED = "linked"  # changes that are not chosen on the sheet, as a link names them


def spreads(context: StageContext, *edits: Edit) -> None:
    """A link to the sheet that shows how far this very change spreads; nothing where the sheet, or the model, has none
    such, or where that would answer the page's question."""
    page, changed = context.page, opens(context.page.model, *edits)
    if SHEET not in page.links or context.veiled or not changed or not changes(page.model, *edits):
        return
    shown = {"text": page.text, "model": page.address.model} if page.address.instead else {}
    query = {**page.address.link(), **shown, "guess": "skip", **changed}
    with st.container(key="spreads"):
        st.page_link(page.links[SHEET], label=label(page.t, changed), query_params=query)


def opens(model: Model, *edits: Edit) -> dict[str, str]:
    """What of the address makes these changes together on the sheet; nothing where there are none, or where one is none
    that an address has."""
    stack = next((name for name in model.stacks if edits == without(model, name)), None)
    if stack:
        return {"what": "cut", **stack_of(model, stack)}
    if len(edits) == 1:
        name, _, rest = edits[0].id.partition(":")
        places = rest.split(".")
        if name in ALONE and rest in ("", str(model.config.d_head)):
            return {"what": name}
        if name == "mute":
            return {"what": name, **dict(zip(("kind", "layer", "head"), places, strict=True))}
        if name == "silence" and places[-1] == "feedforward":
            return {"what": name, **stack_of(model, places[0]), "layer": places[1]}
    return {"what": LINKED, "edit": ids_of(edits)} if edits and all(map(written, edits)) else {}


def stack_of(model: Model, name: str) -> dict[str, str]:
    """Which stack is meant, where there are several."""
    return {"stack": name} if len(model.stacks) > 1 else {}


def label(t: Texts, changed: dict[str, str]) -> str:
    """What the link is called."""
    what, count = changed["what"], changed.get("edit", "").count(",") + 1
    if what == LINKED:
        return t(f"see_spread_{'one' if count == 1 else 'several'}", count=count)
    return t("_".join(["see_spread", what, *([changed["stack"]] if "stack" in changed else ())]), **changed)
