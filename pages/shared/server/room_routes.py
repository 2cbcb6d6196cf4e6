"""What a browser asks of rooms: JSON below /rooms, for the classroom component and for the panel that shares a link."""

import json
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.settings import ADDRESS, ROOMS
from pages.shared.server import visitor
from pages.shared.server.base_path import base_path
from pages.shared.server.fair_queue import Who
from pages.shared.server.rooms import Full, Gone, Memory, Rooms, Shared

LOG = logging.getLogger(__name__)
LONGEST = 24_000  # bytes of what is said to a room
ID = re.compile(r"[\w.-]{1,60}", re.ASCII)
CONTAINED = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/var/run/secrets/kubernetes.io"))
PLACE = re.compile(r"[a-z_]{1,20}(\?[!-~]{0,20000})?")  # a page and its parameters


@cache
def rooms() -> Rooms:
    address = ROOMS()
    return Rooms(Shared(address) if address else Memory())


class Wrong(Exception):
    """What was asked cannot be done; the status says why."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


Answer = Callable[[Request, Who], Awaitable[object]]


def said(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """As a route: whoever has no cookie of ours is nobody in particular; where rooms are gone, that is said."""

    async def route(request: Request) -> Response:
        host = request.client.host if request.client else None
        who = Who(visitor.network(host), visitor.person(request.cookies, host))
        try:
            found = await answer(request, who)
            return JSONResponse(found, headers={"Cache-Control": "no-store"})
        except Wrong as wrong:
            return Response(status_code=wrong.status)
        except Full:
            return Response(status_code=429)
        except Gone:
            LOG.warning("rooms cannot be reached", exc_info=True)
            return Response(status_code=503)

    return route


async def body(request: Request) -> dict[str, Any]:
    """What is said: JSON, which no other site's form can send. Raises Wrong."""
    if request.headers.get("content-type") != "application/json":
        raise Wrong(415)
    if not request.headers.get("content-length", "x").isdigit() or int(request.headers["content-length"]) > LONGEST:
        raise Wrong(413)
    with suppress(ValueError):
        found = json.loads(await request.body())
        if isinstance(found, dict):
            return found
    raise Wrong(400)


def matching(pattern: re.Pattern[str], value: object) -> str:
    if isinstance(value, str) and pattern.fullmatch(value):
        return value
    raise Wrong(400)


async def room_of(request: Request, of: Who | None = None) -> tuple[str, str]:
    """The code of a room and who opened it; only for that person, where one is named. Raises Wrong."""
    code = request.path_params["code"]
    host = await rooms().host(code) if code.isascii() and len(code) == 5 else None
    if host is None:
        raise Wrong(404)
    if of is not None and of.person != host:
        raise Wrong(403)
    return code, host


async def open_room(request: Request, who: Who) -> object:
    await body(request)
    if not visitor.signed(request.cookies):
        raise Wrong(403)
    return {"code": await rooms().open(who)}


async def look(request: Request, who: Who) -> object:
    """How the room stands, for its teacher with the answers, for a pupil with their own; an ended one is no error."""
    try:
        code, host = await room_of(request)
    except Wrong:
        return {"ended": True}
    version, place = await rooms().where(code)
    asked = request.query_params.get("question", "")
    found: dict[str, object] = {"version": version, "where": place, "teacher": who.person == host}
    if who.person == host:
        found["here"] = await rooms().present(code)
        found["answers"] = await rooms().answers(code, matching(ID, asked)) if asked else {}
    else:
        await rooms().come(code, who.person)
        found["answer"] = await rooms().answer(code, matching(ID, asked), who.person) if asked else None
    return found


async def vote(request: Request, who: Who) -> object:
    code, host = await room_of(request)
    given = await body(request)
    question, choice = (matching(ID, given.get(name)) for name in ("question", "choice"))
    if who.person == host:
        raise Wrong(403)
    return {"counted": await rooms().vote(code, question, who.person, choice)}


async def lead(request: Request, who: Who) -> object:
    code, _ = await room_of(request, who)
    place = (await body(request)).get("where")
    await rooms().lead(code, matching(PLACE, place) if place else "")
    return {}


async def close(request: Request, who: Who) -> object:
    code, _ = await room_of(request, who)
    await rooms().close(code)
    return {}


def routes() -> list[Route]:
    """For the server (app.py)."""
    below = f"{base_path()}/rooms"
    return [
        Route(below, said(open_room), methods=["POST"]),
        Route(f"{below}/{{code}}", said(look), methods=["GET"]),
        Route(f"{below}/{{code}}", said(close), methods=["DELETE"]),
        Route(f"{below}/{{code}}/votes", said(vote), methods=["POST"]),
        Route(f"{below}/{{code}}/where", said(lead), methods=["POST"]),
    ]


@cache
def reached() -> str:
    """Where other machines of the network reach the site, for a browser that calls it localhost: what the setting says,
    else this machine's own address; "" where nobody can know, as in a container."""
    if ADDRESS() or any(map(Path.exists, CONTAINED)):
        return ADDRESS()
    try:
        with socket(AF_INET, SOCK_DGRAM) as asked:
            asked.connect(("192.0.2.1", 9))  # nothing is sent: it only says which of its addresses it would use
            return f"http://{asked.getsockname()[0]}:{st.get_option('server.port')}"
    except OSError:
        return ""
