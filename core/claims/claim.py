"""What a claim is: something people say of Transformers, and the numbers that decide it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from ..zoo import Model

SO, WRONG, LOOSE = "so", "wrong", "loose"  # what comes of a claim: true as said, not so, or said too loosely to be so
CAT = "The cat sat on the mat."
OTHER = "A dog ran to the park."  # its second "the" stands where that of CAT does
THE = 5
CHINESE = "我昨天在北京买了三本书"
Facts = Mapping[str, str | int | float]
Models = Callable[[str], Model]


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes:
        source: the document that says it, an id of the sources in assets/lessons/claims.toml.
        stages: where it belongs, by slug; the first is where a visitor can try to break it.
        function: what computes its numbers, as file.name; imported when it is asked, for most of them need torch.
        door: the parameters of that page's address at which the control stands ready.
        verdict: SO, WRONG or LOOSE.
    """

    id: str
    source: str
    stages: tuple[str, ...]
    function: str
    door: Mapping[str, str] = field(default_factory=dict)
    verdict: str = WRONG

    @property
    def holds(self) -> bool:
        """Whether it is true as said."""
        return self.verdict == SO

    def facts(self, models: Models) -> Facts:
        """Its numbers, of the models it asks for by name; whatever is drawn has a seed."""
        file, name = self.function.split(".")
        return getattr(import_module(f"{__package__}.{file}"), name)(models)
