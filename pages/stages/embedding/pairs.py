"""Three ways to write a token down, and what two tokens have in common in each: a piece of its own."""

from core.figures.controls import Control, Controls
from core.figures.matrix import Axis, Matrix
from core.views.embedding import KINDS
from pages.shared.pictures import components
from pages.shared.pictures.pictures import STACK
from pages.stages.embedding.context import StageContext
from pages.stages.embedding.picture import words

PIECE = "pairs"
TALL = 330  # pixels


def draw(context: StageContext) -> None:
    components.controls(key="pair_controls", data=controls(context).data())
    components.matrix(key="pairs", data=matrix(context).pack())


def controls(context: StageContext) -> Controls:
    return Controls([Control("pair", context.t("written"), [(kind, context.t(f"kinds.{kind}")) for kind in KINDS])])


def matrix(context: StageContext) -> Matrix:
    t, view, n = context.t, context.view, len(context.view.ids)
    kinds = KINDS if n * n * 4 * len(KINDS) <= STACK else (context.kind,)
    facts = {"vocab": f"{view.vocab:,}", "d_model": view.d_model}
    captions = {kind: t(f"pairs.{kind}", **facts) for kind in KINDS}
    return Matrix(
        id="pairs",
        fragment=PIECE,
        name=("pair",),
        planes={kind: context.pairs(kind) for kind in kinds},
        rows=Axis("pos", n, view.tokens),
        columns=Axis("k", n, view.tokens),
        reach_by="pair",
        reach={"onehot": 1, "row": 1},
        tall=TALL,
        words=words(context, "pairs_label", captions=captions),
    )
