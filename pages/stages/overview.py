import streamlit as st
from pages.shared.page import current
page = current()
st.title(page.slug)
