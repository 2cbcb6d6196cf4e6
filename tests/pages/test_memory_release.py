"""The process is kept small: who left is forgotten, and the cache gives way before the memory ends."""

import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo

from core import memory
from pages.shared.server import cached, memory_release
from pages.shared.server.streamlit_inside import forget_sessions


class Session:
    def __init__(self, name: str) -> None:
        self.id = name


class Server:
    """As much of Streamlit's runtime as is asked."""

    def __init__(self, seconds: float) -> None:
        self.storage = MemorySessionStorage(ttl_seconds=seconds)  # type: ignore[arg-type]
        self._session_mgr = SimpleNamespace(_session_storage=self.storage)

    def close_session(self, name: str) -> None:
        self.storage.delete(name)

    def leaves(self, name: str) -> weakref.ref:
        """A session of this name is disconnected."""
        session = Session(name)
        self.storage.save(SessionInfo(client=None, session=session, script_run_count=1))  # type: ignore[arg-type]
        return weakref.ref(session)


@pytest.mark.parametrize(("seconds", "everyone", "stays"), [(-1, False, False), (100, False, True), (100, True, False)])
def test_who_left_is_forgotten_in_time_or_when_memory_is_short(seconds: float, everyone: bool, stays: bool) -> None:
    server = Server(seconds)
    session = server.leaves("ann")
    forget_sessions(server, everyone)
    gc.collect()
    assert (session() is not None) is stays


@cached.shared
def large(name: int) -> np.ndarray:
    return np.zeros(4 << 20, np.uint8)


def test_the_cache_gives_way_until_the_process_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    cached.shrink(0)
    for name in range(64):
        large(name)
    full = cached.size()
    monkeypatch.setattr(memory, "resident", lambda: memory_release.HIGH - full + 2 * cached.size())
    memory_release.make_room()
    assert memory_release.LEAST / 2 <= cached.size() <= full / 2 and memory.resident() <= memory_release.HIGH
    monkeypatch.setattr(memory, "resident", lambda: 10 * memory_release.HIGH)
    memory_release.make_room()  # what others hold is not in the cache: it ends all the same
    assert cached.size() <= memory_release.LEAST
    cached.shrink(0)
