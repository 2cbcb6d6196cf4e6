"""Who somebody is, as far as sharing needs to know: one browser, however many tabs it has open."""

from collections.abc import Mapping

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

COOKIE = "_streamlit_xsrf"  # every browser gets one with the first page


def person(cookies: Mapping[str, str], address: str | None) -> str:
    """One browser; of those without a cookie, one address. A class behind one address is many."""
    token, _ = decode_xsrf_token_string(cookies.get(COOKIE, ""))
    return token.hex() if token else f"at {address}"


def this_person() -> str:
    """Whose page is being drawn."""
    return person(st.context.cookies, st.context.ip_address)


def this_session() -> str:
    """The tab whose page is being drawn; empty where there is no server, as in a test."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context and runtime.exists() else ""


def gone(session: str) -> bool:
    """Whether this tab is closed, or its connection is lost."""
    return bool(session) and runtime.exists() and not runtime.get_instance().is_active_session(session)
