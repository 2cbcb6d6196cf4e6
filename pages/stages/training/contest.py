"""What a part of the network does for training, seen in recorded runs that differ in it alone."""

import streamlit as st

from pages.shared.address.address import Table, choice, whole
from pages.shared.number.follow import follow
from pages.shared.page.parts import folded, heading, paragraphs, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed
from pages.stages.training import contest_words
from pages.stages.training.contest_followed import followed
from pages.stages.training.context import DEEPEST, DEPTHS, DIFFERS, Descents, StageContext, family_of
from pages.stages.training.runs_picture import CURVE, controls, runs

COMPARED = {
    "what": choice(*DIFFERS, default="norm"),
    "layers": choice(*map(str, DEPTHS), default=DEEPEST),
}
FOLLOWED = "contest_followed"


def parameters(page: PageContext, view: Descents) -> Table:
    chosen = page.address.read(COMPARED)
    family = family_of(chosen["what"], chosen["layers"])
    return {
        **COMPARED,
        "run": choice(*family.runs, default=next(iter(family.runs))),
        "step": whole(1, family.steps, family.steps),
        **CURVE,
    }


def draw(context: StageContext) -> None:
    key, facts = contest_words.lead(context)
    write(heading(context.t, "contest"), paragraphs([context.t.html(key, **facts)]))
    components.controls(key="contest_controls", data=controls(context).data())
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        components.runs(key="runs", data=packed(context.of_any_sentence("what", "layers"), runs))
    with right:
        follow(context, followed, key=FOLLOWED)
    numbers = paragraphs(contest_words.measured(context))
    write(paragraphs([contest_words.why(context)]), folded(context.t.html("contest.numbers"), numbers))


SECTION = Section(draw, parameters, redraws=("what", "layers"), pieces={FOLLOWED: ("run", "step")}, follows=FOLLOWED)
