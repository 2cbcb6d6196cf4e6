"""The runs of Streamlit's scripts: each keeps the turn it was given until its thread has ended, which is when it costs
nothing any more. A run that was cut short goes on until it next says something; a message to a browser tells neither.
"""

import threading
from collections.abc import Callable
from contextvars import ContextVar

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

End = Callable[[], None]

# What a run that begins calls, to be told what to call when it is over; set for each socket.
BEGIN: ContextVar[Callable[[], End | None] | None] = ContextVar("BEGIN", default=None)
_here = threading.local()


class Run(ScriptRunner):
    """One that says when it begins, still in the task of its socket, and when it is over, in its own thread."""

    end: End | None = None

    def start(self) -> None:
        if begin := BEGIN.get():
            self.end = begin()
        super().start()

    def _run_script_thread(self) -> None:
        _here.end = self.end
        try:
            super()._run_script_thread()
        finally:
            let_go()


def let_go() -> None:
    """The run of this thread is over, or only waits from here on: others may have its turn."""
    if end := getattr(_here, "end", None):
        end()


def count() -> None:
    """To be called once, before there are sessions."""
    app_session.ScriptRunner = Run  # type: ignore[attr-defined]
