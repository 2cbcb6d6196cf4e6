"""The warm-up: one that failed says so without a path, and is tried again until it is done."""

import threading

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.errors import WeightsError
from pages.shared.server import warm_up


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not begun."""
    for name in ("_done", "_begun", "_ready"):
        monkeypatch.setattr(warm_up, name, threading.Event())
    monkeypatch.setattr(warm_up, "_failure", "")
    monkeypatch.setattr(warm_up, "AGAIN", 0.01)
    for part in ("_warm", "_warm_labs", "_warm_models", "_warm_claims", "_settle"):
        monkeypatch.setattr(warm_up, part, lambda: None)
    monkeypatch.setattr(warm_up.reference, "load", lambda: None)


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


def test_it_is_ready_once_every_model_and_what_they_are_compared_with_is_there(
    cold: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container without a folder for temporary files: nothing else needs one, and "Open it" cannot be drawn."""
    begun, mended = threading.Event(), threading.Event()

    def load() -> None:
        begun.set()
        if not mended.is_set():
            raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(warm_up.reference, "load", load)
    with TestClient(Starlette(routes=warm_up.routes())) as probe:
        assert probe.get("/ready").status_code == 503
        warm_up.start()
        assert warm_up.wait(10) and begun.wait(10)
        assert (answer := probe.get("/ready")).status_code == 503 and answer.headers["cache-control"] == "no-store"
        mended.set()
        assert warm_up._ready.wait(10)
        assert probe.get("/ready").status_code == 200
