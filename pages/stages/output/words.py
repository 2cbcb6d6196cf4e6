"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.training.translator import Recipe
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.shared.words.numbers import grouped
from pages.stages.output.followed import depth_name
from pages.stages.output.look import Look, read_at, warm

HALF = 0.5


def asked(look: Look) -> dict[str, object]:
    """Names beside the question's own facts."""
    if look.question is None or not look.layers:
        return {}
    row, view = look.question.row, look.view
    first, last = view.at(1), len(view.depths) - 1
    id = view.written[row].id
    shares = {"share": read_at(look, first, id, row=row), "end": read_at(look, last, id, row=row)}
    return {"best": look.piece(int(str(look.question.facts["best_id"]))), **shares}


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the word and the depth."""
    say(look, lead, said, ("lead_open" if hides_end(look) else "lead", facts(look)), notices(look))


def hides_end(look: Look) -> bool:
    """Whether the open question asks for the very word that is written."""
    return look.hides(len(look.view.depths) - 1, look.row)


def facts(look: Look) -> dict[str, object]:
    view = look.view
    last = len(view.depths) - 1
    best = view.best(last, look.row)
    return {
        "given": look.given,
        "rows": grouped(len(view.table)),
        "d": view.table.shape[1],
        "word": look.piece(best),
        "logit": look.at("logits", best),
        "share": look.at("probabilities", best),
        "n": look.row,
    }


def notices(look: Look) -> list[str]:
    t, view = look.t, look.view
    said = [t.html("notice.same", **facts(look))]
    if not look.hidden:
        said.append(by_heat_or_depth(look))
    if look.layers and entered_as_given(look):
        said.append(t.html("notice.enters", layers=look.layers, n=len(view.given)))
    return [*said, t.html("notice.chatgpt")]


def entered_as_given(look: Look) -> bool:
    """Whether, in every row, the table calls what enters the decoder by the word that was given."""
    return all(look.view.best(0, row) == token.id for row, token in enumerate(look.view.given))


def by_heat_or_depth(look: Look) -> str:
    """About what the picture is set to: a temperature, a depth before the end, or neither."""
    if look.temperature != 1:
        return changed_by_heat(look)
    return left_over(look) if look.layer == look.layers else read_early(look)


def read_early(look: Look) -> str:
    """What the table says of a state that is not the last, and what of the last."""
    last = len(look.view.depths) - 1
    best = look.view.best(last, look.row)
    share = read_at(look, look.depth, look.best, float(look.shares[look.best]))
    early = {"word": look.piece(look.best), "share": share}
    end = {"end": look.piece(best), "end_share": look.at("probabilities", best)}
    key = "notice.early_same" if best == look.best else "notice.early"
    return look.t.html(key, depth=depth_name(look), **early, **end)


def left_over(look: Look) -> str:
    """How much the best row leaves to all others."""
    share = look.at("probabilities", look.best)
    key = "notice.sure" if share >= HALF else "notice.unsure"
    second = look.order[1]
    names = {"word": look.piece(look.best), "second": look.piece(second)}
    names |= {"second_share": look.at("probabilities", second)}
    rest = measured(look, 1 - share, "rest", Cell(LIKELY, (look.row, look.best)))
    rows, taken = len(look.view.table), Recipe.smoothing
    target = 1 - taken + taken / rows  # of the word that is right, as the loss asks for it (Vaswani et al. 2017, 5.4)
    return look.t.html(key, share=share, rest=rest, others=grouped(rows - 1), target=target, **names)


def changed_by_heat(look: Look) -> str:
    plain = look.view.shares(look.depth, look.row)
    names = {"word": look.piece(look.best), "T": look.values["temperature"]}
    key = "notice.warmer" if look.temperature > 1 else "notice.colder"
    before = read_at(look, look.depth, look.best, float(plain[look.best]))
    after = float(look.shares[look.best])
    if look.layer == look.layers:
        after = warm(look, after, look.best, int(look.logits.argmin()))
    return look.t.html(key, before=before, after=after, **names)


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    if look.veiled:
        return look.t("notice.try_heat"), {"temperature": "2"}
    if not look.layers:
        return look.t("notice.try_heat"), {"temperature": "2"}
    return look.t("notice.try_depth"), {"depth": 0, "word": None}
