"""Exercises at the foot of a stage: one at a time, checked on what is set on the page, with a way to see a solution."""

import html
from functools import partial

import streamlit as st

from core.exercises import Exercise, Facts, Patch
from pages.shared.address import visit
from pages.shared.address.address import with_text
from pages.shared.address.visit import bind, on_press
from pages.shared.page.stage import EXERCISES, TASK, StageContext, piece
from pages.shared.words.samples import example
from pages.shared.words.texts import Texts

NO_CHOICE = ("section", "open", "take", "slide", "ask")  # what only says what of a page is open
NAMED = {"run": "runs", "given": "given", "method": "methods"}  # by the end of a fact's name, where ids have words
FIRST = {"trail": None}  # what a solution lets go of, whatever it sets


def exercises(context: StageContext) -> None:
    """A closed line; nothing is computed before it is opened. While it is open it stays in sight."""
    if context.exercises:
        with st.container(key="practice"):
            piece(context, EXERCISES, draw)


def draw(context: StageContext) -> None:
    t, every = context.t, context.exercises
    st.session_state[EXERCISES] = context.values[TASK] is not None
    toggled = partial(toggle, every[0].id)
    with st.expander(t("exercises.closed", count=len(every)), key=EXERCISES, on_change=toggled) as expander:
        if expander.open and context.values[TASK]:
            show(context, next(one for one in every if one.id == context.values[TASK]))


def toggle(first: str) -> None:
    here = visit.browser().query
    opened = {TASK: first, **({} if "guess" in here else {"guess": "open"})}
    visit.change(**(opened if st.session_state[EXERCISES] else {TASK: None}))


def show(context: StageContext, exercise: Exercise) -> None:
    """The task, how it stands with what is set on the page, and the way to a solution."""
    t = context.t
    if len(context.exercises) > 1:
        st.segmented_control(
            t("exercises.which"),
            [one.id for one in context.exercises],
            format_func=lambda id: t(f"exercises.{id}.title"),
            label_visibility="collapsed",
            required=True,
            **bind(context, TASK),
        )
    verdict = exercise.check(context.practised, context.values)
    facts = in_words(t, verdict.facts)
    task = f"<p class='task'>{t.html(f'exercises.{exercise.id}.task', **facts)}</p>"
    if context.veiled:
        st.html(f"{task}<p class='soft veiled'>{t.html('exercises.veiled')}</p>")
        return
    if as_opened(context, exercise):
        there = exercise.solution(context.practised, context.values) is not None
        first = t.html("exercises.as_opened" if there else "exercises.none")
        st.html(f"{task}<p class='verdict wrong' role='status'><b>{t.html('exercises.not_yet')}</b> {first}</p>")
        return solve(context, exercise)
    said = t.html(f"exercises.{exercise.id}.{verdict.words}", **facts)
    mark = t.html("exercises.right" if verdict.right else "exercises.not_yet")
    kind = "right" if verdict.right else "wrong"
    st.html(f"{task}<p class='verdict {kind}' role='status'><b>{mark}</b> {said}</p>")
    if verdict.right:
        return
    if exercise.solution(context.practised, context.values) is None:
        st.html(f"<p class='soft'>{t.html('exercises.none')}</p>")
    solve(context, exercise)


def as_opened(context: StageContext, exercise: Exercise) -> bool:
    """Whether nothing has been chosen yet: what happens to be right as a page opens is nobody's solution."""
    address = context.page.address
    written = exercise.writes and address.own_text != example(address.lang)
    return not written and address.chosen.keys().isdisjoint({*context.values} - {TASK, *NO_CHOICE})


def in_words(t: Texts, facts: Facts) -> dict[str, object]:
    """What is an id has a name in the visitor's language."""
    kinds = {name: name.rpartition("_")[2] for name in facts}
    return {
        name: t(f"{NAMED[kinds[name]]}.{value}") if kinds[name] in NAMED else value for name, value in facts.items()
    }


def solve(context: StageContext, exercise: Exercise) -> None:
    """A button that sets up a solution; where this sentence has none, one that leads to a sentence that has."""
    t, patch = context.t, exercise.solution(context.practised, context.values)
    if patch is not None:
        return solution(context, t("exercises.solution"), patch)
    if example := example_of(context, exercise):
        text = next((str(example[name]) for name in ("text", "sample") if name in example), "")
        solution(context, t("exercises.example", text=text) if text else t("exercises.elsewhere"), example)


def example_of(context: StageContext, exercise: Exercise) -> Patch | None:
    """What leads to one that can be solved: the exercise's own, or a sentence of the model's lesson."""
    text = context.page.model.lesson.exercises.get(context.page.slug)
    return exercise.example or ({"text": text} if text else None)


def solution(context: StageContext, label: str, patch: Patch) -> None:
    patch = {**FIRST, **patch}
    press = on_press(context, **patch)
    if "text" in patch:
        press = partial(take, context.page.address.ends(), str(patch["text"]))
    st.button(html.unescape(label), key="solve", type="tertiary", on_click=press)


def take(ends, text: str) -> None:
    """Another sentence, with its exercise still open: no question stands before that."""
    visit.change_all(**with_text(visit.browser().query, ends, text), guess="skip")
