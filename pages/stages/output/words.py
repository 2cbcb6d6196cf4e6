"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import numpy as np

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.training.translator import Recipe
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.shared.words.numbers import grouped
from pages.shared.words.signs import signs
from pages.stages.output.context import StageContext, read_at, warm
from pages.stages.output.followed import depth_name

HALF = 0.5


def asked(context: StageContext) -> dict[str, object]:
    """Names beside the question's own facts."""
    if context.question is None or not context.layers:
        return {}
    row, view = context.question.row, context.view
    first, last = view.at(1), len(view.depths) - 1
    id = view.written[row].id
    shares = {"share": read_at(context, first, id, row=row), "end": read_at(context, last, id, row=row)}
    return {"best": context.piece(int(str(context.question.facts["best_id"]))), **shares}


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the word and the depth."""
    say(context, lead, said, ("lead_open" if hides_end(context) else "lead", facts(context)), notices(context))


def hides_end(context: StageContext) -> bool:
    """Whether the open question asks for the very word that is written."""
    return context.hides(len(context.view.depths) - 1, context.row)


def facts(context: StageContext) -> dict[str, object]:
    view = context.view
    last = len(view.depths) - 1
    best = view.best(last, context.row)
    return {
        "given": context.given,
        "rows": grouped(len(view.table)),
        "d": view.table.shape[1],
        "word": context.piece(best),
        "signs": signs(context.t, [context.piece(best)]),
        "logit": context.at("logits", best),
        "share": context.at("probabilities", best),
        "plain": context.t("plain.other") if context.temperature != 1 else "",
        "n": context.row,
    }


def notices(context: StageContext) -> list[str]:
    t, view = context.t, context.view
    said = [t.html("notice.same", **facts(context))]
    if not context.hidden:
        said.append(by_heat_or_depth(context))
    if context.layers and entered_as_given(context):
        said.append(t.html("notice.enters", layers=context.layers, n=len(view.given)))
    return [*said, t.html("notice.chatgpt")]


def entered_as_given(context: StageContext) -> bool:
    """Whether, in every row, the table calls what enters the decoder by the word that was given."""
    return all(context.view.best(0, row) == token.id for row, token in enumerate(context.view.given))


def by_heat_or_depth(context: StageContext) -> str:
    """About what the picture is set to: a temperature, a depth before the end, or neither."""
    if context.temperature != 1:
        return changed_by_heat(context)
    return left_over(context) if context.layer == context.layers else read_early(context)


def read_early(context: StageContext) -> str:
    """What the table says of a state that is not the last, and what of the last."""
    last = len(context.view.depths) - 1
    best = context.view.best(last, context.row)
    share = read_at(context, context.depth, context.best, float(context.shares[context.best]))
    early = {"word": context.piece(context.best), "share": share}
    end = {"end": context.piece(best), "end_share": context.at("probabilities", best)}
    key = "notice.early_same" if best == context.best else "notice.early"
    return context.t.html(key, depth=depth_name(context), **early, **end)


def rest_of(context: StageContext, share: float) -> float:
    """What all other rows have together; added up where the best is so near to 1 that float32 no longer tells."""
    added = float(np.delete(context.view.likely[context.row], context.best).sum(dtype=np.float64))
    told = abs(1 - share - added) <= added / 100
    return measured(context, 1 - share, "rest", Cell(LIKELY, (context.row, context.best))) if told else added


def left_over(context: StageContext) -> str:
    """How much the best row leaves to all others."""
    share = context.at("probabilities", context.best)
    key = "notice.sure" if share >= HALF else "notice.unsure"
    second = context.order[1]
    names = {"word": context.piece(context.best), "second": context.piece(second)}
    names |= {"second_share": context.at("probabilities", second)}
    rest = rest_of(context, share)
    rows, taken = len(context.view.table), Recipe.smoothing
    target = 1 - taken + taken / rows  # of the word that is right, as the loss asks for it (Vaswani et al. 2017, 5.4)
    names["beyond"] = context.t("notice.beyond") if share > target and "notice.beyond" in context.t else ""
    return context.t.html(key, share=share, rest=rest, others=grouped(rows - 1), target=target, **names)


def changed_by_heat(context: StageContext) -> str:
    plain = context.view.shares(context.depth, context.row)
    names = {"word": context.piece(context.best), "T": context.values["temperature"]}
    key = "notice.warmer" if context.temperature > 1 else "notice.colder"
    before = read_at(context, context.depth, context.best, float(plain[context.best]))
    after = float(context.shares[context.best])
    if context.layer == context.layers:
        after = warm(context, after, context.best, int(context.logits.argmin()))
    return context.t.html(key, before=before, after=after, **names)


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    if context.veiled or not context.layers:
        return (context.t("notice.try_heat"), {"temperature": "2"}) if context.temperature == 1 else None
    return context.t("notice.try_depth"), {"depth": 0, "word": None}
