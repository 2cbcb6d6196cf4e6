"""All that leans on the inside of Streamlit, which no version promises. Each thing is looked for where it is used;
where it is not there any more, the site does without, as is said at each after "Else".
tests/pages/test_streamlit_inside.py says what to do at the next version.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.message import DecodeError

if TYPE_CHECKING:
    from streamlit.proto.BackMsg_pb2 import BackMsg

LOG = logging.getLogger(__name__)
Begun = TypeVar("Begun")


@cache
def inside(module: str, *names: str) -> Any:
    """A name inside Streamlit, or a name of that; None where it is gone, which the log says once."""
    try:
        found = import_module(f"streamlit.{module}")
        for name in names:
            found = getattr(found, name)
    except (ImportError, AttributeError):
        LOG.warning("Streamlit has no %s any more: see %s", ".".join((module, *names)), __name__)
        return None
    return found


# ---- who is there


def this_session() -> str:
    """The tab whose page is being drawn; empty where there is no server, as in a test, or where nobody can say: then
    nothing ends because somebody has left."""
    context = inside("runtime.scriptrunner", "get_script_run_ctx")
    found = context(suppress_warning=True) if context else None
    return getattr(found, "session_id", "") if found and server() else ""


def gone(session: str) -> bool:
    """Whether this tab is closed, or its connection is lost. Else: nobody is gone."""
    here = server() if session else None
    active = getattr(here, "is_active_session", None)
    return bool(active) and not active(session)


def server() -> Any:
    """The one server of this process; None where there is none."""
    runtime = inside("runtime", "Runtime")
    return runtime.instance() if runtime and runtime.exists() else None


def forget_sessions(server: Any, everyone: bool = False) -> None:
    """Let the sessions go that left two minutes ago (`server.disconnectedSessionTTL`), or all that left. Else:
    Streamlit forgets one when another leaves."""
    try:
        storage = server._session_mgr._session_storage
        storage._cache.expire()
        for session in storage.list() if everyone else ():
            server.close_session(session.session.id)
    except AttributeError:
        LOG.debug("sessions that left cannot be forgotten", exc_info=True)


# ---- what a browser says


def heard(raw: bytes) -> "BackMsg | None":
    """What a browser says; None where it is no message, which Streamlit refuses itself. Else: every message goes on,
    and no page waits for its turn."""
    message = inside("proto.BackMsg_pb2", "BackMsg")
    try:
        return message.FromString(raw) if raw and message else None
    except DecodeError:
        return None


# ---- runs


def around_runs(begin: Callable[[], Begun], around: Callable[[Begun], AbstractContextManager[object]]) -> None:
    """`begin()` is called where a run of a script begins, still in the task of its socket; its thread runs in `around`
    what that gave. Else: a turn is over when the same tab asks again. To be called once, before there are sessions."""
    sessions, runner = inside("runtime.app_session"), inside("runtime.app_session", "ScriptRunner")
    if not inside("runtime.app_session", "ScriptRunner", "_run_script_thread"):
        return

    class Run(runner):
        def start(self) -> None:
            self.begun = begin()
            super().start()

        def _run_script_thread(self) -> None:
            with around(self.begun):
                super()._run_script_thread()

    sessions.ScriptRunner = Run


def read_theme_once() -> None:
    """The theme stands in the first message of every run, and Streamlit reads it from the configuration each time: a
    fifth of what a click costs. The configuration does not change while a server runs. Else: it is read each time. To
    be called once, before there are sessions."""
    populate, message = inside("runtime.app_session", "_populate_theme_msg"), inside("proto.NewSession_pb2")
    if populate and message:
        inside("runtime.app_session")._populate_theme_msg = remembering(populate)


def remembering(populate: Callable[..., None]) -> Callable[..., None]:
    """The same as Streamlit's own, but for the second time on."""

    @cache
    def theme(section: str) -> Any:
        message = inside("proto.NewSession_pb2", "CustomThemeConfig")()
        populate(message, section)
        return message

    def copied(message: Any, section: str = "theme") -> None:
        if theme(section).ByteSize():  # an empty one must stay unset
            message.CopyFrom(theme(section))

    return copied


def another_page_is_next() -> bool:
    """Whether the run of this thread is about to end because another page was asked for meanwhile. A rerun that it
    asked for would bring its own page back. Else: it may."""
    context = inside("runtime.scriptrunner", "get_script_run_ctx")
    found: Any = context(suppress_warning=True) if context else None
    try:
        requests = found.script_requests
        waiting, page = requests._state.value == "RERUN", requests._rerun_data.page_script_hash
        return bool(waiting and page and page != found.page_script_hash)
    except AttributeError:
        return False


@contextmanager
def alone_in_its_container() -> Iterator[None]:
    """A piece remembers the containers around it, and Streamlit copies all of them with all of theirs for each run:
    a sixth of a click. Only the innermost matters, and where it stands. Else: they are copied."""
    stack = inside("delta_generator_singletons", "context_dg_stack")
    try:
        page, *containers = stack.get()
        token = stack.set((page, *(beneath(page, inner) for inner in containers[-1:])))
    except (AttributeError, TypeError):
        token = None
    try:
        yield
    finally:
        if token:
            stack.reset(token)


def beneath(page: Any, inner: Any) -> Any:
    """The same container as if it stood on the page itself: its place is in its cursor."""
    return type(inner)(inner._root_container, inner._cursor, page, inner._block_type)
