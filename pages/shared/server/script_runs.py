"""The runs of Streamlit's scripts: each keeps the turn it was given until its thread has ended, which is when it costs
nothing any more. A run that was cut short goes on until it next says something; a message to a browser tells neither.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pages.shared.server.streamlit_inside import around_runs

End = Callable[[], None]

# What a run that begins calls, to be told what to call when it is over; set for each socket.
BEGIN: ContextVar[Callable[[], End | None] | None] = ContextVar("BEGIN", default=None)
_here = threading.local()


def let_go() -> None:
    """The run of this thread is over, or only waits from here on: others may have its turn."""
    if end := getattr(_here, "end", None):
        end()


def begin() -> End | None:
    begins = BEGIN.get()
    return begins() if begins else None


@contextmanager
def counted(end: End | None) -> Iterator[None]:
    """The thread of one run, which knows what to call when it is over."""
    _here.end = end
    try:
        yield
    finally:
        let_go()


def count() -> None:
    """To be called once, before there are sessions."""
    around_runs(begin, counted)
