"""What a run was given: a number that a page only compares with is from another run than the one at hand."""

from dataclasses import dataclass

from .edits import Edit, read


@dataclass(frozen=True)
class RunSpec:
    """What `capture` was given. A text, a model or an arrangement of the norms that is not named is
    that of the run at hand; of the rest, none. `norm` is one of `core.zoo.rearranged`: the same weights, so arranged.

    >>> from core.edits import cut
    >>> str(RunSpec("Hello.", edits=(cut(),)))
    "'Hello.' cut"
    """

    text: str | None = None
    pair: str | None = None
    target: str | None = None
    pad_to: int | None = None
    edits: tuple[Edit, ...] = ()
    model: str | None = None
    norm: str | None = None

    def __post_init__(self) -> None:
        """Edits may be given by their ids, too. Raises InputError for an id that no edit has."""
        object.__setattr__(self, "edits", read(self.edits))

    def named_from(self, other: "RunSpec") -> bool:
        """Whether this is the same run where the other's is at hand: it names whatever that names."""
        return all(
            getattr(self, name) is not None or getattr(other, name) is None for name in ("text", "model", "norm")
        )

    def __str__(self) -> str:
        words = (self.text, self.pair, self.target)
        rest = (
            *(str(word) for word in (self.pad_to, self.model, self.norm) if word),
            *(edit.id for edit in self.edits),
        )
        return " ".join((*(repr(word) for word in words if word is not None), *rest))


AT_HAND = RunSpec()  # the text as it is, by the model at hand
