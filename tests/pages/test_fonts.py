"""The small fonts stand at the addresses of Streamlit's own; where it has another, that one is served."""

from pathlib import Path

import pytest
from PIL import ImageFont
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from core.files import ASSETS
from pages.shared.server import fonts
from pages.shared.server.fonts import SmallFonts

MADE = sorted((ASSETS / "fonts").glob("*.woff2"))


def test_each_has_its_place() -> None:
    """At a new Streamlit that fails here: `make fonts`."""
    assert sorted(fonts.replaced().values()) == MADE
    assert all(len(path.read_bytes()) < 60_000 for path in MADE)


@pytest.mark.parametrize("name", ["SourceSansVF-Upright", "SourceSansVF-Italic", "SourceCodeVF-Upright"])
def test_a_space_in_a_token_is_drawn(name: str) -> None:
    font = ImageFont.truetype(str(ASSETS / "fonts" / f"{name}.woff2"), 100)
    assert font.getbbox("␣") != font.getbbox("\ue000") != font.getbbox("→")


async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("theirs")(scope, receive, send)


def test_what_is_served_is_ours_and_kept() -> None:
    client = TestClient(SmallFonts(streamlit))
    for path, ours in fonts.replaced().items():
        answer = client.get(path)
        assert answer.content == ours.read_bytes()
        assert answer.content[:4] == b"wOF2"
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]


def test_what_we_have_not_is_streamlits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = next(iter(fonts.replaced()))
    assert TestClient(SmallFonts(streamlit)).get("/static/media/another.woff2").text == "theirs"
    monkeypatch.setattr(fonts, "STATIC", tmp_path)
    assert TestClient(SmallFonts(streamlit)).get(path).text == "theirs"
