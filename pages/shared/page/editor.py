"""The editable table. Streamlit believes what a browser says of one, and a browser may say anything: what cannot be
read, or speaks of rows and columns that are not there, must cost nobody the page."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.address.visit import on_edit
from pages.shared.page.stage import StageContext
from pages.shared.server.streamlit_inside import forgive_edits

Patch = Callable[[Mapping[str, Any]], Mapping[str, object]]


forgive_edits()


def editable(context: StageContext, key: str, cells: pd.DataFrame, patch: Patch, **options: Any) -> None:
    """A table to be edited: `patch` says what its report makes of the address. Another content, another key: no edit
    is applied twice."""
    for name in (key, f"{key}_anew"):  # a report that does not fit this table is left with the key it came under
        try:
            st.data_editor(cells, key=name, on_change=on_edit(context, name, patch), **options)
        except (LookupError, ValueError, TypeError, AttributeError):
            continue
        return
