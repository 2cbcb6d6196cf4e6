"""A page that only the model that writes can show: where the visitor's sentence is not for it, its own example."""

from core.zoo import model_for
from pages.shared.address.address import Repair
from pages.shared.page.context import PageContext
from pages.shared.page.renderings import ID


def settle(page: PageContext, preset: str) -> None:
    """The translator reads Chinese; the visitor's sentence is untouched and travels on."""
    address = page.address
    if model_for(address.own_text) != ID and address.model != ID:
        address.instead = (preset, ID)
        said = address.own_text.strip()
        code = "reads_chinese" if any(map(str.isalnum, said)) else "reads_marks" if said else "reads_nothing"
        address.repairs.append(Repair(code))
    elif address.model != ID:
        address.instead = (address.own_text, ID)
        address.repairs.append(Repair("translates"))
