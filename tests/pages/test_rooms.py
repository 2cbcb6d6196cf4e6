"""Rooms, kept in this process and in a Redis of Debian's: the same to whoever asks."""

import asyncio
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.shared.server import room_routes, rooms, visitor
from pages.shared.server.fair_queue import Who
from pages.shared.server.rooms import LIFE, QUESTIONS, VOTERS, Full, Gone, Memory, Rooms, Shared
from tests.coroutines import run

TEACHER = Who("10.0.0.1", "teacher")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address; it listens on a socket in a folder of its own."""
    command = next(filter(None, map(shutil.which, ("redis-server", "valkey-server"))), None)
    if command is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs redis-server")
        pytest.skip("no redis-server here: apt-get install redis-server")
    socket = tmp_path_factory.mktemp("redis") / "rooms"
    process = subprocess.Popen(
        [command, "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"],
        stdout=subprocess.DEVNULL,
        cwd=socket.parent,
    )
    try:
        run(answering(f"unix://{socket}"))
        yield f"unix://{socket}"
    finally:
        process.terminate()
        process.wait()


async def answering(address: str) -> None:
    for _ in range(200):
        try:
            await Shared(address).hlen("room:none")
            return
        except Gone:
            await asyncio.sleep(0.02)
    raise Gone(address)


@pytest.fixture(params=["memory", "redis"])
def kept(request: pytest.FixtureRequest):
    """Makes a store: in this process, or in Redis."""
    if request.param == "memory":
        return Memory
    address = request.getfixturevalue("redis")
    return lambda *_: Shared(address)


def test_a_lesson(kept) -> None:
    async def lesson() -> None:
        there = Rooms(kept())
        code = await there.open(TEACHER)
        assert len(code) == 5 and set(code) <= set(rooms.SIGNS)
        assert await there.open(TEACHER) == code and await there.host(code) == "teacher"
        for i in range(5):
            await there.come(code, f"pupil {i}")
            assert await there.vote(code, "attention.q", f"pupil {i}", "ab"[i % 2])
        assert await there.present(code) == 5
        assert not await there.vote(code, "attention.q", "pupil 0", "b")
        assert await there.answer(code, "attention.q", "pupil 0") == "a"
        assert await there.answers(code, "attention.q") == {"a": 3, "b": 2}
        assert await there.answers(code, "heads.q") == {} and await there.where(code) == (0, "")
        await there.lead(code, "heads?layer=2")
        await there.lead(code, "heads?layer=2")
        assert await there.where(code) == (1, "heads?layer=2")
        await there.lead(code, "")
        assert await there.where(code) == (2, "")
        await there.close(code)
        assert await there.host(code) is None and await there.answers(code, "attention.q") == {}
        assert await there.present(code) == 0 and await there.open(TEACHER) != code

    run(lesson())


def test_what_is_kept_ends() -> None:
    async def lesson() -> None:
        clock = Clock()
        store = Memory(clock)
        there = Rooms(store, clock)
        code = await there.open(TEACHER)
        await there.vote(code, "q", "pupil", "a")
        await there.come(code, "pupil")
        clock.now += rooms.AROUND + 1
        assert await there.present(code) == 0
        clock.now += LIFE
        assert await there.host(code) is None and await there.answers(code, "q") == {}
        await there.open(Who("10.0.0.2", "another"))
        assert not [name for name in store.kept if code in name or "teacher" in name]

    run(lesson())


def test_spam_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lesson() -> None:
        there = Rooms(Memory())
        code = await there.open(TEACHER)
        for i in range(VOTERS):
            await there.vote(code, "q", f"{i}", "a")
            await there.come(code, f"{i}")
        with pytest.raises(Full):
            await there.vote(code, "q", "one more", "a")
        await there.come(code, "one more")
        assert await there.present(code) == VOTERS
        for i in range(QUESTIONS - 1):
            await there.vote(code, f"q{i}", "0", "a")
        with pytest.raises(Full):
            await there.vote(code, "a new one", "0", "a")
        monkeypatch.setattr(rooms, "OF_NETWORK", 3)
        for i in range(2):
            await there.open(Who(TEACHER.address, f"teacher {i}"))
        with pytest.raises(Full):
            await there.open(Who(TEACHER.address, "teacher 3"))
        await there.open(Who("10.0.0.9", "teacher 3"))

    run(lesson())


@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from("abc")), max_size=40))
def test_the_first_answer_counts(answers: list[tuple[int, str]]) -> None:
    async def lesson() -> dict[str, int]:
        there = Rooms(Memory())
        code = await there.open(TEACHER)
        for pupil, choice in answers:
            await there.vote(code, "q", str(pupil), choice)
        return await there.answers(code, "q")

    first = dict(reversed(answers))
    assert run(lesson()) == dict(Counter(first.values()))


# ---- what a browser asks


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch):
    """A browser of its own each, with a cookie of ours or without."""
    there = Rooms(Memory())
    monkeypatch.setattr(room_routes, "rooms", lambda: there)
    app = Starlette(routes=room_routes.routes())

    def one(known: bool = True) -> TestClient:
        return TestClient(app, cookies={visitor.COOKIE: visitor.new_cookie()} if known else None)

    return one


def test_only_its_teacher_leads_and_ends(browser) -> None:
    teacher, pupil = browser(), browser()
    code = teacher.post("/rooms", json={}).json()["code"]
    assert teacher.get(f"/rooms/{code}?question=q").json()["answers"] == {}
    for said in ({"where": "heads?layer=2&text=%E7%8C%AB"}, {"where": ""}):
        assert pupil.post(f"/rooms/{code}/where", json=said).status_code == 403
        assert teacher.post(f"/rooms/{code}/where", json=said).status_code == 200
    vote = {"question": "q", "choice": "mat"}
    assert teacher.post(f"/rooms/{code}/votes", json=vote).status_code == 403
    assert [pupil.post(f"/rooms/{code}/votes", json=vote).json()["counted"] for _ in range(2)] == [True, False]
    seen = pupil.get(f"/rooms/{code}?question=q").json()
    assert seen["answer"] == "mat" and "answers" not in seen and not seen["teacher"]
    assert teacher.get(f"/rooms/{code}?question=q").json()["answers"] == {"mat": 1}
    assert pupil.delete(f"/rooms/{code}").status_code == 403 and teacher.delete(f"/rooms/{code}").status_code == 200
    assert pupil.get(f"/rooms/{code}").json() == {"ended": True}


def test_what_is_no_answer_is_refused(browser) -> None:
    teacher, nobody = browser(), browser(known=False)
    assert nobody.post("/rooms", json={}).status_code == 403
    code = teacher.post("/rooms", json={}).json()["code"]
    for said in ({}, {"question": "q", "choice": "<b>"}, {"question": "q" * 61, "choice": "a"}, ["q"], {"question": 1}):
        assert nobody.post(f"/rooms/{code}/votes", json=said).status_code == 400
    of_a_form = nobody.post(f"/rooms/{code}/votes", data={"question": "q", "choice": "a"})
    assert of_a_form.status_code == 415
    assert nobody.post(f"/rooms/{code}/votes", json={"question": "q", "choice": "a" * 30_000}).status_code == 413
    for place in ("//evil.example", "heads#x", "https://evil.example", "heads?\n", "javascript:1"):
        assert teacher.post(f"/rooms/{code}/where", json={"where": place}).status_code == 400
    assert nobody.post("/rooms/NOONE/votes", json={"question": "q", "choice": "a"}).status_code == 404


def test_where_redis_is_gone_it_is_said(browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = Rooms(Shared(f"unix://{tmp_path}/nobody"))
    monkeypatch.setattr(room_routes, "rooms", lambda: there)
    assert browser().post("/rooms", json={}).status_code == 503
    assert browser().get("/rooms/KQ7MX").status_code == 503
