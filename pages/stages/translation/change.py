"""Changing one word of the sentence: slots of the grammar to choose from, both translations, and where they looked."""

import streamlit as st

from core import grammar
from core.figures.controls import Control
from pages.shared.address.address import Table, words
from pages.shared.address.visit import on_press
from pages.shared.page.controls import controls
from pages.shared.page.parts import heading, write
from pages.shared.page.sentence_box import example_of
from pages.shared.page.stage import PageContext, Section
from pages.shared.server import cached
from pages.stages.translation.comparison import comparable, comparison
from pages.stages.translation.context import PRESET, StageContext, reference

LONGEST = 200
FEW = 4  # words that stand side by side


def parameters(page: PageContext, view: object) -> Table:
    return {"variant": words(LONGEST, None, ends="sentence")}


def draw(context: StageContext) -> None:
    """A sentence of the grammar, slot by slot; beside it what became of the visitor's own."""
    t = context.t
    variant = context.values["variant"] or suggestion(context.text)
    parts, outside = grammar.parse(variant), ""
    if parts is None:
        outside = f"<p class='note'>{t.html('change.outside', text=variant)}</p>"
        variant, parts = PRESET, grammar.parse(PRESET)
        assert parts is not None
    write(heading(t, "change"), f"<p>{t.html(said(context, variant))}</p>", outside)
    builder(context, parts)
    write(comparison(context, variant))
    use = on_press(context, text=variant)
    st.button(t("change.use", text=variant), key="use_variant", type="tertiary", on_click=use)


def said(context: StageContext, variant: str) -> str:
    """What is compared, if anything is; while the question is open, nothing is said of where a word looked."""
    if not comparable(context, variant):
        return "change.said_alone"
    return "change.said_veiled" if context.veiled else "change.said"


SECTION = Section(draw, parameters, redraws=("variant",))


# ---- what to change


@cached.shared
def suggestion(text: str) -> str:
    """The sentence with another thing in it, such that the verb is translated by another word if there is such a
    thing; else with another word in the first slot that has one."""
    known = reference(text)
    if known is None:
        return PRESET
    slots = dict(known.parts.words)
    for slot in sorted(slots, key=lambda name: name != "what"):
        choices = [word for word in options(known.parts, slot) if word and word != slots[slot]]
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


@cached.shared
def options(parts: grammar.Parts, slot: str) -> tuple[str, ...]:
    """What else may stand in a slot."""
    return grammar.options(parts.form, slot, dict(parts.words))


def builder(context: StageContext, parts: grammar.Parts) -> None:
    """Every choice is a sentence: the same in another form, or with another word in a slot."""
    t, now = context.t, grammar.build(parts).zh
    forms = {form: now if form == parts.form else example_of(form) for form in grammar.FORMS}
    every = [Control("variant", t("change.form"), [(zh, zh) for zh in forms.values()], now, stepper="list", at="form")]
    for slot, _ in parts.words:
        choices = options(parts, slot)
        if len(choices) > 1:
            said = [(grammar.build(grammar.changed(parts, slot, choice)).zh, choice or "—") for choice in choices]
            every.append(Control("variant", t(f"slots.{slot}"), said, now, stepper=len(said) > FEW and "list", at=slot))
    controls("builder", *every)
