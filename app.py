"""The server: Streamlit around pages/frame.py, a warm-up beside it. Start it with `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

try:
    from core import settings  # with it all of core, which finds the models that are named

    settings.check()
except ValueError as wrong:
    raise SystemExit(str(wrong)) from None

# What the frame needs is imported by this one thread: two that import a package at once may each see half of it.
import core.grammar  # noqa: F401
import pages.shared.page.stage  # noqa: F401
from pages.shared.page import terms
from pages.shared.server import memory_release, room_routes, script_runs, streamlit_inside, warm_up
from pages.shared.server.compressed import Compressed
from pages.shared.server.first_paint import FirstPaint
from pages.shared.server.fonts import SmallFonts
from pages.shared.server.request_gate import Door, tune_sockets
from pages.shared.server.safe_headers import SafeHeaders

streamlit_inside.read_theme_once()
script_runs.count()
tune_sockets()


def examples() -> None:
    """What a lab opens on and takes seconds to make."""
    from pages.stages.circuits import patching  # it brings its stage along: not before the first picture

    patching.keep_examples()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Warm-up runs beside serving: whoever comes before it is done sees the frame and a line of progress."""
    warm_up.start(examples)
    async with memory_release.tidied():
        yield


app = st.App(
    "pages/frame.py",
    lifespan=lifespan,
    routes=[*terms.routes(), *warm_up.routes(), *room_routes.routes()],
    middleware=[Middleware(layer) for layer in (SafeHeaders, Door, Compressed, SmallFonts, FirstPaint)],
)
