"""Trainings that visitors start: a line with places, a few at once, paused, ended, and never left behind."""

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from core.training import live
from core.training.runs import Setting, train
from pages.shared.server import trainings, visitor
from pages.shared.server.fair_queue import Who
from pages.shared.server.jobs import Busy
from pages.shared.server.trainings import AT_ONCE, QUEUE, SHARE, Training
from pages.shared.words.texts import LANGUAGES, Texts
from pages.stages.training import own_training

TINY = Setting(d_model=8, steps=12, batch=4)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everybody who asks is somebody else; in the end nothing is left."""
    asked = iter(range(1000))
    monkeypatch.setattr(visitor, "this_person", lambda: f"person {next(asked)}")
    yield
    for training in list(trainings._all):
        trainings.end(training)
    until(lambda: not any(training.process for training in trainings._all))
    trainings._all.clear()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Moments without a process: one step each, the third the last; each waits until the gate is open."""
    opened = threading.Event()

    def told(training: Training) -> dict:
        opened.wait(10)
        time.sleep(0.01)
        step = training.log.step + 1
        new = {name: [] for name in (*live.LISTS, "matrices")}
        return {**new, "loss": [1.0], "blown": False, "parameters": 5, "done": step == 3}

    monkeypatch.setattr(trainings, "next_answer", told)
    yield opened
    opened.set()


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Tabs whose connection is lost."""
    tabs: set[str] = set()
    monkeypatch.setattr(visitor, "gone", lambda tab: tab in tabs)
    return tabs


def until(holds: Callable[[], bool]) -> None:
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


def begun(count: int) -> list[Training]:
    """So many, the first of them running."""
    made = [trainings.start(TINY, f"tab {i}") for i in range(count)]
    until(lambda: sum(training.state == "running" for training in made) == min(count, AT_ONCE))
    return made


def test_a_few_run_at_once_and_the_others_know_their_place(gate: threading.Event) -> None:
    made = begun(AT_ONCE + 3)
    assert [training.state for training in made] == ["running"] * AT_ONCE + ["waiting"] * 3
    assert [trainings.place(training) for training in made] == [0] * AT_ONCE + [1, 2, 3]
    gate.set()
    until(lambda: all(training.state == "done" for training in made))
    assert all(training.log.step == 3 for training in made)


def test_the_line_is_short_and_nobody_has_all_of_it(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(QUEUE)
    with pytest.raises(Busy):
        trainings.start(TINY, "late")
    trainings.end(trainings._all[-1])
    trainings.start(TINY, "late")
    for training in list(trainings._all):
        trainings.end(training)
    monkeypatch.setattr(visitor, "this_person", lambda: "ann")
    for i in range(SHARE):
        trainings.start(TINY, f"of ann {i}")
    with pytest.raises(Busy):
        trainings.start(TINY, "one more of ann")


def test_whoever_is_paused_gives_way_and_comes_back_to_the_end(gate: threading.Event) -> None:
    made = begun(AT_ONCE + 2)
    trainings.pause(made[0])
    with pytest.raises(Busy):
        trainings.pause(made[1])
    gate.set()
    until(lambda: made[-1].state == "done")
    assert made[0].state == "paused" and made[0].log.step < 3
    trainings.resume(made[0])
    until(lambda: made[0].state == "done")
    assert made[0].log.step == 3


def test_a_pause_does_not_last_for_ever(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    (training,) = begun(1)
    trainings.pause(training)
    gate.set()
    monkeypatch.setattr(trainings, "PATIENCE", 0)
    until(lambda: training.state == "late")


def test_a_training_does_not_either(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainings, "LONGEST", 0)
    gate.set()
    training = trainings.start(TINY, "tab")
    until(lambda: training.state == "late")


def test_whoever_leaves_frees_the_place(gate: threading.Event, left: set[str]) -> None:
    made = begun(AT_ONCE + 2)
    left.update(training.tab for training in made[: AT_ONCE + 1])
    gate.set()
    until(lambda: made[-1].state == "done")
    assert all(training.state == "ended" for training in made[: AT_ONCE + 1])
    assert trainings._all == [made[-1]]


def test_a_tab_has_one_under_way_and_a_few_beside_each_other(gate: threading.Event) -> None:
    gate.set()
    made = [trainings.start(TINY, "tab") for _ in range(5)]
    until(lambda: made[-1].state == "done")
    assert all(training.over for training in made) and trainings.of("tab") == made[-trainings.KEPT :]


def test_what_goes_wrong_is_said(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(training: Training) -> dict:
        raise ValueError("its process is gone")

    monkeypatch.setattr(trainings, "next_answer", broken)
    training = trainings.start(TINY, "tab")
    until(lambda: training.state == "failed")


@pytest.mark.long
@pytest.mark.parametrize("says", ["", "print('{', end='', flush=True);"])
def test_a_process_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    monkeypatch.setattr(trainings, "CHILD", (sys.executable, "-c", f"import time; {says} time.sleep(600)"))
    monkeypatch.setattr(trainings, "ANSWER", 1)
    training = trainings.start(TINY, "tab")
    until(lambda: training.process is not None)
    process = training.process
    until(lambda: training.state == "silent" and training.process is None)
    assert process is not None
    until(lambda: process.poll() is not None)
    for language in LANGUAGES:
        assert "1" in own_training.outcome(Texts(language, "training"), training)


def test_another_address_is_next_in_turn(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    at = iter([*["school"] * (AT_ONCE + 2), "home"])
    monkeypatch.setattr(visitor, "this_visitor", lambda: Who(next(at), visitor.this_person()))
    made = begun(AT_ONCE + 3)
    assert [trainings.place(training) for training in made[-3:]] == [2, 3, 1]


def test_whoever_goes_on_before_its_worker_has_heard_of_the_pause_keeps_its_place(gate: threading.Event) -> None:
    made = begun(AT_ONCE + 1)
    trainings.pause(made[0])
    trainings.resume(made[0])
    assert made[0].state == "running" and trainings.place(made[-1]) == 1
    gate.set()
    until(lambda: all(training.state == "done" for training in made))
    assert [training.log.step for training in made] == [3] * len(made)


@pytest.mark.thorough
def test_a_process_trains_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real thing: the numbers are those of this process; one that is ended in mid-run is gone. Beside other tests
    it would wait for most of a minute, for visitors' trainings come after all else."""
    hurried = "from core.training import live; live.NICE = 0; live.main()"
    monkeypatch.setattr(trainings, "CHILD", (sys.executable, "-c", hurried))
    training = trainings.start(TINY, "tab")
    until(lambda: training.state == "done")
    *_, log = train(TINY)
    assert training.log.loss == pytest.approx(log.loss) and training.log.held == pytest.approx(log.held)
    run = trainings.run(training)
    assert run is not None and run.kept == (0, 12) and training.process is None
    endless = trainings.start(Setting(steps=100_000), "tab")
    until(lambda: endless.log.step > 0)
    process = endless.process
    trainings.end(endless)
    assert process is not None and process.wait(10) is not None and endless.process is None
