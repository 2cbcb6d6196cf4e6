"""Heavy work, one piece at a time beside the pages: a short queue, progress, cancel. What is asked for twice runs once.

What a job makes it puts into the shared cache itself; here is only how far it is.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

WORKERS = 1  # the other core serves the pages
QUEUE = 8  # jobs running or waiting; who comes later is asked to come again

_pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="heavy")
_jobs: dict[Hashable, "Job"] = {}
_lock = threading.Lock()


class Busy(Exception):
    """There is no room in the queue."""


@dataclass(eq=False)
class Job:
    """Steps that are run one after the other, for as long as anybody waits for them."""

    steps: Sequence[Callable[[], object]]
    waiting: set[str] = field(default_factory=set)  # visitors
    done: int = 0  # steps
    future: "Future[None] | None" = None

    def run(self) -> None:
        for step in self.steps:
            if not self.waiting:
                return
            step()
            self.done += 1

    @property
    def over(self) -> bool:
        return self.future is not None and self.future.done()

    def wait(self) -> None:
        """Until it is over; raises what a step raised."""
        assert self.future
        self.future.result()


def ask(key: Hashable, steps: Sequence[Callable[[], object]], visitor: str) -> Job:
    """The job of this key, begun if there is none under way; the visitor lets go of every other.

    Raises Busy where the queue is full.
    """
    with _lock:
        for other in [other for other, job in _jobs.items() if job.over]:
            del _jobs[other]
        for other, job in _jobs.items():
            if other != key:
                job.waiting.discard(visitor)
        job = _jobs.get(key)
        if job is not None and job.waiting:
            job.waiting.add(visitor)
            return job
        if len(_jobs) >= QUEUE:
            raise Busy
        job = _jobs[key] = Job(steps, {visitor})
        job.future = _pool.submit(job.run)
        return job


def leave(visitor: str) -> None:
    """This visitor waits for nothing any more."""
    with _lock:
        for job in _jobs.values():
            job.waiting.discard(visitor)
