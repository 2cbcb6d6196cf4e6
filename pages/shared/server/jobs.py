"""Heavy work, one step at a time beside the pages: a short queue, progress, cancel. What is asked for twice runs once.

After each step it is somebody else's turn, so a small job never waits for all of a large one. A job goes
on as long as anybody waits for it who is still there; nobody's page has to say so. What a job makes it puts into the
shared cache itself; here is only how far it is.
"""

import os
import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from pages.shared.server import script_runs, visitor
from pages.shared.server.fair_queue import FairQueue, Who

QUEUE = 8  # jobs running or waiting that take long; who comes later is asked to come again
SHARE = 2  # of them for one person, however many tabs are open
NICE = 10  # the pages come first

_jobs: dict[Hashable, "Job"] = {}
_line: FairQueue["Job"] = FairQueue(1, 1, 1)  # the other core serves the pages
_changed = threading.Condition()


class Busy(Exception):
    """There is no room in the queue, or nobody waited for the job any more."""


@dataclass(eq=False)
class Job:
    """Steps that are run one after the other."""

    steps: Sequence[Callable[[], object]]
    who: Who  # that asked first: it is their share
    brief: bool = False  # whether it takes but a moment
    waiting: set[str] = field(default_factory=set)  # tabs
    done: int = 0  # steps
    error: BaseException | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def over(self) -> bool:
        return self.ended.is_set()

    @property
    def wanted(self) -> bool:
        return not all(map(visitor.gone, self.waiting))

    def wait(self, seconds: float | None = None) -> None:
        """Until it is over, but not longer than so many seconds; raises what a step raised, and Busy where it was given
        up."""
        script_runs.let_go()
        if not self.ended.wait(seconds):
            return
        if self.error:
            raise self.error
        if self.done < len(self.steps):
            raise Busy

    def step(self) -> None:
        try:
            self.steps[self.done]()
            self.done += 1
        except BaseException as error:
            self.error = error


def ask(key: Hashable, steps: Sequence[Callable[[], object]], tab: str = "", brief: bool = False) -> Job:
    """The job of this key, begun if there is none under way; the tab, by itself the one being drawn, lets go of every
    other. A `brief` one is for a moment's work, for which there is always room: a class may press in the same instant.

    Raises Busy where the queue is full, or holds this person's share already.
    """
    tab, who = tab or visitor.this_session(), visitor.this_visitor()
    with _changed:
        for other, job in _jobs.items():
            if other != key:
                job.waiting.discard(tab)
        tidy()
        if job := _jobs.get(key):
            job.waiting.add(tab)
            return job
        full = not brief and sum(not job.brief for job in _jobs.values()) >= QUEUE
        if full or sum(job.who == who for job in _jobs.values()) >= SHARE:
            raise Busy
        job = _jobs[key] = Job(steps, who, brief, {tab})
        _line.put(who, job)
        start()
        _changed.notify()
        return job


def leave(tab: str = "") -> None:
    """This tab, by itself the one being drawn, waits for nothing any more."""
    with _changed:
        for job in _jobs.values():
            job.waiting.discard(tab or visitor.this_session())


def tidy() -> None:
    """Take out of the queue what is over and what nobody waits for."""
    for key, job in list(_jobs.items()):
        if job.error or job.done == len(job.steps) or not job.wanted:
            del _jobs[key]
            _line.leave(job.who, job)
            job.ended.set()


def next_job() -> Job:
    """Waits until there is one."""
    with _changed:
        while True:
            tidy()
            if found := _line.pop():
                return found[1]
            _changed.wait()


def stepped(job: Job) -> None:
    """It stands in line again, until it is over."""
    with _changed:
        _line.give_back(job.who)
        if not job.over:
            _line.put(job.who, job, goes_on=True)
        tidy()


def work() -> None:
    """The one worker."""
    if sys.platform == "linux":  # where a thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    while True:
        job = next_job()
        job.step()
        stepped(job)


_started = threading.Event()


def start() -> None:
    if not _started.is_set():
        _started.set()
        threading.Thread(target=work, name="heavy", daemon=True).start()
