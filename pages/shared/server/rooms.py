"""A class together: where a teacher's stop and the answers of a class meet, for as long as a lesson lasts.

A room is a code of five signs. It knows who opened it, where the class is to be, who has answered which question how,
and who was there a moment ago; a person is a browser (visitor.py), and nobody is asked for a name. Whatever is kept
ends two hours after the teacher's last word, or when the teacher ends it. `Rooms` speaks a few commands of Redis: one
process answers them from `Memory`, several share a server of that protocol (core.settings.ROOMS).
"""

import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from typing import Any

from pages.shared.server.fair_queue import Who

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no two of which look alike
LIFE = 2 * 60 * 60  # seconds
AROUND = 15  # seconds: who has not asked for so long is not there
ROOMS, OF_NETWORK, VOTERS, QUESTIONS = 1000, 60, 600, 200  # at most


class Full(Exception):
    """There is no room for one more, of whatever it is."""


class Gone(Exception):
    """What the rooms are kept in cannot be reached."""


class Memory:
    """The commands of Redis that rooms need, in this process: hashes, sorted sets, and names that end."""

    def __init__(self, clock: Callable[[], float] = time.time):
        self.clock = clock
        self.kept: dict[str, dict[str, Any]] = {}
        self.ends: dict[str, float] = {}

    def at(self, name: str) -> dict[str, Any]:
        """What is kept under a name; nothing where its time is over."""
        return self.kept.get(name, {}) if self.clock() <= self.ends.get(name, inf) else {}

    def put(self, name: str) -> dict[str, Any]:
        """The same, to be written to."""
        if not self.at(name):
            self.ends.pop(name, None)
            self.kept[name] = {}
        return self.kept[name]

    async def hset(self, name: str, key: str, value: str) -> None:
        self.put(name)[key] = value

    async def hsetnx(self, name: str, key: str, value: str) -> bool:
        new = key not in self.at(name)
        self.put(name).setdefault(key, value)
        return new

    async def hget(self, name: str, key: str) -> str | None:
        return self.at(name).get(key)

    async def hgetall(self, name: str) -> dict[str, str]:
        return dict(self.at(name))

    async def hvals(self, name: str) -> list[str]:
        return list(self.at(name).values())

    async def hlen(self, name: str) -> int:
        return len(self.at(name))

    async def zadd(self, name: str, scores: Mapping[str, float]) -> None:
        self.put(name).update(scores)

    async def zremrangebyscore(self, name: str, least: float, most: float) -> None:
        there = self.at(name)
        for key in [key for key, score in there.items() if least <= score <= most]:
            del there[key]

    async def zcard(self, name: str) -> int:
        return len(self.at(name))

    async def zrem(self, name: str, key: str) -> None:
        self.at(name).pop(key, None)

    async def expire(self, name: str, seconds: int) -> None:
        self.ends[name] = self.clock() + seconds
        over = [other for other, end in self.ends.items() if end < self.clock()]
        await self.delete(*over)

    async def delete(self, *names: str) -> None:
        for name in names:
            self.kept.pop(name, None)
            self.ends.pop(name, None)


class Shared:
    """The same commands by a server that replicas share. Each raises Gone where that cannot be reached."""

    def __init__(self, address: str):
        from redis.asyncio import Redis

        self.redis = Redis.from_url(address, decode_responses=True, socket_timeout=1, socket_connect_timeout=1)

    def __getattr__(self, command: str) -> Callable[..., Awaitable[Any]]:
        from redis.exceptions import RedisError

        async def ask(*given: Any) -> Any:
            try:
                return await getattr(self.redis, command)(*given)
            except RedisError as error:
                raise Gone(command) from error

        return ask


class Rooms:
    def __init__(self, store: Any, clock: Callable[[], float] = time.time):
        self.store, self.clock = store, clock

    async def open(self, host: Who) -> str:
        """The code of a new room, or of the one that this person has. Raises Full."""
        had = await self.store.hget(f"host:{host.person}", "code")
        if had and await self.host(had):
            return had
        lists = "rooms", f"rooms:{host.address}"
        for name, most in zip(lists, (ROOMS, OF_NETWORK), strict=True):
            await self.store.zremrangebyscore(name, 0, self.clock() - LIFE)
            if await self.store.zcard(name) >= most:
                raise Full
        code = "".join(secrets.choice(SIGNS) for _ in range(5))
        if not await self.store.hsetnx(f"room:{code}", "host", host.person):
            return await self.open(host)  # somebody has it: one in thirty million
        await self.store.hset(f"host:{host.person}", "code", code)
        await self.store.hset(f"room:{code}", "network", host.address)
        await self.stay(code, host.person, host.address)
        return code

    async def stay(self, code: str, person: str, network: str) -> None:
        """Two hours more."""
        for name in ("rooms", f"rooms:{network}"):
            await self.store.zadd(name, {code: self.clock()})
            await self.store.expire(name, LIFE)
        for name in (f"room:{code}", f"host:{person}"):
            await self.store.expire(name, LIFE)

    async def host(self, code: str) -> str | None:
        """Who opened it; None where there is no such room."""
        return await self.store.hget(f"room:{code}", "host")

    async def where(self, code: str) -> tuple[int, str]:
        """Where the class is to be, and how often that has changed; "" where everybody is on their own."""
        version, _, place = (await self.store.hget(f"room:{code}", "where") or "0 ").partition(" ")
        return int(version), place

    async def lead(self, code: str, place: str) -> None:
        room = await self.store.hgetall(f"room:{code}")
        version, before = await self.where(code)
        if place != before:
            await self.store.hset(f"room:{code}", "where", f"{version + 1} {place}")
        await self.stay(code, room["host"], room["network"])

    async def vote(self, code: str, question: str, person: str, choice: str) -> bool:
        """Whether this was the person's first answer to the question, which is the one that counts. Raises Full."""
        votes, asked = f"votes:{code}:{question}", f"asked:{code}"
        new = not await self.store.hget(asked, question)
        if await self.store.hlen(votes) >= VOTERS or (new and await self.store.hlen(asked) >= QUESTIONS):
            raise Full
        await self.store.hset(asked, question, "1")
        first = bool(await self.store.hsetnx(votes, person, choice))
        for name in (votes, asked):
            await self.store.expire(name, LIFE)
        return first

    async def answers(self, code: str, question: str) -> dict[str, int]:
        """How many gave each answer."""
        return dict(Counter(await self.store.hvals(f"votes:{code}:{question}")))

    async def answer(self, code: str, question: str, person: str) -> str | None:
        """What this person answered."""
        return await self.store.hget(f"votes:{code}:{question}", person)

    async def come(self, code: str, person: str) -> None:
        """This person is there."""
        if await self.present(code) < VOTERS:
            await self.store.zadd(f"here:{code}", {person: self.clock()})
            await self.store.expire(f"here:{code}", LIFE)

    async def present(self, code: str) -> int:
        """How many are there, the teacher apart."""
        await self.store.zremrangebyscore(f"here:{code}", 0, self.clock() - AROUND)
        return await self.store.zcard(f"here:{code}")

    async def close(self, code: str) -> None:
        """All that was kept of it goes."""
        room = await self.store.hgetall(f"room:{code}")
        questions = await self.store.hgetall(f"asked:{code}")
        await self.store.zrem("rooms", code)
        await self.store.zrem(f"rooms:{room.get('network')}", code)
        votes = [f"votes:{code}:{question}" for question in questions]
        await self.store.delete(f"room:{code}", f"host:{room.get('host')}", f"here:{code}", f"asked:{code}", *votes)
