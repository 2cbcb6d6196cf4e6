"""Attention: one head of any layer, number by number."""

from core.questions import some
from core.questions.attention import each
from core.views.attention import AttentionView
from pages.shared.address.address import choice, index, whole
from pages.shared.body import Body, Panel, shows
from pages.shared.page.stage import FOLLOWED, PICTURE, Asked, Marks, PageContext, Section, Stage, Strip
from pages.shared.server import cached
from pages.stages.attention import chain, importance, maps, masks, rollout, scale, small_layer, small_layer_step, words
from pages.stages.attention.context import MODES, StageContext, axes, opening_cell, opening_head, telling, view_of
from pages.stages.attention.followed import followed
from pages.stages.attention.opened import opened
from pages.stages.attention.picture import controls, matrix, thumbnails

HEAD = ("kind", "layer", "head")


def which(page: PageContext):
    opening, _ = opening_head(page)
    return {
        "kind": choice(*page.model.attentions, default=page.model.attentions[0]),
        "layer": whole(1, page.model.config.layers, opening),
    }


def view(page: PageContext, chosen) -> AttentionView:
    return view_of(page, chosen["layer"], chosen["kind"])


def questions(page: PageContext, view: AttentionView):
    """Of the encoder, at the layer and head that are opened on, whatever is looked at now."""
    return questions_of(*page.key, *opening_head(page))


@cached.shared
def questions_of(name: str, text: str, layer: int, head: int):
    return some(each(cached.attention(name, text, layer), head - 1))


def parameters(page: PageContext, view: AttentionView, asked: Asked):
    _, head = opening_head(page)
    q, k = opening_cell(page, view, asked)
    return {
        "head": whole(1, page.model.config.heads, head),
        "show": choice(*MODES, default="weights"),
        "q": index(len(view.queries), q),
        "k": index(len(view.keys), k),
        "dim": whole(0, page.model.config.d_head - 1, telling(page, view, q, k), ends="sentence"),
    }


def marks(kind: str, show: str) -> tuple[Marks, Marks | None]:
    """Queries and keys stand in one sentence, or, in cross-attention, in two."""
    row, column = axes(show)
    both = Marks(first=row, second="k" if column == "k" else None, click=row)
    if kind in ("encoder", "causal"):
        return both, None
    if kind == "self":
        return Marks(), both
    return Marks(first="k", click="k"), Marks(first="q", click="q")


def strip(context: StageContext) -> Strip:
    kinds = context.page.model.attentions
    turns = {f"{kind}/{show}": marks(kind, show) for kind in kinds for show in MODES}
    source, target = marks(context.kind, context.show)
    return Strip(source, target, by=("kind", "show"), turns=turns)


BODY = Body(
    Panel(
        shows("matrix", matrix),
        followed,
        (1.12, 1),
        above=shows("controls", controls),
        below=shows("thumbnails", thumbnails, "heads"),
        says=words.write,
        says_with=FOLLOWED,
    ),
    opened,
    resets=("kind", "layer", "head", "show", "q", "k", "dim"),
    try_this=words.attempt,
    key=PICTURE,
)


STAGE = Stage(
    "attention",
    BODY,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    asked=words.asked,
    parameters=parameters,
    opened_by=("q", "k", "dim"),
    sections={
        "chain": Section(chain.draw, redraws=HEAD, pieces={chain.SUMS: (*HEAD, "q")}),
        "scale": Section(scale.draw, scale.parameters, pieces={scale.MEASURED: (*HEAD, "dk")}),
        "maps": Section(maps.draw, maps.parameters, (*HEAD, "q", "k", "dim"), {maps.FOLLOWS: ("map",)}),
        "masks": Section(masks.draw, masks.parameters, redraws=(*HEAD, "q", "mask", "pads")),
        "layer": Section(small_layer.draw, small_layer.parameters, redraws=("put", "line")),
        "step": Section(
            small_layer_step.draw, small_layer_step.parameters, redraws=("put", "target", "eta", "learned")
        ),
        "importance": Section(importance.draw, redraws=(*HEAD, "q")),
        "rollout": Section(rollout.draw, rollout.parameters, redraws=("kind", "layer", "q", "flow")),
    },
    redraws={"picture": ("kind", "layer"), "derivation": ("head", "show", "q", "k", "dim")},
    recap={"mix": {"section": "chain"}, "weights": {"show": "weights"}, "importance": {"section": "importance"}},
    strip=strip,
)
