"""Heavy work beside the pages: once for all who ask, as long as anybody waits, never without end."""

import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pages.shared import jobs


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Steps may wait for it; in the end it opens, and the queue is left empty."""
    event = threading.Event()
    yield event
    event.set()
    for visitor in [v for job in jobs._jobs.values() for v in tuple(job.waiting)]:
        jobs.leave(visitor)
    for job in list(jobs._jobs.values()):
        with suppress(ZeroDivisionError):
            job.wait()


def test_what_two_ask_for_runs_once(gate: threading.Event) -> None:
    ran: list[int] = []
    steps = [gate.wait, lambda: ran.append(1), lambda: ran.append(2)]
    first, second = jobs.ask("same", steps, "ann"), jobs.ask("same", steps, "bob")
    assert first is second and not first.over
    gate.set()
    first.wait()
    assert ran == [1, 2] and first.done == 3 and first.over


def test_it_stops_when_the_last_one_leaves(gate: threading.Event) -> None:
    ran: list[int] = []
    job = jobs.ask("left", [gate.wait, lambda: ran.append(1)], "ann")
    jobs.ask("left", [], "bob")
    jobs.leave("ann")
    assert job.waiting == {"bob"}
    jobs.leave("bob")
    gate.set()
    job.wait()
    assert ran == []


def test_whoever_asks_for_something_else_has_left(gate: threading.Event) -> None:
    first = jobs.ask("first", [gate.wait], "ann")
    second = jobs.ask("second", [lambda: None], "ann")
    assert first.waiting == set() and second.waiting == {"ann"}
    gate.set()
    second.wait()
    assert second.done == 1


def test_the_queue_is_short(gate: threading.Event) -> None:
    for i in range(jobs.QUEUE):
        jobs.ask(i, [gate.wait], f"visitor {i}")
    with pytest.raises(jobs.Busy):
        jobs.ask("one more", [], "late")
    gate.set()
    for job in list(jobs._jobs.values()):
        job.wait()
    jobs.ask("one more", [], "late").wait()


def test_what_goes_wrong_is_heard(gate: threading.Event) -> None:
    job = jobs.ask("wrong", [lambda: 1 / 0], "ann")
    with pytest.raises(ZeroDivisionError):
        job.wait()
    assert job.over
