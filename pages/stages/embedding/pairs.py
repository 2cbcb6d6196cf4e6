"""Three ways to write a token down, and what two tokens have in common in each: a piece of its own."""

from core.figures.controls import Control, Controls
from core.figures.matrix import Axis, Matrix
from core.views.embedding import KINDS
from pages.shared.pictures import components
from pages.shared.pictures.pictures import STACK
from pages.stages.embedding.look import Look
from pages.stages.embedding.picture import words

PIECE = "pairs"
TALL = 330  # pixels


def draw(look: Look) -> None:
    components.controls(key="pair_controls", data=controls(look).data())
    components.matrix(key="pairs", data=matrix(look).pack())


def controls(look: Look) -> Controls:
    return Controls([Control("pair", look.t("written"), [(kind, look.t(f"kinds.{kind}")) for kind in KINDS])])


def matrix(look: Look) -> Matrix:
    t, view, n = look.t, look.view, len(look.view.ids)
    kinds = KINDS if n * n * 4 * len(KINDS) <= STACK else (look.kind,)
    facts = {"vocab": f"{view.vocab:,}", "d_model": view.d_model}
    captions = {kind: t(f"pairs.{kind}", **facts) for kind in KINDS}
    return Matrix(
        id="pairs",
        fragment=PIECE,
        name=("pair",),
        planes={kind: look.pairs(kind) for kind in kinds},
        rows=Axis("pos", n, view.tokens),
        columns=Axis("k", n, view.tokens),
        reach_by="pair",
        reach={"onehot": 1, "row": 1},
        tall=TALL,
        words=words(look, "pairs_label", captions=captions),
    )
