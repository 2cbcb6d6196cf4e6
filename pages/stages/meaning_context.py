"""One row, many states: a word in several sentences, layer by layer, and whole sentences compared."""

import html
from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from core import Capture
from core.errors import InputError
from core.figures import meaning as figures
from core.views.senses import LONGEST, TAPS, Senses, Sentences, depths, senses_view, sentences_view
from pages.shared import cached, state
from pages.shared.charts import chart, remembered, scheme
from pages.shared.page import Page, paragraphs
from pages.shared.state import Parameter, choice, whole
from pages.stages.meaning_controls import changed

OWN = "own"  # the visitor's word, in the visitor's sentences
LONGEST_TEXT = 4000  # characters
LAYERS = 6  # of the deepest model there is


def TABLE(sample: Mapping) -> dict[str, Parameter]:
    """The parameters of these sections."""
    words = tuple(sample["senses"])
    return {"sense": choice(*words, OWN, default=words[0]), "depth": whole(0, LAYERS + 1, LAYERS + 1)}


def captured(page: Page, text: str) -> Capture:
    return cached.capture(page.address.model, text, only=TAPS)


# ---- one word in many sentences


def in_context(page: Page, sample: Mapping) -> None:
    """Static against contextual: the curve, and which sentence is nearest to which."""

    @st.fragment
    def draw() -> None:
        t, values = page.t, state.Address().read(TABLE(sample))
        st.html(f"<h2 class='part'>{t.html('context_title')}</h2>")
        paragraphs([t.html("context_said")])
        word, groups = controls(page, sample, values["sense"])
        try:
            view = cached.remember(
                ("senses", page.address.model, word, tuple((s, *lines) for s, lines in groups.items())),
                lambda: senses_view(page.model, word, groups, lambda text: captured(page, text)),
            )
        except InputError as error:
            st.html(f"<p class='note'>{t.html(f'context_errors.{error.code}', **error.parameters)}</p>")
            return
        show(page, view, min(values["depth"], len(view.states) - 1))
        too_many(page, sum(map(len, groups.values())))

    draw()


def too_many(page: Page, sentences: int) -> None:
    if sentences > LONGEST:
        st.html(f"<p class='note'>{page.t.html('context_many', limit=LONGEST, n=sentences - LONGEST)}</p>")


def controls(page: Page, sample: Mapping, chosen: str) -> tuple[str, dict[str, list[str]]]:
    """Which word, and its sentences by sense."""
    t, words = page.t, list(sample["senses"])
    with st.container(key="sense_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.session_state["sense_in"] = chosen
        st.segmented_control(
            t("sense_label"), [*words, OWN], format_func=lambda id: t("sense_own") if id == OWN else id,
            required=True, key="sense_in", on_change=changed, args=("sense",),
        )  # fmt: skip
        last = page.model.config.layers + 1
        st.session_state["depth_in"] = min(int(st.query_params.get("depth", last)), last)
        st.select_slider(
            t("depth_label"), range(last + 1), format_func=lambda depth: depth_name(page, depth), width=280,
            key="depth_in", on_change=changed, args=("depth",),
        )  # fmt: skip
    if chosen != OWN:
        return chosen, {sense: list(lines) for sense, lines in sample["senses"][chosen].items()}
    example = words[-1]
    st.session_state.setdefault("sense_word", example)
    st.session_state.setdefault("sense_text", "\n\n".join("\n".join(s) for s in sample["senses"][example].values()))
    left, right = st.columns([1, 3])
    word = left.text_input(t("sense_word"), key="sense_word", max_chars=40)
    text = right.text_area(t("sense_text"), key="sense_text", height=150, max_chars=LONGEST_TEXT)
    return state.without_surrogates(word).strip(), by_sense(state.without_surrogates(text))


def by_sense(text: str) -> dict[str, list[str]]:
    """A line a sentence; an empty line begins another sense."""
    senses: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            senses[-1].append(line.strip())
        elif senses[-1]:
            senses.append([])
    return {chr(ord("A") + i % 26): lines for i, lines in enumerate(senses[:26]) if lines}


def depth_name(page: Page, depth: int) -> str:
    if depth < 2:
        return page.t("depth_table" if depth == 0 else "depth_enters")
    return page.t("depth_layer", n=depth - 1)


def show(page: Page, view: Senses, depth: int) -> None:
    t, n = page.t, len(view.sentences)
    key = page.address.model, view.word, view.sentences, view.senses, depth
    left, right = st.columns([1, 1.1], gap="large")
    words = {name: t(f"senses.{name}") for name in ("within", "across", "table", "enters", "axis")}
    numbers = [str(i + 1) for i in range(n)]
    with left:
        curve = remembered(page, ("curve", key), lambda: figures.senses_figure(view, depth, words, scheme(page)))
        chart(curve, "senses")
        gap = view.within - view.across
        facts = {"word": view.word, "n": n, "depth": depth_name(page, depth)}
        facts |= {"within": float(view.within[depth]), "across": float(view.across[depth]), "gap": float(gap[depth])}
        said = [t.html("context_table" if depth == 0 else "context_found", **facts)]
        if np.isnan(gap).any():
            said = [*said[: depth == 0], t.html("context_alone")]
        elif depth:
            said += [t.html("context_enters")] * (depth == 1)
            said.append(verdict(page, view, gap, depth))
        paragraphs(said)
    with right:
        cosines = view.cosines[depth]
        each = remembered(
            page, ("each", key), lambda: figures.cosines_figure(cosines, numbers, view.senses, scheme(page))
        )
        chart(each, "sense_cosines")
        st.html(sentence_list(view, depth))


def verdict(page: Page, view: Senses, gap: np.ndarray, depth: int) -> str:
    """Whether the senses come apart here, and where the most."""
    most = int(gap[1:].argmax()) + 1
    facts: dict[str, object] = {"most": float(gap[most]), "where": depth_name(page, most), "word": view.word}
    right, n = view.right(depth), len(view.paired)
    return page.t.html("context_clear" if right >= 0.9 * n else "context_blurred", **facts, right=right, n=n)


def sentence_list(view: Senses, depth: int) -> str:
    """The sentences with their numbers and, behind each, the one whose word is nearest."""
    nearest, lines = view.nearest(depth), []
    for i, sentence in enumerate(view.sentences):
        near = f" → {nearest[i] + 1}" if depth else ""
        wrong = depth and view.senses[i] != view.senses[nearest[i]]
        mark = f"<b>{near}</b>" if wrong else near
        lines.append(f"<tr><td>{i + 1}</td><td>{html.escape(sentence)}</td><td>{mark}</td></tr>")
    return f"<div class='shapes-box'><table class='shapes senses'>{''.join(lines)}</table></div>"


# ---- sentences


def compared(page: Page, sample: Mapping) -> None:
    """The visitor's sentence among others, each against each."""

    @st.fragment
    def draw() -> None:
        t = page.t
        st.html(f"<h2 class='part'>{t.html('sentences_title')}</h2>")
        st.session_state.setdefault("sentences_in", "\n".join(sample["sentences"]["compare"]))
        left, right = st.columns([1, 1.1], gap="large")
        with left:
            paragraphs([sentences_said(page, sample)])
            text = st.text_area(t("sentences_label"), key="sentences_in", height=150, max_chars=LONGEST_TEXT)
        lines = [line.strip() for line in state.without_surrogates(text).splitlines() if line.strip()]
        own = [page.text.strip()] if page.text.strip() else []
        every = list(dict.fromkeys(own + lines))
        texts: list[str] = every[:LONGEST]
        if len(texts) < 2:
            right.html(f"<p class='note'>{t.html('context_errors.sentences_few')}</p>")
            return
        view = sentences_of(page, tuple(texts))
        with right:
            numbers = [str(i + 1) for i in range(len(texts))]
            alone = numbers[:1] * len(texts)  # no groups
            figure = remembered(
                page, ("sentences", page.address.model, tuple(texts)),
                lambda: figures.cosines_figure(view.cosines, numbers, alone, scheme(page)),
            )  # fmt: skip
            chart(figure, "sentences")
        with left:
            rows = "".join(f"<tr><td>{i + 1}</td><td>{html.escape(text)}</td></tr>" for i, text in enumerate(texts))
            st.html(f"<div class='shapes-box'><table class='shapes senses'>{rows}</table></div>")
            paragraphs([extremes(page, texts, view.cosines)])
            too_many(page, len(every))

    draw()


def sentences_said(page: Page, sample: Mapping) -> str:
    """What the vector of a sentence is, and how little the order of its words counts: of the first two samples."""
    pair = tuple(sample["sentences"]["compare"][:2])
    view = sentences_of(page, pair)
    return page.t.html(page.own("sentences_said"), a=pair[0], b=pair[1], cosine=float(view.cosines[0, 1]))


def sentences_of(page: Page, texts: tuple[str, ...]) -> Sentences:
    name, last = page.address.model, depths(page.model)[-1]
    return cached.remember(
        ("sentences", name, texts),
        lambda: sentences_view(page.model, texts, lambda text: cached.capture(name, text, (last,))),
    )


def extremes(page: Page, texts: Sequence[str], cosines: np.ndarray) -> str:
    """The nearest pair and the farthest."""
    pairs = [(i, j) for i in range(len(texts)) for j in range(i)]
    near, far = max(pairs, key=lambda p: cosines[p]), min(pairs, key=lambda p: cosines[p])
    facts = {"near_a": near[1] + 1, "near_b": near[0] + 1, "near": float(cosines[near])}
    return page.t.html("sentences_found", **facts, far_a=far[1] + 1, far_b=far[0] + 1, far=float(cosines[far]))
