"""The lines between tokens, the controls above them, and every head in small."""

from collections.abc import Sequence

import numpy as np

from core.edits import Edit
from core.figures import heads
from core.figures.controls import Control, Controls, numbered
from core.figures.dots import Dots, DotsWords
from core.figures.lines import Grid, Lines, four_digits
from core.figures.picture import veiled
from core.named_heads import known
from core.text.token import all_named
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.heads.context import WAYS, StageContext, heads_of


def controls(context: StageContext) -> Controls:
    t, heads = context.t, context.heads
    rest = {"q": None, "k": None, "pin": None}
    layers = Control("layer", t("layer"), numbered(heads.layers), also={"also": "layer"})
    ways = Control("way", t("way"), [(way, t(f"ways.{way}")) for way in WAYS])
    if len(context.page.model.attentions) == 1:
        return Controls([layers, ways])
    kinds = Control(
        "kind",
        t("kind"),
        [(kind, t(f"kinds.{kind}")) for kind in context.page.model.attentions],
        also=rest,
        stepper=True,
        plain=True,
    )
    return Controls([kinds, layers, ways])


def one_head(context: StageContext) -> Controls:
    """Above the lines of a single head: which one."""
    t, heads = context.t, context.heads
    counts = (("layer", heads.layers), ("head", heads.heads))
    return Controls([Control(name, t(f"one.{name}"), numbered(count), stepper="always") for name, count in counts])


def picture(context: StageContext) -> None:
    """One query in every head of a layer, as dots; or the lines of any heads."""
    if context.values["way"] == "dots":
        components.dots(key="dots", data=dots(context).pack())
    else:
        components.lines(key="lines", data=lines(context).pack())


def dots(context: StageContext) -> Dots:
    view = context.heads
    n, m = len(view.queries), len(view.keys)
    layers = range(1, view.layers + 1) if heads.fits(2 * view.layers * view.heads, n, m) else [context.layer]
    return Dots(
        planes={
            f"{layer}.{head}": veiled(context.weights(layer, head), context.veil)
            for layer in layers
            for head in range(1, view.heads + 1)
        },
        queries=all_named(view.tokens),
        keys=all_named(view.key_tokens),
        heads=view.heads,
        known=known_heads(context),
        does=does(context),
        words=dots_words(context),
    )


def does(context: StageContext) -> dict[str, str]:
    """What each of the names says."""
    t, names = context.t, known(context.page.address.model).values()
    return {t(f"known.{name}.name"): t(f"known.{name}.does") for name in names}


def dots_words(context: StageContext) -> DotsWords:
    facts = {name: context.t(f"dots.{name}") for name in DotsWords.__dataclass_fields__ if name != "veiled"}
    return DotsWords(**facts, veiled=context.t("matrix.veiled"))


def lines(context: StageContext) -> Lines:
    view = context.heads
    sent = heads.those_sent(view, context.shown)
    return Lines(
        id="lines",
        planes=planes(context, sent),
        queries=all_named(view.tokens),
        keys=all_named(view.key_tokens),
        heads=view.heads,
        known=known_heads(context),
        file=context.file,
        all_there=len(sent) == view.layers * view.heads,
        changed=[change_said(context, id) for id in context.changed],
        words=heads.lines_words(context.t, context.kind),
    )


def planes(context: StageContext, sent: Sequence[tuple[int, int]]) -> dict[str, np.ndarray]:
    """layer.head -> its weights as they are sent. Of a short text all are written once and kept."""
    if context.heads.weights is None:
        return {f"{i}.{j}": four_digits(veiled(context.weights(i, j), context.veil)) for i, j in sent}
    every = sent_of(*context.key, context.kind, context.edits, context.veil)
    return {f"{i}.{j}": every[i - 1, j - 1] for i, j in sent}


@cached.shared
def sent_of(name: str, text: str, kind: str, edits: tuple[Edit, ...], veil: tuple[int, ...]) -> np.ndarray:
    weights = heads_of(name, text, kind, edits).view.weights
    assert weights is not None
    return four_digits(veiled(weights, veil, 2))


def grid(context: StageContext) -> Grid:
    return heads.grid(
        context.t, context.heads, *context.view.thumbnails(context.veil), known_heads(context), does(context)
    )


def known_heads(context: StageContext) -> dict[str, str]:
    """layer.head -> what it is known for; not said while the question is open, nor of a changed model."""
    if context.veil or context.edits:
        return {}
    return {
        f"{layer}.{head}": context.t(f"known.{name}.name")
        for (layer, head), name in known(context.page.address.model).items()
    }


def change_said(context: StageContext, id: str) -> str:
    """One edit in words."""
    name, _, place = id.partition(":")
    kind, layer, head = place.split(".") if name == "mute" else ("", "", "")
    key = f"whatif.changes.{name}"
    return (
        context.t(key, layer=layer, head=head, kind=context.t(f"kinds.{kind}") if kind else "")
        if key in context.t
        else id
    )
