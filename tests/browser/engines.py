"""Firefox and WebKit, each in front of the real server, behind one small face: evaluate, and what hands do.

Firefox speaks WebDriver BiDi by itself, over a WebSocket; WebKit speaks WebDriver, over HTTP, through a driver of its
own (Debian's webkit2gtk-driver). Both know the same actions of pointer and keys (https://www.w3.org/TR/webdriver2/),
so nothing needs to be patched or installed besides the browsers.
"""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from benchmarks.loadtest import free_port

WAIT = 60  # seconds
STILL = 0.3  # seconds
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "PageUp": "\ue00e", "PageDown": "\ue00f"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
Faults = list[str]

# Runs before the page, or as soon as it is there: what goes wrong, and elements wherever they are, also in pictures.
WATCH = """(() => {
  if (window.watched) return;
  const faults = [];
  const usual = /^ResizeObserver loop/; // what was made smaller by being measured is measured again in the next frame
  addEventListener("error", ({ message }) => usual.test(message) || faults.push(message));
  addEventListener("unhandledrejection", ({ reason }) => faults.push(String(reason)));
  const { error } = console;
  console.error = (...said) => { faults.push(said.join(" ")); error.apply(console, said); };
  const all = (css, root = document) => [
    ...root.querySelectorAll(css),
    ...[...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? all(css, e.shadowRoot) : [])),
  ];
  const seen = (css) => all(css).filter((e) => e.checkVisibility() && e.getClientRects().length);
  window.watched = { faults, all, seen, one: (css) => seen(css)[0] };
})()"""
# Goes to an address as Back does: the front end stays, and the server draws another page.
GO = """(to) => {
  history.pushState(null, "", to);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""
BETWEEN = "/credits"  # has no picture
# Nothing is under way between browser and server, and pictures have drawn themselves.
READY = """(() => {
  const app = document.querySelector("[data-testid=stApp]");
  const idle = window.seeThrough?.idle && app?.dataset.testScriptState === "notRunning";
  return Boolean(idle && document.querySelector("[data-drawn]") && document.fonts.status === "loaded");
})()"""
# Where a place of an element is in the window, from 0 to 1 in both directions.
PLACE = """(async () => {
  const element = watched.one(%s);
  element.scrollIntoView({ block: "center" });
  const { inWindow } = await seeThroughKit.promise;
  const { left, top, width, height } = inWindow(element.getBoundingClientRect(), element);
  return [left + %s * width, top + %s * height];
})()"""


def lacking(what: str, package: str) -> NoReturn:
    """Say that a browser is not there: to a developer by skipping, to CI by failing."""
    message = f"no {what} on this machine (Debian: apt-get install {package})"
    pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)


def wait(holds: Callable[[], object], what: str, still: float = 0) -> None:
    """Wait until something holds, and has held for so many seconds."""
    end, since = time.monotonic() + WAIT, None
    while True:
        since = (since or time.monotonic()) if holds() else None
        if since and time.monotonic() - since >= still:
            return
        assert time.monotonic() < end, f"never came true: {what}"
        time.sleep(0.05)


class Engine:
    """One tab on the site."""

    def __init__(self, site: str):
        self.site = site

    def evaluate(self, expression: str) -> Any:
        """What an expression of JavaScript, or the promise that it is, comes to."""
        raise NotImplementedError

    def perform(self, *sources: dict[str, Any]) -> None:
        """Actions of pointers and keys, tick by tick."""
        raise NotImplementedError

    def go(self, url: str) -> None:
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        raise NotImplementedError

    # ---- what a visitor does

    def open(self, path: str, **parameters: object) -> None:
        """Load a page; where the site is there already, go to it by way of one that has no picture: what it shows is
        built anew as well, in a third of the time."""
        address = f"/{path}?{urlencode(parameters)}"
        if self.evaluate("Boolean(window.seeThrough) && history.length < 40"):
            for to in (BETWEEN, address):
                before = self.evaluate("`${seeThrough.session} ${seeThrough.turn}`")
                self.evaluate(f"void ({GO})({json.dumps(to)})")
                self.until(f"`${{seeThrough.session}} ${{seeThrough.turn}}` !== {json.dumps(before)}")
        else:
            self.go(self.site + address)
        self.settle()

    def until(self, condition: str, still: float = 0) -> None:
        """Wait until a condition holds in the page, and has held for so many seconds."""
        wait(lambda: self.evaluate(f"Boolean({condition})"), condition, still)

    def settle(self) -> None:
        self.until(f"{WATCH} ?? {READY}", STILL)

    def place(self, css: str, x: float = 0.5, y: float = 0.5) -> tuple[int, int]:
        self.until(f"watched.one({json.dumps(css)})")
        left, top = self.evaluate(PLACE % (json.dumps(css), x, y))
        return round(left), round(top)

    def point(self, css: str, x: float = 0.5, y: float = 0.5) -> None:
        self.hand(*self.place(css, x, y))

    def click(self, css: str, x: float = 0.5, y: float = 0.5) -> None:
        self.hand(*self.place(css, x, y), press=True)
        self.settle()

    def hand(self, x: int, y: int, press: bool = False) -> None:
        moves = [{"type": "pointerMove", "x": x, "y": y, "origin": "viewport"}]
        press_it = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.perform({**pointer, "actions": moves + press_it * press})

    def keys(self, *keys: str) -> None:
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keyboard", "actions": strokes})

    def text(self, css: str) -> str:
        return self.evaluate(f"watched.one({json.dumps(css)})?.innerText ?? ''")

    def count(self, css: str) -> int:
        return self.evaluate(f"watched.seen({json.dumps(css)}).length")

    @property
    def query(self) -> str:
        return self.evaluate("location.search")

    def take_faults(self) -> Faults:
        """What went wrong since the last time."""
        return self.evaluate("watched.faults.splice(0)")


class Firefox(Engine):
    def __init__(self, site: str, socket: ClientConnection):
        super().__init__(site)
        self.socket, self.number = socket, 0
        self.call("session.new", capabilities={})
        self.tab = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {WATCH} }}")

    def call(self, method: str, **parameters: object) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(WAIT))
            if answer.get("id") == self.number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def evaluate(self, expression: str) -> Any:
        spoken = f"(async () => JSON.stringify(await ({expression})))()"
        said = self.call("script.evaluate", expression=spoken, target={"context": self.tab}, awaitPromise=True)
        assert said["type"] == "success", said
        return json.loads(said["result"].get("value", "null"))

    def perform(self, *sources: dict[str, Any]) -> None:
        self.call("input.performActions", context=self.tab, actions=sources)

    def go(self, url: str) -> None:
        self.call("browsingContext.navigate", context=self.tab, url=url, wait="interactive")

    def resize(self, width: int, height: int) -> None:
        self.call("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})


class WebKit(Engine):
    def __init__(self, site: str, driver: str, browser: Path):
        super().__init__(site)
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.driver = f"{driver}/session"
        self.driver += "/" + self.call("", capabilities=wanted)["sessionId"]
        self.call("/timeouts", script=1000 * WAIT, pageLoad=1000 * WAIT)

    def call(self, path: str, **parameters: object) -> Any:
        body = json.dumps(parameters).encode()
        try:
            with urlopen(Request(self.driver + path, body, {"Content-Type": "application/json"}), timeout=WAIT) as said:
                return json.load(said)["value"]
        except HTTPError as error:
            raise AssertionError(f"{error.read().decode()} of {path} {parameters}") from None

    def evaluate(self, expression: str) -> Any:
        spoken = f"return (async () => JSON.stringify(await ({expression})))()"
        return json.loads(self.call("/execute/sync", script=spoken, args=[]) or "null")

    def perform(self, *sources: dict[str, Any]) -> None:
        self.call("/actions", actions=sources)

    def end(self) -> None:
        with urlopen(Request(self.driver, method="DELETE"), timeout=WAIT):
            pass

    def go(self, url: str) -> None:
        self.call("/url", url=url)

    def resize(self, width: int, height: int) -> None:
        """The window becomes as much larger as what it shows is to become."""
        for _ in range(2):
            wide, high = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")
            self.call("/window/rect", x=0, y=0, width=width + wide, height=height + high)
            time.sleep(STILL)


# ---- starting them


@contextmanager
def running(*command: str, **options: Any) -> Iterator[subprocess.Popen]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, **options) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def firefox(site: str, folder: Path) -> Iterator[Engine]:
    """Firefox ESR, which needs no screen. What is downloaded goes into `folder`."""
    command = shutil.which("firefox-esr")
    if not command:
        lacking("Firefox", "firefox-esr")
    profile = folder / "profile"
    profile.mkdir()
    settings = {"browser.download.folderList": 2, "browser.download.dir": str(folder), "app.update.enabled": False}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items()]
    (profile / "user.js").write_text("\n".join(lines))
    flags = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0", "about:blank"]
    said = folder / "said"
    with said.open("w") as heard, running(command, *flags, stderr=heard):
        wait(lambda: "ws://" in said.read_text(), "Firefox listens")
        (address,) = re.findall(r"ws://\S+", said.read_text())
        with connect(f"{address}/session", max_size=None) as socket:
            yield Firefox(site, socket)


@contextmanager
def webkit(site: str, folder: Path) -> Iterator[Engine]:
    """WebKitGTK's own small browser on a screen that nobody sees. What is downloaded goes into `folder`."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
    if not (driver and screen and browser):
        lacking("WebKit", "webkit2gtk-driver xvfb")
    (folder / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{folder}"\n')
    numbered, number = os.pipe()
    size = ["-screen", "0", "2000x1300x24", "-nolisten", "tcp"]
    with running(screen, "-displayfd", str(number), *size, pass_fds=[number], stderr=subprocess.DEVNULL):
        display = f":{os.read(numbered, 16).decode().strip()}"
        port = free_port()
        environment = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11", "XDG_CONFIG_HOME": str(folder)}
        with running(driver, f"--port={port}", env=environment, stderr=subprocess.DEVNULL):
            url = f"http://127.0.0.1:{port}"
            wait(lambda: answers(f"{url}/status"), "the driver of WebKit answers")
            tab = WebKit(site, url, browser)
            try:
                yield tab
            finally:
                tab.end()


def answers(url: str) -> bool:
    try:
        urlopen(url, timeout=WAIT).close()
    except URLError:
        return False
    return True
