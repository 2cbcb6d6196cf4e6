"""The sentences: what the lead says, what to notice, the thing to try."""

from collections.abc import Sequence

from core.views.vectors import cosine
from pages.shared.number.number_links import number
from pages.stages.meaning.context import StageContext, alike


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    config, question = context.page.model.config, context.question
    facts: dict[str, object] = {"vocab": f"{len(context.view.norms):,}", "d_model": config.d_model}
    facts["model"] = context.page.model_name
    if question is None or context.veiled or not context.words_asked:
        return "lead_open", facts
    return f"lead.{context.words_asked.kind}", {**facts, **asked(context)}


def asked(context: StageContext) -> dict[str, object]:
    """What the question is about; the cosines of its answer can be followed."""
    assert context.question
    facts: dict[str, object] = dict(context.question.facts)
    return facts | {
        f"{one}_cosine": cosine_of(context, str(facts["word"]), str(facts[one])) for one in ("near", "second")
    }


def cosine_of(context: StageContext, a: str, b: str) -> float:
    """Of two words of the vocabulary; it can be followed."""
    x, y = context.view.word(a), context.view.word(b)
    assert x and y
    return number(context, float(cosine(x.vector, y.vector)), alike(x, y))


def notices(context: StageContext) -> list[str]:
    """Sentences about these weights; while the question is open, none that answers it."""
    pairs = context.page.opening.get("pairs", ())
    said = [pair_notice(context, pairs)] if pairs and not context.veiled else []
    space = context.t.html("space_said", d_model=context.page.model.config.d_model)
    return [space, context.t.html("notice.map"), *said, *context.t.if_said("differs")]


def pair_notice(context: StageContext, pairs: Sequence[tuple[str, str]]) -> str:
    """A sentence with the cosines of these pairs, in their order."""
    facts: dict[str, object] = {}
    for i, (a, b) in enumerate(pairs):
        facts |= {f"a{i}": a, f"b{i}": b, f"cosine{i}": cosine_of(context, a, b)}
    return context.t.html("pairs", **facts)


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    """The groups to draw, and the word to follow."""
    first = context.page.opening.get("try")
    return (context.t("try"), {**first, "to": None}) if first else None
