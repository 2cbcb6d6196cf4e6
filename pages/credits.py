"""Where the weights, the fonts and the tools come from, and under which licences."""

import streamlit as st

from pages.shared.page import current

page = current()
st.title(page.t("stages.credits"), anchor=False)
