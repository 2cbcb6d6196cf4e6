"""What comes in: what no page sends stays out, one person takes no more than their turns, and health says the truth."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from pages.shared import door, warm
from pages.shared.visitor import person


def run(work: Coroutine[Any, Any, object]) -> None:
    """In a thread of its own: where tests in a browser ran before, this one has a loop already."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def asks(kind: str) -> bytes:
    message = BackMsg()
    part = getattr(message, kind)
    part.SetInParent() if hasattr(part, "SetInParent") else setattr(message, kind, True)
    return message.SerializeToString()


def asks_about(text: str) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = urlencode({"text": text})
    return message.SerializeToString()


def finished(how: Any = ForwardMsg.FINISHED_SUCCESSFULLY) -> bytes:
    return ForwardMsg(script_finished=how).SerializeToString()


def reports(state: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="address", json_value=state)
    return message.SerializeToString()


class Site:
    """Behind the door: keeps what it hears over a socket, and says a page is finished when told to."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.say: dict[str, Callable[[bytes], Coroutine[None, None, None]]] = {}

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("behind the door")(scope, receive, send)
            return
        name = scope["path"]

        async def say(raw: bytes) -> None:
            await send({"type": "websocket.send", "bytes": raw})

        self.say[name] = say
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append((name, message["bytes"]))


class Tab:
    """A tab in front of the door."""

    def __init__(self, entrance: door.Door, name: str, cookie: str = "", address: str = "1.2.3.4"):
        self.inbox: asyncio.Queue[dict] = asyncio.Queue()
        headers = [(b"cookie", f"_streamlit_xsrf={cookie}".encode())] if cookie else []
        scope = {"type": "websocket", "path": name, "headers": headers, "client": (address, 1)}

        async def send(_) -> None: ...

        self.task = asyncio.create_task(entrance(scope, self.inbox.get, send))

    async def ask(self, raw: bytes) -> None:
        self.inbox.put_nowait({"type": "websocket.receive", "bytes": raw})
        await settle()

    async def close(self) -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect"})
        await settle()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def entrance(site: Site) -> door.Door:
    return door.Door(site)


@pytest.mark.parametrize("kind", ["clear_cache", "set_run_on_save", "load_git_info", "file_urls_request"])
def test_what_no_page_sends_stays_out(kind: str, site: Site, entrance: door.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a")
        for raw in (asks(kind), asks("app_heartbeat"), b"\xff no message", asks("rerun_script")):
            await tab.ask(raw)
        await tab.close()

    run(go())
    assert [raw for _, raw in site.heard] == [asks("app_heartbeat"), b"\xff no message", asks("rerun_script")]


def test_one_person_has_so_many_turns_and_another_does_not_wait(site: Site, entrance: door.Door) -> None:
    async def go() -> None:
        mine, yours = generate_xsrf_token_string(), generate_xsrf_token_string()
        tabs = [Tab(entrance, f"mine {i}", mine) for i in range(door.SHARE + 2)]
        for tab in tabs:
            await tab.ask(asks("rerun_script"))
        assert [name for name, _ in site.heard] == [f"mine {i}" for i in range(door.SHARE)]
        await Tab(entrance, "yours", yours).ask(asks("rerun_script"))
        assert site.heard[-1][0] == "yours"
        await site.say["mine 0"](finished(ForwardMsg.FINISHED_EARLY_FOR_RERUN))
        await settle()
        assert site.heard[-1][0] == "yours"  # the page is drawn once more
        await site.say["mine 0"](finished())
        await settle()
        assert site.heard[-1][0] == f"mine {door.SHARE}"
        await tabs[1].close()
        assert site.heard[-1][0] == f"mine {door.SHARE + 1}"

    run(go())


def test_long_sentences_wait_for_each_other_and_nobody_else_for_them(site: Site, entrance: door.Door) -> None:
    async def go() -> None:
        for i in range(door.LONG + 1):
            await Tab(entrance, f"long {i}", address=f"home {i}").ask(asks_about("cat " * 400))
        assert [name for name, _ in site.heard] == [f"long {i}" for i in range(door.LONG)]
        await Tab(entrance, "short", address="elsewhere").ask(asks_about("The cat sat on the mat."))
        assert site.heard[-1][0] == "short"
        await site.say["long 0"](finished())
        await settle()
        assert site.heard[-1][0] == f"long {door.LONG}"

    run(go())


def test_a_tab_that_has_its_turn_may_ask_again(site: Site, entrance: door.Door) -> None:
    """A click does not wait for the page that the one before it asked for: it cuts it short."""

    async def go() -> None:
        tab = Tab(entrance, "a")
        for _ in range(5):
            await tab.ask(asks("rerun_script"))
        assert len(site.heard) == 5

    run(go())


def test_who_stays_in_the_door_is_forgotten_on_leaving(entrance: door.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a", generate_xsrf_token_string())
        await tab.ask(asks("rerun_script"))
        assert len(entrance.lines) == 1
        await tab.close()
        assert not entrance.lines

    run(go())


def test_a_browser_is_one_person_wherever_its_token_is_masked_anew() -> None:
    token = bytes(range(16))
    one, two = (generate_xsrf_token_string(token, 1) for _ in range(2))
    assert one != two
    assert person({"_streamlit_xsrf": one}, "a") == person({"_streamlit_xsrf": two}, "b")
    assert person({}, "a") == person({"_streamlit_xsrf": "2|no|token"}, "a") != person({}, "b")


def test_there_is_nothing_to_upload(entrance: door.Door) -> None:
    client = TestClient(entrance)
    for path in ("/_stcore/upload_file/a/b", "/under/a/path/_stcore/upload_file/a/b"):
        assert client.put(path, files={"file": b"x" * 1000}).status_code == 403


def test_health_says_when_the_models_could_not_be_loaded(entrance: door.Door, monkeypatch: pytest.MonkeyPatch) -> None:
    client = TestClient(entrance)
    assert client.get("/_stcore/health").status_code == 200
    monkeypatch.setattr(warm, "_failure", "WeightsError")
    assert client.get("/_stcore/health").status_code == client.get("/base/_stcore/health").status_code == 503
    # Our page asks before it connects: refused, it would never say what is wrong.
    assert client.get("/_stcore/health", headers={"Referer": "http://testserver/"}).status_code == 200
    assert client.get("/attention").text == "behind the door"
    monkeypatch.setattr(warm, "_failure", "")
    assert client.get("/_stcore/health").status_code == 200


@pytest.mark.parametrize("state", ['{"report": ' + "9" * 5000 + "}", "[" * 5000, '{"report": "' + "9" * 5000])
def test_a_state_that_python_will_not_read_is_not_heard(site, entrance, state):
    async def go() -> None:
        tab = Tab(entrance, "forger")
        await tab.ask(reports(state))
        assert not site.heard
        await tab.ask(reports('{"draft": "' + "9" * 5000 + '"}'))
        assert len(site.heard) == 1
        await tab.close()

    run(go())
