"""What visitors do on each page, as `benchmarks` measures it: a line an act. A new page adds its controls here."""

from dataclasses import replace
from urllib.parse import urlencode

from benchmarks.loadtest import Visit
from benchmarks.soak import stages

QUERY = urlencode({"lang": "en", "text": "The cat sat on the mat.", "guess": "skip"})
CELL = Visit(query=QUERY)  # of the matrix of attention

# Page -> what is moved there -> the patch: "a..b" is a random whole number, a list a random choice.
CONTROLS: dict[str, dict[str, dict[str, object]]] = {
    "attention": {"layer": {"layer": "1..6"}},
}


def pages() -> dict[str, Visit]:
    """Page -> the whole page opened."""
    return {slug: Visit(slug, QUERY, "address", whole=True) for slug in stages()}


def controls() -> dict[str, Visit]:
    """Every control that needs Python, by page and name."""
    return {
        f"{slug}: {name}": replace(pages()[slug], state=patch, whole=False)
        for slug, moved in CONTROLS.items()
        for name, patch in moved.items()
    }
