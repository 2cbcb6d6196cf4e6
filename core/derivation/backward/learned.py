"""The gradient of a loss by what was learned: used at every token, it gets the sum of what comes back there."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...model.places import Place, split
from ..flow import TABLE, Flow
from ..operators import total
from ..origins import Axis, Cell, Index, Weight
from ..reading import array
from ..steps import Named, Step, summed
from .gradient import Backward
from .ways import joined


def learned(back: Backward, of: Weight) -> list[Step]:
    """A parameter was used at every token: what comes back to it there is added up."""
    if of.name == TABLE:
        return joined(list(doors(back, of)))
    if of.name.endswith("table.weight"):
        return of_table(back, of)
    module, _, word = of.name.rpartition(".")
    place, _ = split(of.name)
    if place.norm:
        at, by = Cell(place.tap("output"), (None, *of.index)), Cell(place.tap("normalized"), (None, *of.index))
    else:
        matrix, last = split(module)
        at, by = of_matrix(back, matrix, last, of.index)
    slopes = back.slope(at)
    if word in ("beta", "bias") or by is None:
        return [total("back_slopes", slopes, 1, way=at.name)]
    return [summed("back_sum", slopes, back.read(by), way=at.name)]


def doors(back: Backward, of: Weight) -> Iterator[list[Step]]:
    """What a row of the embedding table was used for: looked up, where its token stands; and, where the model writes,
    scored as a word that might be next."""
    for tap in back.flow.dims:
        if found := door(back, of, tap):
            yield found


def door(back: Backward, of: Weight, tap: str) -> list[Step]:
    """What comes back to a row by way of one tap; nothing where that is no use of the table."""
    row, dim = of.index
    place, word = split(tap)
    if word == "token" and place.part == "embedding":
        found = [i for i, token in enumerate(back.flow.tokens(place)) if token.id == row]
        return looked_up(back, tap, found, dim)
    if word == "logits":
        states = back.read(Cell(back.flow.top("decoder"), (None, dim)))
        return [summed("back_sum", back.slope(Cell(tap, (None, row))), states, way=tap)]
    return []


def all_through(back: Backward, tap: str) -> np.ndarray:
    """[vocab, d_model], float32: the same of all rows."""
    slopes = back.of(Cell(tap, ()))
    if split(tap)[1] == "logits":
        return slopes.T @ back.read(Cell(back.flow.top("decoder"), (None, None))).values.astype(np.float32)
    ids = [token.id for token in back.flow.tokens(split(tap)[0])]
    found = np.zeros((array(back.run, Weight(TABLE, (None, None))).shape[0], slopes.shape[1]), np.float32)
    np.add.at(found, ids, slopes)
    return found


def of_table(back: Backward, of: Weight) -> list[Step]:
    """A row of the positions' or the segments' table: of the tokens that stand there."""
    tap = of.name.split("_table")[0]  # embedding.position, embedding.segment
    row, dim = of.index
    tokens = back.flow.tokens(split(tap)[0])
    here = [i for i, token in enumerate(tokens) if row == (i if tap.endswith("position") else token.segment)]
    return looked_up(back, tap, here, dim)


def looked_up(back: Backward, tap: str, tokens: Sequence[int], dim: Axis) -> list[Step]:
    """What comes back to a row from each of the tokens that have it."""
    if not tokens:
        return [Step("back_none", 0.0, {"way": tap})]
    slopes = back.of(Cell(tap, ()))[list(tokens), dim].astype(np.float64)
    each = Named(slopes, source=lambda i: back.measure(Cell(tap, (tokens[i], dim))))
    return [total("back_slopes", each, 1, way=tap)]


def of_matrix(back: Backward, place: Place, last: str, index: Index) -> tuple[Cell, Cell | None]:
    """What a unit of a matrix made, of all tokens, and, of a weight, what it was given."""
    unit, *entry = (int(i or 0) for i in index)
    made, given = MATRICES[last](back.flow, place)
    by = Cell(given, along(back.flow, given, entry[0])) if entry else None
    return Cell(made, along(back.flow, made, unit)), by


def along(flow: Flow, tap: str, unit: int) -> Index:
    """One unit of all tokens: of a head's, which head and which of its dimensions."""
    if flow.dims[tap][0] != "head":
        return (None, unit)
    head, dim = divmod(unit, flow.config.d_head)
    return (head, None, dim)


MATRICES = {
    "to_query": lambda flow, place: (place.tap("query"), flow.reading(place)),
    "to_key": lambda flow, place: (place.tap("key"), flow.answering(place)),
    "to_value": lambda flow, place: (place.tap("value"), flow.answering(place)),
    "to_output": lambda flow, place: (place.tap("output"), place.tap("context")),
    "widen": lambda flow, place: (place.tap("hidden"), flow.reading(place)),
    "narrow": lambda flow, place: (place.tap("output"), place.tap("activated")),
}
