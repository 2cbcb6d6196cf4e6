"""What the door leans on in Streamlit and uvicorn, asked of a real server: that runs are counted, that messages are
bounded while they are read, that a socket which nobody reads is cut."""

import asyncio
import json
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from benchmarks import loadtest
from benchmarks.loadtest import Visit, Visitor
from pages.shared.server import request_gate, visitor
from tests.pages.test_request_gate import run

ROOT = Path(__file__).parents[2]
APP = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from pages.shared.server import request_gate, script_runs

request_gate.SENDING = 1
doors = []

class Seen(request_gate.Door):
    def __init__(self, app):
        super().__init__(app)
        doors.append(self)

def seen(_):
    return JSONResponse([len(doors[-1].turns.held), len(doors[-1].sockets)])

script_runs.count()
request_gate.tune_sockets()
app = st.App("script.py", routes=[Route("/seen", seen)], middleware=[Middleware(Seen)])
"""
SCRIPT = """
import time
import streamlit as st

st.text(st.query_params.get("text", ""))
for i in range(int(st.query_params.get("much", 0))):
    st.text(f"{i}" + "x" * 1_000_000)
time.sleep(float(st.query_params.get("seconds", 0)))
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "app.py").write_text(APP)
    (folder / "script.py").write_text(SCRIPT)
    with loadtest.serve(folder) as server:
        yield server.url


def seen(url: str) -> list[int]:
    """How many hold a turn, by address and by person; of how many addresses there are sockets."""
    with urllib.request.urlopen(f"{url}/seen") as answer:
        return json.load(answer)


async def until(url: str, wanted: list[int]) -> None:
    async with asyncio.timeout(10):
        while await asyncio.to_thread(seen, url) != wanted:
            await asyncio.sleep(0.05)


def connected(url: str, do: Callable[[Visitor], Awaitable[object]]) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            tab = Visitor(url, Visit("", key="", timeout=10))
            await tab.connect(stack)
            await do(tab)
        await until(url, [0, 0])

    run(go())


@pytest.mark.long
def test_a_run_has_its_turn_until_its_thread_has_ended(url: str) -> None:
    async def do(tab: Visitor) -> None:
        assert tab.socket
        tab.query = "seconds=2"
        await tab.socket.send(tab._request(""))
        await until(url, [2, 1])
        await asyncio.sleep(0.5)  # it sleeps
        tab.query = "text=short"
        await tab._run()  # cuts the other short, which sleeps on
        assert seen(url) == [2, 1]
        await until(url, [0, 1])

    connected(url, do)


def test_a_piece_that_is_not_there_costs_no_turn(url: str) -> None:
    async def do(tab: Visitor) -> None:
        assert tab.socket
        await tab._run()
        for _ in range(5):
            await tab.socket.send(tab._request("no such piece"))
        await asyncio.wait_for(tab._run(), 5)

    connected(url, do)


def test_a_message_that_is_too_large_is_refused_while_it_is_read(url: str) -> None:
    async def do(tab: Visitor) -> None:
        assert tab.socket
        with pytest.raises(ConnectionClosed) as closed:
            await tab.socket.send(b"x" * (request_gate.LARGEST + 1))
            await tab.socket.recv()
        assert closed.value.rcvd and closed.value.rcvd.code == 1009

    connected(url, do)


def test_a_socket_that_nobody_reads_is_cut(url: str) -> None:
    async def do(tab: Visitor) -> None:
        assert tab.socket
        tab.socket.transport.pause_reading()  # type: ignore[attr-defined]
        tab.query = "much=30"
        await tab.socket.send(tab._request(""))
        await until(url, [2, 1])
        await until(url, [0, 0])  # still open on this side
        tab.socket.transport.resume_reading()  # type: ignore[attr-defined]

    connected(url, do)


def test_a_page_brings_a_cookie_of_ours(url: str) -> None:
    assert visitor.COOKIE in loadtest.cookie(url)
