"""The least that Streamlit can do for a click: a page whose one fragment holds one component, which a click fills anew.

`?bytes=4000` says how much a click brings. Started by `benchmarks.floor` with the site's own settings.
"""

import streamlit as st
from streamlit.components.v2 import component

JS = "export default function ({ data, parentElement }) {\n  parentElement.textContent = data[0].said;\n}"
address = component("floor_address", js=JS)
answer = component("floor_answer", js=JS)


def heard() -> None:
    """The callback of a click: it keeps what was selected."""
    said = st.session_state["derivation"].get("report") or {}
    st.session_state["selected"] = str(said.get("patches"))


@st.fragment(key="derivation")
def derivation() -> None:
    selected = st.session_state.get("selected", "")
    data = [{"said": selected.ljust(int(st.query_params.get("bytes", "0")), ".")}]
    answer(key="derivation", data=data, on_report_change=heard)


st.title("The floor")
derivation()
address(key="address", data=[{"session": "floor", "said": ""}])
