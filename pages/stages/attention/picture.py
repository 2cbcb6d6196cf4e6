"""The matrix of a head, the controls above it, the other heads below it."""

import numpy as np

from core.figures.controls import Control, Controls, More, numbered
from core.figures.matrix import Axis, Matrix, Thumbnail, Thumbnails
from core.figures.picture import veiled
from pages.shared.page.one_head import first_kind
from pages.shared.pictures.pictures import STACK, matrix_words
from pages.stages.attention.look import MODES, SQUARE, Look, axes

FEW, SMALL = 12, 240  # so many tokens fit into so many pixels, and the matrix onto the screen with the chain above it


def plane(look: Look, mode: str, head: int) -> np.ndarray:
    """A plane as it may be shown. Contexts and queries do not answer the question."""
    array = look.view.plane(mode, head - 1)
    return veiled(array, look.veil) if mode in SQUARE else array


def matrix(look: Look) -> Matrix:
    """The planes for the browser: every head, in every mode of the same shape, as far as they fit."""
    modes = SQUARE if look.square else tuple(mode for mode in MODES if axes(mode) == axes(look.show))
    (row, column), (n, m) = axes(look.show), plane(look, look.show, look.head).shape
    return Matrix(
        id="matrix",
        name=("kind", "layer", "show", "head"),
        planes={
            f"{look.kind}/{look.layer}/{mode}/{head}": plane(look, mode, head)
            for mode, head in those_that_fit(look, modes, n * m * 4)
        },
        rows=Axis(row, n, look.row_tokens),
        columns=Axis(column, m, look.view.key_tokens if column == "k" else None, word=look.t("matrix.dim")),
        reach_by="show",
        reach={"weights": 1, "contribution": 1},
        side=SMALL if n <= FEW else None,
        tall=SMALL if n <= FEW else None,
        words=matrix_words(look.t, "matrix_label", captions=captions(look)),
    )


def captions(look: Look) -> dict[str, str]:
    return {mode: look.t(f"captions.{mode}", d_head=look.view.d_head) for mode in MODES}


def those_that_fit(look: Look, modes: tuple[str, ...], nbytes: int) -> list[tuple[str, int]]:
    """Modes and heads whose planes, of `nbytes` each, are sent together."""
    heads = range(1, look.view.heads + 1)
    if nbytes * len(heads) * len(modes) <= STACK:
        return [(mode, head) for mode in modes for head in heads]
    if nbytes * len(heads) <= STACK:
        return [(look.show, head) for head in heads]
    return [(look.show, look.head)]


def thumbnails(look: Look) -> Thumbnails:
    """The layer's heads in small. They are read from the matrix, or pooled where that holds only one head."""
    t, heads = look.t, range(1, look.view.heads + 1)
    header = {
        "of": "matrix",
        "param": "head",
        "label": t("heads_title", heads=look.view.heads),
        "word": t("head"),
        "items": [Thumbnail(head, str(head), known(look, head)) for head in heads],
    }
    if plane(look, look.show, look.head).size * 4 * look.view.heads <= STACK:
        return Thumbnails(**header)
    planes = np.stack([plane(look, look.show, head) for head in heads])
    return Thumbnails.reduced(planes, 1 if look.show in ("weights", "contribution") else None, t("reduced"), **header)


def known(look: Look, head: int) -> str:
    name = look.known(head)
    return look.t(f"heads.{name}") if name else ""


def controls(look: Look) -> Controls:
    config, t = look.page.model.config, look.t
    alone = {"q": None, "k": None}  # of another kind of attention, rows and columns are other tokens
    kinds = Control(
        "kind",
        t("kind"),
        [(id, t(f"kinds.{id}")) for id in look.page.model.attentions],
        also=alone,
        usual=first_kind(look.page),
    )
    wide = Control("show", "", [(mode, t(f"shows.{mode}")) for mode in MODES if mode not in SQUARE])
    return Controls(
        [
            Control("layer", t("layer"), numbered(config.layers), stepper=True),
            Control("head", t("head"), numbered(config.heads)),
            Control("show", t("show"), [(mode, t(f"shows.{mode}")) for mode in SQUARE]),
        ],
        More(t("more_kinds"), [wide, kinds]) if len(kinds.options) > 1 else More(t("more"), [wide]),
    )
