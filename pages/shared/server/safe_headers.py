"""What a browser is told beside each answer: nothing from elsewhere, no type guessed, no address told on, and in whose
frames the site may stand (`core.settings`). ASGI, around the whole server.

A page's sentence stands in its address, hence no referrer. Streamlit imports what components bring from blobs, and puts
its own settings and styles into the document, hence `unsafe-inline`; nothing is ever evaluated from a text.
"""

from functools import partial

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.settings import FRAME_ANCESTORS

FROM = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


def policy() -> str:
    """The Content-Security-Policy of a page."""
    ancestors = " ".join(("'self'", *FRAME_ANCESTORS()))
    return "; ".join(f"{kind} {where}" for kind, where in {**FROM, "frame-ancestors": ancestors}.items())


class SafeHeaders:
    """The application, with these headers."""

    def __init__(self, app: ASGIApp):
        self.app, self.policy = app, policy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, partial(self.say, send) if scope["type"] == "http" else send)

    async def say(self, send: Send, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["x-content-type-options"] = "nosniff"
            headers["referrer-policy"] = "no-referrer"
            if headers.get("content-type", "").startswith("text/html"):
                headers["content-security-policy"] = self.policy
        await send(message)
