"""How many people can use the site at once, asked of the server alone.

    python -m benchmarks.loadtest --visitors 100 200 --think 3 --seconds 30
    python -m benchmarks.loadtest --visitors 100 --burst

Each visitor is a WebSocket that speaks Streamlit's own protocol (protobuf: BackMsg up, ForwardMsg
down), so no browser is needed. It opens a page, finds a component (v2) by its user key, and reports
a numbered patch of the address, as the browser does: "derivation" hears of cells, "address" of all
else. Where it says so (`whole`), it opens the page anew instead. The
time is the server's: from sending the request to `script_finished`. Painting is not in it.

Without --url it starts the site itself, on a free port. One line of JSON for each number of visitors.
Once `client_cpu_percent` is near 100, it is this program that is slow, not the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent

CELL = {"q": "0..8", "k": "0..8"}
"""A click in the matrix of `attention`: "a..b" is a random whole number, a list a random choice."""


@dataclass(frozen=True)
class Visit:
    """What every visitor does."""

    page: str = "attention"
    query: str = ""  # the address's query string, without "?"
    key: str = "derivation"  # the user key of the component that reports; "": any
    state: object = None  # the patch it reports; None: CELL
    whole: bool = False  # open the whole page anew, instead
    timeout: float = 60  # seconds, for one answer


@dataclass(frozen=True)
class Server:
    """A running site: where, which process, and the seconds until it answered its health check."""

    url: str
    pid: int
    ready_s: float


def measure(
    url: str,
    *,
    visitors: int,
    seconds: float,
    think: float = 3,
    burst: bool = False,
    visit: Visit | None = None,
    pid: int | None = None,
) -> dict[str, float]:
    """Let `visitors` click for `seconds` on the site at `url`; times in ms, memory in MiB.

    Each thinks `think` seconds, plus or minus half, between two clicks (0: none). With `burst` all
    click in the same instant, every `think` seconds. `pid` is the server's process: with it the
    answer has its CPU time a click and its memory a visitor. One visitor comes and goes before the
    measuring, so that what all share is not counted. The first failure of a visitor is raised:
    RuntimeError when the page raised or lacks the component.
    """
    return asyncio.run(_measure(url, visitors, seconds, think, burst, visit or Visit(), pid))


def first_picture(url: str, visit: Visit | None = None) -> float:
    """Seconds until a visitor who comes now has the component: waits for warm-up as a browser does."""

    async def go() -> float:
        async with AsyncExitStack() as stack:
            return await Visitor(url, visit or Visit()).open(stack)

    return asyncio.run(go())


def warm(url: str) -> None:
    """Wait until the models are loaded."""
    first_picture(url, Visit("overview", key="address"))


def at_rest(pid: int) -> None:
    """Wait until a server has nothing left to load: after the models come the libraries of "Open it"."""
    process = psutil.Process(pid)
    while process.cpu_percent(1) > 10:
        pass


@contextmanager
def serve(
    folder: Path = ROOT, port: int | None = None, timeout: float = 60, app: Path = Path("app.py")
) -> Iterator[Server]:
    """Run the site of `folder` as `streamlit run app.py` does; stop it on leaving."""
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
    # Without an address of its own a headless Streamlit asks the internet for one.
    command += ["--server.headless", "true", "--browser.serverAddress", "localhost"]
    with tempfile.TemporaryFile() as log:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        try:
            while not _healthy(url):
                if process.poll() is not None or time.perf_counter() - start > timeout:
                    log.seek(0)
                    raise RuntimeError(f"the site did not start:\n{log.read().decode()[-2000:]}")
                time.sleep(0.02)
            yield Server(url, process.pid, time.perf_counter() - start)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Visitor:
    """One browser tab; where no cookie is given, in a browser of its own."""

    def __init__(self, url: str, visit: Visit, cookie: str | None = None, address: str = "127.0.0.1"):
        self.cookie, self.address = cookie, address
        self.url, self.visit, self.query = url.rstrip("/"), visit, visit.query
        self.socket: ClientConnection | None = None
        self.page_hash = ""
        self.component: tuple[str, str] | None = None  # widget id, fragment id
        self.state: WidgetState | None = None
        self.session, self.patches = "", 0  # as the page named it; how many it has reported
        self.kept: set[str] = set()  # hashes of the messages a browser would have in its cache
        self.bytes_in = 0
        self.opened = 0.0
        self.clicks: list[float] = []

    async def connect(self, stack: AsyncExitStack) -> None:
        """The socket; nothing is asked for yet."""
        if self.cookie is None:
            self.cookie = await asyncio.to_thread(cookie, self.url)
        self.socket = await stack.enter_async_context(
            connect(
                self.url.replace("http", "ws", 1) + "/_stcore/stream",
                origin=self.url,  # type: ignore[arg-type]  # websockets' Origin is a str with a name
                additional_headers={"Cookie": self.cookie} if self.cookie else {},
                local_addr=(self.address, 0) if "127.0.0.1" in self.url else None,
                subprotocols=["streamlit"],  # type: ignore[list-item]
                max_size=None,
                compression="deflate",
                open_timeout=self.visit.timeout,
                ping_interval=None,
            )
        )
        # Or the clicks of an idle line wait for the acknowledgement of the one before: 40 ms.
        line: socket.socket = self.socket.transport.get_extra_info("socket")
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def open(self, stack: AsyncExitStack) -> float:
        """Connect and rerun until the component is on the page; the seconds it took."""
        start = time.perf_counter()
        await self.connect(stack)
        while True:
            await self._run()
            if self.component:
                self.opened = time.perf_counter() - start
                return self.opened
            if time.perf_counter() - start > self.visit.timeout:
                raise RuntimeError(f"no component with the key {self.visit.key!r} on /{self.visit.page}")
            await asyncio.sleep(0.1)

    async def go(self, page: str, query: str) -> float:
        """Open another page, or the same with another address, as a link does; the seconds it took."""
        self.visit = replace(self.visit, page=page, query=query)
        self.query = query
        self.page_hash, self.component, self.state = "", None, None
        return await self._run()

    async def click(self) -> None:
        """Report a state for the component, and wait for the answer."""
        assert self.component
        if self.visit.whole:
            self.clicks.append(await self.go(self.visit.page, self.visit.query))
            return
        widget, fragment = self.component
        patch = _fill(CELL if self.visit.state is None else self.visit.state)
        self.patches += 1
        self.query = _patched(self.query, patch)  # the browser's address has it already
        report = {"session": self.session, "page": self.visit.page, "patches": [[self.patches, patch]], "lacks": []}
        self.state = WidgetState(id=widget, json_value=json.dumps({"report": report}))
        self.clicks.append(await self._run(fragment))

    async def stay(self, until: float, think: float, burst: bool) -> None:
        """Click and think until the clock shows `until`; in a burst, on the beat that all share."""
        next_click = time.perf_counter() + (0 if burst else random.uniform(0, think))
        while next_click < until:
            await asyncio.sleep(max(0, next_click - time.perf_counter()))
            await self.click()
            if burst:
                next_click += think
            else:
                next_click = time.perf_counter() + think * random.uniform(0.5, 1.5)

    async def _run(self, fragment: str = "") -> float:
        """Ask for a rerun (of one fragment, if named) and wait until it has finished; seconds."""
        assert self.socket
        request = self._request(fragment)
        start = time.perf_counter()
        await self.socket.send(request)
        while True:
            raw = await asyncio.wait_for(self.socket.recv(decode=False), self.visit.timeout)
            self.bytes_in += len(raw)
            message = ForwardMsg.FromString(raw)
            self._look(message)
            # A run cut short for another one is not the answer.
            if (
                message.WhichOneof("type") == "script_finished"
                and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return time.perf_counter() - start

    def _request(self, fragment: str) -> bytes:
        message = BackMsg()
        run = message.rerun_script
        run.query_string = self.query
        run.page_script_hash = self.page_hash
        if not self.page_hash:
            run.page_name = self.visit.page
        run.fragment_id = fragment
        run.cached_message_hashes.extend(self.kept)
        if self.state:
            run.widget_states.widgets.append(self.state)
        run.context_info.timezone = "UTC"
        run.context_info.locale = "en-US"
        run.context_info.url = f"{self.url}/{self.visit.page}"
        run.context_info.color_scheme = "light"
        return message.SerializeToString()

    def _look(self, message: ForwardMsg) -> None:
        """Keep what a browser keeps: the page, the component, the cache; an exception is a failure."""
        kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self.kept.add(message.hash)
        if kind == "new_session":
            self.page_hash = message.new_session.page_script_hash
        elif kind == "navigation":
            self.page_hash = message.navigation.page_script_hash or self.page_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.HasField("exception"):
                raise RuntimeError(f"the page raised {element.exception.type}: {element.exception.message}")
            widget = element.bidi_component.id if element.HasField("bidi_component") else ""
            if widget.endswith("-address"):
                self.session = json.loads(element.bidi_component.json)[0]["session"]
            if widget and (not self.visit.key or widget.endswith(f"-{self.visit.key}")):  # an id ends in the user key
                self.component = (widget, message.delta.fragment_id)


def cookie(url: str) -> str:
    """What a browser is given with its first page."""
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": "text/html"}), timeout=60) as answer:
        given = [each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie") or ()]
    return "; ".join(given)


async def _measure(
    url: str, number: int, seconds: float, think: float, burst: bool, visit: Visit, pid: int | None
) -> dict[str, float]:
    async with AsyncExitStack() as stack:
        pioneer = Visitor(url, visit)
        await pioneer.open(stack)
        for _ in range(3):
            await pioneer.click()
    server = psutil.Process(pid) if pid else None
    memory = _memory(server)
    async with AsyncExitStack() as stack:
        visitors = [Visitor(url, visit) for _ in range(number)]
        waiting = asyncio.Semaphore(8)  # they come one after another, as a class does

        async def come(visitor: Visitor) -> None:
            async with waiting:
                await visitor.open(stack)

        await _together(come(visitor) for visitor in visitors)
        received = sum(visitor.bytes_in for visitor in visitors)
        served, own, start = _cpu(server), time.process_time(), time.perf_counter()
        await _together(visitor.stay(start + seconds, think, burst) for visitor in visitors)
        wall = time.perf_counter() - start
        served, own = _cpu(server) - served, time.process_time() - own
        memory = _memory(server) - memory
    clicks = [took * 1000 for visitor in visitors for took in visitor.clicks]
    if not clicks:
        raise RuntimeError("nobody clicked: the time was shorter than the thinking")
    opened = [visitor.opened * 1000 for visitor in visitors]
    received = sum(visitor.bytes_in for visitor in visitors) - received
    result = {
        "visitors": number,
        "clicks": len(clicks),
        "clicks_per_second": len(clicks) / wall,
        "p50_ms": percentile(clicks, 50),
        "p95_ms": percentile(clicks, 95),
        "max_ms": max(clicks),
        "open_p50_ms": percentile(opened, 50),
        "open_p95_ms": percentile(opened, 95),
        "bytes_per_click": received / len(clicks),
        "client_cpu_percent": 100 * own / wall,
    }
    if server:
        result["server_cpu_ms_per_click"] = 1000 * served / len(clicks)
        result["server_cpu_percent"] = 100 * served / wall
        result["memory_mib_per_visitor"] = memory / number
    return {name: round(value, 2) for name, value in result.items()}


async def _together(coroutines: Iterable[Coroutine[None, None, object]]) -> None:
    """Run all of them; the first failure ends the others, and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in coroutines:
                group.create_task(coroutine)
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None


def percentile(values: list[float], percent: float) -> float:
    """The smallest value that `percent` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def _fill(state: object) -> object:
    """One click from its pattern (see CELL)."""
    if isinstance(state, dict):
        return {name: _fill(value) for name, value in state.items()}
    if isinstance(state, list):
        return random.choice(state)
    if isinstance(state, str) and (ends := re.fullmatch(r"(-?\d+)\.\.(-?\d+)", state)):
        return random.randint(int(ends[1]), int(ends[2]))
    return state


def _patched(query: str, patch: object) -> str:
    """A query string after a patch: None takes a parameter away."""
    if not isinstance(patch, dict):
        return query
    parameters = {**dict(parse_qsl(query, keep_blank_values=True)), **patch}
    return urlencode({name: value for name, value in parameters.items() if value is not None})


def _memory(process: psutil.Process | None) -> float:
    """Resident memory, in MiB."""
    return process.memory_info().rss / 2**20 if process else 0.0


def _cpu(process: psutil.Process | None) -> float:
    """CPU seconds used so far."""
    return sum(process.cpu_times()[:2]) if process else 0.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/_stcore/health", timeout=1) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def main() -> int:
    """The command line; 1 where 95 % of the clicks are slower than --max-p95."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a site that already runs; without it one is started")
    parser.add_argument("--pid", type=int, help="with --url: its process, for CPU and memory")
    parser.add_argument("--folder", type=Path, default=ROOT, help="without --url: where app.py lies")
    parser.add_argument("--visitors", type=int, nargs="+", default=[100])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=3, help="seconds between clicks; 0: none")
    parser.add_argument("--burst", action="store_true", help="all click in the same instant")
    parser.add_argument("--page", default=Visit.page)
    parser.add_argument("--query", default=Visit.query, help="query string, without '?'")
    parser.add_argument("--key", default=Visit.key, help="user key of the component")
    parser.add_argument("--state", type=json.loads, help=f"the patch it reports, as JSON: {json.dumps(CELL)}")
    parser.add_argument("--max-p95", type=float, default=math.inf, help="fail above this many ms")
    args = parser.parse_args()

    visit = Visit(args.page, args.query, args.key, args.state)
    running = nullcontext(Server(args.url, args.pid, 0)) if args.url else serve(args.folder)
    good = True
    with running as server:
        if not args.url:
            picture = server.ready_s + first_picture(server.url, visit)
            start = {"ready_s": round(server.ready_s, 2), "first_picture_s": round(picture, 2)}
            print(json.dumps(start), flush=True)
        for number in args.visitors:
            result = measure(
                server.url,
                visitors=number,
                seconds=args.seconds,
                think=args.think,
                burst=args.burst,
                visit=visit,
                pid=server.pid,
            )
            print(json.dumps(result), flush=True)
            good &= result["p95_ms"] <= args.max_p95
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
