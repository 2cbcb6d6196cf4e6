"""Claims: the numbers of each, computed once for everybody, and the way from a stage to its own."""

from collections.abc import Mapping

import streamlit as st

from core.claims import of_stage
from pages.shared.page.stage import PageContext
from pages.shared.words.texts import Texts

CLAIMS = "claims"


def of_this_stage(page: PageContext) -> None:
    """One line that leads to the claims about this stage, where there are any."""
    count = len(of_stage(page.slug))
    if not count or CLAIMS not in page.links:
        return
    label = Texts(page.t.language, CLAIMS)(f"here.{'one' if count == 1 else 'many'}", count=count)
    query: Mapping[str, str] = {**page.address.link(), "topic": page.slug}
    with st.container(key="to_claims"):
        st.page_link(page.links[CLAIMS], label=label, query_params=dict(query))
