"""Addresses that make no sense, on every page: none may raise, or leave a part of a page undrawn.

`python -m benchmarks.fuzz` tries thousands, and forged reports, on a running site.
"""

import random

import pytest

from benchmarks.fuzz import FRAME, query
from pages.stages import pages

ROUNDS = 3


@pytest.mark.parametrize("slug", pages())
def test_nonsense_in_the_address_leaves_every_page_whole(opened, slug):
    page = opened(slug, "en")  # fails where a part of the page could not be drawn
    rng = random.Random(slug)
    for _ in range(ROUNDS):
        address = query(rng, (*FRAME, *page.data("address")["params"]))
        visited = opened(slug, **{"lang": "en", "text": None, **address})
        assert visited.address["lang"] in ("zh", "en"), address
        again = opened(slug, **visited.address)  # what was repaired needs no repair
        assert again.address == visited.address, address
