"""The server: Streamlit around pages/frame.py, a warm-up beside it. Start it with `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

# What the frame needs is imported by this one thread: two that import a package at once may each see half of it.
import core.grammar  # noqa: F401
import pages.shared.page  # noqa: F401
from pages.shared import runs, streamlit_inside, terms, tidy, warm
from pages.shared.door import Door, bound_messages
from pages.shared.first_paint import FirstPaint

streamlit_inside.read_theme_once()
runs.count()
bound_messages()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Warm-up runs beside serving: whoever comes before it is done sees the frame and a line of progress."""
    warm.start()
    async with tidy.tidied():
        yield


app = st.App(
    "pages/frame.py",
    lifespan=lifespan,
    routes=terms.routes(),
    middleware=[Middleware(Door), Middleware(FirstPaint)],
)
