"""The sentences: what the lead says, what to notice, the thing to try."""

from collections.abc import Sequence

from core.views.vectors import cosine
from pages.shared.number.number_links import number
from pages.stages.meaning.look import Look, alike


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    config, question = look.page.model.config, look.question
    facts: dict[str, object] = {"vocab": f"{len(look.view.norms):,}", "d_model": config.d_model}
    facts["model"] = look.page.model_name
    if question is None or look.veiled or not look.words_asked:
        return "lead_open", facts
    return f"lead.{look.words_asked.kind}", {**facts, **asked(look)}


def asked(look: Look) -> dict[str, object]:
    """What the question is about; the cosines of its answer can be followed."""
    assert look.question
    facts: dict[str, object] = dict(look.question.facts)
    return facts | {f"{one}_cosine": cosine_of(look, str(facts["word"]), str(facts[one])) for one in ("near", "second")}


def cosine_of(look: Look, a: str, b: str) -> float:
    """Of two words of the vocabulary; it can be followed."""
    x, y = look.view.word(a), look.view.word(b)
    assert x and y
    return number(look, float(cosine(x.vector, y.vector)), alike(x, y))


def notices(look: Look) -> list[str]:
    """Sentences about these weights; while the question is open, none that answers it."""
    pairs = look.page.opening.get("pairs", ())
    said = [pair_notice(look, pairs)] if pairs and not look.veiled else []
    return [*said, look.t.html("notice.map"), *look.t.if_said("differs")]


def pair_notice(look: Look, pairs: Sequence[tuple[str, str]]) -> str:
    """A sentence with the cosines of these pairs, in their order."""
    facts: dict[str, object] = {}
    for i, (a, b) in enumerate(pairs):
        facts |= {f"a{i}": a, f"b{i}": b, f"cosine{i}": cosine_of(look, a, b)}
    return look.t.html("pairs", **facts)


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    """The groups to draw, and the word to follow."""
    first = look.page.opening.get("try")
    return (look.t("try"), {**first, "to": None}) if first else None
