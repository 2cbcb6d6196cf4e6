"""The warm-up: one that failed says so without a path, and is tried again until it is done."""

import threading

import pytest

from core.errors import WeightsError
from pages.shared import warm


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not begun."""
    for name in ("_done", "_begun"):
        monkeypatch.setattr(warm, name, threading.Event())
    monkeypatch.setattr(warm, "_failure", "")
    monkeypatch.setattr(warm, "AGAIN", 0.01)
    monkeypatch.setattr(warm, "_warm_labs", lambda: None)


def test_it_is_tried_until_it_succeeds(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []
    weights_there = threading.Event()

    def load() -> None:
        tries.append(warm.failure())
        if not weights_there.is_set():
            raise WeightsError("/srv/site/weights.safetensors is missing")

    monkeypatch.setattr(warm, "_warm", load)
    warm.start()
    while len(tries) < 3:
        warm.wait(0.01)
    assert tries[:3] == ["", "WeightsError", "WeightsError"]  # no path of the server: a page shows it
    weights_there.set()
    assert warm.wait(10) and warm.failure() == ""


def test_many_starts_are_one(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    monkeypatch.setattr(warm, "_warm", lambda: begun.append(1))
    for _ in range(20):
        warm.start()
    assert warm.wait(10)
    warm.once()
    assert begun == [1]
