"""The stylesheet in the document itself, so that the first thing painted stands where it stays.

Streamlit gives its document no place for a style: sent as an element it comes a second late, after skeletons and an
unstyled page have moved everything twice. The document also says where the server is: without that, Streamlit's front
end asks below a deep link first, and each load notes two pages not found. ASGI, around the whole server.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.files import ASSETS

STYLE = ASSETS / "site.css"
END = b"</body>"  # after every style that Streamlit puts in the head: of equals the last one wins
ROOT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'
# What would have the document come compressed, or not at all.
UNASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since")


class FirstPaint:
    """The application, its document with our style in it."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.ours = ROOT + b"<style>" + STYLE.read_bytes() + b"</style>"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        asked = {**scope, "headers": [header for header in scope["headers"] if header[0] not in UNASKED]}
        await self.app(asked, receive, Document(self.ours, send))


class Document:
    """Sends an answer on; one that is a document as a whole, with what is ours at its end."""

    def __init__(self, ours: bytes, send: Send):
        self.ours, self.send = ours, send
        self.start: Message | None = None
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and "text/html" in Headers(scope=message).get("content-type", ""):
            self.start = message
        elif self.start is None or message["type"] != "http.response.body":
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self.finish(self.start)

    async def finish(self, start: Message) -> None:
        body = self.body.replace(END, self.ours + END, 1)
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self.send(start)
        await self.send({"type": "http.response.body", "body": body})
