""" "What if" changes to a running model, as named constructors. The model itself is never changed.

The id determines the edit, and `parse` reads it back: ids travel in the address and belong to a cache's key.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Edit:
    """Where a tap's name matches `pattern`, its tensor goes through `change` before it goes on.

    `change` is given the tensor with its batch dimension and must leave its shape.
    """

    id: str
    pattern: str
    change: "Callable[[Tensor], Tensor]" = field(compare=False)


def lift_mask() -> Edit:
    """Let every target token look at those after it, as if there were no causal mask. Padding stays hidden.

    The last token may look at everything but padding, with the mask too: so its row is what remains.
    """
    return Edit("lift", "decoder.*.self_attention.mask", lambda mask: mask[..., -1:, :].expand_as(mask))


CONSTRUCTORS: dict[str, Callable[..., Edit]] = {"lift": lift_mask}


def parse(id: str) -> Edit:
    """The edit with this id.

    Raises:
        InputError: there is none.
    """
    name, colon, rest = id.partition(":")
    try:
        edit = CONSTRUCTORS[name](*rest.split(".") if colon else ())
    except (KeyError, TypeError, ValueError):
        raise InputError("unknown_edit", id=id) from None
    if edit.id != id:
        raise InputError("unknown_edit", id=id)
    return edit
