"""Where the site stands on its server."""

import streamlit as st


def base_path() -> str:
    """The path the site is served under: empty, or like "/see-through"."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""
