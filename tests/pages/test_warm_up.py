"""The warm-up: one that failed says so without a path, and is tried again until it is done."""

import threading

import pytest

from core.errors import WeightsError
from pages.shared.server import warm_up


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not begun."""
    for name in ("_done", "_begun"):
        monkeypatch.setattr(warm_up, name, threading.Event())
    monkeypatch.setattr(warm_up, "_failure", "")
    monkeypatch.setattr(warm_up, "AGAIN", 0.01)
    monkeypatch.setattr(warm_up, "_warm_labs", lambda: None)


def test_it_is_tried_until_it_succeeds(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []
    weights_there = threading.Event()

    def load() -> None:
        tries.append(warm_up.failure())
        if not weights_there.is_set():
            raise WeightsError("/srv/site/weights.safetensors is missing")

    monkeypatch.setattr(warm_up, "_warm", load)
    warm_up.start()
    while len(tries) < 3:
        warm_up.wait(0.01)
    assert tries[:3] == ["", "WeightsError", "WeightsError"]  # no path of the server: a page shows it
    weights_there.set()
    assert warm_up.wait(10) and warm_up.failure() == ""


def test_many_starts_are_one(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    monkeypatch.setattr(warm_up, "_warm", lambda: begun.append(1))
    for _ in range(20):
        warm_up.start()
    assert warm_up.wait(10)
    warm_up.once()
    assert begun == [1]
