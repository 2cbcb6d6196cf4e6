"""The small fonts of `assets/fonts`, at the addresses of Streamlit's own: a fifth of what those weigh, of which a phone
on a class's line would wait for most of the first page (`make.py` there says what is in them)."""

from pathlib import Path

import streamlit
from starlette.responses import FileResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from core.files import ASSETS
from pages.shared.server.base_path import base_path
from pages.shared.server.compressed import FOR_GOOD

STATIC = Path(streamlit.__file__).parent / "static"


def replaced() -> dict[str, Path]:
    """Ours, by the path below the site of the one it stands for; a later Streamlit that has none keeps its own."""
    return {
        f"/{theirs.relative_to(STATIC).as_posix()}": ours
        for ours in (ASSETS / "fonts").glob("*.woff2")
        for theirs in (STATIC / "static/media").glob(f"{ours.stem}.*woff2")
    }


class SmallFonts:
    """The application, with our fonts. ASGI: Streamlit lets nobody else have a route below its own."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.ours = {base_path() + path: font for path, font in replaced().items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = self.ours.get(scope["path"]) if scope["type"] == "http" else None
        font = FileResponse(ours, media_type="font/woff2", headers={"Cache-Control": FOR_GOOD}) if ours else self.app
        await font(scope, receive, send)
