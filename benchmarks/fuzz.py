"""Addresses and reports that make no sense, on every page: none may raise, or leave a part of a page undrawn.

`python -m benchmarks.fuzz --rounds 300` visits every page that often; each round is another address and another report.
"""

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from urllib.parse import urlencode

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.loadtest import Visit, Visitor, serve, warm
from benchmarks.soak import stages

PAGES = (*stages(), "claims", "credits")
FRAME = ("lang", "theme", "text", "model", "guess", "open", "section")
TEXTS = (
    *("", " ", "x", "The cat sat on the mat.", "cat " * 60, "a b a b a", "[MASK]", "<script>alert(1)</script>"),
    *("我昨天在北京买了三本书", "书书书书书", "？！", "朋", "👩\u200d💻🏳️\u200d🌈", "שלום \u202eabc", "a\u0000b\u0007c"),
)
RAW = (
    *("", " ", "0", "1", "2", "5", "7", "8", "11", "99", "-1", "3.5", "1e9", "nan", "inf", "0x1", "9" * 5000, "５"),
    *(
        "abc",
        "None",
        "on",
        "off",
        "true",
        "<b>",
        "'\"",
        "\u0000",
        "../..",
        "猫",
        "{q}",
        "a,b",
        "0-1",
        "3-1",
        "skip",
        "open",
    ),
    *("encoder", "cross", "self", "learned", "sinusoidal", "own", "now", "beam", "tsne", "pca", "gamma", "weights"),
)
NONSENSE = (
    *(None, True, 7, -1, 1.5, "x", "", [], {}, [1], {"a": 1}, "9" * 4000),
    *({"report": None}, {"report": [1]}, {"report": {"page": 3}}, {"draft": [1]}, {"text": {"a": 1}}, {"model": ["x"]}),
)


def query(rng: random.Random, names: tuple[str, ...]) -> dict[str, str]:
    """An address: some of a page's parameters, each with anything."""
    chosen = rng.sample(names, rng.randint(0, min(6, len(names)))) if names else []
    made = {name: rng.choice(TEXTS if name in ("text", "sample") else RAW) for name in chosen}
    return made | ({"lang": rng.choice(("zh", "en"))} if rng.random() < 0.5 else {})


def report(rng: random.Random, page: str, names: tuple[str, ...], number: int) -> object:
    """What the pictures of a page might say: mostly patches, with anything in them; or nonsense of another shape."""
    if rng.random() < 0.25:
        return rng.choice(NONSENSE)
    values = (*RAW, None, 3, [1], {"a": 1}, True)
    patch = {rng.choice(names or ("q",)): rng.choice(values) for _ in range(rng.randint(1, 4))}
    lacks = rng.choice(([], ["picture"], ["section"], ["nobody"], "picture", None))
    return {"report": {"session": "", "page": page, "patches": [[number, patch]], "lacks": lacks}}


class Fuzzer(Visitor):
    """A visitor who keeps what is wrong instead of stopping at it."""

    def __init__(self, url: str) -> None:
        super().__init__(url, Visit("credits", key="address"))
        self.faults: list[str] = []
        self.widgets: dict[str, str] = {}  # of every component on the page: widget id -> fragment id
        self.parameters: tuple[str, ...] = ()

    def _look(self, message: ForwardMsg) -> None:
        try:
            super()._look(message)
        except RuntimeError as error:
            self.faults.append(str(error))
        if message.WhichOneof("type") != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        if element.HasField("html") and "class='note fault'" in element.html.body:
            self.faults.append("a part of the page could not be drawn")
        if element.HasField("bidi_component"):
            component = element.bidi_component
            self.widgets[component.id] = message.delta.fragment_id
            if component.component_name == "see_address":
                self.parameters = tuple(json.loads(component.json)[0]["params"])

    async def say(self, widget: str, said: object) -> None:
        """One component reports something."""
        self.state = WidgetState(id=widget, json_value=json.dumps(said))
        await self._run(self.widgets.get(widget, ""))


async def fuzz(url: str, rounds: int, seed: int, pages: tuple[str, ...] = PAGES) -> list[str]:
    """What was wrong, a line each: page, address, report."""
    rng, wrong = random.Random(seed), []
    async with AsyncExitStack() as stack:
        visitor = Fuzzer(url)
        await visitor.connect(stack)
        for number, page in visits(rounds, pages):
            if visitor.visit.page != page:
                visitor.parameters = ()
            address = query(rng, (*FRAME, *visitor.parameters))
            visitor.widgets.clear()
            await visitor.go(page, urlencode(address))
            said = report(rng, page, visitor.parameters, number)
            for widget in rng.sample(sorted(visitor.widgets), min(2, len(visitor.widgets))):
                await visitor.say(widget, said)
            wrong += [f"{page}?{urlencode(address)[:300]} then {str(said)[:200]}: {fault}" for fault in visitor.faults]
            visitor.faults.clear()
    return wrong


def visits(rounds: int, pages: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Each page in turn, so often in a row that its parameters are known."""
    number = 0
    for page in pages:
        for _ in range(rounds):
            number += 1
            yield number, page


def measure(url: str, rounds: int, seed: int = 0) -> list[str]:
    return asyncio.run(fuzz(url, rounds, seed))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300, help="addresses of each page")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--url", help="a site that already runs; without it one is started")
    options = parser.parse_args()
    if options.url:
        wrong = measure(options.url, options.rounds, options.seed)
    else:
        with serve() as server:
            warm(server.url)
            wrong = measure(server.url, options.rounds, options.seed)
    print("\n".join(wrong[:40]))
    print(f"{options.rounds * len(PAGES)} addresses, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
