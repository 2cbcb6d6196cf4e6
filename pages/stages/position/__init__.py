"""Position: what says where a token stands. Waves to the bottom, the learned table, and reading without either."""

from collections.abc import Sequence
from dataclasses import replace

from core.questions import Question, some
from core.questions.position import each_swap, farther_apart
from core.views.orders import READERS
from pages.shared.address.address import Table, choice, index
from pages.shared.page.own_model import settle_where_positions_are_added
from pages.shared.page.stage import FOLLOWED, Asked, Marks, PageContext, Stage, Strip
from pages.shared.server import cached
from pages.stages.position import calculator, causal, far, learned, lengths, moving, others, table, turned
from pages.stages.position.context import PositionView, StageContext, asked_reader, opening_position, view_of
from pages.stages.position.orders import asked
from pages.stages.position.page import draw
from pages.stages.position.scenes import scene


def questions(page: PageContext, view: PositionView) -> Sequence[Question]:
    """About swapped words, with positions and without; then about distances."""
    return questions_of(*page.key)


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    view = view_of(name, text)
    pair = view.pairs.get("own")
    swapped = each_swap(scene(name, pair), pair.first, pair.second) if pair else ()
    return some((*swapped, farther_apart(view.waves)))


def opening_order(asked: Asked) -> str:
    """The sentence that is asked about, or was; else the short example, for ours is mostly read much alike without."""
    return "own" if asked_reader(asked.question) else "example"


def opening_reader(asked: Asked) -> str:
    """Without positions, which the page begins with; where just that is asked, only once it may be seen."""
    reader = asked_reader(asked.question) or "off"
    return reader if not asked.open else "on" if reader == "off" else "off"


def parameters(page: PageContext, view: PositionView, asked: Asked) -> Table:
    positions, d = view.waves.rows.shape
    return {
        "pos": index(positions, opening_position(page)),
        "dim": index(d, d // 8),
        "kind": choice(*view.tables, default=page.model.config.position),
        "order": choice("own", "example", default=opening_order(asked)),
        "reader": choice(*READERS, default=opening_reader(asked)),
    }


def strip(context: StageContext) -> Strip:
    """The selected position; and the words of the sentence that stand elsewhere in its other order, while those are
    compared."""
    plain = Marks(first="pos", click="pos")
    pair = context.view.pairs.get("own")
    moved = tuple(scene(context.page.address.model, pair).moved()) if pair else ()
    turns = {"own": (replace(plain, always=moved), None), "example": (plain, None)}
    return Strip(turns[context.values["order"]][0], by=("order",), turns=turns)


STAGE = Stage(
    "position",
    draw,
    settle=settle_where_positions_are_added,
    context=StageContext,
    view=lambda page, chosen: view_of(*page.key),
    questions=questions,
    asked=asked,
    parameters=parameters,
    opened_by=("pos", "dim"),
    sections={
        "table": table.SECTION,
        "calculator": calculator.SECTION,
        "moving": moving.SECTION,
        "far": far.SECTION,
        "learned": learned.SECTION,
        "rotary": turned.SECTION,
        "others": others.SECTION,
        "causal": causal.SECTION,
        "lengths": lengths.SECTION,
    },
    redraws={FOLLOWED: ("pos", "dim", "kind"), "notice": ("kind",)},
    recap={"bag": {"section": "causal"}, "rows": {"kind": "sinusoidal"}, "distance": {"section": "far"}},
    strip=strip,
)
