"""The link to what is on the screen, and its QR code for a class. Drawn here: no service is asked."""

import segno

from pages.shared.page import sentence_box
from pages.shared.page.stage import StageContext
from pages.shared.pictures import components
from pages.shared.server import cached

KEY = "share"
LONGEST = 2900  # bytes of a link that gets a code: the largest there is holds 2,953
WORDS = ("open", "copied", "refused", "label", "inside", "leaves", "larger", "again", "close")


def share(context: StageContext) -> None:
    """A piece of its own: to draw a code redraws nothing else."""
    context.page.drawing.piece(KEY, draw)


def draw(context: StageContext) -> None:
    t = context.t
    data = {
        "code": code(sentence_box.said(KEY, "link")),
        "longest": LONGEST,
        "leaves": context.page.stage.keeps,
        "words": {**{name: t(f"share.{name}") for name in WORDS}, "tooLong": t("share.too_long", limit=LONGEST)},
    }
    components.share(key=KEY, data=data, on_link_change=lambda: None)


def code(link: str | None) -> dict[str, object] | None:
    """A link's code: how many modules it is wide, and its dark ones as an SVG path, a stretch of a row at a time.

    None where there is no link, or none that a browser wrote: those are ASCII, and short enough to get a code.
    """
    if not link or not link.isascii() or len(link) >= LONGEST:
        return None
    return drawn(link)


@cached.shared
def drawn(link: str) -> dict[str, object]:
    # Not the micro kind, which few cameras know; the least correction that fits, raised where that costs no module.
    rows = [[bool(dark) for dark in row] for row in segno.make(link, error="l", micro=False).matrix]
    path = "".join(f"M{x} {y}h{wide}v1h-{wide}z" for y, row in enumerate(rows) for x, wide in stretches(row))
    return {"link": link, "modules": len(rows), "path": path}


def stretches(row: list[bool]) -> list[tuple[int, int]]:
    """Where the dark stretches of a row begin, and how long they are.

    >>> stretches([True, True, False, True])
    [(0, 2), (3, 1)]
    """
    found, start = [], None
    for x, dark in enumerate([*row, False]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            found.append((start, x - start))
            start = None
    return found
