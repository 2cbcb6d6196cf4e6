"""The picture: one state, the rows that answer it, and the controls above."""

import numpy as np

from core.derivation import Cell, Measure, Origin, Weight
from core.derivation.flow import TABLE
from core.derivation.measures.words import LIKELY
from core.figures.choosing import Choosing, ChoosingWords, Row, Worked
from core.figures.controls import Control, Controls
from core.questions import Question
from core.text.byte_pairs import SEEN
from pages.shared.number.number_links import number
from pages.shared.words.numbers import Number, fixed, grouped
from pages.stages.output.context import TEMPERATURES, StageContext, warm_kind

LEAST = 1e-4  # with four digits behind the point


def controls(context: StageContext) -> Controls:
    t = context.t
    depths = [
        (layer, t("depths.layer", layer=layer) if layer else t("depths.start")) for layer in range(context.layers + 1)
    ]
    heat = Control("temperature", t("temperature"), [(id, id) for id in TEMPERATURES])
    return Controls([Control("depth", t("read_at"), depths), heat] if context.layers else [heat])


def choosing(context: StageContext) -> Choosing:
    t, view, ids, example = context.t, context.view, shown(context), example_of(context)
    rest = rest_of(context, ids)
    others = len(view.table) - len(ids)
    return Choosing(
        rows=[row(context, id) for id in ids],
        first=context.best,
        d_model=view.table.shape[1],
        state=view.states[context.depth, context.row],
        table=view.table[ids if example is None else [*ids, example]],
        worked=None if example is None else worked(context, example),
        words=ChoosingWords(
            label=t("picture.label"),
            state=t("picture.state", given=context.given),
            another=t("picture.another"),
            products=t("picture.rows" if context.hidden else "picture.products", d=view.table.shape[1]),
            added=t("picture.added", n="{n}"),
            logit=t("picture.logit"),
            sum=t("picture.sum"),
            share=t("picture.share")
            if context.temperature == 1
            else t("picture.share_warm", T=context.values["temperature"]),
            rest=t("picture.rest", others=grouped(others)),
            rest_share="?" if context.hidden else probability(rest),
            rest_trail=rest.trail if isinstance(rest, Number) else "",
        ),
        veiled=context.hidden,
    )


def rest_of(context: StageContext, ids: list[int]) -> float:
    """What is left to all other rows."""
    rest = max(0.0, 1 - float(context.shares[ids].astype(np.float64).sum()))
    early = context.layer < context.layers
    if context.hidden or (early and context.temperature != 1):  # no run came to this
        return rest
    if early:
        state = Cell(context.view.depths[context.depth].tap, (context.row, None))
        return of_rest(context, rest, "rest_read", state, *(Weight(TABLE, (id, None)) for id in ids))
    if context.temperature == 1:
        return of_rest(context, rest, "rest_of_all", *(Cell(LIKELY, (context.row, id)) for id in ids))
    least = int(context.logits.argmin())
    words = (Cell("output.logits", (context.row, id)) for id in (least, *ids))
    return of_rest(context, rest, f"rest_{warm_kind(context)}", *words)


def of_rest(context: StageContext, rest: float, kind: str, *of: Origin) -> float:
    return number(context, rest, Measure(kind, of, (len(of),)))


def shown(context: StageContext) -> list[int]:
    """The rows in the picture: the best ones, and the word that is written, wherever it stands; while they would answer
    the question, those it asks about."""
    if context.hidden and context.question:
        return asked_about(context.question)
    also = [context.view.written[context.row].id] if context.row < len(context.view.written) else []
    if context.values["word"] is not None:
        also.append(context.values["word"])
    return list(dict.fromkeys([*context.order, *sorted(also, key=lambda id: -context.logits[id])]))


def asked_about(question: Question) -> list[int]:
    """The tokens to choose from; of a question about the place of one, that one."""
    if question.template == "comes_next":
        return [int(choice.id) for choice in question.choices]
    return [int(question.facts["word_id"])]


def example_of(context: StageContext) -> int | None:
    """While it is asked what comes next: the row of the last token read before this one that cannot be the answer, else
    its own."""
    question, before = context.question, [token.id for token in context.view.given[: context.row + 1]]
    if not (context.hidden and question is not None and question.template == "comes_next"):
        return None
    asked = (context.best, *shown(context))
    return next((id for id in [*before[-2::-1], before[-1]] if id not in asked), None)


def worked(context: StageContext, id: int) -> Worked:
    """How that row comes to its score: as each of the others does."""
    t, word = context.t, context.piece(id)
    score = fixed(float(context.logits[id]), 2)
    return Worked(
        t("worked.row", word=word), t("worked.example"), t("worked.products"), score, t("worked.score", word=word)
    )


def row(context: StageContext, id: int) -> Row:
    if context.hidden:
        return Row(id, 0, context.piece(id), "?", "?", 0, note(context, id))
    share = float(context.shares[id])
    return Row(
        id=id,
        rank=context.view.rank(context.depth, context.row, id),
        text=context.piece(id),
        logit=fixed(float(context.logits[id]), 2),
        share=probability(share),
        part=share,
        note=note(context, id),
    )


def probability(share: float) -> str:
    """With points that stand under each other."""
    return f"<{LEAST:.4f}" if 0 < share < LEAST / 2 else fixed(share, 4)


def note(context: StageContext, id: int) -> str:
    written = context.view.written[context.row].id if context.row < len(context.view.written) else None
    if id == written and context.page.translates:
        return context.t("picture.written")
    if id == context.view.given[context.row].id:
        return context.t("picture.given")
    return context.t("picture.blank") if set(context.piece(id)) <= set(SEEN.values()) else ""
