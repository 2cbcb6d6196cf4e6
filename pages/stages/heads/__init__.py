"""Heads: all of them at once, what each does, and what they come to together."""

from collections.abc import Sequence

from core.figures.heads import fits
from core.questions import some
from core.questions.heads import each
from core.views.heads import MEASURES, clearest_row
from pages.shared.address.address import choice, index, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.edits import edit_parameter, edits_in
from pages.shared.page.stage import FOLLOWED, PICTURE, Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.heads import by_word, joining, named_heads, pair, whatif, words
from pages.stages.heads.context import (
    DOTTED,
    WAYS,
    Heads,
    StageContext,
    also_parameter,
    heads_of,
    opening_head,
    pin_parameter,
)
from pages.stages.heads.followed import followed
from pages.stages.heads.opened import opened
from pages.stages.heads.picture import controls, grid, picture


def which(page: PageContext):
    return {"kind": choice(*page.model.attentions, default=page.model.attentions[0]), "edit": edit_parameter(page)}


def view(page: PageContext, chosen) -> Heads:
    return heads_of(*page.key, chosen["kind"], edits_in(chosen["edit"] or ""))


def questions(page: PageContext, view: Heads):
    """Of the encoder as it is, in the layer that is opened on, whatever is looked at now."""
    layer, _ = opening_head(page)
    return questions_of(*page.key, layer)


@cached.shared
def questions_of(name: str, text: str, layer: int):
    return some(each(heads_of(name, text, cached.model(name).attentions[0]).view, layer - 1, text))


def parameters(page: PageContext, view: Heads, asked: Asked):
    heads, (layer, head) = view.view, opening_head(page)
    q, k = opening_cell(page, view, asked)
    n, m = len(heads.queries), len(heads.keys)
    return {
        "layer": whole(1, heads.layers, layer),
        "head": whole(1, heads.heads, head),
        "q": index(n, q),
        "k": index(m, k),
        "also": also_parameter(heads.layers, heads.heads, "layer" if fits(heads.heads, n, m) else "alone"),
        "pin": pin_parameter(n, m, f"q{q}"),
        "way": choice(*WAYS, default="dots" if max(n, m) <= DOTTED else "upright"),
        "sort": choice("layer", *(name for name in MEASURES if name in heads.measures), default="layer"),
        "grid": choice("model", "layer", default="model"),
    }


def opening_cell(page: PageContext, view: Heads, asked: Asked) -> tuple[int, int]:
    """The asked row and what it looks at most; while the question is open, the same of a neighbouring row."""
    heads, question = view.view, asked.question if view.view.kind == page.model.attentions[0] else None
    if heads.weights is None:  # so long a text is asked nothing
        return min(1, len(heads.queries) - 1), min(1, len(heads.keys) - 1)
    layer, head = opening_head(page)
    weights = heads.weights[layer - 1, head - 1]
    row = question.row if question else clearest_row(weights, heads.kind in ("self", "causal"))
    if question and asked.open:
        row = row - 1 if row else 1
    return row, int(weights[row].argmax())


def marks(kind: str, asked: Sequence[int] = ()) -> tuple[Marks, Marks | None]:
    """Queries and keys stand in one sentence, or, in cross-attention, in two."""
    both = Marks(first="q", second="k", click="q", asked=asked)
    if kind in ("encoder", "causal"):
        return both, None
    return (Marks(), both) if kind == "self" else (Marks(first="k", click="k"), Marks(first="q", click="q"))


def strip(context: StageContext) -> Strip:
    kinds = context.page.model.attentions
    turns = {kind: marks(kind, context.asked.rows if kind == kinds[0] else ()) for kind in kinds}
    return Strip(*turns[context.kind], by=("kind",), turns=turns)


BODY = Body(
    Panel(
        picture,
        followed,
        (1.25, 1),
        above=shows("controls", controls),
        below=shows("grid", grid),
        says=words.write,
        says_with=FOLLOWED,
    ),
    opened,
    resets=("kind", "layer", "head", "q", "k", "also", "pin", "edit"),
    try_this=words.attempt,
    key=PICTURE,
)


STAGE = Stage(
    "heads",
    BODY,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("q", "k", "pin", "wq", "wk", "pq", "pk"),
    sections={
        "known": named_heads.SECTION,
        "words": by_word.SECTION,
        "split": joining.SPLIT,
        "joined": joining.JOINED,
        "whatif": whatif.SECTION,
        "pair": pair.SECTION,
    },
    redraws={"picture": ("kind", "edit", "way"), "derivation": ("layer", "head", "q", "k")},
    recap={"several": {}, "names": {"section": "known"}, "joined": {"section": "joined"}},
    strip=strip,
)
