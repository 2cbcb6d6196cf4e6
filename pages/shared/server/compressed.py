"""Text goes out compressed, each file of the front end once: Streamlit leaves that to whatever stands before it, and
without it a class's phones on one line wait three times as long for their first page.

A file whose name changes with its content may be kept by a browser for good (Streamlit says so of its own, `terms.py`
of ours): that one is kept here compressed, after a while by Brotli as well, which browsers take over TLS. ASGI, around
the whole server.
"""

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial

import brotli
from cachetools import LRUCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TEXT = ("text/", "application/javascript", "application/json", "image/svg+xml")
IN_PART = ("range", "if-none-match", "if-modified-since")
FOR_GOOD = "public, max-age=31536000, immutable"  # of what is never another at the same address
SMALL = 500  # bytes that are not worth it
KEPT = 16 << 20  # bytes; the whole front end is 7 MB

packed = lru_cache(8)(gzip.compress)  # the document: small, and the same for everyone
smaller = partial(brotli.compress, quality=10)  # of scripts a seventh less than gzip, in seventeen times as long


class Compressed:
    """The application, its text compressed for whoever takes that."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.kept: LRUCache[tuple[str, str], tuple[Message, Message]] = LRUCache(
            KEPT, lambda said: len(said[1]["body"])
        )
        self.packing = asyncio.Lock()  # a hundred who come together want the same files: each is packed once
        self.beside = ThreadPoolExecutor(1)  # nobody waits for what Brotli does

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else Headers()
        taken = headers.get("accept-encoding", "")
        if "gzip" not in taken or any(name in headers for name in IN_PART):
            await self.app(scope, receive, send)
        elif answer := self.smallest(scope["path"], taken):
            await say(send, answer)
        else:
            await self.app(scope, receive, Answer(self, scope["path"], send))

    def smallest(self, path: str, taken: str) -> tuple[Message, Message] | None:
        """The answer that is kept of a path, in the best way that a browser takes."""
        return next((self.kept[path, way] for way in ("br", "gzip") if way in taken and (path, way) in self.kept), None)

    async def once(self, path: str, start: Message, body: bytes) -> tuple[Message, Message]:
        """The answer that is kept of a path from now on; the next ones get the smaller one once there is one."""
        async with self.packing:
            if (path, "gzip") not in self.kept:
                answer = with_body(start, await asyncio.to_thread(gzip.compress, body))
                if len(answer[1]["body"]) > KEPT:
                    return answer
                self.kept[path, "gzip"] = answer
                packing = asyncio.get_running_loop().run_in_executor(self.beside, smaller, body)
                packing.add_done_callback(partial(self.keep_smaller, path, start))
            return self.kept[path, "gzip"]

    def keep_smaller(self, path: str, start: Message, packing: asyncio.Future[bytes]) -> None:
        self.kept[path, "br"] = with_body(start, packing.result(), "br")


class Answer:
    """Sends an answer on; one of text as a whole, compressed."""

    def __init__(self, front: Compressed, path: str, send: Send):
        self.front, self.path, self.send = front, path, send
        self.start: Message | None = None
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and packable(message):
            self.start = message
        elif self.start is None or message["type"] != "http.response.body":
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await say(self.send, await self.whole(self.start))

    async def whole(self, start: Message) -> tuple[Message, Message]:
        if len(self.body) < SMALL:
            return start, {"type": "http.response.body", "body": self.body}
        if for_good(Headers(scope=start)):
            return await self.front.once(self.path, start, self.body)
        return with_body(start, packed(self.body))


def for_good(headers: Headers) -> bool:
    return "immutable" in headers.get("cache-control", "")


def packable(start: Message) -> bool:
    """Whether an answer is whole, text, and not compressed yet."""
    headers = Headers(scope=start)
    plain = start["status"] == 200 and "content-encoding" not in headers
    return plain and headers.get("content-type", "").startswith(TEXT)


def with_body(start: Message, body: bytes, way: str = "gzip") -> tuple[Message, Message]:
    """An answer with a compressed body, whose tag is not that of the plain one. What is kept for good is never asked
    about again: of its sixty files the tags alone would be 10 KB of a first visit."""
    start = {**start, "headers": list(start["headers"])}
    headers = MutableHeaders(scope=start)
    for name in ("etag", "last-modified", "accept-ranges") if for_good(headers) else ():
        del headers[name]
    headers["content-encoding"], headers["content-length"] = way, str(len(body))
    headers.add_vary_header("Accept-Encoding")
    if tag := headers.get("etag"):
        headers["etag"] = f"W/{tag.removeprefix('W/')}"
    return start, {"type": "http.response.body", "body": body}


async def say(send: Send, answer: tuple[Message, Message]) -> None:
    """Copies, for what stands around this one adds headers of its own."""
    for message in answer:
        await send({**message})
