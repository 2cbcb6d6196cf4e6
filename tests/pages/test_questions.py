"""What the first pages ask: of the sentence of either site, and not always with the same answer. And how they count."""

import re
from random import Random

import pytest

from core import grammar

SLUGS = ("overview", "tokens", "segmentation", "embedding")
NOUNS = ["cat", "dog", "boy", "teacher", "book", "river", "bank", "car", "house", "unbeliever", "snowboarding"]


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_either_site_asks_about_its_own_sentence(looked, slug: str, lang: str) -> None:
    context = looked(slug, lang)
    assert context.veiled and context.question.answer in [choice.id for choice in context.question.choices]


@pytest.mark.long
@pytest.mark.parametrize("slug", ["overview", "tokens", "embedding"])
def test_the_answer_turns_with_the_sentence(looked, slug: str) -> None:
    """The most frequent right answer, by its place among the choices, is right in less than three of four."""
    asked = [
        context.question for context in (looked(slug, "en", text=text) for text in sentences()) if context.question
    ]
    places = [[choice.id for choice in question.choices].index(question.answer) for question in asked]
    assert len(asked) > 40
    assert max(places.count(place) for place in set(places)) < 0.75 * len(places)


def sentences() -> list[str]:
    found = []
    for seed in range(40):
        random = Random(seed)
        first, second, third = random.sample(NOUNS, 3)
        english = [
            f"The {first} saw the {second}.",
            f"My {first} and your {first} liked it.",
            f"A {third} saw {second}",
        ]
        found += [grammar.sample(random).zh, random.choice(english)]
    return found


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("text", ["", "x", "x x", "猫", "猫。", "☃"])
@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_counts_agree_with_their_nouns(opened, slug: str, text: str, model: str) -> None:
    own = {"sample": text} if slug == "segmentation" else {}
    page = opened(slug, "en", text=text, model=model, guess="skip", **own)
    sent = [page.html, *(e.proto.json + str(e.proto.bytes) for e in page.app.get("bidi_component"))]
    for said in sent:
        assert not re.search(r"\b1 (words|tokens|rows|ids|characters|paths|pieces|layers)\b", said)
