"""The document has the site's style in it; nothing else is touched."""

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient

from pages.shared.server.first_paint import ROOT, STYLE, FirstPaint

PAGE = "<html><head></head><body><div id=root></div></body></html>"


async def site(scope, receive, send) -> None:
    said = HTMLResponse(PAGE) if scope["path"] == "/overview" else PlainTextResponse("as it was </body>")
    seen = dict(scope["headers"])
    said.headers["asked"] = " ".join(name for name in ("accept-encoding", "if-none-match") if name.encode() in seen)
    await said(scope, receive, send)


@pytest.fixture
def browser() -> TestClient:
    return TestClient(FirstPaint(site), headers={"if-none-match": "x"})


def test_a_document_brings_the_style_at_its_end_and_says_where_the_server_is(browser):
    answer = browser.get("/overview", headers={"accept": "text/html,*/*"})
    style = f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
    assert answer.text == PAGE.replace("</body>", f"{ROOT.decode()}{style}</body>")
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert answer.headers["asked"] == ""  # it comes whole: neither compressed nor "not modified"


@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_what_is_no_document_stays_as_it_was(browser, accept):
    assert browser.get("/style.css", headers={"accept": accept}).text == "as it was </body>"


def test_who_asks_for_no_document_is_not_listened_to(browser):
    answer = browser.get("/overview", headers={"accept": "*/*"})
    assert answer.text == PAGE and answer.headers["asked"] == "accept-encoding if-none-match"
