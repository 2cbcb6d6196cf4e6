"""Heavy work beside the pages: once for all who ask, in a fair order, only while somebody is there."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from pages.shared.server import jobs, script_runs, visitor
from pages.shared.server.fair_queue import Who


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Steps may wait for it; in the end it opens, and the queue is left empty."""
    event = threading.Event()
    yield event
    event.set()
    for job in list(jobs._jobs.values()):
        job.waiting.clear()
        with suppress(ZeroDivisionError, jobs.Busy):
            job.wait()


@pytest.fixture(autouse=True)
def person(monkeypatch: pytest.MonkeyPatch):
    """`person("ann")`: from here on it is Ann who asks. At first everybody who asks is somebody else."""
    asked = iter(range(1000))
    monkeypatch.setattr(visitor, "this_person", lambda: f"person {next(asked)}")

    def be(name: str) -> None:
        monkeypatch.setattr(visitor, "this_person", lambda: name)

    return be


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Tabs whose connection is lost."""
    tabs: set[str] = set()
    monkeypatch.setattr(visitor, "gone", lambda tab: tab in tabs)
    return tabs


def busy(gate: threading.Event) -> jobs.Job:
    """A job that is running and stays so until the gate opens."""
    running = threading.Event()
    job = jobs.ask("busy", [lambda: (running.set(), gate.wait())], "someone")
    assert running.wait(10)
    return job


def test_what_two_ask_for_runs_once(gate: threading.Event) -> None:
    ran: list[int] = []
    steps = [gate.wait, lambda: ran.append(1), lambda: ran.append(2)]
    first, second = jobs.ask("same", steps, "ann"), jobs.ask("same", steps, "bob")
    assert first is second and not first.over
    gate.set()
    first.wait()
    assert ran == [1, 2] and first.done == 3 and first.over


def test_for_a_moments_work_there_is_room_however_many_wait(gate: threading.Event) -> None:
    """It takes none of the room of what takes long, and is refused to a person who asks for too much alone."""
    long = [jobs.ask(f"long {i}", [gate.wait], f"tab {i}") for i in range(jobs.QUEUE)]
    brief = [jobs.ask(f"brief {i}", [gate.wait], f"other {i}", brief=True) for i in range(20)]
    with pytest.raises(jobs.Busy):
        jobs.ask("one more", [gate.wait], "late")
    gate.set()
    for job in (*long, *brief):
        job.wait()


def test_a_person_has_a_share_of_moments_too(gate: threading.Event, person) -> None:
    person("ann")
    for i in range(jobs.SHARE):
        jobs.ask(i, [gate.wait], f"tab {i}", brief=True)
    with pytest.raises(jobs.Busy):
        jobs.ask("more", [gate.wait], "another tab", brief=True)


def test_it_stops_when_the_last_one_leaves(gate: threading.Event) -> None:
    ran: list[int] = []
    job = jobs.ask("left", [gate.wait, lambda: ran.append(1)], "ann")
    jobs.ask("left", [], "bob")
    jobs.leave("ann")
    assert job.waiting == {"bob"}
    jobs.leave("bob")
    gate.set()
    with pytest.raises(jobs.Busy):
        job.wait()
    assert ran == []


def test_a_lost_connection_leaves_the_queue(gate: threading.Event, left: set[str]) -> None:
    running, ran = busy(gate), list[str]()
    steps = [lambda: ran.append("step")] * 3
    abandoned, wanted = jobs.ask("abandoned", steps, "ann"), jobs.ask("wanted", steps[:1], "bob")
    left.add("ann")
    gate.set()
    for job in (running, wanted):
        job.wait()
    with pytest.raises(jobs.Busy):
        abandoned.wait()
    assert ran == ["step"]


def test_a_lost_connection_stops_what_is_under_way_between_two_steps(gate: threading.Event, left: set[str]) -> None:
    ran: list[str] = []
    job = jobs.ask("long", [lambda: left.add("ann"), lambda: ran.append("too much")], "ann")
    with pytest.raises(jobs.Busy):
        job.wait()
    assert job.done == 1 and ran == []


def test_the_lost_make_room(gate: threading.Event, left: set[str]) -> None:
    busy(gate)
    for i in range(jobs.QUEUE - 1):
        jobs.ask(i, [gate.wait], f"tab {i}")
    left.update(f"tab {i}" for i in range(jobs.QUEUE))
    assert jobs.ask("one more", [gate.wait], "late").waiting == {"late"}


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


def test_one_person_has_a_share_of_it(gate: threading.Event, person) -> None:
    person("ann")
    for i in range(jobs.SHARE):
        jobs.ask(i, [gate.wait], f"tab {i}")
    with pytest.raises(jobs.Busy):
        jobs.ask("one more", [], "another tab")
    person("bob")
    assert jobs.ask("bob's", [], "bob").waiting == {"bob"}


def test_it_is_the_turn_of_whoever_waited_longest(gate: threading.Event, person) -> None:
    running, ran = busy(gate), list[str]()
    person("ann")
    for name in ("ann 1", "ann 2"):
        jobs.ask(name, [lambda name=name: ran.append(name)] * 2, name)
    person("bob")
    last = jobs.ask("bob", [lambda: ran.append("bob")] * 2, "bob")
    gate.set()
    for job in (running, last):
        job.wait()
    assert ran[:4] == ["ann 1", "bob", "ann 1", "bob"]


def test_another_address_is_next_in_turn(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    running, ran = busy(gate), list[str]()
    for address, name in (("school", "ann"), ("school", "ben"), ("home", "cem")):
        monkeypatch.setattr(visitor, "this_visitor", partial(Who, address, name))
        last = jobs.ask(name, [lambda name=name: ran.append(name)] * 2, name)
    gate.set()
    for job in (running, last):
        job.wait()
    assert ran[:4] == ["ann", "cem", "ben", "cem"]


def test_what_goes_wrong_is_heard(gate: threading.Event) -> None:
    job = jobs.ask("wrong", [lambda: 1 / 0], "ann")
    with pytest.raises(ZeroDivisionError):
        job.wait()
    assert job.over


def test_a_page_that_waits_for_a_job_lets_others_have_its_turn(monkeypatch):
    given_back = threading.Event()
    monkeypatch.setattr(script_runs._here, "end", given_back.set, raising=False)
    jobs.ask("waited for", [given_back.wait], "one").wait()
    assert given_back.is_set()
