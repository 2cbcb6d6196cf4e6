"""A few places and who waits for them: served in turn by address, then by person, then by who asked first."""

import asyncio
from collections import Counter, deque

Line = deque[asyncio.Future[None]]


class FairQueue:
    """Places, of which an address holds so many at once, and each person there so many.

    However many ask from one address, and however many people they say they are, another address is next in turn.
    """

    def __init__(self, places: int, of_address: int, of_person: int):
        self.places, self.of_address, self.of_person = places, of_address, of_person
        self.held: Counter[tuple[str, ...]] = Counter()  # by address, and by address and person
        self.waiting: dict[str, dict[str, Line]] = {}  # address -> person -> in turn; who is next stands first

    async def take(self, address: str, person: str) -> None:
        """Wait for a place; it is to be given back."""
        place = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(address, {}).setdefault(person, deque()).append(place)
        self.serve()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # given in the same moment
                self.give_back(address, person)
            elif place in (line := self.waiting.get(address, {}).get(person, deque())):
                line.remove(place)
                self.forget(address, person)
            raise

    def give_back(self, address: str, person: str) -> None:
        self.held -= Counter([(address,), (address, person)])
        self.serve()

    def serve(self) -> None:
        """Give the free places to who is next."""
        while (who := self.next()) is not None:
            address, person = who
            place = self.waiting[address][person].popleft()
            # Both go to the end of their line.
            persons = self.waiting[address] = self.waiting.pop(address)
            persons[person] = persons.pop(person)
            self.forget(address, person)
            if not place.done():
                self.held.update([(address,), (address, person)])
                place.set_result(None)

    def next(self) -> tuple[str, str] | None:
        """Whoever holds least, and of those who was served longest ago."""
        if sum(count for who, count in self.held.items() if len(who) == 1) >= self.places:
            return None
        for address in sorted(self.waiting, key=lambda address: self.held[address,]):
            if self.held[address,] < self.of_address:
                person = min(self.waiting[address], key=lambda person: self.held[address, person])
                if self.held[address, person] < self.of_person:
                    return address, person
        return None

    def forget(self, address: str, person: str) -> None:
        """No longer keep who does not wait."""
        if not self.waiting[address][person]:
            del self.waiting[address][person]
        if not self.waiting[address]:
            del self.waiting[address]
