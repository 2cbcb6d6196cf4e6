"""Exercises: a solution passes its own check, and what is not one does not; on many sentences, with both models."""

import re
from random import Random

import pytest

from core import grammar
from core.exercises import of_stage, possible
from core.zoo import SOURCES
from pages.shared.page.exercises import as_opened, example_of, in_words
from pages.shared.server import cached
from pages.shared.words.texts import lesson
from pages.stages import stages
from tests.profiles import some

SLUGS = tuple(stages())
ENGLISH = ("The cat sat on the mat.", "Alice told Bob that she would help him tomorrow.", "unaffable naïve café")
ODD = ("", "cat", "猫", "☃ ☃")


def sentences() -> list[str]:
    return [*ENGLISH, *(grammar.sample(Random(seed)).zh for seed in range(4)), *ODD]


def setting(context) -> dict[str, object]:
    """The address as it stands."""
    return {name: value for name, value in context.page.address.canonical().items() if name not in ("lang", "text")}


def applied(context, patch) -> dict[str, object]:
    """The address once a button has set this up; another sentence lets go of what was selected."""
    now = {"text": context.page.address.own_text, "guess": "skip", "task": context.values["task"]}
    if "text" not in patch:
        now |= setting(context)
    return {name: value for name, value in {**now, **patch}.items() if value is not None}


def judged(context, exercise):
    return exercise.check(context.practised, context.values)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_stage_has_two_or_three(slug: str) -> None:
    for model in map(cached.model, SOURCES):
        assert 2 <= len(possible(slug, model)) <= 3


@pytest.mark.parametrize("slug", SLUGS)
def test_a_solution_passes_its_own_check(looked, slug: str) -> None:
    """And where a sentence has none, the example that is offered has."""
    solved = dict.fromkeys((one.id for one in of_stage(slug)), 0)
    for text in some(sentences(), every=2):
        context = looked(slug, text=text, guess="skip", task=of_stage(slug)[-1].id)
        for exercise in context.exercises:
            patch = exercise.solution(context.practised, context.values)
            if patch is None:
                patch = example_of(context, exercise)
                assert patch, (exercise.id, text)
                there = looked(slug, **applied(context, patch))
                patch = exercise.solution(there.practised, there.values)
            else:
                there = context
            assert patch is not None, (exercise.id, text)
            after = looked(slug, **applied(there, patch))
            assert not [repair for repair in after.page.address.repairs if repair.code == "address"]
            verdict = judged(after, exercise)
            assert verdict.right and verdict.words.startswith("right"), (exercise.id, text, patch, verdict)
            solved[exercise.id] += 1
    assert min(solved.values()) >= 2


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("model", SOURCES)
def test_what_is_offered_with_a_model_passes(looked, slug: str, lang: str, model: str) -> None:
    """On the sentence that it opens with there: a solution, or what leads to a sentence that has one."""
    for exercise in possible(slug, cached.model(model)):
        there = looked(slug, lang, model=model, guess="skip", task=exercise.id)
        patch = exercise.solution(there.practised, there.values)
        if patch is None and (example := example_of(there, exercise)):
            there = looked(slug, lang, **{"model": model, **applied(there, example)})
            patch = exercise.solution(there.practised, there.values)
        assert patch is not None, exercise.id
        after = looked(slug, lang, **{"model": model, **applied(there, patch)})
        assert judged(after, exercise).right, (exercise.id, patch, judged(after, exercise))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("model", SOURCES)
def test_none_is_solved_as_the_page_opens(looked, slug: str, lang: str, model: str) -> None:
    """Whatever happens to be selected: that is nobody's solution yet. What somebody chooses is judged."""
    for exercise in possible(slug, cached.model(model)):
        opened = looked(slug, lang, model=model, guess="skip", task=exercise.id)
        assert as_opened(opened, exercise) or not judged(opened, exercise).right, exercise.id


def test_what_a_button_sets_up_is_a_choice(looked) -> None:
    """And so is what happened to be right, clicked."""
    opened = looked("heads", model="poet", guess="skip", task="back")
    back = next(one for one in opened.exercises if one.id == "back")
    assert as_opened(opened, back) and judged(opened, back).right
    chosen = looked("heads", model="poet", guess="skip", task="back", layer=4, head=1)
    assert not as_opened(chosen, back) and judged(chosen, back).right


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_no_solution_does_not_pass(looked, slug: str) -> None:
    """The page as it opens, or as another exercise wants it: each is refused somewhere, and says why."""
    refused = {one.id for one in of_stage(slug)}
    for text in sentences():
        context = looked(slug, text=text, guess="skip", task=of_stage(slug)[-1].id)
        patches = [exercise.solution(context.practised, context.values) for exercise in context.exercises]
        there = [
            context,
            *(looked(slug, **applied(context, patch)) for patch in patches if patch and "text" not in patch),
        ]
        for exercise in context.exercises:
            verdicts = [judged(one, exercise) for one in there]
            assert all((verdict.words == "right") == verdict.right for verdict in verdicts)
            if not all(verdict.right for verdict in verdicts):
                refused.discard(exercise.id)
        if not refused:
            return
    raise AssertionError(f"nothing is ever refused: {refused}")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_verdict_has_its_words_and_its_numbers(looked, slug: str, lang: str) -> None:
    """Whatever is said of an exercise as the page opens, and of its solution, has all that it names."""
    words = lesson(slug)[lang]
    for text in sentences():
        context = looked(slug, lang, text=text, guess="skip")
        for exercise in context.exercises:
            assert {f"exercises.{exercise.id}.{key}" for key in ("title", "task", "right", "wrong")} <= words.keys()
            patch = exercise.solution(context.practised, context.values)
            there = [context] if patch is None else [context, looked(slug, lang, **applied(context, patch))]
            for verdict in (judged(one, exercise) for one in there):
                said = context.t.html(f"exercises.{exercise.id}.{verdict.words}", **in_words(context.t, verdict.facts))
                assert said and not re.search(r"\{\w+\}", said), (exercise.id, verdict)


@pytest.mark.parametrize("slug", SLUGS)
def test_an_exercise_is_drawn_with_its_verdict(opened, slug: str) -> None:
    id = of_stage(slug)[-1].id
    there = opened(slug, "en", task=id, guess="skip", text=None)
    assert "class='verdict" in there.html and there.address["task"] == id


def test_half_a_turn_is_not_a_turn(looked) -> None:
    """Where sines are alike but the cosine stands opposite."""
    turn = next(one for one in of_stage("position") if one.id == "turn")
    for pos, passes in ((22, False), (44, True)):
        context = looked("position", guess="skip", model="minilm", kind="sinusoidal", pos=pos, dim=0, task="turn")
        verdict = judged(context, turn)
        assert verdict.right == passes and (verdict.said == "half") != passes


@pytest.mark.parametrize("changed", [{"method": "none"}, {"method": "rms"}, {"given": "times"}, {}])
def test_the_model_s_own_norm_is_judged_where_it_is_drawn(looked, changed: dict[str, str]) -> None:
    sign = next(one for one in of_stage("layernorm") if one.id == "sign")
    context = looked("layernorm", guess="skip", model="minilm", dim=21, task="sign", **changed)
    verdict = judged(context, sign)
    assert (verdict.said == "other") == (not context.as_captured) == bool(changed)
