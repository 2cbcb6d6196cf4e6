"""What is sent beside a picture, which borrows it under a name: it can be sent anew without the picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .picture import Picture


@dataclass(frozen=True, eq=False)
class Lent(Picture):
    """`given` is another figure: its header travels under that name, its arrays behind."""

    id: str
    given: Picture

    def arrays(self) -> Iterator[np.ndarray]:
        return self.given.arrays()

    def header(self) -> dict[str, Any]:
        return {"id": self.id, "given": self.given.header()}
