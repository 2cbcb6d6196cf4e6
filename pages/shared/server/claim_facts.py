"""The numbers of each claim, computed once for everybody."""

from core.claims import BY_ID, Claim, Facts
from pages.shared.server import cached


def facts(claim: Claim) -> Facts:
    """A claim's numbers."""
    return facts_of(claim.id)


@cached.shared
def facts_of(id: str) -> Facts:
    return BY_ID[id].facts(cached.model)


def is_there(claim: Claim) -> bool:
    """Whether they have been computed and are kept."""
    return facts_of.known(claim.id)
