"""Two replicas behind Debian's nginx, set up as deploy/nginx says: a lesson goes on when one of them dies, and when
both are started anew, on the same screen."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from benchmarks.replicas import NGINX, Replicas, answer, replicated
from tests.browser.conftest import Visitor

SEAT = "see_through_seat"
FOLLOWED = """() => [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)
  .map((root) => root.querySelector(".derivation")?.textContent).find(Boolean)"""
pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Replicas, Path]]:
    """Where nginx answers, what stands behind it, and the folder of its logs."""
    if NGINX is None:
        message = "no nginx on this machine (Debian: apt-get install nginx-light)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SEETHROUGH_MODELS", "")
        with replicated(folder) as (url, replicas):
            yield url, replicas, folder


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
