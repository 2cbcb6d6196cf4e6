"""Segmentation: where a Chinese word ends. jieba's graph and its best path, and other methods on the same ruler."""

from collections.abc import Iterator, Sequence

import streamlit as st

from core.questions import Question, some
from core.questions.segmentation import each
from core.text import own_words
from core.text.token import Token
from core.views.segmentation import PATHS, SegmentationView, astride, best_path, challenger
from pages.shared.address import address
from pages.shared.address.address import Parameter, Repair, choice, whole
from pages.shared.page.stage import PageContext, Section, Stage
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.segmentation import gallery, methods, own_dictionary, second_step, sizes
from pages.stages.segmentation.context import (
    CLIPPED,
    LONGEST,
    LONGEST_WORDS,
    MODES,
    StageContext,
    opens_on,
    threshold,
    view_of,
    words_of,
)
from pages.stages.segmentation.page import draw
from pages.stages.segmentation.text_box import box


def settle(page: PageContext) -> None:
    """The dictionary, loaded once; and what cannot be taken of a text and words that are not the visitor's sentence."""
    if not cached.dictionary_is_there():
        with st.spinner(page.t("loading")):
            cached.dictionary()
    raw = page.address.raw
    page.address.repairs += repairs(
        raw.get("sample", opens_on(page)), raw.get("words", ""), raw.get("section") != "own"
    )


def repairs(sample: str, own: str, said_here: bool = True) -> list[Repair]:
    """Which words cannot be taken is `said_here` while their box, which says so itself, is not open."""
    said = []
    if len(sample) > LONGEST:
        said.append(Repair("sample_cut", {"limit": LONGEST, "length": len(sample)}))
    if len(own) > LONGEST_WORDS:
        said.append(Repair("words_cut", {"limit": LONGEST_WORDS}))
    if not sample[:LONGEST].strip():
        said.append(Repair("sample_empty"))
    limits = {"most": own_words.MOST_WORDS, "longest": own_words.LONGEST_WORD}
    refusals = own_words.read_words(own[:LONGEST_WORDS])[1] if said_here else []
    return [*said, *(Repair(f"word_{code}", {"word": clip(word, CLIPPED), **limits}) for word, code in refusals[:5])]


def which(page: PageContext):
    return {
        "sample": address.words(LONGEST, opens_on(page)),
        "words": address.words(LONGEST_WORDS, None),
        "hmm": choice("on", "off", default="on"),
        "mode": choice(*MODES, default="accurate"),
    }


def view(page: PageContext, chosen) -> SegmentationView:
    return view_of(chosen["sample"], chosen["words"] or "", chosen["hmm"] == "on", chosen["mode"])


def questions(page: PageContext, view: SegmentationView) -> Sequence[Question]:
    """Of the dictionary alone: the word most worth weighing is made just frequent enough, then others."""
    return questions_of(view.text)


@cached.shared
def questions_of(text: str) -> Sequence[Question]:
    return some(asked(text))


def asked(text: str) -> Iterator[Question]:
    view = view_of(text)
    first = challenger(view)
    words = [*([first] if first else []), *astride(view)]
    return each(
        view.paths[0],
        words,
        lambda word: threshold(text, "", word.text, word.start),
        lambda word, at: best_path(text, words_of(f"{word.text}:{at}", text)),
    )


def parameters(page: PageContext, view: SegmentationView, asked):
    return {"way": whole(0, PATHS - 1, 0, ends="sentence"), "arc": arc(view)}


def arc(view: SegmentationView) -> Parameter:
    """A word of the graph, by where it begins and ends."""

    def parse(raw: str) -> str | None:
        start, _, end = raw.partition("-")
        there = start.isdecimal() and end.isdecimal() and len(raw) < 12 and (int(start), int(end)) in view.edge_at
        return f"{int(start)}-{int(end)}" if there else None

    return Parameter(parse, None, "0-1 …", ends="sentence")


def shown(context: StageContext) -> tuple[Token, ...]:
    words = context.view.words
    return tuple(Token(w.text.strip() or "␣", i, w.start, w.end, False, 0, i) for i, w in enumerate(words))


def asked_with(context: StageContext) -> dict[str, object]:
    """Counts as they are read."""
    facts = context.question.facts if context.question else {}
    return {name: f"{facts[name]:,}" for name in ("frequency", "threshold") if name in facts}


STAGE = Stage(
    "segmentation",
    draw,
    context=StageContext,
    settle=settle,
    which=which,
    view=view,
    questions=questions,
    asked=asked_with,
    parameters=parameters,
    opened_by=("words", "way"),  # whoever weighs words has the answer in sight
    sections={
        "own": Section(own_dictionary.draw, redraws=("words", "hmm")),
        "second": Section(second_step.draw, redraws=("words", "hmm", "mode")),
        "methods": Section(methods.draw, redraws=("words", "hmm")),
        "sizes": Section(sizes.draw),
        "gallery": Section(gallery.draw),
    },
    recap={"path": {}, "weigh": {"section": "own"}, "unknown": {"section": "sizes"}},
    redraws={
        "page": ("sample",),
        "picture": ("words", "hmm", "mode"),
        "tokens": ("words", "hmm"),
        "asked": ("words",),
    },
    shown=shown,
    box=box,
)
