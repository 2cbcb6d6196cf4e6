"""A real Chromium in front of the real server: fixtures of the browser tests.

Without a browser the tests are skipped, and fail where CI is set. Every page is watched: an exception, an error in
the console, or a request that leaves the machine fails the test that opened it.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_SH, LOCK_UN, flock
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.browser import CHROMIUM, FLAGS
from benchmarks.loadtest import serve
from tests.browser.engines import BETWEEN, GO
from tests.profiles import some

# The same engine without a window: a test takes a quarter less time.
BROWSER = shutil.which("chromium-headless-shell") or CHROMIUM

# No test runs long enough to win back what compiling for speed costs.
QUICKLY = "--js-flags=--no-opt --min-semi-space-size=32"

# Notes when the page last said something to the server, and when it last heard that a run of the script had ended: a
# message of protobuf whose last field, 6, is `script_finished` (0: all of it; 3: a fragment; 2: for another run).
LISTEN = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (message) {
    window.lastSaid = performance.now();
    const listen = ({ data }) => {
      const [field, how] = new Uint8Array(data).slice(-2);
      if (field === 6 << 3 && (how === 0 || how === 3)) window.lastHeard = performance.now();
    };
    if (!this.heard) this.addEventListener("message", listen);
    this.heard = true;
    return send.call(this, message);
  };
  // A native button or box: what it says leaves when React comes to it, late on a busy machine.
  const native = (event) => {
    const on = event.composedPath()[0];
    const pressed = event.type === "click" ? "button, a, input, label, [role=option]" : "button, a, input, textarea";
    const says = event.type === "click" || event.key === "Enter";
    if (says && on.getRootNode?.() === document && on.closest?.(pressed)) window.lastPressed = performance.now();
  };
  window.addEventListener("click", native, true);
  window.addEventListener("keydown", native, true);
}"""
# Holds once nothing has been under way for a while: a native widget's message leaves a moment after its click, and the
# server's answer begins a moment after that. A while is time, and frames: what a busy page has heard it may not have
# taken in for several hundred milliseconds, but those pass within a frame or two.
QUIET = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  const store = window.seeThrough;
  const unanswered = window.lastSaid > (window.lastHeard ?? 0) && performance.now() - window.lastSaid < 5000;
  const pressed = window.lastPressed > (window.lastSaid ?? 0) && performance.now() - window.lastPressed < 1000;
  const busy = pressed || unanswered || app?.dataset.testScriptState !== "notRunning" || (store && !store.idle);
  if (busy || !window.quiet) window.quiet = { since: performance.now(), frames: 0 };
  const quiet = ++window.quiet.frames > 6 && performance.now() - window.quiet.since > 100;
  if (quiet) window.quiet = null;
  return quiet;
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A shared machine may hold a browser up for longer than any wait: there a test has a second try, and the run says
    which ones needed it."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if os.environ.get("CI"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if BROWSER is None:
        message = "no Chromium on this machine (Debian: apt-get install chromium-headless-shell)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=[*FLAGS, "--process-per-site", QUICKLY])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running site, one for all workers: whoever asks first starts it, and ends it as the last."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with serve() as server:
            yield server.url
        return
    folder = tmp_path_factory.getbasetemp().parent
    with (folder / "visitors").open("w") as visitors, (folder / "site").open("a+") as known:
        flock(visitors, LOCK_SH)
        flock(known, LOCK_EX)  # while it starts, the others wait to read where
        known.seek(0)
        if url := known.read():
            flock(known, LOCK_UN)
            yield url
            return
        with serve() as server:
            print(server.url, end="", file=known, flush=True)
            flock(known, LOCK_UN)
            yield server.url
            flock(visitors, LOCK_EX)  # nobody else is there, and who comes now waits, and finds none
            known.truncate(0)


# A connection that was lost is another session, which counts anew.
ANSWERED = "([session, turn]) => seeThrough.session !== session || seeThrough.turn > turn"
LONGEST = 25  # entries of a tab's history: Chromium counts to 50


class Visitor:
    """One browser tab on the site, and all that went wrong in it."""

    def __init__(self, page: Page, site: str):
        self.page, self.site = page, site
        self.kept = False  # whether the site is there from an earlier test
        self.plain = True  # whether a later one may go on with it
        self.faults: list[str] = []
        page.add_init_script(f"({LISTEN})()")
        page.on("pageerror", lambda error: self.faults.append(f"JavaScript: {error}"))
        page.on("console", self._console)
        page.on("request", self._request)

    def _console(self, message) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _request(self, request) -> None:
        local = request.url.startswith((self.site, self.site.replace("http", "ws", 1), "data:", "blob:"))
        if not local:
            self.faults.append(f"left this machine: {request.url}")

    def open(self, path: str, **parameters: object) -> "Visitor":
        address = f"/{path}?{urlencode(parameters)}"
        if self.kept:
            self.kept = False
            self.page.bring_to_front()
            for to in (BETWEEN, address):
                with self.answered():
                    self.page.evaluate(GO, to)
        else:
            self.page.goto(self.site + address)
        self.page.wait_for_selector("[data-testid=stApp]", timeout=30_000)
        self.page.wait_for_selector(".strip", timeout=60_000)
        return self.settle()

    def settle(self) -> "Visitor":
        """Wait until the server has nothing to do and the browser nothing to tell it, and it stays so for a moment."""
        self.page.bring_to_front()  # behind another tab a frame takes a second
        self.page.wait_for_function(QUIET, timeout=60_000)
        return self

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Do something that the server answers, and wait for that: a native widget's message may leave late."""
        before = self.page.evaluate("[seeThrough.session, seeThrough.turn]")
        yield
        self.page.wait_for_function(ANSWERED, arg=before, timeout=60_000)
        self.settle()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    @property
    def notes(self) -> str:
        """What was repaired, refused or cut."""
        return " ".join(self.page.locator(".note").all_inner_texts())

    @property
    def query(self) -> str:
        """The address's, as the page has it: the driver hears of it a moment later."""
        return self.page.evaluate("location.search.slice(1)")

    @property
    def followed(self) -> str:
        """The number being followed: its title line."""
        return self.text(".derivation header h2")

    def sideways(self) -> int:
        """By how many pixels the page is wider than its window."""
        return self.page.evaluate(
            "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth; }"
        )

    def widths(self) -> Iterator[int]:
        """The tab as wide as a desk's, then as a phone's."""
        for width in (1280, 390):
            self.page.set_viewport_size({"width": width, "height": 844})
            self.settle()
            yield width

    def sections(self) -> Iterator[str]:
        """Each of the deeper sections (on a push some of them), opened one after the other; their ids."""
        ids = self.page.locator(".contents button").evaluate_all("lines => lines.map((line) => line.dataset.at)")
        for id in some(ids):
            self.open_section(id)
            yield id

    def open_section(self, id: str) -> None:
        """Press the line of a deeper section: it opens, or closes where it was open."""
        self.page.locator(f".contents button[data-at={id}]").click()
        self.settle()

    def before(self, script: str) -> None:
        """Run something in the page before the site does."""
        self.page.add_init_script(script)
        self.kept = self.plain = False

    def young(self) -> bool:
        """Whether another test may go on in this tab."""
        there = self.plain and not self.page.is_closed() and self.page.url.startswith(self.site)
        return there and self.page.evaluate(f"Boolean(window.seeThrough) && history.length < {LONGEST}")

    def check(self) -> None:
        exceptions = self.page.locator("[data-testid=stException]").all_inner_texts()
        assert not exceptions, exceptions
        assert not self.faults, self.faults


# Runs in a new tab before the page: what an earlier test chose is forgotten.
FORGET = "if (location.host && !sessionStorage.begun) { localStorage.clear(); sessionStorage.begun = 1; }"


@pytest.fixture(scope="session")
def window(browser: Browser, site: str):
    """A window for each kind of visitor. It is kept, for in a new one all of Streamlit is read and compiled again; and
    with it an empty tab, for with the last one the process that has compiled it ends."""

    @cache
    def kept(width: int, height: int, **options) -> BrowserContext:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        if not options.get("offline"):
            context.new_page().goto(f"{site}/_stcore/health")
        return context

    return kept


@pytest.fixture(scope="session")
def tabs() -> defaultdict[BrowserContext, list[Visitor]]:
    """Tabs that tests have left, by their window: to load the site anew takes three times as long as to go on."""
    return defaultdict(list)


@pytest.fixture
def visit(window, site: str, tabs: defaultdict[BrowserContext, list[Visitor]], request: pytest.FixtureRequest):
    """Open tabs: `visit(locale="zh-CN", width=390)`; each is checked for faults when the test is over."""
    visitors: list[tuple[Visitor, BrowserContext]] = []
    again = getattr(request.node, "execution_count", 1) > 1

    def new(
        locale: str = "en-US",
        width: int = 1280,
        height: int = 800,
        scheme: Literal["light", "dark"] = "light",
        **options,
    ) -> Visitor:
        there = window(width, height, locale=locale, color_scheme=scheme, **options)
        if again or not tabs[there]:
            page = there.new_page()
            page.add_init_script(FORGET)
            visitor = Visitor(page, site)
        else:
            visitor = tabs[there].pop()
            visitor.kept = True
            visitor.page.evaluate("localStorage.clear()")
            visitor.page.set_viewport_size({"width": width, "height": height})
        visitors.append((visitor, there))
        return visitor

    yield new
    try:
        for visitor, _ in visitors:
            if not visitor.page.is_closed():  # by the test itself
                visitor.check()
        for visitor, there in visitors:
            if visitor.young():
                tabs[there].append(visitor)
    finally:
        for visitor, there in visitors:
            if visitor not in tabs[there]:
                visitor.page.close()
