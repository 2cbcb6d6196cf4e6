"""From an experiment of a page to the sheet of the whole model, with the same thing changed there."""

import streamlit as st

from core.capture import fitting
from core.edits import Edit
from core.errors import InputError
from core.zoo import Model
from pages.shared.page.stage import StageContext

SHEET = "overview"
ALONE = ("zero", "cut", "lift")  # changes that say all there is to say


def spreads(context: StageContext, edit: Edit) -> None:
    """A link to the sheet that shows how far a change spreads; nothing where the sheet, or the model, has none such, or
    where that would answer the page's question."""
    page, changed = context.page, opens(edit)
    if SHEET not in page.links or context.veiled or not changed or not changes(page.model, edit):
        return
    shown = {"text": page.text, "model": page.address.model} if page.address.instead else {}
    query = {**page.address.link(), **shown, "guess": "skip", **changed}
    label = page.t(f"see_spread_{changed['what']}", **changed)
    with st.container(key="spreads"):
        st.page_link(page.links[SHEET], label=label, query_params=query)


def opens(edit: Edit) -> dict[str, str]:
    """What of the address makes this change on the sheet.

    >>> from core.edits import cut, mute
    >>> opens(cut()), opens(mute("encoder", 3, 9))
    ({'what': 'cut'}, {'what': 'mute', 'kind': 'encoder', 'layer': '3', 'head': '9'})
    """
    name, _, rest = edit.id.partition(":")
    if name == "mute":
        return {"what": name, **dict(zip(("kind", "layer", "head"), rest.split("."), strict=True))}
    return {"what": edit.id} if edit.id in ALONE else {}


def changes(model: Model, edit: Edit) -> bool:
    """Whether there is something in the model that the edit changes."""
    try:
        return bool(fitting(model, edit))
    except InputError:
        return False
