"""A few places and who waits for them: served in turn by address, then by person, then by who asked first.

The pages that are to be drawn stand in one (`request_gate.py`), the steps of work beside them (`jobs.py`), and the
trainings (`trainings.py`).
"""

import asyncio
from collections import Counter, deque
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")


class Who(NamedTuple):
    """Somebody who asks: a person at an address."""

    address: str
    person: str


class FairQueue(Generic[Item]):
    """Places, of which an address holds so many at once, and each person there so many.

    However many ask from one address, and however many people they say they are, another address is next in turn.
    """

    def __init__(self, places: int, of_address: int, of_person: int):
        self.places, self.of_address, self.of_person = places, of_address, of_person
        self.held: Counter[tuple[str, ...]] = Counter()  # by address, and by address and person
        self.waiting: dict[str, dict[str, deque[Item]]] = {}  # address -> person -> in turn; who is next stands first

    def put(self, who: Who, item: Item, goes_on: bool = False) -> None:
        """To the end of this person's line; what only `goes_on` stands before the rest of it."""
        line = self.waiting.setdefault(who.address, {}).setdefault(who.person, deque())
        line.appendleft(item) if goes_on else line.append(item)

    def pop(self) -> tuple[Who, Item] | None:
        """Who is next, and with what: they have a place until it is given back. None where there is none."""
        who = self.next()
        if who is None:
            return None
        item = self.waiting[who.address][who.person].popleft()
        # Both go to the end of their line.
        persons = self.waiting[who.address] = self.waiting.pop(who.address)
        persons[who.person] = persons.pop(who.person)
        self.forget(who)
        self.held.update([(who.address,), who])
        return who, item

    def give_back(self, who: Who) -> None:
        self.held -= Counter([(who.address,), tuple(who)])

    def leave(self, who: Who, item: Item) -> None:
        """Wait no longer, where it did."""
        line = self.waiting.get(who.address, {}).get(who.person, deque())
        if item in line:
            line.remove(item)
            self.forget(who)

    def in_turn(self) -> list[Item]:
        """Who waits, in the order in which places would be given if nobody came or left."""
        ahead = FairQueue[Item](self.places + len(self), self.of_address + len(self), self.of_person + len(self))
        ahead.held = self.held.copy()
        ahead.waiting = {a: {p: line.copy() for p, line in persons.items()} for a, persons in self.waiting.items()}
        return [found[1] for _ in range(len(self)) if (found := ahead.pop())]

    def __len__(self) -> int:
        return sum(len(line) for persons in self.waiting.values() for line in persons.values())

    def next(self) -> Who | None:
        """Whoever holds least, and of those who was served longest ago."""
        if sum(count for who, count in self.held.items() if len(who) == 1) >= self.places:
            return None
        for address in sorted(self.waiting, key=lambda address: self.held[address,]):
            if self.held[address,] < self.of_address:
                person = min(self.waiting[address], key=lambda person: self.held[address, person])
                if self.held[address, person] < self.of_person:
                    return Who(address, person)
        return None

    def forget(self, who: Who) -> None:
        """No longer keep who does not wait."""
        if not self.waiting[who.address][who.person]:
            del self.waiting[who.address][who.person]
        if not self.waiting[who.address]:
            del self.waiting[who.address]


class Places(FairQueue[asyncio.Future[None]]):
    """The same, of tasks that wait."""

    async def take(self, who: Who) -> None:
        """Wait for a place; it is to be given back."""
        place = asyncio.get_running_loop().create_future()
        self.put(who, place)
        self.serve()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self.leave(who, place)
            else:  # given in the same moment
                self.give_back(who)
            raise

    def give_back(self, who: Who) -> None:
        super().give_back(who)
        self.serve()

    def serve(self) -> None:
        """Give the free places to who is next."""
        while (found := self.pop()) is not None:
            who, place = found
            if place.done():  # it left in this moment
                super().give_back(who)
            else:
                place.set_result(None)
