"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import html

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.text.byte_pairs import BytePairs
from core.views.circuits import written_as
from core.views.generation import MOST
from core.writing import Step
from pages.shared.number.number_links import number
from pages.shared.page.parts import Place, say
from pages.shared.words.numbers import Html, grouped
from pages.shared.words.signs import signs
from pages.shared.words.texts import clip
from pages.stages.generation.context import StageContext

SURE = 0.5  # a share that looks like knowing, where the second has half of it at most
LONGEST = 200  # characters of a text that is read together
LOOP = 3  # times that the same few tokens stand one behind the other


def asked(context: StageContext) -> dict[str, object]:
    question = context.question
    shown = [str(question.facts["first"]), *(str(choice.token) for choice in question.choices)] if question else []
    return {"vocab": grouped(context.page.model.config.vocab), "signs": signs(context.t, shown)}


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the selected token."""
    key = "lead" if context.steps else "lead_chat" if context.view.chat else "lead_open"
    say(context, lead, said, (key, facts(context)), notices(context))


def facts(context: StageContext) -> dict[str, object]:
    named: dict[str, object] = {"vocab": grouped(context.page.model.config.vocab), "given": context.given}
    if not context.steps:
        return named
    step = context.step
    barred = {"barred": context.name(step.best[0]), "barred_share": share(context, step, step.best[0])}
    chosen = Html(context.t.html(f"chosen.{way_of(step)}", u=f"{step.point or 0:.3f}", **barred))
    return {
        **named,
        "before": context.before,
        "word": context.word(step),
        "share": share(context, step),
        "chosen": chosen,
    }


def way_of(step: Step) -> str:
    """How the token was chosen."""
    without = "_allowed" if any(left.rule == "allowed" for left in step.lines) else ""
    if step.point is None:
        return f"greedy{without}"
    if step.count == 1:
        return "drawn_alone"
    return f"drawn{without}" if without or len(step.lines) == 1 else "drawn_changed"


def share(context: StageContext, step: Step, id: int | None = None) -> float:
    """How likely the model found a token in the selected step, to be followed where a run says so."""
    id = step.id if id is None else id
    value = step.probability if id == step.id else step.lines[0].shares[step.best.index(id)]
    run = context.run(context.place)
    return (
        value
        if run is None
        else number(context, value, Cell(LIKELY, (context.given + context.place - 1, id)), given=run)
    )


def notices(context: StageContext) -> list[str]:
    t = context.t
    if not context.steps:
        return [t.html("notice.open", given=context.given)]
    said = [*ended(context), *joined(context), likely(context), *looped(context), *who(context)]
    return [*said, t.html("notice.truth"), looked(context)]


def ended(context: StageContext) -> list[str]:
    """Why nothing more is written, where nothing is."""
    t, view, last = context.t, context.view, context.steps[-1]
    if last.last and last.id == view.writing.end:
        return [t.html("notice.ended", token=context.name(last.id))]
    written, positions = len(context.steps), context.page.model.config.positions
    if len(view.tokens) + written == positions:
        return [t.html("notice.full", n=positions)]
    return [t.html("notice.enough", most=written)] if written == min(MOST, view.room) else []


def joined(context: StageContext) -> list[str]:
    """The text that tokens make together, where one of them is less than a character."""
    tokenizer, ids = context.page.model.tokenizer, context.view.ids(context.steps)
    broken = next((name for name in map(context.name, ids) if "⟨" in name), None)
    if broken is None or not isinstance(tokenizer, BytePairs):
        return []
    text = context.view.continuation(context.steps) if context.view.chat else tokenizer.decode(ids)
    key = "notice.bytes_open" if "\ufffd" in text else "notice.bytes"
    return [context.t.html(key, token=broken, text=clip(text, LONGEST))]


def who(context: StageContext) -> list[str]:
    """The way to what wrote the token, where a text makes the tokens before it."""
    page, run = context.page, context.run(context.place)
    if run is None or "circuits" not in page.links:
        return []
    shown = {"text": run.text or page.text, "model": page.address.model, "q": str(context.given + context.place - 1)}
    href = page.href("circuits", **shown, word=written_as(page.model, context.step.id))
    stage = html.escape(context.t.stage("circuits"))
    door = Html(f"<a href='{html.escape(href)}' target='_self'>{stage}</a>")
    return [context.t.html("notice.who", word=context.word(context.step), door=door)]


def likely(context: StageContext) -> str:
    """The token that was taken, beside the next one."""
    step, t = context.step, context.t
    names = {"word": context.word(step), "share": share(context, step)}
    best, second = context.view.likeliest(step)[:2]
    rival = second if step.id == best else best
    barred = [id for id in step.best[: step.best.index(rival)] if id in context.view.writing.never]
    names["aside"] = t("aside", barred=t("comma").join(map(context.name, barred))) if barred else ""
    if step.id != best:
        best_share = share(context, step, best)
        return t.html("notice.behind", best=context.name(best), best_share=best_share, **names)
    names |= {"second": context.name(second), "second_share": share(context, step, second)}
    return t.html("notice.sure" if confident(step, second) else "notice.unsure", **names)


def confident(step: Step, second: int) -> bool:
    return step.probability >= max(SURE, 2 * step.lines[0].shares[step.best.index(second)])


def looped(context: StageContext) -> list[str]:
    """Whether it goes round in a circle."""
    found = loop([step.id for step in context.steps])
    if not found:
        return []
    said = "".join(context.word(step) + " " for step in context.steps[-found:]).strip()
    sampling = context.view.sampling
    key = "loop" if not sampling.temperature else "loop_one" if sampling.top_k == 1 else "loop_drawn"
    return [context.t.html(f"notice.{key}", said=said)]


def loop(ids: list[int]) -> int:
    """How long the piece is that the end repeats `LOOP` times; 0 where there is none.

    >>> loop([9, 1, 2, 1, 2, 1, 2]), loop([1, 2, 3])
    (2, 0)
    """
    for size in range(1, len(ids) // LOOP + 1):
        if ids[-size * LOOP :] == ids[-size:] * LOOP:
            return size
    return 0


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    """Another way to draw; where there is one already, the likeliest each time."""
    if context.view.sampling.temperature:
        return context.t("notice.try_greedy"), {"temperature": "0", "n": 24, "q": 0}
    return context.t("notice.try_draw"), {"temperature": "1.5", "n": 12, "q": 0}


def looked(context: StageContext) -> str:
    """Where attention went, and that of which layer and head."""
    facts = {"token": context.word(context.step), "given": context.before}
    return context.t.html("notice.looks", of=looking(context), **facts)


def looking(context: StageContext) -> str:
    """The layer and head whose attention it is, or the mean that it is."""
    key = {(False, False): "all", (True, False): "layer", (False, True): "head", (True, True): "one"}
    of = f"notice.of_{key[context.layer > 0, context.head > 0]}"
    return context.t(of, layer=context.layer, head=context.head)
