"""Text goes out compressed, what may be kept for good is compressed once, and everything else stays as it was."""

import asyncio
import gzip

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message

from pages.shared.server import compressed
from pages.shared.server.compressed import Compressed
from tests.coroutines import run

TEXT = "let every = number;\n" * 200
FOR_GOOD = {"cache-control": "public, immutable, max-age=31536000", "etag": '"1"'}


async def script(_: Request) -> Response:
    parts = (TEXT[i : i + 1000].encode() for i in range(0, len(TEXT), 1000))
    return StreamingResponse(parts, media_type="application/javascript", headers=FOR_GOOD)


async def document(_: Request) -> Response:
    return Response(TEXT, media_type="text/html", headers={"cache-control": "no-cache", "etag": '"1"'})


async def font(_: Request) -> Response:
    return Response(TEXT, media_type="font/woff2", headers=FOR_GOOD)


async def short(_: Request) -> Response:
    return PlainTextResponse("ready", 503)


SITE = Starlette(routes=[Route(f"/{each.__name__}", each) for each in (script, document, font, short)])


@pytest.fixture
def front() -> Compressed:
    return Compressed(SITE)


def test_text_is_compressed_for_who_takes_it(front: Compressed) -> None:
    with TestClient(front) as browser:
        for path in ("/document", "/script", "/script"):
            answer = browser.get(path, headers={"accept-encoding": "gzip, deflate"})
            assert answer.text == TEXT and answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) < len(TEXT) / 20
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.headers.get("etag") == ('W/"1"' if path == "/document" else None)
    assert answer.headers["cache-control"] == FOR_GOOD["cache-control"]
    assert {path for path, _ in front.kept} == {"/script"}


def test_what_is_kept_is_smaller_the_next_time(front: Compressed) -> None:
    with TestClient(front) as browser:
        for taken in ("gzip, deflate, br", "gzip"):
            assert browser.get("/script", headers={"accept-encoding": taken}).headers["content-encoding"] == "gzip"
            front.beside.submit(int).result()  # it does one thing after the other
        answer = browser.get("/script", headers={"accept-encoding": "gzip, deflate, br"})
        assert answer.text == TEXT and answer.headers["content-encoding"] == "br"
        assert int(answer.headers["content-length"]) < len(front.kept["/script", "gzip"][1]["body"])
        assert browser.get("/script", headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/font", {}),
        ("/short", {}),
        ("/script", {"accept-encoding": "identity"}),
        ("/script", {"range": "bytes=0-99"}),
        ("/document", {"if-none-match": '"1"'}),
    ],
)
def test_everything_else_stays_as_it_was(front: Compressed, path: str, asked: dict[str, str]) -> None:
    answer = TestClient(front).get(path, headers={"accept-encoding": "gzip", **asked})
    assert "content-encoding" not in answer.headers and answer.text in (TEXT, "ready")
    assert not front.kept


def test_who_comes_together_has_it_packed_once(front: Compressed, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []

    compress = gzip.compress

    def pack(body: bytes) -> bytes:
        packed.append(len(body))
        return compress(body)

    monkeypatch.setattr(compressed.gzip, "compress", pack)

    async def come() -> list[bytes]:
        said: list[bytes] = []

        async def one() -> None:
            async def send(message: Message) -> None:
                said.append(message.get("body", b""))

            headers = [(b"accept-encoding", b"gzip")]
            await front({"type": "http", "method": "GET", "path": "/script", "headers": headers}, nothing, send)

        await asyncio.gather(*(one() for _ in range(20)))
        return [body for body in said if body]

    bodies = run(come())
    assert [gzip.decompress(body).decode() for body in bodies] == [TEXT] * 20 and packed == [len(TEXT)]


async def nothing() -> Message:
    """A browser that has said all it has to say, and stays."""
    return await asyncio.Future()
