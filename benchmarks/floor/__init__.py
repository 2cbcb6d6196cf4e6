"""What the site's clicks are held against: the same click on a page that does nothing with it, in the same run.

Machines differ by two and a busy one by ten, so server times are read as multiples of this floor, taken in turns.
"""

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from benchmarks import loadtest
from benchmarks.loadtest import Server, Visit

APP = Path(__file__).parent / "app.py"


@dataclass(frozen=True)
class Floor:
    """The two servers, side by side, and the click on both."""

    site: Server
    least: Server
    cell: Visit  # on the site
    same: Visit  # the same on the floor: it brings as many bytes

    def hold(self, visit: Visit, rounds: int = 3) -> dict[str, float]:
        """CPU milliseconds of the server for one act of `visit`, of the floor's click, and how often that goes into it.

        Medians of rounds that are taken in turns.
        """
        acts, clicks = [], []
        for _ in range(rounds):
            clicks.append(measure(self.least, self.same)["server_cpu_ms_per_click"])
            acts.append(measure(self.site, visit)["server_cpu_ms_per_click"])
        act, click = statistics.median(acts), statistics.median(clicks)
        return {"cpu_ms": act, "floor_ms": click, "floors": act / click}


@contextmanager
def beside(site: Server, cell: Visit) -> Iterator[Floor]:
    """The floor's own server, beside the site's; `cell` is a click on a cell there."""
    with loadtest.serve(app=APP) as least:
        for server in (site, least):
            loadtest.at_rest(server.pid)
        brought = (measure(server, visit, 1)["bytes_per_click"] for server, visit in ((site, cell), (least, Visit(""))))
        missing = round(next(brought) - next(brought))
        yield Floor(site, least, cell, Visit("", urlencode({"bytes": max(0, missing)})))


def measure(server: Server, visit: Visit, visitors: int = 10) -> dict[str, float]:
    return loadtest.measure(server.url, visitors=visitors, seconds=4, think=0.5, visit=visit, pid=server.pid)
