"""The document has the site's style in it; nothing else is touched."""

from pathlib import Path

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient

from pages.shared.server.first_paint import ASKING, KINDS, ROOT, STYLE, FirstPaint, asked_early, scripts
from pages.shared.server.fonts import STATIC

PAGE = "<html><head></head><body><div id=root></div></body></html>"


ASKED: list[str] = []  # what came as far as the site


async def site(scope, receive, send) -> None:
    ASKED.append(f"{scope['method']} {scope['path']}")
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
    asking = (ASKING % "".join(asked_early()).encode()).decode()
    assert answer.text == PAGE.replace("</head>", f"{asking}</head>").replace(
        "</body>", f"{ROOT.decode()}{style}</body>"
    )
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert answer.headers["asked"] == ""  # it comes whole: neither compressed nor "not modified"


def test_a_document_is_made_once_and_stays_whole(browser):
    ASKED.clear()
    pages = [browser.get("/overview", headers={"accept": "text/html"}, params={"text": text}) for text in "ab"]
    assert ASKED == ["GET /overview"] and pages[0].text == pages[1].text and pages[0].headers == pages[1].headers
    browser = TestClient(FirstPaint(site), headers={"accept": "text/html"})
    assert browser.head("/overview").text == "" and browser.get("/overview").text == pages[0].text
    for _ in range(2):
        assert browser.get("/style.css").text == "as it was </body>"
    assert ASKED[-2:] == ["GET /style.css"] * 2


@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_what_is_no_document_stays_as_it_was(browser, accept):
    assert browser.get("/style.css", headers={"accept": accept}).text == "as it was </body>"


def test_who_asks_for_no_document_is_not_listened_to(browser):
    answer = browser.get("/overview", headers={"accept": "*/*"})
    assert answer.text == PAGE and answer.headers["asked"] == "accept-encoding if-none-match"


def test_each_is_asked_for_once_and_there() -> None:
    """At a new Streamlit that fails here: look which scripts its front end fetches after the document's own."""
    found = scripts(STATIC / "static/js")
    assert {name.split(".")[0] for name in found} >= set(KINDS) and len(found) == len(set(found))
    links = list(asked_early())
    document = (STATIC / "index.html").read_text(encoding="utf-8")
    for link in links:
        address = link.split('href="./')[1].split('"')[0]
        assert (STATIC / address).is_file() and address not in document
    assert sum("modulepreload" in link for link in links) >= len(KINDS)


def test_a_streamlit_that_has_other_scripts_is_asked_for_none(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html></html>")
    assert [link for link in asked_early(tmp_path) if "modulepreload" in link] == []
