"""What leans on the inside of Streamlit: that it is there in this version, that the site does without where it is not,
and, in each message, what to do at the next version."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest
from streamlit import config, runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session
from streamlit.runtime.app_session import _populate_theme_msg
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.session_manager import SessionManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from pages.shared.server import streamlit_inside
from pages.shared.server.streamlit_inside import inside, remembering

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")
EXPECTED: dict[tuple[str, ...], str] = {
    (
        "runtime.scriptrunner",
        "get_script_run_ctx",
    ): "find what names the session of a run",
    (
        "runtime",
        "Runtime",
        "instance",
    ): "find the one server of a process",
    ("runtime", "Runtime", "is_active_session"): "find what says that a tab is there",
    ("proto.BackMsg_pb2", "BackMsg"): "read rerun_script and widget_states of the new message, else no page has a turn",
    ("runtime.app_session", "ScriptRunner", "start"): "find where a run begins in the task of its socket",
    ("runtime.app_session", "ScriptRunner", "_run_script_thread"): "find the thread of a run: a turn is over with it",
    (
        "runtime.app_session",
        "_populate_theme_msg",
    ): "see whether each run still reads the theme",
    ("proto.NewSession_pb2", "CustomThemeConfig"): "see what the theme's message is called",
    (
        "delta_generator_singletons",
        "context_dg_stack",
    ): "see whether a fragment still copies its stack",
}


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Streamlit whose inside is another."""
    monkeypatch.setattr(streamlit_inside, "inside", lambda *_: None)


@pytest.mark.parametrize("name", EXPECTED)
def test_it_is_where_it_was(name: tuple[str, ...]) -> None:
    assert inside(*name) is not None, EXPECTED[name]


def test_sessions_are_kept_where_they_were() -> None:
    """Else find who keeps the sessions that left, or drop `forget_sessions`: memory then falls two minutes later."""
    assert "_session_storage" in WebsocketSessionManager.__init__.__code__.co_names
    assert "_session_mgr" in runtime.Runtime.__init__.__code__.co_names
    assert hasattr(MemorySessionStorage()._cache, "expire") and hasattr(SessionManager, "close_session")


def test_a_run_knows_that_another_page_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else find where a run keeps what was asked for meanwhile: a click just before a link brings the old page back."""
    here = SimpleNamespace(page_script_hash="a", script_requests=ScriptRequests())
    monkeypatch.setattr(streamlit_inside, "inside", lambda *_: lambda suppress_warning: here)
    asks = here.script_requests.request_rerun
    assert not streamlit_inside.another_page_is_next()
    asks(RerunData(page_script_hash="a"))
    assert not streamlit_inside.another_page_is_next()
    asks(RerunData(page_script_hash="b"))
    assert streamlit_inside.another_page_is_next()
    here.script_requests.on_scriptrunner_yield()  # that run has begun
    assert not streamlit_inside.another_page_is_next()
    here.script_requests = None
    assert not streamlit_inside.another_page_is_next()


def test_what_is_gone_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    inside.cache_clear()
    for _ in range(2):
        assert inside("nowhere", "nothing") is None and inside("runtime.app_session", "nothing") is None
    assert len(caplog.messages) == 2


# ---- a Streamlit without it


@pytest.mark.usefixtures("nothing")
def test_without_it_nobody_is_gone() -> None:
    assert streamlit_inside.this_session() == "" and not streamlit_inside.gone("a tab")
    streamlit_inside.forget_sessions(None, everyone=True)


@pytest.mark.usefixtures("nothing")
def test_without_it_every_message_goes_on() -> None:
    assert streamlit_inside.heard(BackMsg(stop_script=True).SerializeToString()) is None


@pytest.mark.usefixtures("nothing")
@pytest.mark.parametrize("change", ["read_theme_once", "around_runs"])
def test_without_it_streamlit_stays_as_it_is(change: str) -> None:
    names = (app_session, "_populate_theme_msg"), (app_session, "ScriptRunner")
    before = [getattr(*name) for name in names]
    arguments = (lambda: None, nullcontext) if change == "around_runs" else ()
    getattr(streamlit_inside, change)(*arguments)
    assert before == [getattr(*name) for name in names]


@pytest.mark.parametrize("gone", [None, SimpleNamespace(get=lambda: (object(), object()), set=lambda _: None)])
def test_without_it_a_piece_is_drawn_all_the_same(monkeypatch: pytest.MonkeyPatch, gone: object) -> None:
    monkeypatch.setattr(streamlit_inside, "inside", lambda *_: gone)
    with streamlit_inside.alone_in_its_container():
        pass


# ---- and with it


def test_a_message_is_read_and_noise_is_none() -> None:
    message = BackMsg()
    message.rerun_script.query_string = "text=a"
    found = streamlit_inside.heard(message.SerializeToString())
    assert found and found.rerun_script.query_string == "text=a"
    assert streamlit_inside.heard(b"") is None and streamlit_inside.heard(b"\xff\xff") is None


def test_a_run_says_when_it_begins_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []

    class Runner:
        def start(self) -> None:
            thread = threading.Thread(target=self._run_script_thread)
            thread.start()
            thread.join()

        def _run_script_thread(self) -> None:
            told.append("runs")

    @contextmanager
    def around(begun: str) -> Iterator[None]:
        told.append(begun)
        yield
        told.append("over")

    monkeypatch.setattr(app_session, "ScriptRunner", Runner)
    inside.cache_clear()
    streamlit_inside.around_runs(lambda: told.append("asked") or "begun", around)
    vars(app_session)["ScriptRunner"]().start()
    inside.cache_clear()
    assert told == ["asked", "begun", "runs", "over"]


def test_a_piece_remembers_its_innermost_container_alone() -> None:
    def page() -> None:
        import streamlit as st
        from streamlit.delta_generator_singletons import context_dg_stack

        from pages.shared.server.streamlit_inside import alone_in_its_container

        with st.container(), st.container():
            whole = len(context_dg_stack.get())
            with alone_in_its_container():
                alone = len(context_dg_stack.get())
                st.text("inside")
            st.text(f"{whole} {alone} {len(context_dg_stack.get())}")

    app = AppTest.from_function(page).run()
    assert [text.value for text in app.text] == ["inside", "3 2 3"]


@pytest.mark.parametrize("section", SECTIONS)
def test_it_is_the_same_each_time(section: str) -> None:
    quick = remembering(_populate_theme_msg)
    for _ in range(3):
        theirs, ours = NewSession(), NewSession()
        _populate_theme_msg(theirs.custom_theme, section)
        quick(ours.custom_theme, section)
        assert ours == theirs and ours.HasField("custom_theme") == theirs.HasField("custom_theme")


def test_nobody_can_change_what_is_remembered() -> None:
    quick = remembering(_populate_theme_msg)
    first, second = NewSession(), NewSession()
    quick(first.custom_theme, "theme.light")
    first.custom_theme.primary_color = "red"
    quick(second.custom_theme, "theme.light")
    assert second.custom_theme.primary_color != "red"


def test_there_is_a_theme() -> None:
    assert config.get_option("theme.light.primaryColor") == "#0f6b6b"
