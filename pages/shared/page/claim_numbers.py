"""Which of a claim's numbers can be followed back to a learned table: each as what it is measured of, and of which run.
The others are counts, settings, numbers that were drawn, and those that no capture holds."""

from collections.abc import Callable, Mapping

from core.claims.claim import CAT, CHINESE, OTHER, THE, Claim, Facts
from core.derivation import Cell, Measure, RunSpec, Source, Weight
from core.derivation.measures.words import LIKELY
from core.edits import lift_mask
from core.zoo import able

HERE, THERE = (RunSpec(text, model=able("compare")) for text in (CAT, OTHER))


def origins(claim: Claim, facts: Facts) -> Mapping[str, Source]:
    """Of each number that can be followed, by its name among the facts, what it is."""
    made = MADE.get(claim.function)
    return made(facts) if made else {}


def placeless(facts: Facts) -> dict[str, Source]:
    def apart(tap: str) -> Measure:
        return Measure("apart", (Cell(tap, (1, None), HERE), Cell(tap, (THE, None), HERE)))

    return {"fetched": apart("embedding.token"), "placed": apart("embedding.sum")}


def alone(facts: Facts) -> dict[str, Source]:
    def apart(tap: str) -> Measure:
        return Measure("apart", (Cell(tap, (THE, None), HERE), Cell(tap, (THE, None), THERE)))

    return {"entering": apart("embedding.output"), "leaving": apart("encoder.0.output")}


def one_map(facts: Facts) -> dict[str, Source]:
    column = Weight("encoder.0.attention.to_query.weight", (0, None), HERE)
    return {"value": Measure("dot", (Cell("embedding.sum", (THE, None), HERE), column))}


def per_token(facts: Facts) -> dict[str, Source]:
    return {
        "mean": Cell("embedding.norm.mean", (THE,), HERE),
        "variance": Cell("embedding.norm.variance", (THE,), HERE),
    }


def future(facts: Facts) -> dict[str, Source]:
    """Without the mask; with it nothing but rounding changes."""
    row, was, now = int(facts["row"]), str(facts["target"]), str(facts["changed"])
    runs = (RunSpec(CHINESE, target=text, edits=(lift_mask(),), model=able("translate")) for text in (was, now))
    return {"lifted": Measure("apart", tuple(Cell(LIKELY, (row, None), run) for run in runs))}


MADE: Mapping[str, Callable[[Facts], Mapping[str, Source]]] = {
    "entering.placeless": placeless,
    "entering.alone": alone,
    "entering.one_map": one_map,
    "layers.per_token": per_token,
    "layers.future": future,
}
