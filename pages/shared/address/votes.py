"""Votes on the claims, as the address has them: "F1.not-F2.said" is a vote each, "all" opens every card."""

import re
from collections.abc import Mapping

from core.claims import BY_ID, LOOSE, Claim
from pages.shared.address.address import Parameter

SAID, NOT = "said", "not"  # true as said; not so
EVERY = "all"


def votes_in(raw: str) -> dict[str, str]:
    """The first vote on each claim there is."""
    found = re.findall(rf"(\w+)\.({SAID}|{NOT})(?:-|$)", raw)
    return {id: vote for id, vote in reversed(found) if id in BY_ID}


def written(votes: Mapping[str, str], every: bool) -> str | None:
    return "-".join([f"{id}.{votes[id]}" for id in BY_ID if id in votes] + [EVERY] * every) or None


def is_right(claim: Claim, vote: str) -> bool:
    """Of what is said too loosely, either vote is right: it hangs on a word."""
    return claim.verdict == LOOSE or (vote == SAID) == claim.holds


def read(raw: str) -> str | None:
    return written(votes_in(raw), EVERY in raw.split("-"))


PARAMETER = Parameter(read, None, f"{EVERY}, F1.{NOT}-F2.{SAID}")
