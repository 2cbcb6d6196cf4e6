"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import html

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.views.circuits import written_as
from core.writing import Step
from pages.shared.number.number_links import number
from pages.shared.page.parts import Place, say
from pages.shared.words.numbers import Html, grouped
from pages.stages.generation.look import Look

SURE = 0.4  # a share that looks like knowing
LOOP = 3  # times that the same few tokens stand one behind the other


def asked(look: Look) -> dict[str, object]:
    return {"vocab": grouped(look.page.model.config.vocab)}


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the selected token."""
    say(look, lead, said, ("lead" if look.steps else "lead_open", facts(look)), notices(look))


def facts(look: Look) -> dict[str, object]:
    named: dict[str, object] = {"vocab": grouped(look.page.model.config.vocab), "given": look.given}
    if not look.steps:
        return named
    step = look.step
    chosen = look.t("chosen.greedy" if step.point is None else "chosen.drawn", u=f"{step.point or 0:.3f}")
    return {**named, "before": look.before, "word": look.word(step), "share": share(look, step), "chosen": chosen}


def share(look: Look, step: Step, id: int | None = None) -> float:
    """How likely the model found a token in the selected step, to be followed where a run says so."""
    id = step.id if id is None else id
    value = step.probability if id == step.id else step.lines[0].shares[step.best.index(id)]
    run = look.run(look.place)
    return value if run is None else number(look, value, Cell(LIKELY, (look.given + look.place - 1, id)), given=run)


def notices(look: Look) -> list[str]:
    t = look.t
    if not look.steps:
        return [t.html("notice.open", given=look.given)]
    return [likely(look), *looped(look), *who(look), t.html("notice.truth"), t.html("notice.looks")]


def who(look: Look) -> list[str]:
    """The way to what wrote the token, where a text makes the tokens before it."""
    page, run = look.page, look.run(look.place)
    if run is None or "circuits" not in page.links:
        return []
    shown = {"text": run.text or page.text, "model": page.address.model, "q": str(look.given + look.place - 1)}
    href = page.href("circuits", **shown, word=written_as(page.model, look.step.id))
    stage = html.escape(look.t.stage("circuits"))
    door = Html(f"<a href='{html.escape(href)}' target='_self'>{stage}</a>")
    return [look.t.html("notice.who", word=look.word(look.step), door=door)]


def likely(look: Look) -> str:
    """The token that was taken, beside the next one."""
    step, t = look.step, look.t
    names = {"word": look.word(step), "share": share(look, step)}
    best, second = look.view.likeliest(step)[:2]
    if step.id != best:
        best_share = share(look, step, best)
        return t.html("notice.behind", best=look.name(best), best_share=best_share, **names)
    key = "notice.sure" if step.probability >= SURE else "notice.unsure"
    names |= {"second": look.name(second), "second_share": share(look, step, second)}
    return t.html(key, **names)


def looped(look: Look) -> list[str]:
    """Whether it goes round in a circle."""
    found = loop([step.id for step in look.steps])
    if not found:
        return []
    said = "".join(look.word(step) + " " for step in look.steps[-found:]).strip()
    return [look.t.html("notice.loop", said=said, count=found)]


def loop(ids: list[int]) -> int:
    """How long the piece is that the end repeats `LOOP` times; 0 where there is none.

    >>> loop([9, 1, 2, 1, 2, 1, 2]), loop([1, 2, 3])
    (2, 0)
    """
    for size in range(1, len(ids) // LOOP + 1):
        if ids[-size * LOOP :] == ids[-size:] * LOOP:
            return size
    return 0


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    """Another way to draw; where there is one already, the likeliest each time."""
    if look.view.sampling.temperature:
        return look.t("notice.try_greedy"), {"temperature": "0", "n": 24, "q": 0}
    return look.t("notice.try_draw"), {"temperature": "1.5", "n": 12, "q": 0}
