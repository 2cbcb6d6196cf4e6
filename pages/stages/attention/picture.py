"""The matrix of a head, the controls above it, the other heads below it."""

import numpy as np

from core.figures.controls import Control, Controls, More, numbered
from core.figures.matrix import Axis, Matrix, Thumbnail, Thumbnails
from core.figures.picture import veiled
from core.text.token import all_named
from pages.shared.page.one_head import first_kind
from pages.shared.pictures.pictures import STACK, matrix_words
from pages.stages.attention.context import MODES, SQUARE, StageContext, axes

SIDE = 398  # pixels of a matrix that stands beside its number


def plane(context: StageContext, mode: str, head: int) -> np.ndarray:
    """A plane as it may be shown. Contexts and queries do not answer the question."""
    array = context.view.plane(mode, head - 1)
    return veiled(array, context.veil) if mode in SQUARE else array


def matrix(context: StageContext) -> Matrix:
    """The planes for the browser: every head, in every mode of the same shape, as far as they fit."""
    modes = SQUARE if context.square else tuple(mode for mode in MODES if axes(mode) == axes(context.show))
    (row, column), (n, m) = axes(context.show), plane(context, context.show, context.head).shape
    return Matrix(
        id="matrix",
        name=("kind", "layer", "show", "head"),
        planes={
            f"{context.kind}/{context.layer}/{mode}/{head}": plane(context, mode, head)
            for mode, head in those_that_fit(context, modes, n * m * 4)
        },
        rows=Axis(row, n, all_named(context.row_tokens)),
        columns=Axis(
            column, m, all_named(context.view.key_tokens) if column == "k" else None, word=context.t("matrix.dim")
        ),
        reach_by="show",
        reach={"weights": 1, "contribution": 1},
        words=matrix_words(context.t, "matrix_label", captions=captions(context), axes=corner(context)),
        side=SIDE,
    )


def corner(context: StageContext) -> tuple[str, ...]:
    return (context.t("axes.rows"), context.t("axes.columns")) if context.square else ()


def captions(context: StageContext) -> dict[str, str]:
    return {mode: context.t(f"captions.{mode}", d_head=context.view.d_head) for mode in MODES}


def those_that_fit(context: StageContext, modes: tuple[str, ...], nbytes: int) -> list[tuple[str, int]]:
    """Modes and heads whose planes, of `nbytes` each, are sent together."""
    heads = range(1, context.view.heads + 1)
    if nbytes * len(heads) * len(modes) <= STACK:
        return [(mode, head) for mode in modes for head in heads]
    if nbytes * len(heads) <= STACK:
        return [(context.show, head) for head in heads]
    return [(context.show, context.head)]


def thumbnails(context: StageContext) -> Thumbnails:
    """The layer's heads in small. They are read from the matrix, or pooled where that holds only one head."""
    t, heads = context.t, range(1, context.view.heads + 1)
    header = {
        "of": "matrix",
        "param": "head",
        "label": t("heads_title", heads=context.view.heads),
        "word": t("head"),
        "items": [Thumbnail(head, str(head), known(context, head)) for head in heads],
    }
    if plane(context, context.show, context.head).size * 4 * context.view.heads <= STACK:
        return Thumbnails(**header)
    planes = np.stack([plane(context, context.show, head) for head in heads])
    return Thumbnails.reduced(
        planes, 1 if context.show in ("weights", "contribution") else None, t("reduced"), **header
    )


def known(context: StageContext, head: int) -> str:
    name = context.known(head)
    return context.t(f"heads.{name}") if name else ""


def controls(context: StageContext) -> Controls:
    config, t = context.page.model.config, context.t
    alone = {"q": None, "k": None}  # of another kind of attention, rows and columns are other tokens
    kinds = Control(
        "kind",
        t("kind"),
        [(id, t(f"kinds.{id}")) for id in context.page.model.attentions],
        also=alone,
        usual=first_kind(context.page),
    )
    wide = Control("show", "", [(mode, t(f"shows.{mode}")) for mode in MODES if mode not in SQUARE])
    return Controls(
        [
            Control("layer", t("layer"), numbered(config.layers), stepper=config.layers > 4),
            Control("head", t("head"), numbered(config.heads)),
            Control("show", t("show"), [(mode, t(f"shows.{mode}")) for mode in SQUARE]),
        ],
        More(t("more_kinds"), [wide, kinds]) if len(kinds.options) > 1 else More(t("more"), [wide]),
    )
