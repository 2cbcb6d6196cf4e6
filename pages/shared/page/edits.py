"""What is changed in a model, as the address of a page has it."""

from collections.abc import Iterable

from core.capture import fitting
from core.edits import Edit, parse
from core.errors import InputError
from core.zoo import Model
from pages.shared.address.address import Parameter
from pages.shared.page.stage import PageContext

MOST = 100


def edits_in(raw: str) -> tuple[Edit, ...]:
    """The edits of an address: ids, joined by commas, each once. Raises InputError for what is none."""
    return tuple(parse(id) for id in dict.fromkeys(raw.split(",")) if id)[:MOST]


def ids_of(edits: Iterable[Edit]) -> str:
    """Edits as an address has them."""
    return ",".join(edit.id for edit in edits)


def written(edit: Edit) -> bool:
    """Whether an address may have it: not one of one's own, nor one that takes a row from another text, for that may
    have none such."""
    return edit.known and not edit.other


def edit_parameter(page: PageContext) -> Parameter:
    """What is changed: edits that this page's model has something for."""

    def read(raw: str) -> str | None:
        try:
            found = edits_in(raw)
        except InputError:
            return None
        return ids_of(found) or None if all(map(written, found)) and changes(page.model, *found) else None

    return Parameter(read, None, f"zero, drop_sqrt_dk:{page.model.config.d_head}, mute:encoder.1.3, …")


def changes(model: Model, *edits: Edit) -> bool:
    """Whether there is something in the model that the edits change."""
    try:
        return bool(fitting(model, edits))
    except InputError:
        return False
