"""The table of contents: every stop of the path, in the order the data flows. A new stage starts here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A stop of the path; a lab has the stop it hangs off as its parent."""

    slug: str
    parent: str | None = None


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
    Stage("generation"),
    Stage("circuits", parent="generation"),
)
