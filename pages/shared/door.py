"""What comes in, before Streamlit hears of it: what no page of ours sends stays out, and nobody takes every turn.

ASGI, around the whole server:
- Over the socket only what our pages send goes on. Streamlit would let any visitor clear everyone's caches, and fails
  on JSON that Python will not read.
- One person has `SHARE` pages drawn at a time, however many tabs ask; the others wait in their own line. Threads that
  compute share one lock in Python: twenty of one visitor would make everybody else wait twenty times as long.
- Of pages with a long sentence `LONG` are drawn at a time: forty at once would need ten times the memory, and none
  would be finished before the last.
- There is nothing to upload.
- The health check says so where the models could not be loaded. A page of ours, which asks as well before it
  connects, is let in: the visitor shall read why.
"""

import asyncio
import json
from collections.abc import Iterable

from google.protobuf.message import DecodeError
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared import warm
from pages.shared.visitor import person

SENT = ("rerun_script", "stop_script", "app_heartbeat", "backend_operation_request")  # the last: a download
SHARE = 2  # pages of one person drawn at a time
LONG, LONG_QUERY = 2, 700  # those with a long sentence; characters of an address from which one is long
PATIENCE = 30  # seconds, after which a turn counts as over
SHORT = 512  # characters; what is shorter can be read, or is no JSON at all
SMALL = 512  # bytes; the message that a page is finished is smaller


class Door:
    """The application behind its door."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.lines: dict[str, Line] = {}
        self.long = asyncio.Semaphore(LONG)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.talk(scope, receive, send)
        elif scope["type"] == "http" and (answer := refused(HTTPConnection(scope))):
            await answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One tab's socket, until it is closed."""
        who = HTTPConnection(scope)
        name = person(who.cookies, who.client.host if who.client else None)
        line = self.lines.setdefault(name, Line())
        tab = Tab(line.free, self.long, receive, send)
        line.tabs += 1
        try:
            await self.app(scope, tab.receive, tab.send)
        finally:
            tab.finished()
            line.tabs -= 1
            if not line.tabs:
                self.lines.pop(name, None)


class Line:
    """The tabs of one person, and how many turns they may take at once."""

    def __init__(self) -> None:
        self.tabs = 0
        self.free = asyncio.Semaphore(SHARE)


class Tab:
    """One socket: it has a turn from the message that asks for a page to the one that says it is finished."""

    def __init__(self, own: asyncio.Semaphore, long: asyncio.Semaphore, receive: Receive, send: Send):
        self.own, self.long, self._receive, self._send = own, long, receive, send
        self.taken: list[asyncio.Semaphore] = []
        self.over: asyncio.TimerHandle | None = None  # while it has a turn: when that counts as over

    async def receive(self) -> Message:
        while True:
            message = await self._receive()
            asked = heard(message.get("bytes"))
            kind = asked and asked.WhichOneof("type")
            if asked and unreadable(asked):
                continue
            if asked and kind == "rerun_script" and not self.over:
                await self.begin(long=len(asked.rerun_script.query_string) > LONG_QUERY)
            if kind is None or kind in SENT:
                return message

    async def begin(self, long: bool) -> None:
        for line in (self.own, self.long) if long else (self.own,):
            await line.acquire()
            self.taken.append(line)
        self.over = asyncio.get_running_loop().call_later(PATIENCE, self.finished)

    async def send(self, message: Message) -> None:
        await self._send(message)
        if self.over and finishes(message.get("bytes")):
            self.finished()

    def finished(self) -> None:
        if self.over:
            self.over.cancel()
            self.over = None
        while self.taken:
            self.taken.pop().release()


def heard(raw: bytes | None) -> BackMsg | None:
    """What a browser says; None where it is no message, which Streamlit refuses itself."""
    try:
        return BackMsg.FromString(raw) if raw else None
    except DecodeError:
        return None


def unreadable(said: BackMsg) -> bool:
    """Whether a component's state is JSON that Python will not read: an integer of thousands of digits, a nest without
    end. Streamlit would fail on it before any code of ours."""
    states = [widget.json_value for widget in said.rerun_script.widget_states.widgets]
    try:
        for state in states:
            if len(state) > SHORT:
                json.loads(state)
    except (ValueError, RecursionError):
        return True
    return False


def finishes(raw: bytes | None) -> bool:
    """Whether a message to a browser says that its page is finished; not where it is cut short for another run."""
    if not raw or len(raw) > SMALL:
        return False
    message = ForwardMsg.FromString(raw)
    early = ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return message.WhichOneof("type") == "script_finished" and message.script_finished != early


def refused(request: HTTPConnection) -> PlainTextResponse | None:
    """The answer to what does not go on; None where it does."""
    path = request.url.path
    if "/_stcore/upload_file" in path:
        return PlainTextResponse("There is nothing to upload.", 403)
    if path.endswith("/_stcore/health") and warm.failure() and not from_page(request.headers):
        return PlainTextResponse("The models could not be loaded.", 503)
    return None


def from_page(headers: Iterable[str]) -> bool:
    """Whether a page in a browser asks, and not whoever watches over the server."""
    return "referer" in headers
