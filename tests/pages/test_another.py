"""Ask me another: every further question of a sentence is clear, and nothing answers it while it is open."""

from random import Random

import numpy as np
import pytest

from core import grammar
from pages.shared.words.numbers import short
from pages.stages import stages

SLUGS = tuple(stages())
TOLD = ("x", "spread", "start", "end")  # what the question starts from, and how sure the written word is in the end
LITTLE = "The little boy kicked the red ball into the garden."
ENGLISH = ("The cat sat on the mat.", LITTLE, "unaffable electroencephalography: snow☃man")
SAMPLES = {"en": LITTLE, "zh": "小明昨天晚上看了一部电影"}


def sentences() -> list[str]:
    return [*ENGLISH, *(grammar.sample(Random(seed)).zh for seed in range(4))]


def every(looked, slug: str, **query: object) -> list:
    """The context of each question that a page asks, one after the other."""
    found = [looked(slug, **query)]
    while found[-1].asked.another:
        found.append(looked(slug, **query, ask=len(found)))
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_each_question_is_clear_and_none_is_asked_twice(looked, slug: str) -> None:
    for text in sentences():
        asked = [context for context in every(looked, slug, text=text) if context.question]
        kinds = [(context.question.template, context.question.row) for context in asked]
        assert len(set(kinds)) == len(kinds) <= 8
        for context in asked:
            ids = [choice.id for choice in context.question.choices]
            assert context.veiled and context.asked.row == context.question.row and not context.page.address.repairs[1:]
            assert context.question.margin > 0 and context.question.answer in ids and len(set(ids)) == len(ids) > 1


@pytest.mark.parametrize("slug", ["overview", "attention", "heads", "encoder", "input", "embedding", "translation"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_sentence_has_more_than_one(looked, slug: str, lang: str) -> None:
    assert len(every(looked, slug, lang=lang, text=SAMPLES[lang])) > 1


@pytest.mark.parametrize("slug", SLUGS)
def test_too_many_is_said_and_the_first_is_asked(looked, slug: str) -> None:
    text = {"text": SAMPLES["zh"]} if slug == "output" else {}  # of the English example nothing leads clearly there
    first, beyond = looked(slug, **text), looked(slug, ask=99, **text)
    assert beyond.question.facts == first.question.facts and beyond.veiled
    assert not first.asked.another or any(r.code == "address" for r in beyond.page.address.repairs)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_answers_the_second_question(opened, looked, slug: str, lang: str) -> None:
    """The numbers that its answer names are not on the page: not in words, and not in what the pictures are given."""
    _, *others = every(looked, slug, lang=lang, text=SAMPLES[lang])
    if not others:
        return
    there = opened(slug, lang, text=SAMPLES[lang], ask=1)
    said = lesson_of(others[0])
    sent = [e.proto.bytes for e in there.app.get("bidi_component")]
    for name, value in others[0].question.facts.items():
        told = name in TOLD or f"{{{name}}}" in said
        if isinstance(value, float) and not told and 0.02 < abs(value) < 0.999:
            assert np.float32(value).tobytes() not in b"".join(sent), (name, value)
            assert short(float(value)) not in there.html, (name, value)


def lesson_of(context) -> str:
    """The words of the question itself."""
    return context.t.words[f"predict.{context.question.template}.question"]
