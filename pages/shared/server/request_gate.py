"""What comes in, before Streamlit hears of it: what no page of ours sends stays out, and nobody takes every turn.

ASGI, around the whole server:
- A page of ours that is to be drawn waits for its turn (`fair_queue.py`), and has it until its run is over (`runs.py`).
  Threads that compute share one lock in Python: twenty of one visitor would make everybody else wait twenty times as
  long. A tab is heard no further while it waits, or while its browser does not take what was sent.
- Pages with a long sentence have a second queue: forty at once would need ten times the memory, and none would be
  finished before the last.
- Over the socket only what our pages send goes on, no faster and no larger than they do. Streamlit would let any
  visitor clear everyone's caches, and fails on JSON that Python will not read.
- A browser that reads nothing for a while is let go.
- There is nothing to upload.
- What the server counts of itself (`/_stcore/metrics`) is told to its own machine.
- With its first page a browser gets the cookie by which it is known (`visitor.py`).
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server import script_runs, visitor
from pages.shared.server.base_path import base_path
from pages.shared.server.fair_queue import Places, Who
from pages.shared.server.streamlit_inside import heard

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.proto.WidgetStates_pb2 import WidgetState

SENT = ("rerun_script", "stop_script", "app_heartbeat", "backend_operation_request")  # the last: a download
TURNS, OF_ADDRESS, SHARE = 5, 4, 2  # runs at a time; of one address, so that another never waits; of one person
WHOLE, WHOLE_OF_ADDRESS = 4, 3  # of them whole pages: a click draws a piece and does not wait for those
LONG, LONG_SHARE = 2, 1  # of them with a long sentence; of one person
LONG_QUERY = 700  # bytes of an address, decoded, from which one is long
JOINED = 8  # requests that a run under way takes up before its tab waits for its end
PATIENCE = 30  # seconds after which a turn counts as over
SOCKETS = 500  # of one address

LARGEST = 256 << 10  # bytes of a message
RATE, BYTES = 50, 1 << 20  # messages and bytes a second of one tab
BURST = 1  # second; so much of that may come at once
SHORT = 512  # characters of a state; what is shorter can be read, or is no JSON at all
LONG_STATE = 8 << 10  # characters; what is longer is read aside
LOOPBACK = ("127.0.0.1", "::1")
SENDING = 20  # seconds that a browser may take nothing


class Door:
    """The application behind its door."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.turns = Places(TURNS, OF_ADDRESS, SHARE)
        self.whole = Places(WHOLE, WHOLE_OF_ADDRESS, SHARE)
        self.long = Places(LONG, LONG, LONG_SHARE)
        self.sockets: Counter[str] = Counter()  # by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.talk(scope, receive, send)
        elif scope["type"] == "http" and (answer := refused(HTTPConnection(scope))):
            await answer(scope, receive, send)
        elif scope["type"] == "http" and not visitor.signed(HTTPConnection(scope).cookies):
            await self.app(scope, receive, partial(introduce, scope["scheme"], send))
        else:
            await self.app(scope, receive, send)

    async def talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One tab's socket, until it is closed."""
        who = HTTPConnection(scope)
        host = who.client.host if who.client else None
        address = visitor.network(host)
        if self.sockets[address] >= SOCKETS:
            await send({"type": "websocket.close"})
            return
        tab = Tab(self, Who(address, visitor.person(who.cookies, host)), receive, send)
        script_runs.BEGIN.set(tab.begin)
        self.sockets[address] += 1
        try:
            await self.app(scope, tab.receive, tab.send)
        finally:
            tab.leave()
            self.sockets -= Counter([address])


class Turn:
    """The places that one run has, from the moment it is let in until it is over."""

    def __init__(self, tab: "Tab"):
        self.tab = tab
        self.places: list[Places] = []
        self.loop = asyncio.get_running_loop()
        self.late: asyncio.TimerHandle | None = None

    async def take(self, queue: Places) -> None:
        await queue.take(self.tab.who)
        self.places.append(queue)

    def begin(self) -> None:
        self.late = self.loop.call_later(PATIENCE, self.end)

    def end(self) -> None:
        if self.late:
            self.late.cancel()
        while self.places:
            self.places.pop().give_back(self.tab.who)
        self.tab.turns.discard(self)
        self.tab.stirred.set()

    def over(self) -> None:
        """The same, from any thread."""
        with suppress(RuntimeError):  # the server has ended
            self.loop.call_soon_threadsafe(self.end)


class Tab:
    """One socket. What asks for a page waits here for its turn, and with it whatever comes after."""

    def __init__(self, door: Door, who: Who, receive: Receive, send: Send):
        self.door, self.who = door, who
        self._receive, self._send = receive, send
        self.line: asyncio.Transport | None = getattr(getattr(send, "__self__", None), "transport", None)
        self.ahead: asyncio.Future[Message] | None = None  # the next message, where it is asked for already
        self.due = 0.0  # when it may be heard again, were there no bursts
        self.page = ""  # the hash of the page that was asked for last; empty where the browser named none
        self.let_in: Turn | None = None  # of a request that was handed on
        self.turns: set[Turn] = set()  # of runs that are not over
        self.joined = 0  # requests since the last run began
        self.sending = False
        self.stirred = asyncio.Event()  # something was sent, or a run is over

    async def receive(self) -> Message:
        self.nothing_began()
        while True:
            ahead, self.ahead = self.ahead or self._receive(), None
            message = await ahead
            raw = message.get("bytes") or b""
            if len(raw) > LARGEST:
                await self._send({"type": "websocket.close", "code": 1009})
                return {"type": "websocket.disconnect", "code": 1009}
            await self.pace(len(raw))
            asked = heard(raw)
            kind = asked and asked.WhichOneof("type")
            if asked and await unreadable(asked):
                continue
            if asked and kind == "rerun_script":
                run = asked.rerun_script
                if self.left(run):
                    continue
                if not run.fragment_id:
                    self.page = run.page_script_hash
                if not await self.turn(run):
                    continue  # it has left: that is the next message
            if kind is None or kind in SENT:
                return message

    def left(self, run: "ClientState") -> bool:
        """Whether this is said of a page that another was asked for in the place of: drawn there, a piece of it would
        empty the page, and a button that is pressed on it would bring it back, or do there what it does here."""
        if not self.page or run.page_script_hash == self.page:
            return False
        return bool(run.fragment_id) or any(map(pressed, run.widget_states.widgets))

    async def pace(self, size: int) -> None:
        now = asyncio.get_running_loop().time()
        self.due = max(self.due, now) + 1 / RATE + size / BYTES
        if (early := self.due - now - BURST) > 0:
            await asyncio.sleep(early)

    async def turn(self, run: "ClientState") -> bool:
        """Wait until a page may be drawn; whether the browser is still there."""
        while self.sending or (self.turns and self.joined >= JOINED):
            self.stirred.clear()
            if not await self.still(self.stirred.wait()):
                return False
        turn = Turn(self)
        queues = [self.door.turns]
        if not run.fragment_id:
            queues.insert(0, self.door.whole)
        if len(unquote_to_bytes(run.query_string.replace("+", " "))) > LONG_QUERY:
            queues.insert(0, self.door.long)
        for queue in queues:
            if not await self.still(turn.take(queue)):
                turn.end()
                return False
        self.let_in = turn
        return True

    async def still(self, waiting: Coroutine[Any, Any, object]) -> bool:
        """Wait for something; False where the browser leaves first. One message is read ahead, or that would not be
        seen."""
        task = asyncio.ensure_future(waiting)
        self.ahead = self.ahead or asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({task, self.ahead}, return_when=asyncio.FIRST_COMPLETED)
            if self.ahead.done() and self.ahead.result()["type"] == "websocket.disconnect":
                return False
            await task
            return True
        finally:
            task.cancel()

    def begin(self) -> script_runs.End | None:
        """A run begins, with the turn of the request that was handed on."""
        turn, self.let_in = self.let_in, None
        if turn is None:
            return None
        turn.begin()
        self.turns.add(turn)
        self.joined = 0
        return turn.over

    def nothing_began(self) -> None:
        """The last request was taken up by a run under way, or by none: there is no such piece of the page."""
        if self.let_in:
            self.let_in.end()
            self.let_in = None
            self.joined += 1

    async def send(self, message: Message) -> None:
        if self.line is not None and not self.line.get_write_buffer_size():
            await self._send(message)  # at once: the browser has taken all that came before
            return
        self.sending = True
        try:
            async with asyncio.timeout(SENDING):
                await self._send(message)
        except TimeoutError:
            if self.line is not None:  # closed politely, it would keep what was not taken
                self.line.abort()
            raise
        finally:
            self.sending = False
            self.stirred.set()

    def leave(self) -> None:
        """The socket is closed. Runs of it that are not over keep their turn until they are."""
        self.nothing_began()
        if self.ahead:
            self.ahead.cancel()


def pressed(state: "WidgetState") -> bool:
    """Whether it is a button, or what counts as one, that was pressed just now."""
    kind = state.WhichOneof("value") or ""
    return kind.endswith("trigger_value") and bool(getattr(state, kind))


async def unreadable(said: "BackMsg") -> bool:
    """Whether a component's state is JSON that Python will not read: an integer of thousands of digits, a nest without
    end. Streamlit would fail on it before any code of ours."""
    states = [widget.json_value for widget in said.rerun_script.widget_states.widgets]
    try:
        for state in states:
            if len(state) > LONG_STATE:
                await asyncio.to_thread(json.loads, state)
            elif len(state) > SHORT:
                json.loads(state)
    except (ValueError, RecursionError):
        return True
    return False


async def introduce(scheme: str, send: Send, message: Message) -> None:
    """Send an answer on; a page with a cookie."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        if "text/html" in headers.get("content-type", ""):
            kept = f"{visitor.COOKIE}={visitor.new_cookie()}; Path={base_path() or '/'}; HttpOnly; SameSite=Lax"
            headers.append("set-cookie", kept + ("; Secure" if scheme == "https" else ""))
    await send(message)


def refused(request: HTTPConnection) -> PlainTextResponse | None:
    """The answer to what does not go on; None where it does."""
    path = request.url.path
    if "/_stcore/upload_file" in path:
        return PlainTextResponse("There is nothing to upload.", 403)
    if path.endswith("/_stcore/metrics") and not (request.client and request.client.host in LOOPBACK):
        return PlainTextResponse("Told to this machine alone.", 403)
    return None


def tune_sockets() -> None:
    """uvicorn refuses what is larger while it reads it: by itself it would take 200 MB, Streamlit's bound for what is
    sent as well. And what it sends is compressed with what was said 32 KB ago in mind, not 4: a page is a seventh
    smaller in two thirds of the time, for .2 MB a visitor. To be called once, before there are sockets."""
    try:
        from uvicorn.protocols.websockets import websockets_sansio_impl as uvicorn
        from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
        from websockets.server import ServerProtocol

        class Tuned(ServerProtocol):
            def __init__(self, *, extensions: Sequence[Any] = (), **options: Any):
                compressed = [
                    ServerPerMessageDeflateFactory(
                        client_max_window_bits=12,
                        compress_settings={"level": 4, "memLevel": 8},
                    )
                ]
                super().__init__(extensions=extensions and compressed, **{**options, "max_size": LARGEST})

        uvicorn.ServerProtocol = Tuned  # type: ignore[attr-defined]
    except (ImportError, AttributeError):
        logging.getLogger(__name__).warning("Messages are bounded only once they are read")
