"""Places are given in turn: to addresses, then to the persons there, then to who asked first; none is lost."""

import asyncio

from pages.shared.server.fair_queue import Places, Who
from tests.coroutines import run


async def served(queue: Places, asked: list[str]) -> list[str]:
    """In which order they have a place who are called by address, person and a number: a1x, a1y, b1x."""
    order: list[str] = []

    async def one(name: str) -> None:
        await queue.take(Who(name[0], name[1]))
        order.append(name)
        await asyncio.sleep(0)
        queue.give_back(Who(name[0], name[1]))

    await queue.take(Who("z", "z"))
    tasks = [asyncio.create_task(one(name)) for name in asked]
    await asyncio.sleep(0)
    queue.give_back(Who("z", "z"))
    await asyncio.gather(*tasks)
    assert not queue.held and not queue.waiting
    return order


def test_addresses_then_persons_then_who_asked_first() -> None:
    asked = ["a1p", "a1q", "a1r", "a2p", "a3p", "b1p", "b1q", "c1p"]
    in_turn = ["a1p", "b1p", "c1p", "a2p", "b1q", "a3p", "a1q", "a1r"]

    async def go() -> None:
        assert await served(Places(1, 1, 1), asked) == in_turn

    run(go())


def test_all_of_one_address_have_every_place_it_may_have() -> None:
    async def go() -> None:
        queue, most = Places(4, 3, 2), 0

        async def one(i: int) -> None:
            nonlocal most
            await queue.take(Who("school", str(i % 30)))
            most = max(most, sum(queue.held[who] for who in queue.held if len(who) == 1))
            await asyncio.sleep(0)
            queue.give_back(Who("school", str(i % 30)))

        await asyncio.gather(*map(one, range(60)))
        assert most == 3 and not queue.held

    run(go())


def test_who_leaves_while_waiting_or_in_the_moment_of_being_served_takes_no_place() -> None:
    async def go() -> None:
        queue = Places(1, 1, 1)
        await queue.take(Who("a", "1"))
        tasks = [asyncio.create_task(queue.take(Who("b", "1"))) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.sleep(0)
        queue.give_back(Who("a", "1"))  # to the second, who leaves at once
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert tasks[2].exception() is None and queue.held.total() == 2 and not queue.waiting
        queue.give_back(Who("b", "1"))
        assert not queue.held

    run(go())
