"""Trainings that visitors start: in processes of their own, a few at once over the whole server, the others in line.

A training goes on moment by moment, and only while its tab is there: between two moments it can be paused, ended, or
left behind. Whoever is paused gives way to the next in line. The pages come first: a process is nice, has one thread,
and is never more than told to go on. One that does not answer is ended.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from core.files import ROOT
from core.training import live
from core.training.recorded import Run, run_of
from core.training.runs import Log, Setting
from pages.shared.server import visitor
from pages.shared.server.fair_queue import FairQueue, Who
from pages.shared.server.jobs import Busy

AT_ONCE = max(1, (os.cpu_count() or 1) // 2)  # the other cores serve the pages
QUEUE = 8  # running, paused and waiting; who comes later is asked to come again
SHARE = 2  # of them for one person, however many tabs are open
PAUSED = 1  # a process that is paused takes its memory along, about 270 MB
PATIENCE = 300  # seconds a pause may last
LONGEST = 240  # seconds a training may run
ANSWER = 30  # seconds a process may say nothing: to load torch on a busy machine takes a few
KEPT = 3  # trainings that a tab has beside each other

CHILD = (sys.executable, "-m", "core.training.live")

State = Literal["waiting", "running", "paused", "done", "ended", "late", "failed", "silent"]
OVER = ("done", "ended", "late", "failed", "silent")

_all: list["Training"] = []  # of every tab that is there, the oldest first
_line: FairQueue["Training"] = FairQueue(AT_ONCE, AT_ONCE, SHARE)
_changed = threading.Condition()
_workers: list[threading.Thread] = []


@dataclass(eq=False)
class Training:
    """One training of one tab."""

    setting: Setting
    tab: str
    who: Who
    log: Log = field(default_factory=Log)
    state: State = "waiting"
    parameters: int = 0
    seconds: float = 0.0  # that it ran
    since: float = field(default_factory=time.monotonic)  # it is in this state
    process: "subprocess.Popen[str] | None" = None
    held: bool = False  # whether a worker has it

    @property
    def over(self) -> bool:
        return self.state in OVER

    def turn(self, state: State) -> None:
        self.state, self.since = state, time.monotonic()


# ---- what a page asks for


def start(setting: Setting, tab: str = "") -> Training:
    """Begin this tab's next training; one that is under way ends.

    Raises Busy where the line is full, or holds this person's share already.
    """
    tab, who = tab or visitor.this_session(), visitor.this_visitor()
    with _changed:
        tidy()
        for training in _all:
            if training.tab == tab and not training.over:
                training.turn("ended")
        under_way = [training for training in _all if not training.over]
        if len(under_way) >= QUEUE or sum(training.who == who for training in under_way) >= SHARE:
            raise Busy
        made = Training(setting, tab, who)
        _all.append(made)
        _line.put(who, made)
        for old in [training for training in _all if training.tab == tab][:-KEPT]:
            _all.remove(old)
        tidy()
        work()
        _changed.notify_all()
        return made


def of(tab: str = "") -> list[Training]:
    """This tab's trainings, the oldest first."""
    tab = tab or visitor.this_session()
    with _changed:
        return [training for training in _all if training.tab == tab]


def place(training: Training) -> int:
    """Which it is in line, from 1."""
    with _changed:
        line = _line.in_turn()
        return 1 + line.index(training) if training in line else 0


def run(training: Training) -> Run | None:
    """What there is of it so far, with a few of its matrices; nothing before its first step."""
    with _changed:
        if not training.log.step:
            return None
        return run_of(training.setting, training.log, training.parameters, (0, training.log.looks[-1]))


def pause(training: Training) -> None:
    """It stands still and gives way. Raises Busy where too many do."""
    with _changed:
        if sum(each.state == "paused" for each in _all) >= PAUSED:
            raise Busy
        if training.state == "running":
            training.turn("paused")
        _changed.notify_all()


def resume(training: Training) -> None:
    """To the end of the line; it goes on where it was."""
    with _changed:
        if training.state == "paused" and training in _all:
            training.turn("running" if training.held else "waiting")
            if not training.held:
                _line.put(training.who, training)
        _changed.notify_all()


def end(training: Training) -> None:
    with _changed:
        if not training.over:
            training.turn("ended")
        tidy()
        _changed.notify_all()


# ---- the workers


def tidy() -> None:
    """Let go of those whose tab is gone, and of pauses that last too long; a process ends with its training."""
    for training in list(_all):
        gone = visitor.gone(training.tab)
        if gone and not training.over:
            training.turn("ended")
        if training.state == "paused" and time.monotonic() - training.since > PATIENCE:
            training.turn("late")
        if gone:
            _all.remove(training)
        if training.over:
            _line.leave(training.who, training)
            stop(training)


def stop(training: Training) -> None:
    process, training.process = training.process, None
    if process is not None:
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        process.wait()


def work() -> None:
    """As many workers as trainings may run at once."""
    while len(_workers) < AT_ONCE:
        _workers.append(threading.Thread(target=forever, args=(run_next,), name="trainings", daemon=True))
        _workers[-1].start()


def forever(do: Callable[[], None]) -> None:
    while True:
        do()


def run_next() -> None:
    """The next in line, until it is over, or paused."""
    training = next_in_line()
    try:
        while training.state == "running":
            moment(training)
    except Exception as error:  # its process is gone, or says what cannot be read, or nothing
        with _changed:
            if not training.over:
                training.turn("silent" if isinstance(error, TimeoutError) else "failed")
    with _changed:
        training.held = False
        _line.give_back(training.who)
        tidy()
        if training.over:  # it may have been let go of already
            stop(training)


def next_in_line() -> Training:
    """Waits until there is one; whoever is there is then its turn."""
    with _changed:
        while True:
            tidy()
            if found := _line.pop():
                training = found[1]
                training.held = True
                training.turn("running")
                return training
            _changed.wait(1)


def moment(training: Training) -> None:
    """Let it go on for a moment, and hear what was new."""
    began = time.monotonic()
    said = next_answer(training)
    with _changed:
        training.seconds += time.monotonic() - began
        live.take(training.log, said)
        training.parameters = said["parameters"]
        if said["done"] and not training.over:
            training.turn("done")
        elif training.seconds > LONGEST and not training.over:
            training.turn("late")
        tidy()


def next_answer(training: Training) -> dict[str, Any]:
    """Raises TimeoutError where nothing is said in time."""
    process = training.process or begin(training)
    assert process.stdin and process.stdout
    silent = threading.Event()
    limit = threading.Timer(ANSWER, lambda: (silent.set(), process.kill()))
    limit.start()
    try:
        process.stdin.write("\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())
    except (OSError, ValueError):
        if silent.is_set():
            raise TimeoutError from None
        raise
    finally:
        limit.cancel()


def begin(training: Training) -> "subprocess.Popen[str]":
    """Its process, which is given the setting."""
    made = subprocess.Popen(
        CHILD,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert made.stdin
    made.stdin.write(live.asked(training.setting))
    with _changed:
        training.process = made
        if training.over:  # ended before it began
            stop(training)
    return made
