"""What comes in: what no page sends stays out, nobody takes every turn."""

import asyncio
from urllib.parse import urlencode

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from pages.shared.server import request_gate, script_runs, visitor
from pages.shared.server.visitor import new_cookie, person
from tests.coroutines import run


def asks(kind: str) -> bytes:
    message = BackMsg()
    part = getattr(message, kind)
    part.SetInParent() if hasattr(part, "SetInParent") else setattr(message, kind, True)
    return message.SerializeToString()


def asks_about(text: str) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = urlencode({"text": text})
    return message.SerializeToString()


def asks_for_piece(name: str) -> bytes:
    message = BackMsg()
    message.rerun_script.fragment_id = name
    return message.SerializeToString()


def asks_on(page: str, piece: str = "") -> bytes:
    """For a page, or a piece of it, by its hash."""
    message = BackMsg()
    message.rerun_script.fragment_id, message.rerun_script.page_script_hash = piece, page
    return message.SerializeToString()


def reports(state: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="address", json_value=state)
    return message.SerializeToString()


class Site:
    """Behind the door: keeps what it hears over a socket. A run begins for each page that is asked for and is over when
    told to be; a request for the piece "gone" is not answered, and for "joined" taken up by the run under way."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.runs: dict[str, list[script_runs.End]] = {}
        self.say: dict[str, Send] = {}

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.heard]

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http":
            html = "text/html" in HTTPConnection(scope).headers.get("accept", "")
            answer = HTMLResponse("behind the door") if html else PlainTextResponse("behind the door")
            await answer(scope, receive, send)
            return
        name = scope["path"]
        self.say[name] = send
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append((name, message["bytes"]))
            asked = request_gate.heard(message["bytes"])
            if asked and asked.HasField("rerun_script") and asked.rerun_script.fragment_id not in ("gone", "joined"):
                begin = script_runs.BEGIN.get()
                end = begin() if begin else None
                assert end
                self.runs.setdefault(name, []).append(end)

    async def over(self, name: str) -> None:
        """The run that this tab began first is over."""
        self.runs[name].pop(0)()
        await settle()


class Tab:
    """A tab in front of the door."""

    def __init__(
        self,
        entrance: request_gate.Door,
        name: str,
        cookie: str = "",
        address: str = "1.2.3.4",
        send: Send | None = None,
    ):
        self.inbox: asyncio.Queue[dict] = asyncio.Queue()
        self.sent: list[Message] = []
        headers = [(b"cookie", f"{visitor.COOKIE}={cookie}".encode())] if cookie else []
        scope = {"type": "websocket", "path": name, "headers": headers, "client": (address, 1)}

        async def keep(message: Message) -> None:
            self.sent.append(message)

        self.task = asyncio.create_task(entrance(scope, self.inbox.get, send or keep))

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
def entrance(site: Site) -> request_gate.Door:
    return request_gate.Door(site)


@pytest.mark.parametrize("kind", ["clear_cache", "set_run_on_save", "load_git_info", "file_urls_request"])
def test_what_no_page_sends_stays_out(kind: str, site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a")
        for raw in (asks(kind), asks("app_heartbeat"), b"\xff no message", asks("rerun_script")):
            await tab.ask(raw)
        await tab.close()

    run(go())
    assert [raw for _, raw in site.heard] == [asks("app_heartbeat"), b"\xff no message", asks("rerun_script")]


def test_one_person_has_so_many_turns_and_another_does_not_wait(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        mine = new_cookie()
        tabs = [Tab(entrance, f"mine {i}", mine) for i in range(request_gate.SHARE + 2)]
        for tab in tabs:
            await tab.ask(asks("rerun_script"))
        assert site.names == [f"mine {i}" for i in range(request_gate.SHARE)]
        await Tab(entrance, "yours", new_cookie()).ask(asks("rerun_script"))
        assert site.names[-1] == "yours"
        await site.over("mine 0")
        assert site.names[-1] == f"mine {request_gate.SHARE}"
        await tabs[1].close()  # what was begun for it is still being computed
        assert site.names[-1] == f"mine {request_gate.SHARE}"
        await site.over("mine 1")
        assert site.names[-1] == f"mine {request_gate.SHARE + 1}"

    run(go())


@pytest.mark.parametrize("forge", [lambda: "", generate_xsrf_token_string, lambda: new_cookie()[:-1] + "!"])
def test_who_forges_cookies_is_one_person(forge, site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        for i in range(8):
            await Tab(entrance, f"forger {i}", forge()).ask(asks("rerun_script"))
        assert site.names == [f"forger {i}" for i in range(request_gate.SHARE)]
        await Tab(entrance, "pupil", new_cookie()).ask(asks("rerun_script"))
        assert site.names[-1] == "pupil"

    run(go())


def test_however_many_people_an_address_has_another_does_not_wait(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        for i in range(20):
            await Tab(entrance, f"a {i}", new_cookie(), address="::ffff:10.0.0.1").ask(asks("rerun_script"))
        assert site.names == [f"a {i}" for i in range(request_gate.WHOLE_OF_ADDRESS)]
        await Tab(entrance, "b", new_cookie(), address="10.0.0.2").ask(asks("rerun_script"))
        await Tab(entrance, "c", new_cookie(), address="10.0.0.3").ask(asks("rerun_script"))
        assert site.names[request_gate.WHOLE_OF_ADDRESS :] == ["b"]
        await site.over("a 0")
        assert site.names[-1] == "c"  # who asked last, of an address that holds less
        await site.over("a 1")
        assert site.names[-1] == f"a {request_gate.WHOLE_OF_ADDRESS}"

    run(go())


def test_a_click_does_not_wait_for_pages(site: Site, entrance: request_gate.Door) -> None:
    """Of an address that opens as many pages as it may, a piece is drawn all the same."""

    async def go() -> None:
        for i in range(5):
            await Tab(entrance, f"opens {i}", new_cookie()).ask(asks("rerun_script"))
        assert len(site.names) == request_gate.WHOLE_OF_ADDRESS < request_gate.OF_ADDRESS
        await Tab(entrance, "clicks", new_cookie()).ask(asks_for_piece("derivation"))
        assert site.names[-1] == "clicks"

    run(go())


def test_a_tab_that_leaves_while_it_waits_takes_no_turn(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        tabs = [Tab(entrance, f"{i}") for i in range(request_gate.SHARE + 2)]
        for tab in tabs:
            await tab.ask(asks("rerun_script"))
        await tabs[-2].close()
        assert tabs[-2].task.done()
        await site.over("0")
        assert site.names[-1] == f"{request_gate.SHARE + 1}"

    run(go())


def test_long_sentences_wait_for_each_other_and_nobody_else_for_them(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        for i in range(request_gate.LONG + 1):
            await Tab(entrance, f"long {i}", address=f"10.0.0.{i}").ask(asks_about("cat " * 400))
        assert site.names == [f"long {i}" for i in range(request_gate.LONG)]
        await Tab(entrance, "short", address="10.0.1.1").ask(asks_about("The cat sat on the mat."))
        assert site.names[-1] == "short"
        await site.over("long 0")
        assert site.names[-1] == f"long {request_gate.LONG}"

    run(go())


def test_one_person_draws_one_long_sentence_at_a_time(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        for i in range(3):
            await Tab(entrance, f"mine {i}").ask(asks_about("cat " * 400))
        await Tab(entrance, "yours", address="10.0.0.1").ask(asks_about("cat " * 400))
        assert site.names == ["mine 0", "yours"]

    run(go())


def test_chinese_is_as_long_as_it_is_and_not_as_its_address() -> None:
    async def go() -> None:
        site = Site()
        entrance = request_gate.Door(site)
        for i in range(request_gate.SHARE):
            await Tab(entrance, f"{i}").ask(asks_about("我昨天在北京买了三本书。" * 15))
        assert len(site.heard) == request_gate.SHARE

    run(go())


def test_a_piece_of_a_page_that_was_left_is_not_drawn(site: Site, entrance: request_gate.Door) -> None:
    async def check() -> None:
        tab = Tab(entrance, "one")
        left = [asks_on(""), asks_on("a", "piece"), asks_on("b"), asks_on("a", "late")]
        for raw in (*left, asks_on("b", "piece"), asks_on("a"), asks_on("a", "back")):
            await tab.ask(raw)
            while site.runs.get("one"):
                await site.over("one")
        runs = [heard.rerun_script for _, raw in site.heard if (heard := request_gate.heard(raw))]
        assert [(run.fragment_id, run.page_script_hash) for run in runs] == [
            *(("", ""), ("piece", "a"), ("", "b"), ("piece", "b"), ("", "a"), ("back", "a"))
        ]
        await tab.close()

    asyncio.run(check())


def test_a_button_of_a_page_that_was_left_does_nothing(site: Site, entrance: request_gate.Door) -> None:
    def presses(page: str, **value: object) -> bytes:
        message = BackMsg.FromString(asks_on(page))
        message.rerun_script.widget_states.widgets.add(id="button", **value)
        return message.SerializeToString()

    async def check() -> None:
        tab = Tab(entrance, "one")
        late, back = presses("a", trigger_value=True), presses("a", trigger_value=False)  # Back presses nothing
        for raw in (presses("a", trigger_value=True), presses("b"), late, back):
            await tab.ask(raw)
            while site.runs.get("one"):
                await site.over("one")
        assert [raw for _, raw in site.heard] == [presses("a", trigger_value=True), presses("b"), back]
        await tab.close()

    asyncio.run(check())


def test_a_click_cuts_the_page_before_short_and_a_third_waits(site: Site, entrance: request_gate.Door) -> None:
    """Each costs a turn: what was cut short is still being computed."""

    async def go() -> None:
        tab = Tab(entrance, "a")
        for _ in range(5):
            await tab.ask(asks("rerun_script"))
        assert len(site.heard) == request_gate.SHARE
        await site.over("a")
        assert len(site.heard) == request_gate.SHARE + 1

    run(go())


def test_what_begins_no_run_gives_its_turn_back(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        for i in range(8):
            await Tab(entrance, f"{i}").ask(asks_for_piece("gone"))
        assert len(site.heard) == 8 and not entrance.turns.held

    run(go())


def test_a_run_takes_up_so_many_requests_before_it_must_end(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a")
        await tab.ask(asks("rerun_script"))
        for _ in range(request_gate.JOINED + 3):
            await tab.ask(asks_for_piece("joined"))
        assert len(site.heard) == 1 + request_gate.JOINED
        await site.over("a")
        assert len(site.heard) == 1 + request_gate.JOINED + 3 and not entrance.turns.held

    run(go())


def test_who_stays_in_the_door_is_forgotten_on_leaving(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a", new_cookie())
        await tab.ask(asks("rerun_script"))
        await site.over("a")
        await tab.close()
        assert not entrance.turns.held and not entrance.turns.waiting and not entrance.sockets

    run(go())


def test_an_address_has_so_many_sockets(
    site: Site, entrance: request_gate.Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_gate, "SOCKETS", 2)

    async def go() -> None:
        tabs = [Tab(entrance, f"{i}") for i in range(3)]
        other = Tab(entrance, "other", address="10.0.0.1")
        await settle()
        assert [tab.sent for tab in (*tabs, other)] == [[], [], [{"type": "websocket.close"}], []]

    run(go())


def test_what_is_too_large_is_not_read_and_the_tab_is_sent_away(site: Site, entrance: request_gate.Door) -> None:
    async def go() -> None:
        tab = Tab(entrance, "a")
        await tab.ask(reports("[" + "[]," * (request_gate.LARGEST // 3) + "[]]"))
        assert tab.sent == [{"type": "websocket.close", "code": 1009}] and tab.task.done() and not site.heard

    run(go())


def test_a_tab_that_says_too_much_is_heard_no_faster(site: Site, entrance: request_gate.Door, monkeypatch) -> None:
    async def go() -> None:
        loop, clock = asyncio.get_running_loop(), [0.0]
        monkeypatch.setattr(loop, "time", lambda: clock[0])
        tab = Tab(entrance, "a")
        for _ in range(request_gate.RATE * 3):
            tab.inbox.put_nowait({"type": "websocket.receive", "bytes": asks("app_heartbeat")})
        for later in (0, 10, 10):
            clock[0] += later / request_gate.RATE
            for _ in range(request_gate.RATE * 6):
                await asyncio.sleep(0)
            heard = request_gate.RATE * (request_gate.BURST + clock[0])
            assert heard - 2 <= len(site.heard) <= heard + 2

    run(go())


def test_nothing_is_drawn_for_who_takes_nothing_and_in_the_end_it_is_let_go(site, entrance, monkeypatch) -> None:
    monkeypatch.setattr(request_gate, "SENDING", 0.2)

    class Line:
        """A connection whose other end does not read."""

        aborted = False

        @property
        def transport(self) -> "Line":
            return self

        def get_write_buffer_size(self) -> int:
            return 1

        def abort(self) -> None:
            self.aborted = True

        async def send(self, _) -> None:
            await asyncio.Event().wait()

    async def go() -> None:
        line = Line()
        tab = Tab(entrance, "a", send=line.send)
        await tab.ask(asks("rerun_script"))
        saying = asyncio.create_task(site.say["a"]({"type": "websocket.send", "bytes": b"much"}))
        await settle()
        await tab.ask(asks("rerun_script"))
        assert len(site.heard) == 1 and not line.aborted
        with pytest.raises(TimeoutError):
            await saying
        assert line.aborted

    run(go())


def test_a_browser_is_known_by_a_cookie_that_we_signed() -> None:
    mine, yours = ({visitor.COOKIE: new_cookie()} for _ in range(2))
    assert person(mine, "a") == person(mine, "b") != person(yours, "a")
    forged = {visitor.COOKIE: mine[visitor.COOKIE][::-1], "_streamlit_xsrf": generate_xsrf_token_string()}
    assert person(forged, "1.2.3.4") == person({}, "1.2.3.4") == person({}, "::ffff:1.2.3.4") != person({}, "1.2.3.5")
    assert person({}, "2001:db8::1") == person({}, "2001:db8::2") != person({}, "2001:db8:0:1::1")


def test_a_page_brings_the_cookie_once(entrance: request_gate.Door) -> None:
    client = TestClient(entrance)
    page = {"Accept": "text/html"}
    assert "set-cookie" not in client.get("/static/js/index.js").headers
    given = client.get("/", headers=page).headers["set-cookie"]
    assert given.startswith(f"{visitor.COOKIE}=") and given.endswith("; Path=/; HttpOnly; SameSite=Lax")
    assert person(client.cookies, "a") != person({}, "a")
    assert "set-cookie" not in client.get("/", headers=page).headers
    client = TestClient(entrance, base_url="https://testserver")
    assert client.get("/", headers=page).headers["set-cookie"].endswith("; Secure")


def test_there_is_nothing_to_upload(entrance: request_gate.Door) -> None:
    client = TestClient(entrance)
    for path in ("/_stcore/upload_file/a/b", "/under/a/path/_stcore/upload_file/a/b"):
        assert client.put(path, files={"file": b"x" * 1000}).status_code == 403


@pytest.mark.parametrize(("host", "answer"), [("127.0.0.1", 200), ("::1", 200), ("10.0.0.7", 403)])
def test_what_the_server_counts_is_told_to_its_own_machine(entrance: request_gate.Door, host: str, answer: int) -> None:
    client = TestClient(entrance, client=(host, 1))
    for path in ("/_stcore/metrics", "/base/_stcore/metrics"):
        assert client.get(path).status_code == answer
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
