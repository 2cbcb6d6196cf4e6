"""Changing one word of the sentence: slots of the grammar to choose from, both translations, and where they looked."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

import numpy as np
import streamlit as st

from core import grammar
from core.text.token import named
from core.views.translation import TranslationView
from pages.shared import cached, samples, state
from pages.shared.page import Page
from pages.shared.state import Parameter

PRESET = samples.presets("translation", "zh")[1]
DECIDED = 0.5  # a weight that takes most of its row
LONGEST = 200
PARAMETERS = {"variant": Parameter(lambda raw: raw[:LONGEST], None, "")}


@dataclass(frozen=True)
class Sentence:
    """The visitor's sentence as this section needs it."""

    page: Page
    known: grammar.Sentence | None  # as the grammar makes it, where it does
    view_of: Callable[[str], TranslationView]
    clearest: tuple[int, int]  # layer and head that align best, counted from 1
    veiled: bool


@lru_cache(maxsize=512)
def reference(text: str) -> grammar.Sentence | None:
    """The grammar's own translation, where it makes this sentence."""
    parts = grammar.parse(text)
    return grammar.build(parts) if parts else None


@st.fragment
def change_a_word(sentence: Sentence) -> None:
    """A sentence of the grammar, slot by slot; beside it what became of the visitor's own."""
    if state.pop("_text_changed"):
        st.rerun(scope="app")
    t = sentence.page.t
    now = state.Address().read(PARAMETERS)
    variant = str(now["variant"] or suggestion(sentence.page.text))
    parts = grammar.parse(variant)
    st.html(f"<h2 class='part'>{t.html('change.title')}</h2><p>{t.html('change.said')}</p>")
    if parts is None:
        st.html(f"<p class='note'>{t.html('change.outside', text=variant)}</p>")
        parts = grammar.parse(PRESET)
        assert parts is not None
        variant = PRESET
    builder(sentence.page, parts)
    st.html(comparison(sentence, variant))
    st.button(t("change.use", text=variant), key="use_variant", type="tertiary", on_click=use, args=(variant,))


def use(text: str) -> None:
    state.change(variant=None)
    state.change_text(text)


# ---- what to change


@lru_cache(maxsize=512)
def suggestion(text: str) -> str:
    """The sentence with another thing in it, such that the verb is translated by another word if there is such a
    thing; else with another word in the first slot that has one."""
    known = reference(text)
    if known is None:
        return PRESET
    slots = dict(known.parts.words)
    for slot in sorted(slots, key=lambda name: name != "what"):
        choices = [word for word in slot_options(known.parts, slot) if word and word != slots[slot]]
        built = [grammar.build(grammar.changed(known.parts, slot, word)) for word in choices]
        other = [sentence for sentence in built if verb(sentence) != verb(known)]
        if built:
            return (other or built)[0].zh
    return PRESET


def verb(sentence: grammar.Sentence) -> str:
    """The English of the characters in its verb slot."""
    text = dict(sentence.parts.words).get("verb", "")
    at = sentence.zh.find(text) if text else -1
    return " ".join(word.text for word in sentence.target if word.source and at in word.source)


@lru_cache(maxsize=4096)
def slot_options(parts: grammar.Parts, slot: str) -> tuple[str, ...]:
    return grammar.options(parts.form, slot, dict(parts.words))


def builder(page: Page, parts: grammar.Parts) -> None:
    t = page.t
    with st.container(key="builder", horizontal=True, vertical_alignment="bottom", gap="small"):
        forms = list(grammar.FORMS)
        st.session_state["form_in"] = parts.form
        st.selectbox(
            t("change.form"), forms, key="form_in", on_change=formed, width=260,
            format_func=lambda form: grammar.build(parts).zh if form == parts.form else example_of(form),
        )  # fmt: skip
        for slot, word in parts.words:
            choices = slot_options(parts, slot)
            if len(choices) < 2:
                continue
            st.session_state[f"slot_{slot}"] = word
            st.selectbox(
                t(f"slots.{slot}"), choices, key=f"slot_{slot}", width=110, on_change=chosen, args=(parts, slot),
                format_func=lambda option: option or "—",
            )  # fmt: skip


@cache
def example_of(form: str) -> str:
    """A form by a sentence of it."""
    return grammar.sample(Random(form), form).zh


def formed() -> None:
    state.change(variant=example_of(st.session_state["form_in"]))


def chosen(parts: grammar.Parts, slot: str) -> None:
    state.change(variant=grammar.build(grammar.changed(parts, slot, st.session_state[f"slot_{slot}"])).zh)


# ---- what came of it


def comparison(sentence: Sentence, variant: str) -> str:
    """The two sentences with their translations; under each changed word, where it looked.

    Sentences of two forms have nothing to compare: then the new one stands alone.
    """
    text, known, parts = sentence.page.text, sentence.known, grammar.parse(variant)
    if known is None or parts is None or parts.form != known.parts.form:
        run = cached.translation(sentence.page.address.model, variant)
        alone = f"<p class='zh'>{html.escape(variant)}</p><p>{html.escape(run.text_out or '')}</p>"
        return f"<div class='pair'>{alone}</div>"
    both = ((text, variant), (variant, text))
    return "".join(f"<div class='pair'>{told(sentence, mine, other)}</div>" for mine, other in both)


def told(sentence: Sentence, text: str, other: str) -> str:
    name = sentence.page.address.model
    mine, theirs = cached.translation(name, text), cached.translation(name, other)
    there = {token.text for token in theirs.target_out}
    changed = [i for i, token in enumerate(mine.target_out) if token.text not in there]
    english, at = "", 0
    for i, token in enumerate(mine.target_out):
        said = html.escape((mine.text_out or "")[token.start : token.end])
        english += html.escape((mine.text_out or "")[at : token.start]) + (f"<b>{said}</b>" if i in changed else said)
        at = max(at, token.end)
    looks = [] if sentence.veiled else [look for i in changed for look in looked(sentence, text, other, i)]
    characters = set(other)
    chinese = "".join(html.escape(c) if c in characters else f"<b>{html.escape(c)}</b>" for c in text)
    return f"<p class='zh'>{chinese}</p><p>{english}</p>" + "".join(f"<p class='soft'>{look}</p>" for look in looks)


def looked(sentence: Sentence, text: str, other: str, row: int) -> list[str]:
    """Where a word looked when it was written; and, where the encoder had looked decidedly from there at a character
    that the other sentence has not, that too: so a verb may know its object."""
    page, (layer, head) = sentence.page, sentence.clearest
    seen, run = sentence.view_of(text), cached.capture(page.address.model, text, only=("encoder.*.attention.weights",))
    source = tuple(token.text for token in seen.source)
    weights = seen.cross[layer - 1, head - 1, row]
    at = int(weights.argmax())
    facts = {"word": seen.written[row].text, "best": named(source, at), "weight": float(weights[at])}
    said = [page.t.html("change.looked", layer=layer, head=head, **facts)]
    if seen.source[at].special:
        return said
    layers = range(page.model.config.layers)
    inside = np.stack([run[f"encoder.{i}.attention.weights"][:, at] for i in layers]).copy()
    made = reference(text)
    inside[..., [at, *(made.target[row].source if made else ())]] = 0  # elsewhere than in its own word
    i, h, k = np.unravel_index(inside.argmax(), inside.shape)
    if inside[i, h, k] < DECIDED or source[k] in other:
        return said
    facts = {"best": named(source, at), "there": named(source, int(k)), "weight": float(inside[i, h, k])}
    return [*said, page.t.html("change.inside", layer=int(i) + 1, head=int(h) + 1, **facts)]
