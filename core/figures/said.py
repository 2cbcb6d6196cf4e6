"""What a figure that writes its own words asks of a page's texts."""

from typing import Protocol


class Said(Protocol):
    """The words of a page: texts by their keys, what is given filled in."""

    def __call__(self, key: str, **values: object) -> str: ...

    def help(self, name: str) -> str:
        """What a control does."""
        ...
