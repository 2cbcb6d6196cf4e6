"""Two replicas behind Debian's nginx, set up as deploy/nginx says: a lesson goes on when one of them dies, and when
both are started anew, on the same screen."""

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from benchmarks import loadtest
from benchmarks.loadtest import Server, _free_port
from tests.browser.conftest import Visitor

SETUP = Path(__file__).parents[2] / "deploy/nginx"
SEAT = "see_through_seat"
SETTINGS = {"STREAMLIT_SERVER_COOKIE_SECRET": "one for both", "SEETHROUGH_MODELS": ""}
FOLLOWED = """() => [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)
  .map((root) => root.querySelector(".derivation")?.textContent).find(Boolean)"""
pytestmark = pytest.mark.long


class Replicas:
    """Two of the site, each on its port."""

    def __init__(self, stack: ExitStack):
        self.stack, self.ports = stack, (_free_port(), _free_port())
        self.running: dict[int, tuple[Server, ExitStack]] = {}
        with ThreadPoolExecutor() as both:
            list(both.map(self.start, self.ports))
        for port in self.ports:
            self.ready(port)

    def start(self, port: int) -> None:
        alone = self.stack.enter_context(ExitStack())
        self.running[port] = alone.enter_context(loadtest.serve(port=port)), alone

    def ready(self, port: int) -> None:
        while answer(f"http://127.0.0.1:{port}/ready")[0] != 200:
            time.sleep(0.1)

    def end(self, port: int, how: signal.Signals = signal.SIGTERM) -> None:
        server, alone = self.running.pop(port)
        os.kill(server.pid, how)
        alone.close()


def answer(url: str, **headers: str) -> tuple[int, dict[str, str]]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as said:
            return said.status, dict(said.headers)
    except urllib.error.HTTPError as refused:
        return refused.code, {}
    except OSError:  # busy, while it warms up
        return 0, {}


@contextmanager
def nginx(program: str, folder: Path, ports: tuple[int, int]) -> Iterator[str]:
    """The files of deploy/nginx, with these ports, on this machine alone; its address."""
    here = f"127.0.0.1:{_free_port()}"
    changed = {"a:8501": f"127.0.0.1:{ports[0]}", "b:8502": f"127.0.0.1:{ports[1]}", "8080": here}
    changed |= {"8501": str(ports[0]), "8502": str(ports[1]), "/tmp/": f"{folder}/", "/dev/std": f"{folder}/std"}
    for path in SETUP.iterdir():
        text = re.sub("|".join(changed), lambda found: changed[found[0]], path.read_text(encoding="utf-8"))
        (folder / path.name).write_text(text, encoding="utf-8")
    process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-g", "daemon off;"], stderr=subprocess.DEVNULL)
    try:
        while not (folder / "nginx.pid").exists():
            assert process.poll() is None, (folder / "stderr").read_text()
            time.sleep(0.02)
        yield f"http://{here}"
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Replicas, Path]]:
    """Where nginx answers, what stands behind it, and the folder of its logs."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        message = "no nginx on this machine (Debian: apt-get install nginx-light)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as environment, ExitStack() as stack:
        for name, value in SETTINGS.items():
            environment.setenv(name, value)
        replicas = Replicas(stack)
        yield stack.enter_context(nginx(program, folder, replicas.ports)), replicas, folder


@pytest.fixture
def tab(browser: Browser, hosted: tuple[str, Replicas, Path]) -> Iterator[Visitor]:
    """Somebody in the middle of a lesson: a sentence of their own, a cell that was clicked."""
    with browser.new_context(locale="en-US") as context:
        tab = Visitor(context.new_page(), hosted[0])
        tab.open("attention", lang="en", text="A lesson of ours.", guess="skip")
        followed(tab.page, q=3, k=2)
        yield tab


def followed(page: Page, **cell: int) -> str:
    """Click a cell and wait for its number, however long the connection takes; what is said of it."""
    before = page.evaluate(FOLLOWED)
    page.evaluate("cell => seeThrough.select(cell)", cell)
    page.wait_for_function(f"before => ({FOLLOWED})() !== before && seeThrough.idle", arg=before, timeout=30_000)
    return page.evaluate(FOLLOWED)


def seat(page: Page) -> int:
    """The port of the replica that this browser is with."""
    return int(next(cookie.get("value", "") for cookie in page.context.cookies() if cookie.get("name") == SEAT))


def moves(tab: Visitor, replicas: Replicas, how: signal.Signals) -> None:
    """End the replica that this tab is with: the other one has it, with the same screen, and answers its clicks."""
    page, left = tab.page, seat(tab.page)
    address, said = page.url, page.evaluate(FOLLOWED)
    replicas.end(left, how)
    until = time.monotonic() + 30
    while seat(page) == left and time.monotonic() < until:
        page.wait_for_timeout(100)
    assert seat(page) != left
    tab.settle()
    assert page.url == address and page.evaluate(FOLLOWED) == said
    assert followed(page, q=1, k=4) != said
    assert followed(page, q=3, k=2) == said


def test_what_stands_before_the_site_adds_and_hides_what_it_should(tab: Visitor, hosted) -> None:
    url, _, folder = hosted
    status, headers = answer(f"{url}/overview?text=a+secret+of+mine", Accept="text/html")
    assert status == 200 and "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
    assert answer(f"{url}/_stcore/metrics")[0] == 404
    logged = (folder / "stdout").read_text()
    assert "GET /overview 200" in logged
    assert "secret" not in logged + (folder / "stderr").read_text() and "lesson" not in logged


def test_a_lesson_goes_on_when_one_dies_and_when_the_other_is_replaced(tab: Visitor, hosted) -> None:
    _, replicas, _ = hosted
    dead = seat(tab.page)
    moves(tab, replicas, signal.SIGKILL)
    replicas.start(dead)
    replicas.ready(dead)
    moves(tab, replicas, signal.SIGTERM)
