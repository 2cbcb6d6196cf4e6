"""Layer by layer: the state on its way through the decoder, read through the table after every sub-layer."""

import html

from core.views.output import Depth
from pages.shared.parts import Html, heading, paragraph, table, write
from pages.stages.output.look import Look, piece

BEST = 3


def draw(look: Look) -> None:
    t, view = look.t, look.view
    rows = [row_of(look, i, depth) for i, depth in enumerate(view.depths)]
    ends = [i for i, depth in enumerate(view.depths) if view.depths.index(view.whole[depth.layer]) == i]
    head = [t(f"depth.{name}") for name in ("after", "first", "second", "third", "rank")]
    write(
        heading(t, "depth"),
        paragraph(t, "depth.said", given=look.given, word=look.word, n=look.row),
        table(rows, head, kind="depths", marked=ends),
        *(paragraph(t, "depth.turn", **facts) for facts in turn(look)),
        paragraph(t, "depth.norm"),
    )


def row_of(look: Look, i: int, depth: Depth) -> list[object]:
    name = depth_name(look, depth)
    if look.hides(i, look.row):
        return [name, *[look.t("matrix.veiled")] * (BEST + 1)]
    shares = look.view.shares(i, look.row)
    best = shares.argsort()[::-1][:BEST].tolist()
    return [name, *(chip(piece(id), float(shares[id])) for id in best), str(rank(look, i))]


def chip(word: str, share: float) -> Html:
    return Html(f"<b>{html.escape(word)}</b> {share:.2f}")


def rank(look: Look, depth: int) -> int:
    """Where the word that is written stands."""
    view, row = look.view, look.row
    id = view.written[row].id if row < len(view.written) else view.best(len(view.depths) - 1, row)
    return view.rank(depth, row, id)


def depth_name(look: Look, depth: Depth) -> str:
    if not depth.part:
        return look.t("depths.start")
    return look.t("depth.place", layer=depth.layer, part=look.t(f"depth.{depth.part}"))


def turn(look: Look) -> list[dict[str, object]]:
    """From where on the word that is written leads for good; while the question is open, nothing."""
    if look.row in look.asked.rows:
        return []
    ranks = [rank(look, i) for i in range(len(look.view.depths))]
    if ranks[-1] != 1:
        return []
    first = next(i for i in range(len(ranks)) if set(ranks[i:]) == {1})
    before = str(ranks[0])
    return [{"word": look.word, "place": depth_name(look, look.view.depths[first]), "before": before}]
