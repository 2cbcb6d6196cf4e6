"""One row, many states: a word in several sentences, layer by layer."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.errors import InputError
from core.figures import meaning as figures
from core.views.meaning import Space
from core.views.senses import LONGEST, TAPS, Senses, senses_view
from pages.shared import cached, parts, samples
from pages.shared.address import Parameter, choice, whole
from pages.shared.charts import chart, remembered, scheme
from pages.shared.page import Page
from pages.shared.texts import Texts
from pages.shared.visit import bind, hand
from pages.stages.meaning import own
from pages.stages.meaning.look import LONGEST_WORD, Look

OWN = "own"  # the visitor's word, in the visitor's sentences
LONGEST_TEXT = 4000  # characters


def parameters(page: Page, view: Space) -> dict[str, Parameter]:
    words = tuple(samples.read("words")[page.address.model]["senses"])
    deepest = page.model.config.layers + 1
    return {
        "sense": choice(*words, OWN, default=words[0]),
        "depth": whole(0, deepest, deepest),
        "sense_word": own.parameter(),
        "sense_text": own.parameter(),
    }


def draw(look: Look) -> None:
    """Static against contextual: the curve, and which sentence is nearest to which."""
    t = look.t
    parts.write(parts.heading(t, "context"), parts.paragraphs([t.html("context_said")]))
    word, groups = controls(look)
    try:
        view = view_of(look, word, groups)
    except InputError as error:
        st.html(f"<p class='note'>{t.html(f'context_errors.{error.code}', **error.parameters)}</p>")
        return
    show(look, view, look.values["depth"])
    too_many(t, sum(map(len, groups.values())))


def view_of(look: Look, word: str, groups: Mapping[str, Sequence[str]]) -> Senses:
    model = look.model
    return cached.remember(
        ("senses", model, word, tuple((sense, *lines) for sense, lines in groups.items())),
        lambda: senses_view(look.page.model, word, groups, lambda text: cached.capture(model, text, only=TAPS)),
    )


def too_many(t: Texts, sentences: int) -> None:
    if sentences > LONGEST:
        st.html(f"<p class='note'>{t.html('context_many', limit=LONGEST, n=sentences - LONGEST)}</p>")


# ---- which word, in which sentences


def controls(look: Look) -> tuple[str, Mapping[str, Sequence[str]]]:
    """Which word, and its sentences by sense."""
    t, senses = look.t, look.sample["senses"]
    with st.container(key="sense_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            t("sense_label"),
            [*senses, OWN],
            format_func=lambda id: t("sense_own") if id == OWN else id,
            required=True,
            **bind(look, "sense"),
        )
        st.select_slider(
            t("depth_label"),
            range(look.page.model.config.layers + 2),
            format_func=lambda depth: depth_name(t, depth),
            width=280,
            **bind(look, "depth"),
        )
    chosen = look.values["sense"]
    return own_word(look) if chosen == OWN else (chosen, senses[chosen])


def own_word(look: Look) -> tuple[str, Mapping[str, Sequence[str]]]:
    """The visitor's word and sentences; at first the last of the ready ones."""
    t, stage = look.t, look.page.stage
    word, senses = list(look.sample["senses"].items())[-1]
    word = own.text(look, "sense_word", word)
    text = own.text(look, "sense_text", "\n\n".join("\n".join(lines) for lines in senses.values()))
    left, right = st.columns([1, 3])
    with left:
        held = hand("sense_word_in", word, partial(own.take, stage, "sense_word"))
        st.text_input(t("sense_word"), max_chars=LONGEST_WORD, **held)
    with right:
        held = hand("sense_text_in", text, partial(own.take, stage, "sense_text"))
        st.text_area(t("sense_text"), height=150, max_chars=LONGEST_TEXT, **held)
    return word.strip(), by_sense(text)


def by_sense(text: str) -> dict[str, list[str]]:
    """A line a sentence; an empty line begins another sense."""
    senses: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            senses[-1].append(line.strip())
        elif senses[-1]:
            senses.append([])
    return {chr(ord("A") + i % 26): lines for i, lines in enumerate(senses[:26]) if lines}


def depth_name(t: Texts, depth: int) -> str:
    if depth < 2:
        return t("depth_table" if depth == 0 else "depth_enters")
    return t("depth_layer", n=depth - 1)


# ---- what is seen


def show(look: Look, view: Senses, depth: int) -> None:
    t, page = look.t, look.page
    key = look.model, view.word, view.sentences, view.senses, depth
    left, right = st.columns([1, 1.1], gap="large")
    words = {name: t(f"senses.{name}") for name in ("within", "across", "table", "enters", "axis")}
    numbers = [str(i + 1) for i in range(len(view.sentences))]
    with left:
        curve = remembered(page, ("curve", key), lambda: figures.senses_figure(view, depth, words, scheme(page)))
        chart(curve, "senses")
        parts.write(parts.paragraphs(said(t, view, depth)))
    with right:
        cosines = view.cosines[depth]
        each = remembered(
            page, ("each", key), lambda: figures.cosines_figure(cosines, numbers, view.senses, scheme(page))
        )
        chart(each, "sense_cosines")
        parts.write(sentence_list(view, depth))


def said(t: Texts, view: Senses, depth: int) -> list[str]:
    gap = view.within - view.across
    facts = {"word": view.word, "n": len(view.sentences), "depth": depth_name(t, depth)}
    facts |= {"within": float(view.within[depth]), "across": float(view.across[depth]), "gap": float(gap[depth])}
    found = t.html("context_table" if depth == 0 else "context_found", **facts)
    if np.isnan(gap).any():
        return [*([found] if depth == 0 else []), t.html("context_alone")]
    if depth == 0:
        return [found]
    return [found, *([t.html("context_enters")] if depth == 1 else []), verdict(t, view, gap, depth)]


def verdict(t: Texts, view: Senses, gap: np.ndarray, depth: int) -> str:
    """Whether the senses come apart here, and where the most."""
    most = int(gap[1:].argmax()) + 1
    facts: dict[str, object] = {"most": float(gap[most]), "where": depth_name(t, most), "word": view.word}
    right, n = view.right(depth), len(view.paired)
    return t.html("context_clear" if right >= 0.9 * n else "context_blurred", **facts, right=right, n=n)


def sentence_list(view: Senses, depth: int) -> str:
    """The sentences with their numbers and, behind each, the one whose word is nearest."""
    nearest, rows = view.nearest(depth), []
    for i, sentence in enumerate(view.sentences):
        near = f" → {nearest[i] + 1}" if depth else ""
        wrong = depth and view.senses[i] != view.senses[nearest[i]]
        rows.append((i + 1, sentence, parts.Html(f"<b>{near}</b>") if wrong else near))
    return parts.table(rows, kind="senses")
