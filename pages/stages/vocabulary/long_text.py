"""A long text: trained in the background, with progress, and stopped at a press."""

from collections.abc import Callable
from functools import partial
from time import perf_counter, sleep

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.text.merging import Rule, Ties
from core.views.growth import EACH, LONGEST, SIZES, Grown, Growth
from pages.shared.address import visit
from pages.shared.address.address import choice
from pages.shared.page.controls import handed, text_box
from pages.shared.page.parts import heading, paragraph, pieces, table, write
from pages.shared.page.stage import SECTION, Section, Stage
from pages.shared.pictures import components
from pages.shared.server import cached, jobs
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts, clip, own_words
from pages.stages.vocabulary.context import StageContext

# Kept for the visit: the text, what is being trained, what broke off, and what was stopped.
TEXT, GOING, FAILED, STOPPED = "vocabulary.long", "vocabulary.going", "vocabulary.failed", "vocabulary.stopped"
GLANCE = 0.8  # seconds between two looks at how far it is
LONGEST_REST = 0.1  # seconds after a merge
SHOWN = 8  # pieces of a list
POINTS = 200  # of the curve


def parameters(page, view):
    return {"upto": choice(*map(str, SIZES), default=str(opening(page.t)))}


def opening(t: Texts) -> int:
    """How large a vocabulary of the site's own text is: Chinese has more than a thousand single characters alone."""
    return 2000 if t.language == "zh" else 1000


def draw(context: StageContext) -> None:
    t, stage = context.t, context.page.stage
    own, site = st.session_state.get(TEXT, ""), own_words(t.language)[:LONGEST]
    text = own if own.strip() else site
    write(heading(t, "long"))
    sizes = [(str(size), grouped(size)) for size in SIZES]
    components.controls(key="upto", data=Controls([Control("upto", t("long.upto"), sizes)]).data())
    of = text, context.rule, context.ties, int(context.values["upto"])
    key, rule = grown.key(*of), t(f"rules.{context.rule}")
    facts = {"n": grouped(len(text)), "rule": rule, "ties": t(f"tie.{context.ties}")}
    taken = "long.taken" if text is own else "long.site"
    write(paragraph(t, taken, begin=clip(" ".join(text[:200].split()), 40), **facts))
    ended = {st.session_state.get(name) for name in (STOPPED, FAILED)}
    if text is site and of[-1] == opening(t) and key not in ended:
        st.session_state[GOING] = key  # an example is there from the start
    if grown.known(*of):
        st.session_state.pop(GOING, None)
        result(context, grown(*of))
    elif st.session_state.get(GOING) == key:
        watch(t, *of)
    else:
        if st.session_state.get(FAILED) == key:
            write(paragraph(t, "long.failed"))
        st.button(t("long.start"), key="long_start", on_click=partial(begin, stage, key))
    write(paragraph(t, "long.said", limit=grouped(LONGEST)))
    handed("long", text_box(context, "long", t("long.label"), LONGEST, handed=own, lines=3), partial(take, stage))
    if text is own:
        st.button(t("long.back"), key="long_site", type="tertiary", on_click=partial(take, stage, ""))


# ---- what a hand does


def take(stage: Stage, text: str) -> None:
    """A text is kept for the visit: no address could hold it."""
    st.session_state[TEXT] = text[:LONGEST]
    visit.redraw([SECTION])


def begin(stage: Stage, key: tuple[object, ...]) -> None:
    st.session_state[GOING], st.session_state[FAILED], st.session_state[STOPPED] = key, None, None
    visit.redraw([SECTION])


def stop() -> None:
    jobs.leave()
    st.session_state[STOPPED] = st.session_state.pop(GOING, None)
    visit.redraw([SECTION])


# ---- the work


def steps(text: str, rule: Rule, ties: Ties, upto: int) -> list[Callable[[], object]]:
    """Reading, a few merges at a time, and putting the result where everybody finds it."""
    growth = Growth(text, rule, ties, upto)
    merging: list[Callable[[], object]] = [partial(some, growth)] * -(-growth.size // EACH)
    return [growth.read, *merging, lambda: grown.keep(growth.done, text, rule, ties, upto)]


def some(growth: Growth) -> None:
    """A few merges. Half of the time it rests: Python runs one thread at a time, and the pages come first."""
    for _ in range(EACH):
        begun = perf_counter()
        growth.grow(1)
        sleep(min(LONGEST_REST, perf_counter() - begun))


@cached.shared
def grown(text: str, rule: Rule, ties: Ties, upto: int) -> Grown:
    """All at once: only where a result was let go of in the moment it was asked for."""
    growth = Growth(text, rule, ties, upto)
    growth.read()
    growth.grow(growth.size)
    return growth.done


def watch(t: Texts, text: str, rule: Rule, ties: Ties, upto: int) -> None:
    """How far it is, and a button to stop it."""
    key = grown.key(text, rule, ties, upto)
    try:
        job = jobs.ask(key, steps(text, rule, ties, upto))
    except jobs.Busy:
        st.session_state.pop(GOING, None)
        write(paragraph(t, "long.busy"))
        return

    @st.fragment(key="long_progress", run_every=GLANCE)
    def glance() -> None:
        if job.over:
            st.session_state.pop(GOING, None)
            st.session_state[FAILED] = key if job.error else None
            visit.redraw([SECTION])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), t("long.progress", done=job.done * EACH))
            st.button(t("long.stop"), key="long_stop", on_click=stop)

    glance()


# ---- what came of it


def result(context: StageContext, grown: Grown) -> None:
    t, made = context.t, [merge.made for merge in grown.training.merges if merge.new]
    if not made:
        said = paragraph(t, "long.too_small" if grown.first >= grown.wanted else "long.no_pair", **sizes(grown))
        return write(counted(context, grown), said)
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        components.curves(key="long_curve", data=curve(context, grown).pack())
    right.html(counted(context, grown))
    write(*saved(context, grown))
    longest = sorted(made, key=lambda piece: len(piece.removeprefix("##")), reverse=True)[:SHOWN]
    rows = [
        (t(f"long.{name}"), pieces(clip(piece, 24) for piece in shown))
        for name, shown in (("first", made[:SHOWN]), ("last", made[-SHOWN:]), ("longest", longest))
    ]
    write(table(rows, kind="known"))


def sizes(grown: Grown) -> dict[str, object]:
    return {"first": grouped(grown.first), "wanted": grouped(grown.wanted)}


def counted(context: StageContext, grown: Grown) -> str:
    names = {
        "characters": grown.characters,
        "words": grown.words,
        "different": grown.different,
        "alphabet": len(grown.training.alphabet),
        "merges": len(grown.training.merges),
        "size": grown.size,
    }
    return table([(context.t(f"long.{name}"), grouped(n)) for name, n in names.items()], kind="sums")


def curve(context: StageContext, grown: Grown) -> Curves:
    """How many fewer pieces spell the text, while the vocabulary grows."""
    every = max(1, len(grown.counts) // POINTS)
    values = grown.counts[0] - np.array(grown.counts[::every], np.float32)
    return Curves(
        x=Along(len(values), context.t("long.merged"), step=every),
        y=Upwards(low=0),
        series=[Series(context.t("long.pieces", before=grouped(grown.counts[0])))],
        values=[values],
        height=240,
        words=CurvesWords(context.t("long.curve")),
    )


def saved(context: StageContext, grown: Grown) -> list[str]:
    """What the first half of the merges saved, and what the second."""
    counts, half = grown.counts, len(grown.counts) // 2
    facts = {"before": grouped(counts[0]), "after": grouped(counts[-1]), "size": grouped(grown.size)}
    facts |= {"early": grouped(counts[0] - counts[half]), "late": grouped(counts[half] - counts[-1])}
    less = counts[0] - counts[half] > counts[half] - counts[-1]
    ended = "long.ended" if grown.size < grown.wanted else "long.reached"
    said = "long.saved" if less else "long.saved_late"
    return [paragraph(context.t, said, **facts), paragraph(context.t, ended, **sizes(grown))]


SECTION_OF = Section(draw, parameters, redraws=("rule", "ties", "upto"))
