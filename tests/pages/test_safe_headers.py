"""What a browser is told beside each answer."""

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient

from core.settings import FRAME_ANCESTORS
from pages.shared.server.safe_headers import SafeHeaders


async def site(scope, receive, send) -> None:
    await (HTMLResponse("page") if scope["path"] == "/overview" else PlainTextResponse("text"))(scope, receive, send)


@pytest.mark.parametrize(
    ("said", "ancestors"),
    [("", "'self'"), ("https://a.org,https://b.org", "'self' https://a.org https://b.org"), ("*", "'self' *")],
)
def test_a_page_says_what_it_may_load_and_who_may_frame_it(
    monkeypatch: pytest.MonkeyPatch, said: str, ancestors: str
) -> None:
    monkeypatch.setenv(FRAME_ANCESTORS.name, said)
    browser = TestClient(SafeHeaders(site))
    policy = browser.get("/overview").headers["content-security-policy"]
    assert policy.endswith(f"frame-ancestors {ancestors}")
    assert policy.startswith("default-src 'self'; ") and "http:" not in policy
    for path in ("/overview", "/script.js"):
        headers = browser.get(path).headers
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "content-security-policy" not in headers
