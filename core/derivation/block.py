"""A parameter of a quantised model, one step further than where it was learned: to its block in the file."""

import numpy as np

from ..errors import InputError
from ..zoo import Model
from .origins import Weight
from .steps import Derivation, Step


def derive_block(model: Model, weight: Weight) -> Derivation:
    """scale × code + minimum, of the block of 32 numbers that it stands in; in single precision, and exactly itself.

    Raises InputError where the model's numbers stand in no blocks, and for a number that stands by itself.
    """
    index = tuple(axis for axis in weight.index if axis is not None)
    block = model.file.block(weight.name, *index) if model.file and len(index) == len(weight.index) else None
    if block is None or block.kind == "F32":
        raise InputError("no_block", model=model.id, name=str(weight)[:80])
    parts = {"scale": float(block.scale), "code": block.code, "minimum": float(block.minimum)}
    module, _, parameter = weight.name.rpartition(".")
    known = model.parts[module].get_parameter(parameter)[index].item()
    return Derivation((Step(f"block_{block.kind.lower()}", float(np.float32(block.value)), parts),), known)
