"""What is clicked on a chart that Plotly draws: a picture that shows nothing itself."""

from dataclasses import dataclass
from typing import Any

from core.figures.picture import plain


@dataclass(frozen=True)
class Clicks:
    """Hears of a click on a word; what is clicked is followed (`of`)."""

    chart: str  # the key of the chart it listens to
    hidden: str  # the word that cannot be chosen

    def data(self) -> dict[str, Any]:
        return plain(self)
