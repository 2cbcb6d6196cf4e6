"""From an experiment of a page to the sheet of the whole model, with the same thing changed there."""

import streamlit as st

from core.capture import fitting
from core.edits import Edit
from core.errors import InputError
from core.views.encoder import without
from core.zoo import Model
from pages.shared.page.stage import StageContext

SHEET = "overview"
ALONE = ("zero", "cut", "lift")  # changes that say all there is to say


def spreads(context: StageContext, *edits: Edit) -> None:
    """A link to the sheet that shows how far this very change spreads; nothing where the sheet, or the model, has none
    such, or where that would answer the page's question."""
    page, changed = context.page, opens(context.page.model, *edits)
    if SHEET not in page.links or context.veiled or not changed or not changes(page.model, *edits):
        return
    shown = {"text": page.text, "model": page.address.model} if page.address.instead else {}
    query = {**page.address.link(), **shown, "guess": "skip", **changed}
    label = page.t("_".join(filter(None, ["see_spread", changed["what"], changed.get("stack")])), **changed)
    with st.container(key="spreads"):
        st.page_link(page.links[SHEET], label=label, query_params=query)


def opens(model: Model, *edits: Edit) -> dict[str, str]:
    """What of the address makes these changes together on the sheet; nothing where it has none such."""
    cut = next((name for name in model.stacks if edits == without(model, name)), None)
    if cut:
        return {"what": "cut", **({"stack": cut} if len(model.stacks) > 1 else {})}
    if len(edits) != 1:
        return {}
    (edit,) = edits
    name, _, rest = edit.id.partition(":")
    if name == "mute":
        return {"what": name, **dict(zip(("kind", "layer", "head"), rest.split("."), strict=True))}
    return {"what": edit.id} if edit.id in ALONE else {}


def changes(model: Model, *edits: Edit) -> bool:
    """Whether there is something in the model that the edits change."""
    try:
        return bool(fitting(model, edits))
    except InputError:
        return False
