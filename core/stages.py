"""The table of contents: every stop of the path, in the order the data flows. A new stage starts here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A stop of the path; a lab has the stop it hangs off as its parent. Where no model can do what it `needs`
    (`core.zoo.Source.can`), it is left out."""

    slug: str
    parent: str | None = None
    needs: str = ""


STAGES = (
    Stage("overview"),
    Stage("tokens"),
    Stage("vocabulary", parent="tokens"),
    Stage("segmentation", parent="tokens"),
    Stage("embedding"),
    Stage("meaning", parent="embedding"),
    Stage("position"),
    Stage("input"),
    Stage("layernorm"),
    Stage("attention"),
    Stage("heads"),
    Stage("encoder"),
    Stage("size", parent="encoder"),
    Stage("training", parent="encoder"),
    Stage("translation"),
    Stage("output"),
    Stage("generation", needs="write"),
    Stage("circuits", parent="generation", needs="write"),
)
