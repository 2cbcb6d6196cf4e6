"""The stylesheet in the document itself, so that the first thing painted stands where it stays; and the addresses of
what every page needs, so that a slow line brings it while the server draws.

Streamlit gives its document no place for a style: sent as an element it comes a second late, after skeletons and an
unstyled page have moved everything twice. The document also says where the server is: without that, Streamlit's front
end asks below a deep link first, and each load notes two pages not found. ASGI, around the whole server.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.files import ASSETS
from pages.shared.server.compressed import say
from pages.shared.server.fonts import STATIC, replaced

STYLE = ASSETS / "site.css"
HEAD = b"</head>"
END = b"</body>"  # after every style that Streamlit puts in the head: of equals the last one wins
ROOT = b'<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'
# What would have the document come compressed, or not at all.
UNASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since")
# What Streamlit's front end fetches once it hears of the first element of a kind; every page of ours has these.
KINDS = ("BidiComponent", "Html", "PageLink", "Button")
# After what the document names, for they would share the line with it, and before the server's first word.
ASKING = b"<script>addEventListener('load', () => document.head.insertAdjacentHTML('beforeend', `%s`))</script>"
KEPT = 64  # documents of 50 kB; there are fewer pages
IMPORTED = re.compile(r'\bimport(?:{[^}]*}from)?"\./([^"]+\.js)"')


def scripts(folder: Path) -> list[str]:
    """The files of these kinds and all that they import; a later Streamlit that names them otherwise has none."""
    found: list[str] = []
    asked = [path.name for kind in KINDS for path in folder.glob(f"{kind}.*.js")]
    while asked:
        name = asked.pop(0)
        if name not in found:
            found.append(name)
            asked += IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
    return found


def asked_early(static: Path = STATIC) -> Iterator[str]:
    """Links that ask for what the document itself does not name, after all that it does."""
    document = (static / "index.html").read_text(encoding="utf-8")
    for name in scripts(static / "static/js"):
        if name not in document:
            yield f'<link rel="modulepreload" crossorigin href="./static/js/{name}">'
    for path in sorted(replaced()):
        if "Italic" not in path and path not in document:
            yield f'<link rel="preload" as="font" type="font/woff2" crossorigin href=".{path}">'


class FirstPaint:
    """The application, its document with our style in it."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.ours = {
            HEAD: ASKING % "".join(asked_early()).encode(),
            END: ROOT + b"<style>" + STYLE.read_bytes() + b"</style>",
        }
        self.kept: dict[str, tuple[Message, Message]] = {}  # by path: Streamlit reads its file each time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reading = scope["type"] == "http" and scope["method"] == "GET"
        if not reading or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
        elif answer := self.kept.get(scope["path"]):
            await say(send, answer)
        else:
            asked = {**scope, "headers": [header for header in scope["headers"] if header[0] not in UNASKED]}
            await self.app(asked, receive, Document(self, scope["path"], send))


class Document:
    """Sends an answer on; one that is a document as a whole, with what is ours before each of these tags."""

    def __init__(self, front: FirstPaint, path: str, send: Send):
        self.front, self.path, self.send = front, path, send
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
        body = self.body
        for tag, ours in self.front.ours.items():
            body = body.replace(tag, ours + tag, 1)
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        answer = start, {"type": "http.response.body", "body": body}
        if start["status"] == 200:
            if len(self.front.kept) >= KEPT:  # paths that nobody made up are soon there again
                self.front.kept.clear()
            self.front.kept[self.path] = answer
        await say(self.send, answer)
